import type { TSchema } from 'typebox';
import { ProblemBody } from '../../contract/fields.ts';
import { type Operation, takesIdempotencyKey } from '../../contract/operation.ts';
import { locationOf, resourceOf, tagKindOf, takesIfNoneMatch } from '../../contract/representations.ts';
import { type NeededScope, scopes, scopesOf } from '../../contract/scopes.ts';
import { type ProblemCode, problems } from '../../kernel/problem.ts';
import { exampleOf } from './examples.ts';
import {
  errorStatusesOf,
  headerStatusesOf,
  idempotencyWords,
  ifMatchWords,
  ifNoneMatchWords,
  listParameters,
  minimalWords,
  type Parameter,
  parametersOf,
  problemCodesOf,
} from './operation-facts.ts';
import { createSchemas, type Schema, type Schemas } from './schemas.ts';
import { webhookParts } from './webhooks.ts';

/** Part of the document: plain data, ready for JSON. */
type Part = { readonly [name: string]: unknown };

/** The OpenAPI 3.1 document of some operations. */
export type OpenApi = {
  readonly openapi: '3.1.0';
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly components: { readonly schemas: { readonly [name: string]: Schema } } & Part;
} & Part;

/** A description of each group of operations. */
export const tagSentences: { readonly [tag: string]: string } = {
  Apps: 'Containers of content, with members and an access level for everyone else.',
  Members: 'The people who belong to an app, each with an access of their own.',
  Comments: 'Text with attachments, poll options and tags, in a comments app, on a file or on a post.',
  Posts: 'What people write in a posts app; comments can be made on it.',
  Reactions: 'Emoji with which people answer a comment, a post or a message, one of each person.',
  Revisions: 'What comments, posts and messages said before each of their edits.',
  Moderation: 'The rules that texts are screened with, and what each would do to a text.',
  Reports: 'What users report to moderators: comments, posts, messages and files, and what became of them.',
  Polls: 'Options among which each person has one vote.',
  Files: 'What people upload to a files app; comments can be made on it.',
  Blobs: 'Uploaded bytes, before they become a file or an attachment.',
  Users: 'The people of the host product, and the access tokens they call with.',
  Directories: 'Groups of users that the access level of an app can be limited to.',
  Messages: 'What people write in a chat app, in a room or in a private conversation.',
  Conversations: 'The chats of one person, as that person has read, pinned and archived them.',
  Embeds: 'What a page on the web says about itself, to be shown below a text that links to it.',
  Meetings: 'Video calls with a provider, to be shown below a text.',
  Notifications: 'What happened that concerns the caller: mentions, answers, reactions, votes and news.',
  Events: 'The log of every change, to be read page by page or as it grows.',
  'Signing in': 'How visitors sign in by Confab itself, and stay signed in.',
  Realtime: 'Live connections by the SignalR protocol, and who is writing.',
  Imports: 'Comments of other systems, brought in from an export, and taken back.',
  Webhooks: 'Addresses that receive events, and the outcome of each delivery.',
  Server: 'How the server is, what it is set to, and the API keys it has.',
};

const introduction = `Confab stores collaboration content in *apps*: comments with attachments, polls and tags, among members with access levels, and notifies webhooks of every change.

Send \`Authorization: Bearer\` with an API key (for a server, it manages everything) or an access token (for one user). Content made with a key belongs to the built-in user \`system\`, or to the user whose id or uid the header \`X-Confab-User\` names.

Properties without a value are absent, never null. Times are RFC 3339 in UTC with three fractional digits. Bodies and queries are read leniently: unknown properties are ignored and query values out of range are clamped; with \`Prefer: handling=strict\` both are refused, and the answer says so in \`Preference-Applied\`. Every error is a problem (RFC 9457) whose \`type\` leads to a page of this server. It names every field at fault at once, and the first 20 when there are more.

Requests are limited by caller and address, apart for reading, searching, writing, uploading and live connections. The fields \`RateLimit\` and \`RateLimit-Policy\` show what is left; beyond a limit the answer is 429 \`rate_limited\` with \`Retry-After\`.`;

/** The names of the shared responses, by status. */
const responseNames: { readonly [status: number]: string } = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  417: 'ExpectationFailed',
  422: 'ValidationFailed',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
};

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

const rateHeaders: Part = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

const statusHeaders: { readonly [status: number]: Part } = {
  401: { 'WWW-Authenticate': { description: 'The scheme, Bearer.', schema: { type: 'string' } } },
  405: { Allow: { description: 'The methods of this path.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } }, ...rateHeaders },
  503: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
};

const scopeList = Object.entries(scopes)
  .map(([scope, sentence]) => `\`${scope}\`: ${sentence}`)
  .join(' ');

const securityOf: {
  readonly [C in Operation['caller']]: (scopes: readonly NeededScope[]) => readonly Part[];
} = {
  any: (needed) => [{ accessToken: [] }, { apiKey: [...needed] }],
  key: (needed) => [{ apiKey: [...needed] }],
  user: () => [{ accessToken: [] }],
  visitor: () => [{ accessToken: [] }],
  anyone: () => [],
};

/** Creates the document of `operations`; the same operations always give the same document. */
export function openApi(operations: readonly Operation[], about: { version: string; url: string }): OpenApi {
  const schemas = createSchemas();
  const paths: { [path: string]: { [method: string]: Part } } = {};
  for (const operation of operations) {
    const methods = paths[operation.path] ?? {};
    paths[operation.path] = methods;
    methods[operation.method.toLowerCase()] = describe(operation, schemas);
  }
  const webhooks = webhookParts(schemas);
  const statuses = [...new Set(operations.flatMap(errorStatusesOf))].sort((a, b) => a - b);
  const problem = schemas.use(ProblemBody);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const document: OpenApi = {
    openapi: '3.1.0',
    info: {
      title: 'Confab',
      version: about.version,
      summary: 'A self-hosted collaboration server: apps with members, comments and webhooks.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: about.url, description: 'This server.' }],
    tags: tags.map((name) => ({ name, description: tagSentences[name] ?? name })),
    paths,
    webhooks,
    components: {
      schemas: schemas.named(),
      parameters: sharedParameters(),
      responses: Object.fromEntries(
        statuses.map((status) => [nameOfStatus(status), refusal(status, problem)]),
      ),
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
          description: `A key \`wys_…\` of a server; keep it away from browsers. It may do everything, or what its scopes permit. ${scopeList}`,
        },
      },
    },
  };
  return withExamples(document);
}

function nameOfStatus(status: number): string {
  const name = responseNames[status];
  if (name === undefined) throw new Error(`no shared response is declared for the status ${status}`);
  return name;
}

function describe(operation: Operation, schemas: Schemas): Part {
  const content = requestContent(operation, schemas);
  const { body } = operation;
  const isRequired =
    operation.upload !== undefined ||
    (body !== undefined && (!('required' in body) || (body.required as string[]).length > 0));
  const parameters = parametersOf(operation, schemas).map(parameterPart);
  parameters.push({ $ref: '#/components/parameters/Prefer' });
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
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: [
      ...securityOf[operation.caller](scopesOf(operation)),
      // An empty requirement is that of a request without a credential.
      ...(operation.visitors === undefined ? [] : [{}]),
    ],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(content === undefined ? {} : { requestBody: { required: isRequired, content } }),
    responses: responses(operation, schemas),
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

function parameterPart(parameter: Parameter): Part {
  const { name, in: place, required, description, schema, isCommaSeparated } = parameter;
  if (name in listParameters && listParameters[name]?.description === description)
    return { $ref: `#/components/parameters/${name}` };
  return {
    name,
    in: place,
    ...(required ? { required } : {}),
    description,
    ...(isCommaSeparated === true ? { style: 'form', explode: false } : {}),
    schema,
  };
}

/** Whether an operation returns pages with a link to the next one. */
function isPaged({ list, query, media }: Operation): boolean {
  return list !== undefined || (query?.properties.after !== undefined && media === undefined);
}

function responses(operation: Operation, schemas: Schemas): Part {
  const answers: { [status: string]: Part } = {};
  const visitors = operation.visitors ?? operation.signedIn ?? undefined;
  const bodyOf = (schema: TSchema): Part =>
    visitors === undefined || visitors === schema
      ? schemas.use(schema)
      : { anyOf: [schemas.use(schema), schemas.use(visitors)] };
  for (const [status, schema] of Object.entries(operation.success))
    answers[status] = {
      description: status === '201' ? 'Created.' : status === '204' ? 'Done; there is no body.' : 'Done.',
      headers: {
        'X-Request-Id': { $ref: '#/components/headers/RequestId' },
        ...rateHeaders,
        ...(isPaged(operation) ? { Link: { $ref: '#/components/headers/Link' } } : {}),
        ...(tagKindOf(operation, Number(status)) === undefined
          ? {}
          : { ETag: { $ref: '#/components/headers/ETag' } }),
        ...(status === '201' && locationOf(operation) !== undefined
          ? { Location: { $ref: '#/components/headers/Location' } }
          : {}),
        ...(takesIdempotencyKey(operation)
          ? { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }
          : {}),
      },
      ...(schema === null
        ? {}
        : { content: { [operation.media ?? 'application/json']: { schema: bodyOf(schema) } } }),
    };
  for (const [status, description] of Object.entries(headerStatusesOf(operation)))
    answers[status] = {
      description,
      headers: {
        'X-Request-Id': { $ref: '#/components/headers/RequestId' },
        ...(operation.method === 'PUT' ? {} : { ETag: { $ref: '#/components/headers/ETag' } }),
      },
    };
  for (const status of errorStatusesOf(operation))
    answers[status] = {
      $ref: `#/components/responses/${nameOfStatus(status)}`,
      description: codeWords(problemCodesOf(operation, status)),
    };
  return answers;
}

function codeWords(codes: readonly ProblemCode[]): string {
  return `${codes.map((code) => `\`${code}\` ${problems[code].title}`).join('; ')}.`;
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

/** The shared response of an error status. Each operation that refers to it lists the codes that it can return. */
function refusal(status: number, problem: Schema): Part {
  const known = (Object.keys(problems) as ProblemCode[]).filter((code) => problems[code].status === status);
  const [code] = known;
  if (code === undefined) throw new Error(`no problem has the status ${status}`);
  const { title } = problems[code];
  // An operation that declares no 422 reports invalid values as 400.
  return {
    description: codeWords(status === 400 ? [...known, 'validation_failed'] : known),
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...statusHeaders[status] },
    content: {
      'application/problem+json': {
        schema: problem,
        example: {
          type: `https://confab.example/problems/${code}`,
          title,
          status,
          detail: 'A sentence about this request.',
          instance: '/api/apps/product-42',
          code,
          request_id: '9f2c41d07a35-1',
        },
      },
    },
  };
}

/** Adds an example to every JSON response; this needs all named schemas. */
function withExamples(document: OpenApi): OpenApi {
  const named = document.components.schemas;
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const part = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
    const media = part['application/json'] as { schema?: Schema; example?: unknown } | undefined;
    if (media?.schema !== undefined && media.example === undefined)
      part['application/json'] = { ...media, example: exampleOf(media.schema, named) };
    return part;
  };
  return { ...document, paths: visit(document.paths), webhooks: visit(document.webhooks) };
}
