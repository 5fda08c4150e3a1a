import type { Operation } from 'confab-contract/operation.ts';
import { IncomingMessage, ServerResponse } from '../kernel/node-http.ts';
import type { Via } from '../kernel/principal.ts';
import { unknownPath } from './addresses.ts';
import type { Answer } from './answers/answer.ts';
import { HttpRequest } from './request.ts';

/**
 * Requests that the server makes of itself for the client of another request, such as the calls of tools. Each takes the
 * path of every request from its route to its answer: the credential, the limits, the checks and the line of the log are
 * those of an HTTP request that the client could have sent itself.
 */

/** An operation to run for the client of a request. */
export type Inner = {
  readonly operation: Operation;
  /** The path with its query. */
  readonly url: string;
  /** The JSON body; undefined for none. */
  readonly body: string | undefined;
  readonly via: Via;
};

/** What an operation answered. */
export type InnerAnswer = {
  readonly status: number;
  readonly body: Answer['body'] | undefined;
  /** The header field `Link` of a page that has a next one. */
  readonly link: string | undefined;
  /** The header field `Retry-After` of a refusal. */
  readonly retryAfter: string | number | undefined;
};

/** Runs an operation for the client of a request that is being answered. */
export type Within = (around: HttpRequest, inner: Inner) => Promise<InnerAnswer>;

/** What a server does with each request. */
type Steps = {
  readonly find: (request: HttpRequest) => void;
  readonly answer: (request: HttpRequest) => Promise<Answer>;
  readonly refuse: (error: unknown, request: HttpRequest) => Promise<Answer>;
  readonly report: (request: HttpRequest, end: { readonly ms: number }) => void;
};

/** Creates the function that runs operations within requests. */
export function createWithin({ find, answer, refuse, report }: Steps): Within {
  return async (around, inner) => {
    const request = innerRequest(inner, around);
    find(request);
    // A parameter can lead to the path of another operation, such as `GET /api/users/autocomplete`.
    const isMeant = request.operation === inner.operation;
    const { status, headers, body } = await (isMeant ? answer(request) : refuse(unknownPath(), request));
    request.response.statusCode = status;
    report(request, { ms: performance.now() - request.startedAt });
    const { link, 'retry-after': retryAfter } = { ...request.fields, ...headers };
    return { status, body, link: link === undefined ? undefined : String(link), retryAfter };
  };
}

/** What names the client and its credential, so that a request within another one is of the same caller. */
const keptFields = [
  'host',
  'authorization',
  'x-confab-user',
  'x-forwarded-for',
  'forwarded',
  'user-agent',
  'traceparent',
];

/** A message that has arrived with its body, on the connection of another one. */
class InnerMessage extends IncomingMessage {
  /** Its bytes are not on the connection. */
  override _read(): void {
    this.complete = true;
  }

  /** The connection belongs to the message around it. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error);
  }
}

/** Makes the request for an operation on behalf of the client of `around`. */
function innerRequest({ operation, url, body, via }: Inner, around: HttpRequest): HttpRequest {
  const { raw: outer } = around;
  const message = new InnerMessage(outer.socket);
  const content = body === undefined ? undefined : Buffer.from(body);
  message.method = operation.method;
  message.url = url;
  message.httpVersion = outer.httpVersion;
  const isKept = (name: string | undefined) => keptFields.includes(name?.toLowerCase() ?? '');
  message.rawHeaders = outer.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 && isKept(name) ? [name, all[index + 1] ?? ''] : [],
  );
  message.headers = {
    ...Object.fromEntries(Object.entries(outer.headers).filter(([name]) => isKept(name))),
    // A program is told of every argument that it misspells.
    prefer: 'handling=strict',
  };
  if (content !== undefined) {
    message.rawHeaders.push('Content-Type', 'application/json');
    message.headers['content-type'] = 'application/json';
    message.headers['content-length'] = String(content.length);
    message.push(content);
  }
  message.push(null);
  message.complete = true;
  const request = new HttpRequest(message, new ServerResponse(message), around.id);
  request.via = via;
  return request;
}
