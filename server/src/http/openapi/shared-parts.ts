import { Timestamp } from 'confab-contract/fields.ts';
import type { OpenApi, Part } from './document.ts';
import type { Schema } from './schemas.ts';

/**
 * Last steps of the OpenAPI document, which put what many places have alike in one place: times, what a schema has from
 * another, the facts of pages, and the parameters of a path. The types that generators make keep their names.
 */

/**
 * The document with each of these once. Throws when a schema has not all of the one that it is declared to extend, unless
 * `isLenient`: then such a schema stands by itself.
 */
export function withSharedParts(document: OpenApi, isLenient = false): OpenApi {
  return withPathParameters(withRepeatedParameters(withBases(withTimestamps(document), isLenient)));
}

/** Describes times once, in a schema of their own: a tenth of all properties are times. */
function withTimestamps(document: OpenApi): OpenApi {
  const { pattern } = Timestamp as { readonly pattern?: string };
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const { type, pattern: own, description, ...others } = value as Part;
    if (own === pattern && type === 'string' && Object.keys(others).join() === 'examples')
      return {
        $ref: '#/components/schemas/Timestamp',
        ...(description === undefined ? {} : { description }),
      };
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
  };
  const { components, ...rest } = visit(document) as OpenApi;
  const time = { ...Timestamp, description: 'A time by RFC 3339, in UTC with three fractional digits.' };
  return { ...rest, components: { ...components, schemas: { ...components.schemas, Timestamp: time } } };
}

/** Schemas that have everything that another has, and something besides. */
const bases: { readonly [name: string]: string } = {
  Actor: 'User',
  AppPut: 'AppPatch',
  Ban: 'BanMark',
  CommentCreate: 'EntryCreate',
  CommentItem: 'AnswerItem',
  CommentPatch: 'EntryPatch',
  Conversation: 'App',
  File: 'Attachment',
  FileItem: 'Attachment',
  ListedUser: 'User',
  ModerationRules: 'RuleSet',
  ReactionDetail: 'Reaction',
  UserDetail: 'User',
  VisitorCommentItem: 'VisitorAnswerItem',
  WebhookDetail: 'Webhook',
};

/** Schemas for what several others have alike. Each of them has these properties and something besides. */
const commonParts: readonly {
  readonly name: string;
  readonly description: string;
  readonly isIn: (name: string) => boolean;
}[] = [
  { name: 'Page', description: 'What a list has besides its items.', isIn: (name) => name.endsWith('List') },
  {
    name: 'Entry',
    description: 'What comments, posts and messages have, in lists and alone, for users and for visitors.',
    isIn: (name) =>
      /^(?:Comment|Post|Message|(?:Answer|Post|Message)Item|Visitor(?:Comment|AnswerItem))$/.test(name),
  },
];

type ObjectSchema = Schema & {
  readonly properties: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
};
type Named = { readonly [name: string]: Schema };

function isObject(schema: Schema | undefined): schema is ObjectSchema {
  return schema?.type === 'object' && 'properties' in schema;
}

function withBases(document: OpenApi, isLenient: boolean): OpenApi {
  const { schemas } = document.components;
  const parts: { [name: string]: Schema } = {};
  const baseOf: { [name: string]: string } = { ...bases };
  for (const { name: part, description, isIn } of commonParts) {
    const users = Object.keys(schemas).filter(isIn);
    if (users.length === 0) continue;
    parts[part] = { ...commonOf(users, schemas), description };
    for (const user of users) baseOf[user] = part;
  }
  const named: Named = { ...schemas, ...parts };
  const extended = Object.entries(named).map(([name, schema]): [string, Schema] => {
    const base = baseOf[name];
    if (base === undefined || (isLenient && !isExtended(name, { base, named }))) return [name, schema];
    return [name, extending(name, { base, named })];
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(extended) } };
}

/** An object with the properties that all of some schemas have alike. */
function commonOf(names: readonly string[], named: Named): ObjectSchema {
  const [first, ...others] = names.map((name) => objectOf(name, named));
  if (first === undefined) throw new Error('there is no schema to begin with');
  const isCommon = (property: string) => others.every((other) => isSame(property, first, other));
  const required = (first.required ?? []).filter(isCommon);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      Object.entries(first.properties).filter(([property]) => isCommon(property)),
    ),
  };
}

function objectOf(name: string, named: Named): ObjectSchema {
  const schema = named[name];
  if (!isObject(schema)) throw new Error(`${name} is not an object`);
  return schema;
}

/** Whether two schemas describe a property alike. */
function isSame(property: string, one: ObjectSchema, other: ObjectSchema): boolean {
  return (
    JSON.stringify(one.properties[property]) === JSON.stringify(other.properties[property]) &&
    isRequired(one, property) === isRequired(other, property)
  );
}

function isRequired({ required = [] }: ObjectSchema, property: string): boolean {
  return required.includes(property);
}

type Extended = { readonly base: string; readonly named: Named };

/** Whether a schema has everything of a base that is there. */
function isExtended(name: string, of: Extended): boolean {
  return of.named[of.base] !== undefined && lackedBy(name, of) === undefined;
}

/** A property that a schema has not as its base has it; undefined if there is none. */
function lackedBy(name: string, { base, named }: Extended): string | undefined {
  const schema = objectOf(name, named);
  const from = objectOf(base, named);
  return Object.keys(from.properties).find((property) => !isSame(property, schema, from));
}

/** The schema as its base and what it has besides. */
function extending(name: string, { base, named }: Extended): Schema {
  const schema = objectOf(name, named);
  const from = objectOf(base, named);
  const other = lackedBy(name, { base, named });
  if (other !== undefined) throw new Error(`${other} of ${name} is not that of ${base}`);
  const isOwn = (property: string): boolean => !(property in from.properties);
  const { properties, required = [], description, ...rest } = schema;
  const own = {
    ...rest,
    ...(required.some(isOwn) ? { required: required.filter(isOwn) } : {}),
    properties: Object.fromEntries(Object.entries(properties).filter(([property]) => isOwn(property))),
  };
  return { description, allOf: [{ $ref: `#/components/schemas/${base}` }, own] };
}

/** How many operations have a parameter alike before it is described once. */
const repeatedMin = 3;

/** Describes once what many lists can be sorted by or expand; its name has all of these words. */
function withRepeatedParameters(document: OpenApi): OpenApi {
  type Operations = { readonly [method: string]: Part };
  const paths = Object.entries(document.paths as { readonly [path: string]: Operations });
  const inline = paths
    .flatMap(([, operations]) => Object.values(operations))
    .flatMap(({ parameters = [] }) => parameters as Part[])
    .filter(({ name }) => name === 'expand' || name === 'order_by');
  const repeated = [...Map.groupBy(inline, (parameter) => JSON.stringify(parameter)).values()].flatMap(
    ([first, ...others]) => (first !== undefined && others.length + 1 >= repeatedMin ? [first] : []),
  );
  const named = new Map(repeated.map((parameter) => [JSON.stringify(parameter), nameOfWords(parameter)]));
  const shared = ({ parameters, ...operation }: Part): Part => ({
    ...operation,
    ...(parameters === undefined
      ? {}
      : {
          parameters: (parameters as Part[]).map((parameter) => {
            const name = named.get(JSON.stringify(parameter));
            return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
          }),
        }),
  });
  const described = Object.fromEntries(repeated.map((parameter) => [nameOfWords(parameter), parameter]));
  const { components, ...rest } = document;
  return {
    ...rest,
    paths: Object.fromEntries(
      paths.map(([path, operations]) => [
        path,
        Object.fromEntries(Object.entries(operations).map(([method, each]) => [method, shared(each)])),
      ]),
    ),
    components: { ...components, parameters: { ...(components.parameters as object), ...described } },
  };
}

function nameOfWords({ name, schema }: Part): string {
  const { enum: words, items } = schema as { enum?: string[]; items?: { enum?: string[] } };
  return [name, ...(words ?? items?.enum ?? [])].join('.').replaceAll(' desc', '_desc');
}

/** Describes the parameters that all operations of a path have at the path. A path with one operation has them there. */
function withPathParameters(document: OpenApi): OpenApi {
  const paths = Object.entries(document.paths as { [path: string]: { [method: string]: Part } }).map(
    ([path, methods]) => [path, pathItem(methods)],
  );
  return { ...document, paths: Object.fromEntries(paths) };
}

function pathItem(methods: { readonly [method: string]: Part }): Part {
  const operations = Object.entries(methods);
  if (operations.length === 1) return methods;
  const keysOf = ({ parameters = [] }: Part) => (parameters as Part[]).map((each) => JSON.stringify(each));
  const [first = [], ...others] = operations.map(([, operation]) => keysOf(operation));
  const shared = first.filter((key) => others.every((keys) => keys.includes(key)));
  if (shared.length === 0) return methods;
  const rest = operations.map(([method, operation]) => {
    const parameters = keysOf(operation)
      .filter((key) => !shared.includes(key))
      .map((key): unknown => JSON.parse(key));
    const entries = Object.entries({ ...operation, parameters }).filter(
      ([name]) => name !== 'parameters' || parameters.length > 0,
    );
    return [method, Object.fromEntries(entries)];
  });
  return { parameters: shared.map((key): unknown => JSON.parse(key)), ...Object.fromEntries(rest) };
}
