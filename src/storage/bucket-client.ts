import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { Problem } from '../kernel/problem.ts';
import { BucketRefusal, factsOf, refusalOf, unavailable, unlessAbsent } from './bucket-errors.ts';
import type { ByteRange, ShownAs } from './storage.ts';

/**
 * Talks to a bucket on any store that speaks S3, with the official client, which is installed and loaded only where a
 * bucket is set. Every request ends: by its answer, or with `storage_unavailable`. The log has why, and what the bucket
 * says is told to nobody else.
 */

/** Which bucket, and how it is reached. */
export type BucketSettings = {
  readonly bucket: string;
  /** The address of the store; undefined is Amazon's own. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Undefined leaves it to the client to find some: in variables `AWS_…` or with the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Whether the bucket is named in the path of an address instead of in its host. */
  readonly isPathStyle: boolean;
  /** The address browsers reach the store at; undefined when they do not. */
  readonly publicEndpoint: string | undefined;
};

/** How long a bucket may take, in milliseconds. */
export type BucketLimits = {
  /**
   * To begin an answer, and between two pieces of one, where twice as long may pass until it is seen. A file that is kept
   * has a second more for each mebibyte.
   */
  readonly waitMs: number;
};

/** A bucket that is open. */
export type BucketClient = {
  /** Keeps the file at `path` under a name, whole or not at all. */
  put(name: string, path: string): Promise<void>;
  /** Reads an object, all of it or a range; undefined when it is not there. */
  get(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** How many bytes an object has; undefined when it is not there. */
  sizeOf(name: string): Promise<number | undefined>;
  /** Removes an object if it is there. */
  remove(name: string): Promise<void>;
  /** An address that shows an object for at most an hour; absent when browsers do not reach the store. */
  readonly addressOf?: (name: string, shown: ShownAs) => Promise<string>;
  /** Asks for what is not there, which takes every right that reading does. Throws `BucketRefusal` when it is refused. */
  probe(): Promise<void>;
  close(): void;
};

/** How many requests are under way at most; each download that a slow reader takes is one. */
const socketsMax = 500;
/** How long an attempt to connect may take, in milliseconds. */
const connectMs = 3_000;
/** How long an address of the bucket itself is good for, in seconds, and for how long it stays the same. */
const addressSeconds = 3600;
const addressRoundMs = 15 * 60_000;
/** The least bytes a second at which a file is expected to be taken. */
const bytesPerSecondMin = 1024 * 1024;
/** How long a bucket has to show that it answers, in milliseconds: who asks does not wait much longer. */
const probeMs = 2_000;
/** What is asked for to see whether the bucket answers; it is never kept. */
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

/** How long the next bytes may take, and who is told of a failure. */
type Watch = BucketLimits & { readonly failed: (error: unknown, what: string) => void };

/**
 * The bytes of an answer. One that stops before its end fails with `storage_unavailable`; how long a reader takes for
 * what it has is the reader's affair.
 */
async function* piecesOf(body: Readable, { waitMs, failed }: Watch): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  let waitingSince: number | undefined;
  // One look after the other instead of a timer for each piece, of which there may be thousands a second.
  function look(): void {
    AbortSignal.timeout(waitMs).addEventListener('abort', () => {
      if (body.destroyed) return;
      const isStuck = waitingSince !== undefined && performance.now() - waitingSince >= waitMs;
      if (isStuck) body.destroy(new Error(`no byte came for ${waitMs} ms`));
      else look();
    });
  }
  look();
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

/** The same as a stream, which lets go of the answer when it is closed at whatever moment. */
function streamOf(body: Readable, { waitMs, failed }: Watch): Readable {
  const stream = Readable.from(piecesOf(body, { waitMs, failed }), { objectMode: false });
  // Who reads hears of it; nobody has to hear of it before that.
  body.on('error', () => undefined);
  stream.on('close', () => body.destroy());
  return stream;
}

/** Opens a bucket; nothing is asked of it yet. Throws `BucketRefusal` when the client is not installed. */
export async function openBucketClient(
  settings: BucketSettings,
  { log, clock, limits }: { log: Log; clock: Clock; limits: BucketLimits },
): Promise<BucketClient> {
  const { bucket, publicEndpoint } = settings;
  const library = await load('@aws-sdk/client-s3', () => import('@aws-sdk/client-s3'));
  const client = makeClient(library, settings, settings.endpoint, log);
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

  /** Does what has to be answered within a time. */
  async function ask<T>(
    what: string,
    work: (signal: AbortSignal) => Promise<T>,
    withinMs = limits.waitMs,
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
      // What was answered in time is read for as long as it takes.
      limit.removeEventListener('abort', end);
    }
  }

  async function putOnce(
    name: string,
    file: { path: string; size: number; digest: string },
    abortSignal: AbortSignal,
  ) {
    const Body = createReadStream(file.path);
    const put = new library.PutObjectCommand({
      Bucket: bucket,
      Key: name,
      Body,
      ContentLength: file.size,
      // What an address of the bucket shows that says nothing else is saved and not shown.
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

  return {
    async put(name, path) {
      const file = { path, size: (await stat(path)).size, digest: await digestOf(path) };
      const withinMs = limits.waitMs + Math.ceil(file.size / bytesPerSecondMin) * 1000;
      await ask(
        'put',
        async (signal) => {
          try {
            await putOnce(name, file, signal);
          } catch (error) {
            // The client repeats no request whose body is a stream. A second one gets over a connection that broke.
            if (signal.aborted || refusalOf(error, bucket) !== undefined) throw error;
            await putOnce(name, file, signal);
          }
        },
        withinMs,
      );
    },

    async get(name, range) {
      const wanted = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
      const get = new library.GetObjectCommand({ Bucket: bucket, Key: name, ...wanted });
      const answer = await ask('get', (abortSignal) => unlessAbsent(client.send(get, { abortSignal })));
      if (answer === undefined) return undefined;
      const body = answer.Body as Readable;
      if (range !== undefined && answer.ContentLength !== range.end - range.start + 1) {
        body.destroy();
        failed(new Error(`${answer.ContentLength} bytes came for ${wanted.Range}`), 'get');
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
        const answer = await ask(
          'probe',
          (abortSignal) => unlessAbsent(client.send(get, { abortSignal })),
          Math.min(limits.waitMs, probeMs),
        );
        (answer?.Body as Readable | undefined)?.destroy();
      } catch (error) {
        throw (error instanceof Problem ? refusalOf(error.cause, bucket) : undefined) ?? error;
      }
    },

    close: () => client.destroy(),
  };
}

function makeClient(
  library: Library,
  { region, credentials, isPathStyle }: BucketSettings,
  endpoint: string | undefined,
  log: Log,
): S3Client {
  const silent = () => undefined;
  const agent = { keepAlive: true, maxSockets: socketsMax };
  return new library.S3Client({
    region,
    forcePathStyle: isPathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // Each upload carries its SHA-256 in its signature, which every store checks; many refuse the other checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, httpAgent: agent, httpsAgent: agent },
    // What fails is logged where it is known what it means.
    logger: {
      trace: silent,
      debug: silent,
      info: silent,
      warn: (message: unknown) => log.debug({ message: String(message) }, 'the client of the bucket warns'),
      error: silent,
    },
  });
}

/** Makes addresses that the bucket itself answers. */
async function addressesOf(
  library: Library,
  settings: BucketSettings,
  { log, clock }: { log: Log; clock: Clock },
): Promise<(name: string, shown: ShownAs) => Promise<string>> {
  const { getSignedUrl } = await load(
    '@aws-sdk/s3-request-presigner',
    () => import('@aws-sdk/s3-request-presigner'),
  );
  const client = makeClient(library, settings, settings.endpoint, log);
  return async (name, { mediaType, disposition }) => {
    const get = new library.GetObjectCommand({
      Bucket: settings.bucket,
      Key: name,
      ResponseContentType: mediaType,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: `private, max-age=${addressSeconds}`,
    });
    // The same for a while, so that a browser finds its copy.
    const signingDate = new Date(Math.floor(clock.now() / addressRoundMs) * addressRoundMs);
    return await getSignedUrl(client, get, { expiresIn: addressSeconds, signingDate });
  };
}
