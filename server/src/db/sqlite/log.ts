import { closeSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isTaken } from './file-lock.ts';
import {
  frameHeaderBytes,
  type LogHeader,
  type LogPosition,
  logHeaderBytes,
  parseLogHeader,
  type Sums,
  verifiedSums,
} from './wal-frames.ts';

/**
 * Reads the write-ahead log of a SQLite store without a gap while a server writes it, and copies it back to the database.
 *
 * SQLite restarts the log from its beginning once all of it was copied back and no transaction reads from it. That
 * overwrites frames that may not have been captured yet. So a read transaction, the *guard*, is always open. If the guard
 * began when some frames were not copied back, no checkpoint by any process can restart the log. If it began when all
 * frames were copied back, the log can restart once, but no frame of the new log can be copied back, so that one stays.
 *
 * A guard is replaced only after everything was captured that was committed when it began, and its successor begins
 * before it ends. Until then nothing after that point can have been copied back. So if the successor finds all of the
 * log copied back, all of it was captured, and nothing is ever lost between two captures.
 *
 * Under steady writes there is no moment without frames to copy. `reset` makes one: it holds the write lock while it
 * captures and copies back the last few frames. Other processes wait for that in `begin immediate`.
 */

/** The most frames that are captured at once: 16 MiB. */
const framesMax = 2048;
/** How many frames the log has before it is copied back, 32 MiB: each time, others wait for the end of it. */
const resetFrames = 4000;
/**
 * How often the rest of the log is tried to be copied back, and the pause in between in milliseconds: the server reads
 * for as long as a turn of its event loop takes.
 */
const attemptsMax = 4;
const attemptPauseMs = 4;
/** How long the write lock is waited for, in milliseconds. */
const busyTimeoutMs = 1000;

/** The log is not what it was followed by: something was written over that was not captured. */
export class LogBroken extends Error {}

/** Frames that were captured, in the order of the log. */
export type Capture = {
  readonly from: LogPosition;
  readonly end: LogPosition;
  readonly pageSize: number;
  readonly frames: Buffer;
  /** Whether the last frame ends a commit. Otherwise the rest of that commit follows in the next capture. */
  readonly endsCommit: boolean;
};

/** A blob that has appeared in the store. */
export type NewBlob = {
  readonly id: number;
  readonly key: string;
  readonly size: number;
  readonly isUsed: boolean;
};

/** The state of a log: it has frames after its header, is empty, or is being restarted. */
type LogEnd = { readonly header: LogHeader; readonly frame: number } | 'empty' | 'changing';

/** The end of the log of a file that `database` has open: at or after everything committed before the call. */
export function publishedEnd(database: DatabaseSync, file: string): LogEnd {
  const before = headerOf(file);
  const frame = Number(database.prepare('pragma wal_checkpoint(noop)').get()?.['log']);
  if (frame <= 0) return 'empty';
  const header = headerOf(file);
  // The header is written before the first frame is. If it stays the same, the frames are of this log.
  return header === undefined || header.salts !== before?.salts ? 'changing' : { header, frame };
}

function readAt(file: string, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const open = openSync(`${file}-wal`, 'r');
  try {
    return bytes.subarray(0, readSync(open, bytes, 0, length, position));
  } finally {
    closeSync(open);
  }
}

function headerOf(file: string): LogHeader | undefined {
  return parseLogHeader(readAt(file, 0, logHeaderBytes));
}

/** Follows the log of a store. Only one process may do that. */
export class SqliteLog {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #locker: DatabaseSync;
  #guard: DatabaseSync;
  #nextGuard: DatabaseSync;
  /** Up to where the log was captured. */
  #captured: LogPosition = { salts: '', frame: 0, sums: [0, 0] };
  /** Whether everything was captured that was committed when the guard began. */
  #isAllCaptured = false;
  /** From how many frames on the log is to be copied back. */
  #resetAt = resetFrames;

  /** Begins to guard the log of a file in use: from here on nothing in it is lost. */
  constructor(file: string) {
    const open = (readOnly: boolean, timeout: number) => new DatabaseSync(file, { readOnly, timeout });
    this.#file = file;
    this.#guard = open(true, busyTimeoutMs);
    this.#nextGuard = open(true, busyTimeoutMs);
    this.#locker = open(false, busyTimeoutMs);
    this.#database = open(false, 0);
    for (const writing of [this.#locker, this.#database])
      writing.exec('pragma synchronous = full; pragma wal_autocheckpoint = 0');
    begin(this.#guard);
  }

  /** Goes on after a position; false when the log does not have it any more, so that something may have been lost. */
  resume(position: LogPosition): boolean {
    const header = headerOf(this.#file);
    if (header?.salts !== position.salts || position.frame === 0) return false;
    const sums = this.#sumsAt(position.frame, header);
    if (sums === undefined || sums[0] !== position.sums[0] || sums[1] !== position.sums[1]) return false;
    this.#captured = position;
    return true;
  }

  /** Begins after what is in the log now, and returns that position. */
  begin(): LogPosition {
    const end = publishedEnd(this.#database, this.#file);
    if (end === 'changing') throw new Error('the log is just being started again');
    this.#isAllCaptured = true;
    this.#resetAt = resetFrames;
    if (end === 'empty') this.#captured = { salts: '', frame: 0, sums: [0, 0] };
    else {
      const { header, frame } = end;
      this.#captured = { salts: header.salts, frame, sums: this.#sumsAt(frame, header) ?? header.sums };
    }
    return this.#captured;
  }

  /** The sums that a frame has; undefined when the log is shorter. */
  #sumsAt(frame: number, { pageSize }: LogHeader): Sums | undefined {
    const header = readAt(this.#file, positionOf(frame - 1, pageSize), frameHeaderBytes);
    return header.length < frameHeaderBytes ? undefined : [header.readUInt32BE(16), header.readUInt32BE(20)];
  }

  /** Captures the next frames; undefined when there are none. Throws `LogBroken`. */
  capture(): Capture | undefined {
    const from = this.#captured;
    const end = publishedEnd(this.#database, this.#file);
    this.#isAllCaptured = end === 'empty';
    if (end === 'changing') return undefined;
    if (end === 'empty') return undefined;
    const { header } = end;
    const isSame = header.salts === from.salts;
    if (!isSame) this.#resetAt = resetFrames;
    const [skipped, known] = isSame ? [from.frame, from.sums] : [0, header.sums];
    const count = Math.min(end.frame - skipped, framesMax);
    this.#isAllCaptured = skipped + count === end.frame;
    if (count < 0) throw new LogBroken('the log is shorter than what was captured');
    if (count === 0) return undefined;
    const size = frameHeaderBytes + header.pageSize;
    const frames = readAt(this.#file, positionOf(skipped, header.pageSize), count * size);
    const sums = frames.length === count * size ? verifiedSums(frames, header, known) : undefined;
    const endsCommit = sums !== undefined && frames.readUInt32BE((count - 1) * size + 4) > 0;
    if (sums === undefined || (this.#isAllCaptured && !endsCommit))
      throw new LogBroken(`the frames after ${skipped} are not those that follow what was captured`);
    this.#captured = { salts: header.salts, frame: skipped + count, sums };
    return { from, end: this.#captured, pageSize: header.pageSize, frames, endsCommit };
  }

  /** Whether everything was captured that was committed when the last call of `capture` or `renew` began. */
  get isAllCaptured(): boolean {
    return this.#isAllCaptured;
  }

  /** Replaces the guard, if everything was captured that was committed when it began. */
  renew(): void {
    if (!this.#isAllCaptured) return;
    begin(this.#nextGuard);
    this.#guard.exec('commit');
    [this.#guard, this.#nextGuard] = [this.#nextGuard, this.#guard];
    this.#isAllCaptured = false;
  }

  /** The blobs whose bytes the store has at this moment, among `waiting` and the ids above `afterId`. */
  newBlobs(afterId: number, waiting: readonly number[]): NewBlob[] {
    const rows = this.#database
      .prepare(
        `select id, key, size, expires_at is null as used from blobs
         where provider is null and (id > ? or id in (select value from json_each(?))) order by id`,
      )
      .all(afterId, JSON.stringify(waiting));
    return rows.map(({ id, key, size, used }) => ({
      id: Number(id),
      key: String(key),
      size: Number(size),
      isUsed: used === 1,
    }));
  }

  /** The newest id of a blob, and the ids of those that nothing uses. */
  blobState(): { readonly upTo: number; readonly waiting: number[] } {
    const unused = this.#database.prepare(
      'select id from blobs where provider is null and expires_at is not null order by id',
    );
    const newest = this.#database.prepare('select coalesce(max(id), 0) as id from blobs').get();
    return { upTo: Number(newest?.['id']), waiting: unused.all().map(({ id }) => Number(id)) };
  }

  /** How many frames the log has. */
  get frames(): number {
    const end = publishedEnd(this.#database, this.#file);
    return typeof end === 'string' ? 0 : end.frame;
  }

  /** Whether the log is so long that it should be copied back. */
  get isLong(): boolean {
    return this.#captured.frame >= this.#resetAt;
  }

  /**
   * Copies the whole log back, so that it restarts, and with `isEmptied` truncates it. Captures and returns the few frames
   * that had not been captured. `isDone` is false when a transaction reads from the log or much was written meanwhile; a
   * later call then continues. Throws `LogBroken`.
   */
  reset({ isEmptied }: { readonly isEmptied: boolean }): {
    readonly rest: Capture | undefined;
    readonly isDone: boolean;
  } {
    this.#resetAt = this.#captured.frame + resetFrames;
    // Most of it is copied while others write.
    this.#checkpoint('passive');
    try {
      this.#locker.exec('begin immediate');
    } catch (error) {
      if (isTaken(error)) return { rest: undefined, isDone: false };
      throw error;
    }
    let rest: Capture | undefined;
    let isDone = false;
    try {
      rest = this.capture();
      // Nobody writes now, so that everything stays captured.
      if (this.#isAllCaptured) {
        this.renew();
        isDone = this.#copyBack();
        this.#isAllCaptured = true;
        if (isDone) this.renew();
      }
    } finally {
      this.#locker.exec('rollback');
    }
    if (isDone) this.#resetAt = Number.POSITIVE_INFINITY;
    if (isDone && isEmptied) isDone = this.#checkpoint('truncate');
    return { rest, isDone };
  }

  /** Stops guarding the log: what follows may be lost. */
  close(): void {
    for (const database of [this.#guard, this.#nextGuard, this.#locker, this.#database]) database.close();
  }

  /** Copies the whole log back while writes are blocked; returns whether no reader prevented that. */
  #copyBack(): boolean {
    for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
      if (this.#checkpoint('passive')) return true;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attemptPauseMs);
    }
    return this.#checkpoint('passive');
  }

  /** Copies back what may be; returns whether that was all of it. */
  #checkpoint(mode: 'passive' | 'truncate'): boolean {
    const done = this.#database.prepare(`pragma wal_checkpoint(${mode})`).get();
    return done?.['busy'] === 0 && done['log'] === done['checkpointed'];
  }
}

/** Where the frame with this number, counted from 0, begins. */
function positionOf(frame: number, pageSize: number): number {
  return logHeaderBytes + frame * (frameHeaderBytes + pageSize);
}

/** Begins a read transaction, which has its snapshot from its first read on. */
function begin(database: DatabaseSync): void {
  database.exec('begin');
  database.prepare('select 1 from sqlite_schema').get();
}
