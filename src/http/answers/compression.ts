import {
  type BrotliOptions,
  brotliCompress,
  type CompressCallback,
  constants,
  gzip,
  type ZlibOptions,
} from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
const bytesMin = 1024;

/** The most responses that are compressed at once, each with 256 KiB of memory for it; the others are sent as they are. */
const pendingMax = 64;

const textType = /^(?:text\/(?!event-stream)|application\/(?:json|problem\+json|javascript)\b)/;

/** How much a client wants each coding; 0 for not at all (RFC 9110 section 12.5.3). */
function weightsIn({ headers }: FastifyRequest): (coding: Coding) => number {
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
export function codingOf(request: FastifyRequest): Coding | undefined {
  const weightOf = weightsIn(request);
  const coding = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  return weightOf(coding) > 0 ? coding : undefined;
}

/** The compressed forms of bytes that never change, made at their first request. */
export function createVariants(read: () => Promise<Buffer>): (coding: Coding) => Promise<Buffer> {
  const made = new Map<Coding, Promise<Buffer>>();
  return (coding) => {
    const known = made.get(coding) ?? read().then((bytes) => compress(bytes, coding));
    made.set(coding, known);
    // A failure is not remembered.
    known.catch(() => made.delete(coding));
    return known;
  };
}

function compress(bytes: Buffer, coding: Coding): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const done = (error: Error | null, result: Buffer) => (error === null ? resolve(result) : reject(error));
  if (coding === 'br') brotliCompress(bytes, brotliOptions, done);
  else gzip(bytes, done);
  return promise;
}

/** Compresses text responses of a kilobyte and more. Clients that do not ask for it cost one look at their headers. */
export function compressResponses(app: FastifyInstance): void {
  let pending = 0;
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isLongText(reply, payload)) return done(null, payload);
    const varying = reply.getHeader('vary');
    reply.header('vary', varying === undefined ? 'accept-encoding' : `${varying}, accept-encoding`);
    if (request.headers['accept-encoding'] === undefined || pending >= pendingMax) return done(null, payload);
    const coding = codingOf(request);
    if (coding === undefined) return done(null, payload);
    pending += 1;
    compressOnce(payload, coding, (error, bytes) => {
      pending -= 1;
      if (error !== null) return done(error);
      reply.header('content-encoding', coding);
      const tag = reply.getHeader('etag');
      if (typeof tag === 'string') reply.header('etag', withCoding(tag, coding));
      done(null, bytes);
    });
  });
}

function compressOnce(payload: string | Buffer, coding: Coding, done: CompressCallback): void {
  if (coding === 'br') brotliCompress(payload, brotliPerResponse, done);
  else gzip(payload, gzipPerResponse, done);
}

function isLongText(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  return (
    (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
    payload.length >= bytesMin &&
    !reply.hasHeader('content-encoding') &&
    textType.test(String(reply.getHeader('content-type')))
  );
}
