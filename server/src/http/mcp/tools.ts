import { operations } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { type ToolEffect, tools } from 'confab-contract/tools.ts';
import { type Parameter, parametersOf } from '../openapi/operation-facts.ts';
import { createSchemas, nameOf, resolved, type Schema } from '../openapi/schemas.ts';

/**
 * The tools of the Model Context Protocol. Each is an operation of the contract: its name, its sentences and its arguments
 * come from there. The arguments are the parameters of the path and the query and the fields of the body, side by side.
 */

/** A tool as clients list it. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: { readonly [name: string]: Schema };
    readonly required?: readonly string[];
  };
  /** What the protocol assumes of a tool without them: it changes something, may destroy, and is not to be repeated. */
  readonly annotations: {
    readonly readOnlyHint?: true;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
  };
};

/** A tool with its operation, and where each of its arguments goes. */
export type Tool = {
  readonly operation: Operation;
  readonly listed: ListedTool;
  readonly parameters: readonly Parameter[];
  /** The names of the fields of its body. */
  readonly fields: ReadonlySet<string>;
};

/**
 * What a program has no use for: uploads, which it cannot make; free properties, which belong to the host product; the trash;
 * and ways to page and count besides `after`. Each argument of a list is in more than twenty tools.
 */
const leftOut = new Set([
  'attachments',
  'blobs',
  'embed_id',
  'meeting_id',
  'metadata',
  'skip',
  'count',
  'count_only',
  'expand',
  'trashed',
]);

/**
 * The fields of bodies that it has no use for: the schema of an anchor would take a fifth of all tools, and a program answers
 * where people have begun. Lists have a parameter of this name.
 */
const fieldsLeftOut = new Set([...leftOut, 'anchor']);

/** The keywords of a schema that tell a program what to send; formats of our own mean nothing to it. */
const keptKeywords = [
  'type',
  'enum',
  'items',
  'properties',
  'required',
  'default',
  'minimum',
  'maximum',
  'description',
  'anyOf',
];

/** Longer descriptions of arguments are cut after their first sentence. */
const descriptionMax = 100;

/** The tools by name, in the order of the contract. */
export function createTools(): ReadonlyMap<string, Tool> {
  return new Map(
    Object.entries(tools).map(([id, effect]) => [id, toolOf(operations[id as keyof typeof tools], effect)]),
  );
}

function toolOf(operation: Operation, effect: ToolEffect): Tool {
  const schemas = createSchemas();
  const { body } = operation;
  const bodySchema = body === undefined ? undefined : schemas.useBody({ ...operation, body });
  const parameters = parametersOf(operation, schemas).filter(({ name }) => !leftOut.has(name));
  const named = schemas.named();
  const whole = bodySchema && resolved(bodySchema, named);
  const fields = Object.entries((whole?.properties ?? {}) as { readonly [name: string]: Schema }).filter(
    ([name]) => !fieldsLeftOut.has(name),
  );
  const properties = Object.fromEntries([
    ...parameters.map(({ name, description, schema }) => [
      name,
      briefly(isPlain(name) ? schema : { ...schema, description }, named),
    ]),
    ...fields.map(([name, schema]) => [name, briefly(schema, named)]),
  ]);
  if (Object.keys(properties).length !== parameters.length + fields.length)
    throw new Error(`two arguments of the tool ${operation.id} have one name`);
  const required = [
    ...parameters.filter((parameter) => parameter.required).map(({ name }) => name),
    ...((whole?.required ?? []) as readonly string[]),
  ];
  return {
    operation,
    parameters,
    fields: new Set(fields.map(([name]) => name)),
    listed: {
      name: operation.id,
      description: [operation.summary, operation.description].filter(Boolean).join(' '),
      inputSchema: { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
      annotations:
        effect === 'reads'
          ? { readOnlyHint: true }
          : {
              destructiveHint: effect === 'overwrites' || effect === 'destroys',
              idempotentHint: effect !== 'adds',
            },
    },
  };
}

/** Whether a parameter says by itself what it is: an order, and the id of what the tool is named for. */
function isPlain(name: string): boolean {
  return name === 'order_by' || name === 'id';
}

/** A schema with what it refers to in its place, and no more than a program needs. */
function briefly(schema: Schema, named: { readonly [name: string]: Schema }): Schema {
  const target = nameOf(schema) === undefined ? schema : { ...resolved(schema, named), ...schema };
  const entries = keptKeywords
    .filter((keyword) => target[keyword] !== undefined && !isEvident(keyword, target[keyword]))
    .map((keyword): [string, unknown] => [keyword, convert(keyword, target[keyword], named)]);
  return Object.fromEntries(entries);
}

/** The range of any id. */
function isEvident(keyword: string, value: unknown): boolean {
  return keyword === 'maximum' ? value === Number.MAX_SAFE_INTEGER : keyword === 'minimum' && value === 1;
}

function convert(keyword: string, value: unknown, named: { readonly [name: string]: Schema }): unknown {
  if (keyword === 'description') return firstSentence(String(value));
  if (keyword === 'items') return briefly(value as Schema, named);
  if (keyword === 'anyOf') return (value as readonly Schema[]).map((one) => briefly(one, named));
  if (keyword !== 'properties') return value;
  return Object.fromEntries(
    Object.entries(value as { readonly [name: string]: Schema }).map(([name, one]) => [
      name,
      briefly(one, named),
    ]),
  );
}

function firstSentence(text: string): string {
  if (text.length <= descriptionMax) return text;
  return /^.*?[.:](?=\s)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
