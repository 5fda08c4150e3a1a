import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { framesOf } from '../db/sqlite/wal-frames.ts';
import { type BlobLine, Damage, type LogStart } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { findHead, headName, readSegment, type Segment } from './segment.ts';

/**
 * Applies shipped segments to the copy of a database. The copy was made after the first of them was captured and before
 * the last, at an unknown point. Pages are applied whole, so that it does not matter how many of them the copy has
 * already, if only the segments go beyond the copy.
 */

/** How many segments are read ahead. */
const aheadMax = 4;

/** The result of a replay. */
export type Applied = {
  readonly segments: number;
  /** Whether that goes beyond the copy. Otherwise the database is of no use. */
  readonly hasReached: boolean;
  /** No change that was sent after this time was applied; undefined when nothing was. */
  readonly endsAt: string | undefined;
  /** The blobs that came into use. */
  readonly blobs: readonly BlobLine[];
  /** The first segment that is damaged, if one is. */
  readonly damage: readonly string[];
};

/** The options of a replay. */
export type ReplayOptions = {
  /** The folder `log` of the place. */
  readonly log: BackupPlace;
  readonly start: LogStart;
  /** Segments that hold later changes are not applied. */
  readonly upTo: UnixMs;
  /** The file of the database. */
  readonly path: string;
};

/** Applies the segments that go on from a backup, up to the last commit that a segment up to that time ends with. */
export async function replayLog({ log, start, upTo, path }: ReplayOptions): Promise<Applied> {
  const file = await open(path, 'r+');
  const blobs: BlobLine[] = [];
  const damage: string[] = [];
  let hasReached = isReached(start, start.from.salts, start.from);
  let [applied, endsAt, salts]: [number, string | undefined, string] = [
    start.after,
    undefined,
    start.from.salts,
  ];
  try {
    for await (const segment of segmentsOf(log, start, upTo)) {
      const { number, end, ends_commit, ends_at } = segment.facts;
      hasReached ||= isReached(start, salts, end);
      salts = end.salts;
      if (!ends_commit) continue;
      // Segments that end within a commit are applied with the end of that commit.
      for (let earlier = applied + 1; earlier < number; earlier += 1)
        await apply(await readSegment(log, start.run, earlier), { file, blobs });
      await apply(segment, { file, blobs });
      [applied, endsAt] = [number, ends_at];
    }
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    damage.push(
      `${error.message}; ${endsAt === undefined ? 'the backup can be restored without the log, with --backup' : `what is before it can be restored with --at ${endsAt}`}`,
    );
  } finally {
    await file.sync();
    await file.close();
  }
  return { segments: applied - start.after, hasReached, endsAt, blobs, damage };
}

/** Whether a position that follows one in the log with the salts `before` is at or after the end of a copy. */
function isReached(
  { until }: LogStart,
  before: string,
  { salts, frame }: { readonly salts: string; readonly frame: number },
): boolean {
  return salts === until.salts ? frame >= until.frame : before === until.salts;
}

/** The segments of a run after those that a copy has, up to a time, each checked against the one before. */
async function* segmentsOf(
  log: BackupPlace,
  { run, after }: LogStart,
  upTo: UnixMs,
): AsyncGenerator<Segment> {
  const head = await findHead(log, run);
  if (head === undefined) throw new Damage(`log/${headName(run)} is missing`);
  const reading: Promise<Segment>[] = [];
  let previous: Segment | undefined;
  for (let number = after + 1; number <= head.last; number += 1) {
    // Segments after the last requested one may be damaged.
    if (previous !== undefined && Date.parse(previous.facts.ends_at) >= upTo) return;
    for (let next = number + reading.length; next <= head.last && reading.length < aheadMax; next += 1) {
      const read = readSegment(log, run, next);
      // A failure is thrown when its turn comes.
      read.catch(() => undefined);
      reading.push(read);
    }
    const segment = await reading.shift();
    if (segment === undefined) return;
    if (previous !== undefined && segment.facts.previous !== previous.sha256)
      throw new Damage(`log/${run} has another segment ${number - 1} than segment ${number} follows`);
    if (Date.parse(segment.facts.ends_at) > upTo) return;
    if (number === head.last && segment.sha256 !== head.last_sha256)
      throw new Damage(`log/${run} has another segment ${number} than its head says`);
    yield segment;
    previous = segment;
  }
}

/** Writes the pages of a segment. */
async function apply(
  { facts, frames }: Segment,
  { file, blobs }: { readonly file: FileHandle; readonly blobs: BlobLine[] },
): Promise<void> {
  let pages = 0;
  for (const { page, committedPages, bytes } of framesOf(frames, facts.page_size)) {
    await file.write(bytes, 0, bytes.length, (page - 1) * facts.page_size);
    if (committedPages > 0) pages = committedPages;
  }
  if (pages > 0) await file.truncate(pages * facts.page_size);
  for (const line of facts.blobs) blobs.push(line);
}
