import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { LiveBody } from '../../kernel/live-body.ts';
import type { Fields, HttpRequest } from '../request.ts';
import type { Answer } from './answer.ts';
import { createCompression } from './compression.ts';

/** Longer bodies, in characters, are encoded here once; Node would measure, concatenate and encode a string. */
const stringBodyMax = 4096;

/**
 * Creates the function that sends an answer, with the header fields of its request and its own. It rejects only where
 * nothing was sent, so that the request can be refused. `count` is told what the client has to read.
 */
export function createSender(
  count: (request: HttpRequest, bytes: number) => void,
): (request: HttpRequest, answer: Answer) => Promise<void> {
  const compress = createCompression();
  return async (request, { status, headers, body }) => {
    const { response, method } = request;
    const fields = fieldsOf(request, headers);
    const isWithoutContent = status === 204 || status === 304;
    if (body instanceof Readable) return await sendStream(request, { status, fields, body });
    if (body instanceof LiveBody) return startLive(request, { status, fields, body });
    if (body === undefined || isWithoutContent) {
      if (!isWithoutContent && method !== 'HEAD') fields['content-length'] = 0;
      response.writeHead(status, fields).end();
      return;
    }
    const whole = typeof body === 'string' && body.length > stringBodyMax ? Buffer.from(body) : body;
    const compressing = compress(request, fields, whole);
    const content = compressing === undefined ? whole : await compressing;
    const bytes = Buffer.byteLength(content);
    fields['content-length'] = bytes;
    count(request, bytes);
    response.writeHead(status, fields);
    if (method === 'HEAD') response.end();
    else response.end(content);
  };
}

/**
 * The header fields of a request with those of its answer. What a cache may give to others does not say what is left to one
 * client, and varies by all that it depends on: by the origin unless the answer lets pages of any origin read it.
 */
function fieldsOf({ fields: own }: HttpRequest, headers: Answer['headers'] = {}): Fields {
  const fields: Fields = { ...own, ...headers };
  if (own.vary !== undefined && headers.vary !== undefined && !('access-control-allow-origin' in headers))
    fields.vary = withVarying(String(own.vary), String(headers.vary));
  if (!unshared.test(String(fields['cache-control']))) {
    delete fields.ratelimit;
    delete fields['ratelimit-policy'];
  }
  return fields;
}

/** What keeps an answer out of the caches that clients share (RFC 9111 section 3). */
const unshared = /\b(?:no-store|private)\b/;

/** The names of both fields `Vary`, each once. */
function withVarying(first: string, second: string): string {
  const names = first.toLowerCase().split(', ');
  return [first, ...second.split(', ').filter((name) => !names.includes(name.toLowerCase()))].join(', ');
}

/** Sends the head and begins a live body, unless its client has gone already. */
function startLive(
  { response }: HttpRequest,
  { status, fields, body }: { status: number; fields: Fields; body: LiveBody },
): void {
  // For the log also where nobody reads it.
  response.statusCode = status;
  if (response.destroyed) body.destroy();
  else {
    response.writeHead(status, fields);
    body.start(response);
  }
}

/** Sends the head together with the first bytes, so that a failure before them can still be answered. */
async function sendStream(
  { response, method }: HttpRequest,
  { status, fields, body }: { status: number; fields: Fields; body: Readable },
): Promise<void> {
  // A stream that nobody reads any more may still fail.
  body.on('error', () => undefined);
  if (method === 'HEAD') {
    body.destroy();
    response.writeHead(status, fields).end();
    return;
  }
  // For the log also where nobody reads it.
  response.statusCode = status;
  // A client that has hung up earlier is not told of again.
  if (!response.destroyed) await firstBytes(body, response);
  if (response.destroyed) {
    body.destroy();
    return;
  }
  response.writeHead(status, fields);
  // It ends both where one of them fails; who reads it notices by the length, or by the missing last chunk.
  pipeline(body, response, () => undefined);
}

/** Resolves when a stream has bytes or has ended, or when its client has hung up, which ends the stream. */
function firstBytes(body: Readable, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    body.once('readable', resolve);
    body.once('error', reject);
    response.once('close', () => {
      body.destroy();
      resolve();
    });
  });
}
