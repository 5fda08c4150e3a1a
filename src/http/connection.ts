import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '../kernel/problem.ts';
import { problemBody } from './problem-reply.ts';

/**
 * What goes wrong before there is a request of Fastify's: bytes that are no HTTP, and what Node answers by itself.
 * It all gets the one shape of errors.
 */

/** The header when it was sent once. Of two that differ, whichever is believed is wrong for somebody. */
export function soleHeader(request: IncomingMessage, name: string): string | undefined {
  const raw = request.rawHeaders;
  let count = 0;
  for (let i = 0; i < raw.length; i += 2)
    if (raw[i]?.length === name.length && raw[i]?.toLowerCase() === name) count += 1;
  const value = count === 1 ? request.headers[name] : undefined;
  return Array.isArray(value) ? value[0] : value;
}

/** Throws `malformed_request` unless this is HTTP/1.0, or HTTP/1.1 that names one host as it requires. */
export function assertHttp(request: IncomingMessage): void {
  if (request.httpVersion !== '1.1' && request.httpVersion !== '1.0')
    throw new Problem('malformed_request', 'Only HTTP/1.1 and HTTP/1.0 are spoken here.');
  if (request.httpVersion === '1.1' && soleHeader(request, 'host') === undefined)
    throw new Problem('malformed_request', 'A request has exactly one Host header.');
}

function wholeBody(code: ProblemCode, detail: string, publicUrl: string): { status: number; body: string } {
  const problem = new Problem(code, detail);
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

/** Answers an expectation other than 100-continue, which nothing here can meet. */
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

/** Answers what is not even HTTP and closes the connection. */
export function refuseSocket(error: Error & { code?: string }, socket: Socket, publicUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const code = socketProblems[error.code ?? ''] ?? 'malformed_request';
  const { status, body } = wholeBody(code, 'The request could not be read.', publicUrl);
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: ${problemType}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
