import { ProblemBody } from 'confab-contract/fields.ts';
import { type Operation, takesIdempotencyKey } from 'confab-contract/operation.ts';
import { locationOf, resourceOf, tagKindOf, takesIfNoneMatch } from 'confab-contract/representations.ts';
import { scopes, scopesOf } from 'confab-contract/scopes.ts';
import { operationsInSecondForm } from 'confab-contract/second-form/operations.ts';
import { idInSecondForm, inSecondForm } from 'confab-contract/second-form/schemas.ts';
import type { TSchema } from 'typebox';
import type { OpenApi, Part } from './document.ts';
import { exampleOf } from './examples.ts';
import {
  headerStatusesOf,
  idempotencyWords,
  ifMatchWords,
  ifNoneMatchWords,
  listParameters,
  minimalWords,
  type Parameter,
  parametersOf,
} from './operation-facts.ts';
import { createRefusals, type Refusals, rateHeaders, requestIdHeader } from './refusals.ts';
import { createSchemas, nameOf, type Schema, type Schemas } from './schemas.ts';
import { withSharedParts } from './shared-parts.ts';
import { tagSentences } from './tags.ts';
import { deliverySchemas, webhookParts } from './webhooks.ts';

const introduction = `Confab stores collaboration content in *apps*: comments with attachments, polls and tags, among members with access levels, and notifies webhooks of every change.

Send \`Authorization: Bearer\` with an API key (for a server, it manages everything) or an access token (for one user). Content made with a key belongs to the built-in user \`system\`, or to the user whose id or uid the header \`X-Confab-User\` names.

Properties without a value are absent, never null. Times are RFC 3339 in UTC with three fractional digits. Bodies and queries are read leniently: unknown properties are ignored and query values out of range are clamped; with \`Prefer: handling=strict\` both are refused, and the answer says so in \`Preference-Applied\`. Every error is a problem (RFC 9457) whose \`type\` leads to a page of this server. It names every field at fault at once, and the first 20 when there are more. The default response of an operation has the statuses that every operation can return.

Requests are limited by caller and address, apart for reading, searching, writing, uploading and live connections. The fields \`RateLimit\` and \`RateLimit-Policy\` show what is left; beyond a limit the answer is 429 \`rate_limited\` with \`Retry-After\`.`;

const secondFormIntroduction = `This document describes the second form of the interface: what a request is answered whose header \`X-Weavy-Source\` names a version from 23 of the reference client. Without that header everything is as \`/openapi.json\` says, which also has the webhooks: they and the log are the same for everybody, so what is in an event here has the first form.`;

/** The headers of answers that operations refer to. */
const sharedHeaders: Part = {
  RequestId: {
    description: 'The number of this request in the log of the server.',
    schema: { type: 'string' },
  },
  ETag: {
    description:
      'The entity tag of what the answer shows (RFC 9110), for `If-None-Match` and `If-Match`. It belongs to the caller, who may see more or less than others.',
    schema: { type: 'string' },
    example: '"q3nPqRXs2m0aUvYx.Zk1b7cTd9eFgHiJk"',
  },
  Location: {
    description: 'The address of what was created.',
    schema: { type: 'string' },
  },
  IdempotentReplayed: {
    description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  RateLimit: {
    description:
      'For each limit that counts this request: its name, `r` requests that are left and `t` seconds until the window ends (draft-ietf-httpapi-ratelimit-headers-11). Absent where no limit applies.',
    schema: { type: 'string' },
    example: '"person-write";r=299;t=42',
  },
  RateLimitPolicy: {
    description: 'The same limits: `q` requests in a window of `w` seconds.',
    schema: { type: 'string' },
    example: '"person-write";q=300;w=60',
  },
  Link: {
    description:
      'The address of the next page, with `rel="next"` (RFC 8288). Absent on the last page, and where it would be longer than 4096 characters.',
    schema: { type: 'string' },
  },
};

/**
 * Where an operation has the scopes that an API key needs. OpenAPI 3.1 has room for them in `security`, but linters know
 * scopes there for OAuth alone.
 */
const keyScopes = 'x-key-scopes';

const scopeList = Object.entries(scopes)
  .map(([scope, sentence]) => `\`${scope}\`: ${sentence}`)
  .join(' ');

const securityOf: { readonly [C in Operation['caller']]: readonly Part[] } = {
  any: [{ accessToken: [] }, { apiKey: [] }],
  key: [{ apiKey: [] }],
  user: [{ accessToken: [] }],
  visitor: [{ accessToken: [] }],
  anyone: [],
};

/** Who may call an operation, where it is not what the document says for all, and the scopes that an API key needs. */
function callersOf(operation: Operation): Part {
  const { caller, visitors } = operation;
  const needed = scopesOf(operation);
  // An empty requirement is that of a request without a credential.
  const security = visitors === undefined ? securityOf[caller] : [...securityOf[caller], {}];
  return {
    ...(security === securityOf.any ? {} : { security }),
    ...(needed.length === 0 ? {} : { [keyScopes]: needed }),
  };
}

/** What differs in the document of the second form. */
type DocumentForm = {
  readonly introduction: string;
  readonly shapeOf: (schema: TSchema) => TSchema;
  readonly schemas: Schemas;
  readonly parameters: Part;
  /** The parameters that every operation has. */
  readonly ofAll: readonly Part[];
};

const firstForm = (): DocumentForm => ({
  introduction,
  shapeOf: (schema) => schema,
  schemas: createSchemas(),
  parameters: {},
  ofAll: [],
});

const secondForm = (): DocumentForm => ({
  introduction: `${introduction}\n\n${secondFormIntroduction}`,
  shapeOf: inSecondForm,
  schemas: createSchemas(undefined, idInSecondForm),
  parameters: {
    Source: {
      name: 'X-Weavy-Source',
      in: 'header',
      required: true,
      description:
        'The client, with its version: a major of 23 or more asks for the second form. The reference client sends it with every request.',
      schema: { type: 'string', pattern: '^@weavy/uikit-[a-z]+@\\d+' },
      example: '@weavy/uikit-web@32.2.0',
    },
  },
  ofAll: [{ $ref: '#/components/parameters/Source' }],
});

/** Creates the document of `operations`; the same operations always give the same document. */
export function openApi(operations: readonly Operation[], about: { version: string; url: string }): OpenApi {
  return documentOf(operations, { ...about, form: firstForm() });
}

/** The document of the second form, as a request that asks for it finds all operations. It has no webhooks. */
export function openApiInSecondForm(about: { version: string; url: string }): OpenApi {
  return documentOf(operationsInSecondForm(), { ...about, form: secondForm() });
}

function documentOf(
  operations: readonly Operation[],
  about: { version: string; url: string; form: DocumentForm },
): OpenApi {
  const { form } = about;
  const { schemas } = form;
  const isFirst = form.ofAll.length === 0;
  const parameters: { [name: string]: unknown } = { ...sharedParameters(), ...form.parameters };
  const responses: Shared['responses'] = {};
  const refusals = createRefusals(operations);
  const paths: { [path: string]: { [method: string]: Part } } = {};
  for (const operation of operations) {
    const methods = paths[operation.path] ?? {};
    paths[operation.path] = methods;
    const shared = { form, schemas, parameters, responses, refusals };
    methods[operation.method.toLowerCase()] = describe(operation, shared);
  }
  const deliveries = isFirst ? deliverySchemas(schemas) : {};
  const refused = refusals.named(schemas.use(ProblemBody));
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const document: OpenApi = {
    openapi: '3.1.0',
    info: {
      title: 'Confab',
      version: about.version,
      summary: 'A self-hosted collaboration server: apps with members, comments and webhooks.',
      description: form.introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Confab' },
    },
    servers: [{ url: about.url, description: 'This server.' }],
    security: securityOf.any,
    tags: tags.map((name) => ({ name, description: tagSentences[name] ?? name })),
    paths,
    ...(isFirst ? { webhooks: webhookParts(schemas) } : {}),
    components: {
      schemas: { ...schemas.named(), ...deliveries },
      parameters,
      responses: { ...refused, ...responses },
      headers: sharedHeaders,
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token of one user: `wyu_…`, issued with an API key, or a JSON Web Token of the identity provider of the host.',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `A key \`wys_…\` of a server; keep it away from browsers. It may do everything, or what its scopes permit; an operation names those that it needs in \`${keyScopes}\`. ${scopeList}`,
        },
      },
    },
  };
  return withSharedParts(withExamples(document), !isFirst);
}

/** What operations refer to by name. It grows while they are described. */
type Shared = {
  readonly form: DocumentForm;
  readonly schemas: Schemas;
  readonly parameters: { [name: string]: unknown };
  readonly responses: { [name: string]: unknown };
  readonly refusals: Refusals;
};

function describe(operation: Operation, shared: Shared): Part {
  const { schemas } = shared;
  const content = requestContent(operation, schemas);
  const { body } = operation;
  const isRequired =
    operation.upload !== undefined ||
    (body !== undefined && (!('required' in body) || (body.required as string[]).length > 0));
  const parameters = parametersOf(operation, schemas).map((each) => parameterPart(each, shared.parameters));
  parameters.push(...shared.form.ofAll, { $ref: '#/components/parameters/Prefer' });
  if (takesIdempotencyKey(operation)) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  const isConditional = resourceOf(operation) !== undefined;
  if (isConditional) parameters.push({ $ref: '#/components/parameters/IfMatch' });
  if (isConditional || takesIfNoneMatch(operation))
    parameters.push({ $ref: '#/components/parameters/IfNoneMatch' });
  if (operation.caller === 'any') parameters.push({ $ref: '#/components/parameters/OnBehalfOf' });
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description ?? operation.summary,
    ...callersOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(content === undefined ? {} : { requestBody: { required: isRequired, content } }),
    responses: responses(operation, shared),
  };
}

function requestContent(operation: Operation, schemas: Schemas): Part | undefined {
  const { body, upload, example } = operation;
  if (upload !== undefined) {
    const file = {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'The file, with its name.',
    };
    const schema = { type: 'object', required: [upload.part], properties: { [upload.part]: file } };
    return { 'multipart/form-data': { schema } };
  }
  if (operation.takesText === true) return { 'text/plain': { schema: { type: 'string' } } };
  if (body === undefined) return undefined;
  const schema = schemas.useBody({ ...operation, body });
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

function parameterPart(parameter: Parameter, shared: Shared['parameters']): Part {
  const { name, in: place, required, description, schema, isCommaSeparated, sharedAs } = parameter;
  if (name in listParameters && listParameters[name]?.description === description)
    return { $ref: `#/components/parameters/${name}` };
  const part = {
    name,
    in: place,
    ...(required ? { required } : {}),
    description,
    ...(isCommaSeparated === true ? { style: 'form', explode: false } : {}),
    schema,
  };
  if (sharedAs === undefined) return part;
  shared[sharedAs] = part;
  return { $ref: `#/components/parameters/${sharedAs}` };
}

/** A success of an operation. What many operations answer alike is there once, under a name that says what it has. */
function successOf(
  operation: Operation,
  { status, schema }: { readonly status: number; readonly schema: TSchema | null },
  { form, schemas, responses: known }: Shared,
): Part {
  const has = {
    Page: isPaged(operation),
    Tagged: tagKindOf(operation, status) !== undefined,
    Located: status === 201 && locationOf(operation) !== undefined,
    Replayable: takesIdempotencyKey(operation),
  };
  const headers = {
    ...requestIdHeader,
    ...rateHeaders,
    ...(has.Page ? { Link: { $ref: '#/components/headers/Link' } } : {}),
    ...(has.Tagged ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
    ...(has.Located ? { Location: { $ref: '#/components/headers/Location' } } : {}),
    ...(has.Replayable ? { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } } : {}),
  };
  const description = status === 201 ? 'Created.' : status === 204 ? 'Done; there is no body.' : 'Done.';
  const media = operation.media ?? 'application/json';
  const bodies = bodiesOf(operation, schema, form).map((each) => schemas.use(each));
  const body = bodies.length > 1 ? { anyOf: bodies } : bodies[0];
  const content = body === undefined ? {} : { content: { [media]: { schema: body } } };
  const response = { description, headers, ...content };
  const names = bodies.map(nameOf);
  if (names.includes(undefined) || media !== 'application/json') return response;
  const marks = Object.entries(has).map(([mark, isSo]) => (isSo ? mark : ''));
  const bodyName = names.length === 0 ? 'Empty' : names.join('Or');
  const name = [bodyName, status === 200 || status === 204 ? '' : status, ...marks].join('');
  known[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

/** The bodies that a success can have: that of visitors may be another, and without a credential it has the first form. */
function bodiesOf({ visitors, signedIn }: Operation, schema: TSchema | null, form: DocumentForm): TSchema[] {
  const ofVisitors = visitors ?? signedIn ?? undefined;
  if (schema === null) return [];
  const shown = form.shapeOf(schema);
  if (ofVisitors === undefined || ofVisitors === schema) return [shown];
  return [shown, visitors ?? form.shapeOf(ofVisitors)];
}

/** Whether an operation returns pages with a link to the next one. */
function isPaged({ list, query, media }: Operation): boolean {
  return list !== undefined || (query?.properties.after !== undefined && media === undefined);
}

function responses(operation: Operation, shared: Shared): Part {
  const answers: { [status: string]: Part } = {};
  for (const [status, schema] of Object.entries(operation.success))
    answers[status] = successOf(operation, { status: Number(status), schema }, shared);
  for (const [status, description] of Object.entries(headerStatusesOf(operation))) {
    const hasTag = operation.method !== 'PUT';
    const name = status === '304' ? 'NotModified' : hasTag ? 'Minimal' : 'MinimalOfPut';
    shared.responses[name] = {
      description,
      headers: { ...requestIdHeader, ...(hasTag ? { ETag: { $ref: '#/components/headers/ETag' } } : {}) },
    };
    answers[status] = { $ref: `#/components/responses/${name}` };
  }
  return { ...answers, ...shared.refusals.of(operation) };
}

function sharedParameters(): Part {
  const common = Object.entries(listParameters).map(([name, { description, schema }]) => [
    name,
    { name, in: 'query', description, schema },
  ]);
  return {
    ...Object.fromEntries(common),
    Prefer: {
      name: 'Prefer',
      in: 'header',
      description: `\`handling=strict\` (RFC 7240) refuses unknown properties of a body, at any depth, and a query that would be put right silently. ${minimalWords}`,
      schema: { type: 'string' },
      example: 'handling=strict',
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description: idempotencyWords,
      schema: { type: 'string', minLength: 1, maxLength: 512 },
      example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description: ifMatchWords,
      schema: { type: 'string' },
      example: '"q3nPqRXs2m0aUvYx.Zk1b7cTd9eFgHiJk"',
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: ifNoneMatchWords,
      schema: { type: 'string' },
      example: '"q3nPqRXs2m0aUvYx.Zk1b7cTd9eFgHiJk"',
    },
    OnBehalfOf: {
      name: 'X-Confab-User',
      in: 'header',
      description: 'With an API key: the id or uid of the user that content belongs to.',
      schema: { type: 'string' },
      example: 'ada',
    },
  };
}

/**
 * Adds an example to every JSON body; this needs all named schemas. What refers to a named schema has the example of that
 * schema, which is there once.
 */
function withExamples(document: OpenApi): OpenApi {
  const named = document.components.schemas;
  const examples: { [name: string]: Part } = {};
  const exampleFor = (schema: Schema): Part => {
    const [first] = (schema.anyOf ?? []) as readonly Schema[];
    const name = nameOf(first ?? schema);
    if (name === undefined) return { example: exampleOf(schema, named) };
    examples[name] ??= { summary: `An example of ${name}.`, value: exampleOf(schema, named) };
    return { examples: { [name]: { $ref: `#/components/examples/${name}` } } };
  };
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const part = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
    const media = part['application/json'] as (Part & { schema?: Schema }) | undefined;
    if (media?.schema !== undefined && media.example === undefined && media.examples === undefined)
      part['application/json'] = { ...media, ...exampleFor(media.schema) };
    return part;
  };
  const { paths, webhooks, components } = document;
  const ofReceivers = webhooks === undefined ? {} : { webhooks: visit(webhooks) };
  return {
    ...document,
    paths: visit(paths),
    ...ofReceivers,
    components: { ...components, responses: visit(components.responses), examples },
  };
}
