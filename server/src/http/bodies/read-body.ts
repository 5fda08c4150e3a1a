import type { IncomingMessage } from 'node:http';
import { limits } from 'confab-contract/fields.ts';
import { Problem } from 'confab-contract/problem.ts';
import { isRepeated } from '../connection.ts';
import type { HttpRequest } from '../request.ts';
import { assertJsonType, type JsonBody, readJson, readText } from './body.ts';

/** Reading the body that an operation declares: JSON or text. A form with a file is streamed (`multipart.ts`). */

/** What RFC 9110 (section 8.3.1) takes for a media type, in front of its parameters. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
const pageForm = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;
const formType = /^\s*multipart\/form-data\s*(?:;|$)/i;

/** Whether the body of a request means anything; Node drops the others. */
export function hasBody({ method }: HttpRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/**
 * Reads the body of a request; undefined where it has none, where the operation takes none, and for a form. Throws
 * `unsupported_media_type`, `body_too_large`, `malformed_request` or `invalid_json`.
 */
export async function readBody(request: HttpRequest): Promise<JsonBody | string | undefined> {
  const { raw, headers, operation } = request;
  const type = headers['content-type'];
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (type === undefined && isEmpty) return undefined;
  if (type !== undefined && (!mediaType.test(type) || isRepeated(raw, 'content-type'))) throw notJson();
  if (type !== undefined && formType.test(type)) {
    if (operation === undefined) raw.resume();
    // Operations with an upload read the stream of the request themselves.
    else if (operation.upload === undefined) throw notJson();
    return undefined;
  }
  const bytes = await bytesOf(raw);
  // The form of a page, which is sent without script.
  if (operation === undefined && type !== undefined && pageForm.test(type)) return readText(bytes);
  if (bytes.length === 0 || isBodyIgnored(request)) return undefined;
  if (operation?.takesText === true) return readText(bytes);
  if (operation?.upload !== undefined)
    throw new Problem('unsupported_media_type', 'Send the file as multipart/form-data.');
  assertJsonType(type, headers['content-encoding']);
  return readJson(bytes);
}

function notJson(): Problem {
  return new Problem('unsupported_media_type', 'Send the body as application/json.');
}

/**
 * Whether the operation takes no body and lists no 400 with which it could refuse one. Most pages take none either.
 */
function isBodyIgnored({ operation, route }: HttpRequest): boolean {
  if (route?.takesJson === true) return false;
  return operation === undefined || (operation.body === undefined && !operation.errors.includes(400));
}

function tooLarge(): Problem {
  return new Problem('body_too_large', 'The body is larger than this operation takes.');
}

/** The whole body. Throws `body_too_large` as soon as it is, and `malformed_request` where it ends early. */
async function bytesOf(raw: IncomingMessage): Promise<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > limits.bodyBytesMax) throw tooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length > limits.bodyBytesMax) reject(tooLarge());
    else chunks.push(chunk);
  };
  const endEarly = (cause?: Error) => {
    // A request that has ended closes too, before what waits for its body goes on.
    if (!raw.readableEnded) reject(new Problem('malformed_request', 'The body ended early.', { cause }));
  };
  // Nothing tells again of a client that has hung up earlier.
  if (raw.destroyed) endEarly();
  raw.on('data', take).on('end', resolve).on('error', endEarly).on('close', endEarly);
  try {
    await promise;
  } finally {
    raw.off('data', take).off('end', resolve).off('error', endEarly).off('close', endEarly);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length);
}
