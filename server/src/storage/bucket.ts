import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { notFound, Problem } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import {
  type BucketClient,
  type BucketLimits,
  type BucketSettings,
  openBucketClient,
} from './bucket-client.ts';
import { BucketRefusal } from './bucket-errors.ts';
import { openSpool, toStorageProblem } from './spool.ts';
import { type BlobStorage, derivedForms, storedName } from './storage.ts';

/** The state of a bucket. */
export type BucketState = { readonly ok: boolean; readonly is_answering: boolean };

/** A bucket as the storage of blobs. */
export type BlobBucket = BlobStorage & {
  /**
   * Whether the bucket responds. It is not `ok` only until the bucket has responded once: until then this node may have a
   * wrong address or network. A bucket that fails later fails for every node, and everything except files keeps working.
   */
  check(): Promise<BucketState>;
  close(): void;
};

/** How long a bucket may take to begin a response, in milliseconds: far longer than a working one takes. */
const waitMsDefault = 10_000;
/** For how long a state is reported again, in milliseconds, so that frequent health checks send few requests. */
const stateMs = 10_000;

/**
 * Stores blobs in a bucket. Unfinished uploads and derived files are in the folder at `path`; those older than
 * `unfinishedUntil` are removed. Throws `BucketRefusal`, with the remedy, when the bucket refuses access. A bucket that
 * does not respond may respond later.
 */
export async function openBlobBucket(
  { path, unfinishedUntil }: { path: string; unfinishedUntil: UnixMs },
  settings: BucketSettings,
  { log, clock, limits = { waitMs: waitMsDefault } }: { log: Log; clock: Clock; limits?: BucketLimits },
): Promise<BlobBucket> {
  const client = await openBucketClient(settings, { log, clock, limits });
  const spool = await openSpool(path, unfinishedUntil);
  const { addressOf } = client;
  /** Fetches a blob to this machine; throws `not_found` when it is gone. */
  async function fetchTo(file: string, key: string): Promise<string> {
    const bytes = await client.get(storedName({ key }));
    if (bytes === undefined) throw notFound('file');
    await pipeline(bytes, createWriteStream(file, { mode: 0o600 }));
    return file;
  }

  const check = await createCheck(client, clock);

  return {
    write: async (bytes, { headBytesMax }) => await spool.write(bytes, { headBytesMax, isSynced: false }),

    remake: async (key, make, { headBytesMax }) =>
      await spool.remake(key, make, { headBytesMax, isSynced: false }),

    async place(key) {
      await client.put(storedName({ key }), spool.pathOf(key));
      await spool.discard(key);
    },

    discard: spool.discard,
    read: async (stored, range) => await client.get(storedName(stored), range),
    sizeOf: async (stored) => await client.sizeOf(storedName(stored)),

    async remove(key) {
      // The blob goes first: `derive` checks for it at its end, so no form derived meanwhile can stay behind.
      await client.remove(storedName({ key }));
      await Promise.all(derivedForms.map((form) => client.remove(storedName({ key, form }))));
    },

    async derive(key, form, make) {
      const [source, target] = [spool.freshPath(key), spool.freshPath(key)];
      try {
        const isMade = await make({ source: async () => await fetchTo(source, key), target });
        if (!isMade) await writeFile(target, '');
        await client.put(storedName({ key, form }), target);
      } catch (error) {
        throw toStorageProblem(error);
      } finally {
        await rm(source, { force: true });
        await rm(target, { force: true });
      }
      if ((await client.sizeOf(storedName({ key }))) === undefined)
        await client.remove(storedName({ key, form }));
    },

    ...(addressOf === undefined
      ? {}
      : { addressOf: async (stored, headers) => await addressOf(storedName(stored), headers) }),

    check,
    close: client.close,
  };
}

/**
 * Probes the bucket, and creates the function that reports its state. Throws `BucketRefusal` when the first probe is
 * refused; a bucket that does not respond may respond later.
 */
async function createCheck(
  client: Pick<BucketClient, 'probe'>,
  clock: Clock,
): Promise<() => Promise<BucketState>> {
  let hasAnswered = false;
  let last: { readonly at: number; readonly state: Promise<BucketState> } | undefined;

  async function probe(): Promise<BucketState> {
    try {
      await client.probe();
      hasAnswered = true;
    } catch (error) {
      if (error instanceof Problem || error instanceof BucketRefusal)
        return { ok: hasAnswered, is_answering: false };
      throw error;
    }
    return { ok: true, is_answering: true };
  }

  try {
    await client.probe();
    hasAnswered = true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  return async () => {
    const at = clock.now();
    if (last === undefined || at - last.at >= stateMs) last = { at, state: probe() };
    return await last.state;
  };
}
