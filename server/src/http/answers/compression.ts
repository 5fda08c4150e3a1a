import {
  type BrotliOptions,
  brotliCompress,
  type CompressCallback,
  constants,
  gzip,
  type ZlibOptions,
} from 'node:zlib';
import type { Fields, HttpRequest } from '../request.ts';
import { withCoding } from './entity-tags.ts';

/**
 * Compression of text responses, for clients that accept it. Responses that are the same for all clients are compressed
 * once (`createVariants`). All others are compressed as they are sent, on the thread pool, so the event loop only hands
 * them over. Streams are sent as they are.
 */

/** A content coding of this server. */
export type Coding = 'br' | 'gzip';

/** A brotli level that takes as long as gzip does, and leaves a tenth less. */
const brotliOptions: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * The levels for responses that are compressed each time. A list of 25 comments (32 KB) takes 59 µs of processor time with
 * brotli and 90 µs with gzip, and becomes 3.6 KB; with the default level of gzip it takes 383 µs and becomes 3.1 KB. A
 * hundred comments (123 KB) take 192 and 687 µs.
 */
const brotliPerResponse: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
const gzipPerResponse: ZlibOptions = { level: 3 };

/** Smaller responses fit into one packet anyway. */
export const compressedBytesMin = 1024;

/** The most responses that are compressed at once, each with 256 KiB of memory for it; the others are sent as they are. */
const pendingMax = 64;

const textType = /^(?:text\/(?!event-stream)|application\/(?:json|problem\+json|javascript)\b)/;

/** How much a client wants each coding; 0 for not at all (RFC 9110 section 12.5.3). */
function weightsIn({ headers }: HttpRequest): (coding: Coding) => number {
  const weights = new Map<string, number>();
  for (const item of String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  return (coding) => weights.get(coding) ?? weights.get('*') ?? 0;
}

/** The coding that a client wants most, of equals brotli; undefined where it accepts none. */
export function codingOf(request: HttpRequest): Coding | undefined {
  if (request.headers['accept-encoding'] === undefined) return undefined;
  const weightOf = weightsIn(request);
  const coding = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  return weightOf(coding) > 0 ? coding : undefined;
}

/**
 * The compressed forms of bytes that never change, made at their first request. `isSmallest`: as small as brotli can, which
 * takes twenty times as long (60 ms for 40 KB).
 */
export function createVariants(
  read: () => Promise<Buffer>,
  { isSmallest = false } = {},
): (coding: Coding) => Promise<Buffer> {
  const byCoding = new Map<Coding, Promise<Buffer>>();
  const options = isSmallest ? {} : brotliOptions;
  return (coding) => {
    const known = byCoding.get(coding) ?? read().then((bytes) => compress(bytes, coding, options));
    byCoding.set(coding, known);
    // A failure is not remembered.
    known.catch(() => byCoding.delete(coding));
    return known;
  };
}

function compress(bytes: Buffer, coding: Coding, options: BrotliOptions): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const done = (error: Error | null, result: Buffer) => (error === null ? resolve(result) : reject(error));
  if (coding === 'br') brotliCompress(bytes, options, done);
  else gzip(bytes, done);
  return promise;
}

/**
 * Creates the function that compresses text responses of a kilobyte and more and changes their header fields; undefined
 * for a response that is sent as it is. A client that does not ask for it costs one look at its headers.
 */
export function createCompression() {
  let pending = 0;
  return (request: HttpRequest, fields: Fields, body: string | Buffer): Promise<Buffer> | undefined => {
    if (!isLongText(fields, body)) return undefined;
    fields.vary = withEncoding(fields.vary);
    const coding = codingOf(request);
    if (coding === undefined || pending >= pendingMax) return undefined;
    pending += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    compressOnce(body, coding, (error, bytes) => {
      pending -= 1;
      if (error !== null) return reject(error);
      fields['content-encoding'] = coding;
      if (typeof fields.etag === 'string') fields.etag = withCoding(fields.etag, coding);
      resolve(bytes);
    });
    return promise;
  };
}

/** The fields by which a response varies, with `accept-encoding`. */
function withEncoding(vary: string | number | undefined): string {
  if (vary === undefined) return 'accept-encoding';
  const named = String(vary);
  return named.includes('accept-encoding') ? named : `${named}, accept-encoding`;
}

function compressOnce(payload: string | Buffer, coding: Coding, done: CompressCallback): void {
  if (coding === 'br') brotliCompress(payload, brotliPerResponse, done);
  else gzip(payload, gzipPerResponse, done);
}

function isLongText(fields: Fields, body: string | Buffer): boolean {
  return (
    body.length >= compressedBytesMin &&
    fields['content-encoding'] === undefined &&
    textType.test(String(fields['content-type']))
  );
}
