import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem, type ProblemCode } from 'confab-contract/problem.ts';
import { IncomingMessage, type ServerResponse, STATUS_CODES } from '../kernel/node-http.ts';
import { problemBody } from './answers/problem-reply.ts';

/**
 * Errors that occur before there is a request: bytes that are not HTTP, and errors to which Node itself responds.
 * They get the same response format as all other errors.
 */

/**
 * A request whose body, once complete, can still be read after its client has hung up. So whether the request is executed
 * does not depend on how long it takes to look up its credential.
 */
export class ArrivedRequest extends IncomingMessage {
  override destroy(error?: Error): this {
    return this.complete && !this.readableEnded ? this : super.destroy(error);
  }
}

/** An absolute address of HTTP: its authority without the user, and its path with the query. */
const absoluteForm = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)(.*)$/is;

/**
 * Gives a request for an absolute address the path and the query of it, and its host as the header `Host`, whatever that
 * was (RFC 9112, section 3.2.2). A `#` has no place in a request target and ends it. Everything that reads the address of a
 * request relies on this; doing it again changes nothing.
 */
export function readTarget(request: IncomingMessage): void {
  const { url = '' } = request;
  const [target = ''] = url.split('#', 1);
  const [, authority, rest = ''] = target.startsWith('/') ? [] : (absoluteForm.exec(target) ?? []);
  if (authority === undefined) request.url = target;
  else {
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    // It does not stand in for a header that is missing.
    if (request.headers.host !== undefined) request.headers.host = authority;
  }
}

/**
 * Whether a field that a request has once at most was sent more than once (RFC 9110, section 5.3). Node keeps the first value
 * of some and joins those of others, and something in front of the server may have looked at another one.
 */
export function isRepeated({ rawHeaders: raw }: IncomingMessage, name: string): boolean {
  let count = 0;
  for (let index = 0; index < raw.length; index += 2)
    if (raw[index]?.length === name.length && raw[index]?.toLowerCase() === name) count += 1;
  return count > 1;
}

/**
 * The Authorization header, or without one the query parameter `access_token` where it is allowed: browsers cannot set
 * headers when they open a socket or an event stream. Throws `unauthorized` where there are two headers, which are not the
 * same as none.
 */
export function authorizationOf(
  request: IncomingMessage,
  { takesTokenInQuery }: { takesTokenInQuery: boolean },
): string | undefined {
  const header = request.headers.authorization;
  if (header !== undefined && isRepeated(request, 'authorization'))
    throw new Problem('unauthorized', 'A request has one header Authorization at most.');
  if (header !== undefined || !takesTokenInQuery) return header;
  const token = queryOf(request).get('access_token');
  return token === null ? undefined : `Bearer ${token}`;
}

/** The path of a request as it was sent. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** The query of a request as it was sent. */
export function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? '';
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}

/**
 * Throws `malformed_request` unless this is HTTP/1.0, or HTTP/1.1 that names one host as it requires, for a path of this
 * server: other forms of a request target are for proxies (RFC 9112, section 3.2).
 */
export function assertHttp(request: IncomingMessage): void {
  if (request.httpVersion !== '1.1' && request.httpVersion !== '1.0')
    throw new Problem('malformed_request', 'Only HTTP/1.1 and HTTP/1.0 are spoken here.');
  if (request.httpVersion === '1.1' && (request.headers.host === undefined || isRepeated(request, 'host')))
    throw new Problem('malformed_request', 'A request has exactly one header Host.');
  if (!request.url?.startsWith('/') && request.method !== 'OPTIONS')
    throw new Problem('malformed_request', 'The request line names no path of this server.');
}

function wholeBody(code: ProblemCode, detail: string, publicUrl: string): { status: number; body: string } {
  return bodyOf(new Problem(code, detail), publicUrl);
}

function bodyOf(problem: Problem, publicUrl: string): { status: number; body: string } {
  const context = {
    operation: undefined,
    method: '',
    path: '',
    requestId: randomBytes(6).toString('hex'),
    publicUrl,
  };
  return { status: problem.status, body: JSON.stringify(problemBody(problem, context)) };
}

const problemType = 'application/problem+json; charset=utf-8';

/** Refuses an expectation other than 100-continue. */
export function refuseExpectation(response: ServerResponse, publicUrl: string): void {
  const { status, body } = wholeBody('expectation_failed', 'Only 100-continue can be expected.', publicUrl);
  const headers = {
    'content-type': problemType,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  response.writeHead(status, headers).end(body);
}

const socketProblems: { [code: string]: ProblemCode } = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers bytes that are not HTTP and closes the connection, after `withinMs` at the latest. */
export function refuseSocket(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { publicUrl, withinMs, isAnswering }: { publicUrl: string; withinMs: number; isAnswering: boolean },
): void {
  // The client would read the refusal as a part of the response that is being sent.
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy();
  const code = socketProblems[error.code ?? ''] ?? 'malformed_request';
  const { status, body } = wholeBody(code, 'The request could not be read.', publicUrl);
  endWithin(socket, rawAnswer({ status, word: 'Refused', body }), withinMs);
  // Late bytes could complete the request, and it would be executed after it was refused.
  if (code === 'request_timeout') socket.destroySoon();
}

/** Refuses to turn a request into a WebSocket, and closes the connection, after `withinMs` at the latest. */
export function refuseUpgrade(
  problem: Problem,
  socket: Duplex,
  { publicUrl, withinMs }: { publicUrl: string; withinMs: number },
): void {
  const { status, body } = bodyOf(problem, publicUrl);
  const headers = { ...problem.headers, ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}) };
  // Only this reads the socket from here on; unread bytes would hide that the client has hung up.
  socket.resume();
  // Existing clients search for the reason phrase, Unauthorized.
  const word = STATUS_CODES[status] ?? 'Refused';
  endWithin(socket, rawAnswer({ status, word, headers, body }), withinMs);
}

function rawAnswer({
  status,
  word,
  headers = {},
  body,
}: {
  status: number;
  word: string;
  headers?: { readonly [name: string]: string };
  body: string;
}): string {
  const all = {
    'content-type': problemType,
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP/1.1 ${status} ${word}`, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

/** Sends the last bytes of a connection, and closes it after `ms` even if its client keeps sending. */
function endWithin(socket: Duplex, bytes: string, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(timer));
  socket.end(bytes);
}
