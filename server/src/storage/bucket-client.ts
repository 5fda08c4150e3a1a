import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { Problem } from 'confab-contract/problem.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { BucketRefusal, factsOf, refusalOf, unavailable, unlessAbsent } from './bucket-errors.ts';
import type { ByteRange, ServedHeaders } from './storage.ts';

/**
 * Talks to a bucket on any S3-compatible store, with the official client, which is installed and loaded only where a
 * bucket is set. Every request ends with a response or with `storage_unavailable`. The reason goes to the log; clients
 * never see what the bucket returned.
 */

/** The bucket and its access. */
export type BucketSettings = {
  readonly bucket: string;
  /** The address of the store; undefined means Amazon S3. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** If undefined, the client uses `AWS_…` variables or the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Whether the bucket is named in the path of an address instead of in its host. */
  readonly isPathStyle: boolean;
  /** The address at which browsers reach the store; undefined when they do not. */
  readonly publicEndpoint: string | undefined;
};

/** How long a bucket may take, in milliseconds. */
export type BucketLimits = {
  /**
   * To begin a response, and between two pieces of one, where up to twice as long may pass before it is noticed.
   * Storing a file may take a second longer for each mebibyte.
   */
  readonly waitMs: number;
};

/** An open bucket. */
export type BucketClient = {
  /** Stores the file at `path` under a name, whole or not at all. */
  put(name: string, path: string): Promise<void>;
  /** Reads an object, all of it or a range; undefined when it does not exist. */
  get(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** The size of an object in bytes; undefined when it does not exist. */
  sizeOf(name: string): Promise<number | undefined>;
  /** Removes an object if it exists. */
  remove(name: string): Promise<void>;
  /** An address that shows an object for at most an hour; absent when browsers do not reach the store. */
  readonly addressOf?: (name: string, headers: ServedHeaders) => Promise<string>;
  /** Requests an object that does not exist, which needs every right that reading needs. Throws `BucketRefusal`. */
  probe(): Promise<void>;
  close(): void;
};

/** The most concurrent requests; a download by a slow reader is one of them. */
const socketsMax = 500;
/** How long an attempt to connect may take, in milliseconds. */
const connectMs = 3_000;
/** How long an address of the bucket itself is valid, in seconds, and for how long it stays the same, in milliseconds. */
const addressSeconds = 3600;
const addressRoundMs = 15 * 60_000;
/** The lowest rate at which the bucket is expected to take a file, in bytes a second. */
const bytesPerSecondMin = 1024 * 1024;
/** How long a probe of the bucket may take, in milliseconds: a health check does not wait much longer. */
const probeMs = 2_000;
/** The object that a probe requests; it never exists. */
const probeName = 'probe';

type Library = typeof import('@aws-sdk/client-s3');

async function load<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new BucketRefusal(
      `blobs in a bucket need the package ${name}, which cannot be loaded: npm install ${name}`,
      { cause: error },
    );
  }
}

/** The SHA-256 of a file, in hexadecimal digits. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}

/** How long the next bytes may take, and what is called on a failure. */
type Watch = BucketLimits & { readonly failed: (error: unknown, what: string) => void };

/**
 * The bytes of a response. A response that stops before its end fails with `storage_unavailable`. The time that the
 * reader takes does not count.
 */
async function* piecesOf(body: Readable, { waitMs, failed }: Watch): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  let waitingSince: number | undefined;
  // One repeated check instead of a timer for each piece, of which there may be thousands a second.
  function check(): void {
    AbortSignal.timeout(waitMs).addEventListener('abort', () => {
      if (body.destroyed) return;
      const isStuck = waitingSince !== undefined && performance.now() - waitingSince >= waitMs;
      if (isStuck) body.destroy(new Error(`no byte came for ${waitMs} ms`));
      else check();
    });
  }
  check();
  try {
    for (;;) {
      waitingSince = performance.now();
      const piece = await pieces.next();
      waitingSince = undefined;
      if (piece.done === true) return;
      yield piece.value;
    }
  } catch (error) {
    failed(error, 'get');
    throw unavailable(error);
  }
}

/** The same as a stream that ends the response whenever it is closed. */
function streamOf(body: Readable, { waitMs, failed }: Watch): Readable {
  const stream = Readable.from(piecesOf(body, { waitMs, failed }), { objectMode: false });
  // The reader handles a failure; without a reader it must not become an unhandled error.
  body.on('error', () => undefined);
  stream.on('close', () => body.destroy());
  return stream;
}

/** Opens a bucket without sending a request. Throws `BucketRefusal` when the client is not installed. */
export async function openBucketClient(
  settings: BucketSettings,
  { log, clock, limits }: { log: Log; clock: Clock; limits: BucketLimits },
): Promise<BucketClient> {
  const { bucket, publicEndpoint } = settings;
  const library = await load('@aws-sdk/client-s3', () => import('@aws-sdk/client-s3'));
  const client = makeClient(library, settings, log);
  const opened = { library, client, bucket };
  const { ask, failed } = createAsking({ bucket, log, waitMs: limits.waitMs });

  return {
    async put(name, path) {
      const file = await fileToPut(name, path);
      const withinMs = limits.waitMs + Math.ceil(file.size / bytesPerSecondMin) * 1000;
      await ask('put', (signal) => putFile(opened, file, signal), withinMs);
    },

    async get(name, range) {
      const rangeHeader = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
      const get = new library.GetObjectCommand({ Bucket: bucket, Key: name, ...rangeHeader });
      const answer = await ask('get', (abortSignal) => unlessAbsent(client.send(get, { abortSignal })));
      if (answer === undefined) return undefined;
      const body = answer.Body as Readable;
      if (range !== undefined && answer.ContentLength !== range.end - range.start + 1) {
        body.destroy();
        failed(new Error(`${answer.ContentLength} bytes came for ${rangeHeader.Range}`), 'get');
        throw unavailable(undefined);
      }
      return streamOf(body, { ...limits, failed });
    },

    async sizeOf(name) {
      const head = new library.HeadObjectCommand({ Bucket: bucket, Key: name });
      const answer = await ask('head', (abortSignal) => unlessAbsent(client.send(head, { abortSignal })));
      return answer?.ContentLength;
    },

    async remove(name) {
      const remove = new library.DeleteObjectCommand({ Bucket: bucket, Key: name });
      await ask('delete', (abortSignal) => client.send(remove, { abortSignal }));
    },

    ...(publicEndpoint === undefined
      ? {}
      : { addressOf: await addressesOf(library, { ...settings, endpoint: publicEndpoint }, { log, clock }) }),

    async probe() {
      const get = new library.GetObjectCommand({ Bucket: bucket, Key: probeName });
      try {
        const withinMs = Math.min(limits.waitMs, probeMs);
        const send = (abortSignal: AbortSignal) => unlessAbsent(client.send(get, { abortSignal }));
        const answer = await ask('probe', send, withinMs);
        (answer?.Body as Readable | undefined)?.destroy();
      } catch (error) {
        throw (error instanceof Problem ? refusalOf(error.cause, bucket) : undefined) ?? error;
      }
    },

    close: () => client.destroy(),
  };
}

/** Sends requests with a time limit. */
type Asking = {
  /** Does `work`, whose request `signal` ends after `withinMs`; throws `storage_unavailable`, with the cause. */
  ask<T>(what: string, work: (signal: AbortSignal) => Promise<T>, withinMs?: number): Promise<T>;
  /** Logs a failure. The first success after one is logged as well. */
  failed(error: unknown, what: string): void;
};

function createAsking({ bucket, log, waitMs }: { bucket: string; log: Log; waitMs: number }): Asking {
  let isFailing = false;

  function answered(): void {
    if (isFailing) log.info({ bucket }, 'the bucket answers again');
    isFailing = false;
  }
  function failed(error: unknown, what: string): void {
    isFailing = true;
    const { name, status, message } = factsOf(error);
    log.error({ bucket, what, status, reason: `${name}: ${message}` }, 'the bucket failed');
  }

  async function ask<T>(
    what: string,
    work: (signal: AbortSignal) => Promise<T>,
    withinMs = waitMs,
  ): Promise<T> {
    const giving = new AbortController();
    const limit = AbortSignal.timeout(withinMs);
    const end = () => giving.abort();
    limit.addEventListener('abort', end);
    try {
      const answer = await work(giving.signal);
      answered();
      return answer;
    } catch (error) {
      failed(limit.aborted ? new Error(`no answer within ${withinMs} ms`) : error, what);
      throw unavailable(error);
    } finally {
      // A response that began in time may take any time to read.
      limit.removeEventListener('abort', end);
    }
  }

  return { ask, failed };
}

/** The client of one bucket. */
type Opened = { readonly library: Library; readonly client: S3Client; readonly bucket: string };

/** A file to store, with its SHA-256 in hexadecimal digits. */
type Put = { readonly name: string; readonly path: string; readonly size: number; readonly digest: string };

async function fileToPut(name: string, path: string): Promise<Put> {
  return { name, path, size: (await stat(path)).size, digest: await digestOf(path) };
}

/**
 * Stores a file. The client does not repeat a request whose body is a stream, so a second attempt here survives a
 * broken connection.
 */
async function putFile(opened: Opened, file: Put, signal: AbortSignal): Promise<void> {
  try {
    await putOnce(opened, file, signal);
  } catch (error) {
    if (signal.aborted || refusalOf(error, opened.bucket) !== undefined) throw error;
    await putOnce(opened, file, signal);
  }
}

async function putOnce(
  { library, client, bucket }: Opened,
  file: Put,
  abortSignal: AbortSignal,
): Promise<void> {
  const Body = createReadStream(file.path);
  const put = new library.PutObjectCommand({
    Bucket: bucket,
    Key: file.name,
    Body,
    ContentLength: file.size,
    // At an address of the bucket without another type, a browser saves the file and does not show it.
    ContentType: 'application/octet-stream',
  });
  put.middlewareStack.add(
    (next) => async (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      headers['x-amz-content-sha256'] = file.digest;
      return await next(args);
    },
    { step: 'build' },
  );
  try {
    await client.send(put, { abortSignal });
  } finally {
    Body.destroy();
  }
}

function makeClient(
  library: Library,
  { endpoint, region, credentials, isPathStyle }: BucketSettings,
  log: Log,
): S3Client {
  const silent = () => undefined;
  const agent = { keepAlive: true, maxSockets: socketsMax };
  return new library.S3Client({
    region,
    forcePathStyle: isPathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // Each upload has its SHA-256 in its signature, which every store checks; many refuse the other checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, httpAgent: agent, httpsAgent: agent },
    // Failures are logged where their meaning is known.
    logger: {
      trace: silent,
      debug: silent,
      info: silent,
      warn: (message: unknown) => log.debug({ message: String(message) }, 'the client of the bucket warns'),
      error: silent,
    },
  });
}

/** Creates addresses that the bucket itself serves. */
async function addressesOf(
  library: Library,
  settings: BucketSettings,
  { log, clock }: { log: Log; clock: Clock },
): Promise<(name: string, headers: ServedHeaders) => Promise<string>> {
  const { getSignedUrl } = await load(
    '@aws-sdk/s3-request-presigner',
    () => import('@aws-sdk/s3-request-presigner'),
  );
  const client = makeClient(library, settings, log);
  return async (name, { mediaType, disposition }) => {
    const get = new library.GetObjectCommand({
      Bucket: settings.bucket,
      Key: name,
      ResponseContentType: mediaType,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: `private, max-age=${addressSeconds}`,
    });
    // The same for a while, so that browsers can cache the file.
    const signingDate = new Date(Math.floor(clock.now() / addressRoundMs) * addressRoundMs);
    return await getSignedUrl(client, get, { expiresIn: addressSeconds, signingDate });
  };
}
