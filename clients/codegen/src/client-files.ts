import { operationList } from 'confab-contract/index.ts';
import { type Operation, type ParamKind, takesIdempotencyKey } from 'confab-contract/operation.ts';
import { problems } from 'confab-contract/problem.ts';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { isStreamed } from './methods.ts';
import { type Schema, Types } from './type-text.ts';

/**
 * The files of `confab-client` that follow from the contract: the table of operations and the types. An operation that
 * streams events, or speaks the protocol of live connections, has no method: `events()`, `changes()` and the libraries of
 * SignalR are for these.
 */
const called = operationList.filter((operation) => !isStreamed(operation));

/** Whether the method of an operation takes a query. */
function takesQuery({ body, upload, query, list }: Operation): boolean {
  return body === undefined && upload === undefined && (query !== undefined || list !== undefined);
}

/** The letters of the table in `clients/js/operations.js`; `clients/js/index.js` reads them. */
function marksOf(operation: Operation): string {
  const { body, upload, list, media } = operation;
  return [
    body === undefined ? '' : 'b',
    upload === undefined ? '' : 'f',
    takesIdempotencyKey(operation) ? 'k' : '',
    list === undefined ? '' : 'l',
    media === undefined ? '' : 's',
    takesQuery(operation) ? 'q' : '',
  ].join('');
}

/** `clients/js/operations.js`: each operation as its method, its path and its marks. */
export function clientOperations(): string {
  const lines = called.map((operation) => {
    const parts = [operation.method, operation.path, marksOf(operation)].filter((part) => part !== '');
    return `  ${operation.id}: '${parts.join(' ')}',`;
  });
  return `// Made by \`npm run generate\` from the contract of the server.

/**
 * Method and path of each operation, and what is special about it: \`b\` takes a body, \`f\` a file, \`k\` an idempotency
 * key, \`l\` is a list, \`s\` answers with bytes, \`q\` takes a query.
 */
export const operations = {
${lines.join('\n')}
};
`;
}

const paramTypes: Readonly<Record<ParamKind, string>> = { id: 'number', ref: 'Ref', text: 'string' };

function responseOf(types: Types, { success, media }: Operation): string {
  if (media !== undefined) return 'ReadableStream<Uint8Array>';
  const shapes = Object.values(success).map((schema) =>
    schema === null ? 'undefined' : types.of(schema as Schema),
  );
  return [...new Set(shapes)].join(' | ');
}

function itemOf(types: Types, { success }: Operation): string {
  const items = (success[200] as Schema | undefined)?.properties?.data?.items;
  if (items === undefined) throw new Error('a list has no items');
  return types.of(items);
}

function queryOf(types: Types, { query, list }: Operation): string | undefined {
  // A condition that can be true, false or null is one to a program as well.
  const own =
    query === undefined
      ? []
      : [types.of(query as Schema).replaceAll("'true' | 'false' | 'null'", 'boolean | null')];
  if (list === undefined) return own[0];
  const orders = list.orderBy.flatMap((field) => [`'${field}'`, `'${field} desc'`]).join(' | ');
  const expand = list.expand.map((name) => `'${name}'`).join(' | ');
  return [`ListQuery<${orders}, ${expand === '' ? 'never' : expand}>`, ...own].join(' & ');
}

/** The methods of the client, each as its operation is declared. */
function methodOf(types: Types, operation: Operation): string {
  const { id, method, params, body, upload, list, summary } = operation;
  const { required, type } = (body ?? {}) as Schema;
  const isRequired = type === 'array' || (required !== undefined && method !== 'PATCH');
  const content =
    body === undefined
      ? []
      : [
          `body${isRequired ? '' : '?'}: ${method === 'POST' ? types.of(body as Schema) : clearable(types, body as Schema)}`,
        ];
  const query = takesQuery(operation) ? queryOf(types, operation) : undefined;
  const given = [
    ...Object.entries(params).map(([name, kind]) => `${name}: ${paramTypes[kind]}`),
    ...content,
    ...(upload === undefined ? [] : ['file: globalThis.Blob']),
    ...(query === undefined ? [] : [`query?: ${query}`]),
    `options?: ${upload === undefined ? 'CallOptions' : 'UploadOptions'}`,
  ];
  const returned =
    list === undefined ? `Promise<${responseOf(types, operation)}>` : `Pages<${itemOf(types, operation)}>`;
  return `/** ${summary} */\n${id}(${given.join(', ')}): ${returned};`;
}

function clearable(types: Types, body: Schema): string {
  const shape = types.of(body);
  return body.type === 'object' ? `Clearable<${shape}>` : shape;
}

const head = `// Made by \`npm run generate\` from the contract of the server.

/** The id or the uid of an app, a user or a directory. */
export type Ref = number | string;

/** A body in which \`null\` clears a field; fields that are absent stay as they are. */
export type Clearable<T> = { [Name in keyof T]?: T[Name] | null };

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** How long an attempt may take, in milliseconds; that of the client when absent. */
  timeoutMs?: number;
  /** The user on whose behalf an API key acts, by id or uid; that of the client when absent. */
  onBehalfOf?: Ref;
  /** Headers besides those of the client. */
  headers?: Record<string, string>;
  /**
   * What this client returned before, or a tag, or \`*\`: the change is made only if nobody else has edited it since, and
   * otherwise refused with \`precondition_failed\`.
   */
  ifMatch?: object | string;
  /** \`*\` makes a PUT create and never change. */
  ifNoneMatch?: string;
  /** 1 to 255 visible ASCII characters; made for each call when absent. A key that you store survives your process. */
  idempotencyKey?: string;
}

/** Options of an upload. */
export interface UploadOptions extends CallOptions {
  /** Called as bytes leave, with how many have and how many there are. */
  onProgress?: (progress: { loaded: number; total: number }) => void;
}

/** Options of \`renderThread\`. */
export interface RenderOptions {
  /** The order of the comments; \`newest\` when absent, as in \`<confab-comments>\`. */
  sort?: 'newest' | 'oldest' | 'liked';
  /** The most threads, 1 to 100; 25 when absent. */
  threads?: number;
  /** The most answers of each, 0 to 25; 3 when absent. */
  answers?: number;
  /** The language of dates, such as \`de-AT\`; English when absent. */
  language?: string;
  /** What is said in the place of a comment that was removed. */
  removed?: string;
  signal?: AbortSignal;
}

/** What every list can be asked for. */
export interface ListQuery<Order extends string, Expand extends string> {
  /** Words that items contain, as prefixes; words in double quotes are a phrase. */
  q?: string;
  /** A tag that items have. */
  tag?: string;
  /** \`true\` for what is in the trash, \`null\` for both; what is not in the trash when absent. */
  trashed?: boolean | null;
  /** The most items of a page, 1 to 100; 25 when absent. */
  top?: number;
  /** How many items to leave out; a cursor (\`after\`) is faster. */
  skip?: number;
  /** The cursor of a page, as its \`Link\` header has it. */
  after?: string;
  /** \`false\` leaves the count out. */
  count?: boolean;
  order_by?: Order;
  /** Objects that each item carries besides its flat fields. */
  expand?: Expand[];
}

/** One page of a list. */
export interface Page<Item> {
  data: Item[];
  /** The 1-based position of the first item; 0 on an empty page. */
  start: number;
  /** The 1-based position of the last item; 0 on an empty page. */
  end: number;
  /** How many items match, on this page or not; absent with \`count: false\`. */
  count?: number;
}

/** A list: await it for its first page, or iterate over it for the items of all pages. */
export interface Pages<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {
  catch<T>(reject: (error: unknown) => T): Promise<Page<Item> | T>;
  finally(done: () => void): Promise<Page<Item>>;
  /** Iterates over the pages, of which the first alone has a count. A page that failed is requested again by the next step. */
  pages(): AsyncIterableIterator<Page<Item>>;
}

/** Options of a client. */
export interface ClientOptions {
  /** The address of the server, such as \`https://comments.example.com\`. */
  url: string | URL;
  /**
   * An access token or an API key, or a function that returns one. The function is called again, with \`refresh\` true,
   * when the server refuses what it returned.
   */
  token?: string | ((wanted: { refresh: boolean }) => string | Promise<string>);
  /** The user on whose behalf an API key acts, by id or uid. */
  onBehalfOf?: Ref;
  /** Takes the place of the global \`fetch\`. */
  fetch?: typeof globalThis.fetch;
  /** Attempts of a request that fails in passing, the first one included; 5 when absent. */
  attempts?: number;
  /** How long an attempt may take, in milliseconds; 30,000 when absent. */
  timeoutMs?: number;
}

/** The code of a problem: why the server refused a request. */
export type ProblemCode =
CODES;

/** The server refused a request, or failed at it. */
export class ProblemError extends Error {
  readonly status: number;
  /** A code of a later server, and \`unknown\` where a proxy wrote the response, are possible as well. */
  readonly code: ProblemCode | (string & {});
  /** The fields at fault. */
  readonly errors: readonly { pointer?: string; parameter?: string; code: string; message: string }[];
  /** The id of the request in the log of the server. */
  readonly requestId: string | undefined;
  /** How long to wait before another attempt, where the server says so. */
  readonly retryAfterMs: number | undefined;
  /** The whole body (RFC 9457). */
  readonly problem: { readonly [name: string]: unknown };
}

/** There was no complete response; whether the server acted is unknown. */
export class ConnectionError extends Error {}

/**
 * Creates a client. Its methods reject with a \`ProblemError\` or a \`ConnectionError\`, and with the reason of \`signal\` when
 * that aborts. A request that fails in passing is repeated where that cannot change anything twice.
 */
export function createClient(options: ClientOptions): Client;

/**
 * The uid of the comments of a web page, from its address: the one that \`<confab-comments>\`, \`/embed.js\` and imports give
 * it. It has 1 to 256 characters of \`A-Z a-z 0-9 . _ - ~ = :\`. Undefined for a text that is no http or https address.
 */
export function pageUid(address: string): string | undefined;

`;

/** \`clients/js/index.d.ts\`: the methods with the types of the contract. */
export function clientTypes(): string {
  const types = new Types();
  const methods = called.map((operation) => methodOf(types, operation));
  const event = types.of(
    operationList.find(({ id }) => id === 'listEvents')?.success[200] as unknown as Schema,
  );
  const codes = Object.keys(problems)
    .map((code) => `  | '${code}'`)
    .join('\n');
  return `${head.replace('CODES', codes)}/** A client of one server with one credential. */
export interface Client {
  /** Sends a request that has no method here. */
  request(
    method: string,
    path: string,
    options?: CallOptions & { query?: Record<string, unknown>; body?: unknown },
  ): Promise<unknown>;
  /**
   * Iterates over the log of changes as it grows, from a position on or from now on, until \`signal\` aborts. After a
   * break it continues behind the last event, so each event comes once.
   */
  events(options?: { after?: number | string; signal?: AbortSignal }): AsyncIterableIterator<${event}['data'][number]>;
  /**
   * Iterates over the times at which something in an app may have changed, at most once a second, until \`signal\` aborts: read
   * the app each time. The first is now, and there is one after each break, so no change is missed.
   */
  changes(app: Ref, options?: { signal?: AbortSignal }): AsyncIterableIterator<undefined>;
  /**
   * Resolves to the threads of an app as HTML, a list of articles, to be put inside of \`<confab-comments>\` by a site that is
   * built on a server; to an empty text where there is no app yet, or none that this client may read.
   */
  renderThread(uid: Ref, options?: RenderOptions): Promise<string>;
${methods.join('\n').replaceAll(/^/gm, '  ')}
}

${types.declarations().join('\n\n')}
`;
}

/** `clients/js/page-uid.js`: the rule of the server for the uids of pages, without its types. */
export function clientPageUid(): string {
  // Node runs the source with blanks in the place of its types.
  const plain = String(pageUid)
    .replaceAll(/ +(?=[,)])/g, '')
    .replaceAll(/\) {2,}/g, ') ');
  return `// Made by \`npm run generate\` from contract/src/values/page-uid.ts.

/** The uid of the comments of a web page, from its address; undefined for a text that is no http or https address. */
export ${plain}
`;
}
