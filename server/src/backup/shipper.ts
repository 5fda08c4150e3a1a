import { writeFile } from 'node:fs/promises';
import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { Capture, SqliteLog } from '../db/sqlite/log.ts';
import { LogBroken } from '../db/sqlite/log.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { type BlobSource, copyBlob } from './copy-blob.ts';
import { type BlobLine, Damage, nextBackupId } from './manifest.ts';
import { type BackupPlace, forEachOf, spoolPath } from './place.ts';
import { sealKeyText } from './sealed-key.ts';
import {
  headName,
  headText,
  lastHead,
  type RunHead,
  runKeyName,
  segmentFile,
  segmentName,
} from './segment.ts';

/**
 * Ships the write-ahead log of a store to the place of its backups while a server writes it.
 *
 * A step captures the commits since the last step. It writes the blobs that came into use, then the segment, then the head
 * of the run. A run continues after a restart if the log still has the frame where the head ends. Otherwise, and whenever
 * frames were overwritten before they were captured, a new run begins, which needs a new backup.
 */

/** How many blobs are copied at the same time. */
const blobsRunningMax = 4;

/** The options of shipping. */
export type ShipperOptions = {
  readonly source: BlobSource & { readonly keyText: () => string | undefined };
  /** The place of the backups, which takes the blobs. */
  readonly place: BackupPlace;
  /** Its folder `log`, held by this process. */
  readonly shelf: BackupPlace;
  readonly store: SqliteLog;
  readonly clock: Clock;
  readonly log: Log;
  /** Seals the keys of webhook secrets; without it they are left out. */
  readonly passphrase: string | undefined;
};

/** The progress of shipping: the run, and the time up to which every acknowledged change is at the place. */
export type Shipped = { readonly run: string; readonly completeTo: UnixMs };

/** Ships a log. */
export type Shipper = {
  /** Ships everything that was committed before the call. */
  step(): Promise<Shipped>;
  /** Has the log copied back and truncated; returns whether it was. Ships what was in it. */
  empty(): Promise<boolean>;
  /** Ships the rest of a store that is closed, and copies the log back without removing it: the run can go on. */
  finish(): Promise<void>;
};

/** A request of the server: empty the log, or ship the rest and end. */
export type ShipRequest = 'empty' | 'stop';
/** A report of the process: its progress, or whether the log was emptied. */
export type ShipReport = Shipped | { readonly isEmptied: boolean };

/** A capture, with the times before and after it. */
type Pending = { readonly capture: Capture; readonly completeTo: UnixMs; readonly endsAt: UnixMs };

/** How long the log may get while the place cannot be used, in frames: 1 GiB. Then the run is given up. */
const framesMax = 131_072;

/** Creates a shipper, which does nothing yet. */
export function createShipper(options: ShipperOptions): Shipper {
  const { source, shelf, store, clock, log, passphrase } = options;
  // Blobs go through the spool of the folder that this process holds.
  const place = { ...options.place, spool: shelf.spool };
  let head: RunHead | undefined;
  /** The captured frames that are not at the place yet. */
  let pending: Pending | undefined;
  let sealedKeys: string | undefined;

  async function put(name: string, parts: readonly (string | Uint8Array)[]): Promise<void> {
    const path = spoolPath(shelf, name);
    await writeFile(path, parts, { mode: 0o600 });
    await shelf.put(name, path);
  }

  async function putHead(next: RunHead): Promise<void> {
    await put(headName(next.run), [headText(next)]);
    head = next;
  }

  /** Goes on with the newest run, or begins one. */
  async function open(): Promise<RunHead> {
    const lastRun = await lastHead(shelf).catch((error: unknown) => {
      if (!(error instanceof Damage)) throw error;
      log.warn({ err: error }, 'the head of the shipped log is damaged');
      return undefined;
    });
    if (lastRun === undefined || !store.resume(lastRun.position)) return await beginRun();
    head = lastRun;
    return lastRun;
  }

  async function beginRun(): Promise<RunHead> {
    const completeTo = clock.now();
    const position = store.begin();
    const { upTo, waiting } = store.blobState();
    const run = nextBackupId(completeTo, (await shelf.ids()).at(-1));
    const next: RunHead = {
      format: 1,
      run,
      last: 0,
      last_sha256: '',
      position,
      complete_to: timestamp(completeTo),
      blobs: { up_to: upTo, waiting },
    };
    pending = undefined;
    sealedKeys = undefined;
    await shelf.begin(run);
    await putHead(next);
    log.info({ run }, 'a run of the shipped log begins');
    return next;
  }

  /** Puts the keys of webhook secrets if there are others than before: the first is created when it is needed. */
  async function putKeys(run: string): Promise<void> {
    const keys = source.keyText();
    if (passphrase === undefined || keys === undefined || keys === sealedKeys) return;
    await put(runKeyName(run), [sealKeyText(keys, passphrase, run)]);
    sealedKeys = keys;
  }

  /** Puts the blobs that came into use. */
  async function putBlobs({ blobs: { up_to, waiting } }: RunHead) {
    const blobs = store.newBlobs(up_to, waiting);
    const lines: BlobLine[] = [];
    await forEachOf(
      blobs.filter(({ isUsed }) => isUsed),
      blobsRunningMax,
      async ({ key, size }) => {
        const { digest } = await copyBlob({ key, size }, { source, place, known: new Map() });
        lines.push({ key, bytes: size, sha256: digest?.sha256 });
      },
    );
    return {
      lines,
      next: {
        up_to: blobs.reduce((newest, { id }) => Math.max(newest, id), up_to),
        waiting: blobs.filter(({ isUsed }) => !isUsed).map(({ id }) => id),
      },
    };
  }

  /** Puts what was captured, if anything. */
  async function ship(from: RunHead): Promise<RunHead> {
    if (pending === undefined) return from;
    const { capture, completeTo, endsAt } = pending;
    await putKeys(from.run);
    const { lines, next } = await putBlobs(from);
    const [run, number] = [from.run, from.last + 1];
    const { parts, sha256 } = segmentFile(
      { run, number, previous: from.last_sha256, ends_at: timestamp(endsAt), blobs: lines },
      capture,
    );
    await put(segmentName(run, number), parts);
    const to: RunHead = {
      ...from,
      last: number,
      last_sha256: sha256,
      position: capture.end,
      complete_to: capture.endsCommit ? timestamp(completeTo) : from.complete_to,
      blobs: next,
    };
    await putHead(to);
    pending = undefined;
    return to;
  }

  function keep(capture: Capture | undefined, completeTo: UnixMs): void {
    if (capture !== undefined) pending = { capture, completeTo, endsAt: clock.now() };
  }

  /** Does `work`, and begins a new run where the log turns out to be broken. */
  async function guarded<T>(work: (from: RunHead) => Promise<T>): Promise<T> {
    try {
      return await work(head ?? (await open()));
    } catch (error) {
      if (!(error instanceof LogBroken)) {
        if (store.frames > framesMax) giveUp();
        throw error;
      }
      log.warn({ err: error }, 'the shipped log has a gap: a new run begins, and a backup');
      return await work(await beginRun());
    }
  }

  /** Lets the log start again although it was not shipped. The next step begins a new run. */
  function giveUp(): void {
    log.error({ frames: store.frames }, 'the log could not be shipped for so long that it is given up');
    store.begin();
    store.renew();
    store.reset({ isEmptied: true });
    [head, pending] = [undefined, undefined];
  }

  async function shipAll(from: RunHead): Promise<Shipped & { readonly reached: RunHead }> {
    // Frames that an earlier step captured and could not write.
    let shippedTo = await ship(from);
    let completeTo: UnixMs;
    do {
      completeTo = clock.now();
      keep(store.capture(), completeTo);
      shippedTo = await ship(shippedTo);
    } while (!store.isAllCaptured);
    store.renew();
    return { run: shippedTo.run, completeTo, reached: shippedTo };
  }

  async function reset(from: RunHead, options: { readonly isEmptied: boolean }): Promise<boolean> {
    const completeTo = clock.now();
    const { rest, isDone } = store.reset(options);
    keep(rest, completeTo);
    await ship(from);
    return isDone;
  }

  async function shipAndReset(options: { readonly isEmptied: boolean }): Promise<boolean> {
    return await guarded(async (from) => await reset((await shipAll(from)).reached, options));
  }

  return {
    step: async () =>
      await guarded(async (from) => {
        const { reached, ...shipped } = await shipAll(from);
        if (store.isLong) await reset(reached, { isEmptied: false });
        return shipped;
      }),
    empty: async () => await shipAndReset({ isEmptied: true }),
    async finish() {
      await shipAndReset({ isEmptied: false });
    },
  };
}
