import { createHash } from 'node:crypto';
import { buffer, text } from 'node:stream/consumers';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Capture } from '../db/sqlite/log.ts';
import type { LogPosition } from '../db/sqlite/wal-frames.ts';
import { type BlobLine, Damage, manifestText, parseManifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';

/**
 * Segments: pieces of the write-ahead log of a store, at the place of its backups, in the folder `log`. A *run* is a
 * series of segments without a gap, numbered from 1. It has a folder, with a *head* that records how far the run goes. A
 * segment is written before the head that includes it; a segment beyond the head does not count.
 *
 * The file of a segment is its own SHA-256, a line of JSON, and the frames as SQLite wrote them, compressed with zstd:
 * commits write the same few pages again and again. Each names the checksum of the segment before it.
 */

/** The header of a segment. */
export type SegmentFacts = {
  readonly format: 1;
  readonly run: string;
  readonly number: number;
  /** The checksum of the segment before it; empty for the first. */
  readonly previous: string;
  readonly from: LogPosition;
  readonly end: LogPosition;
  readonly page_size: number;
  /** Whether the last frame ends a commit, so that a store can be restored up to here. */
  readonly ends_commit: boolean;
  /** No change that was sent after this time is in it. */
  readonly ends_at: string;
  /** The blobs that came into use; their bytes were put before the segment. */
  readonly blobs: readonly BlobLine[];
};

/** A segment that was read. */
export type Segment = { readonly facts: SegmentFacts; readonly sha256: string; readonly frames: Buffer };

/** How far a run goes, and where the shipping goes on. */
export type RunHead = {
  readonly format: 1;
  readonly run: string;
  /** The number of its last segment; 0 when it has none. */
  readonly last: number;
  readonly last_sha256: string;
  readonly position: LogPosition;
  /** Every change that was answered before this time is in the run or in the backup from which it goes on. */
  readonly complete_to: string;
  /** Blobs up to this id are at the place if something used them, except those that wait to be used. */
  readonly blobs: { readonly up_to: number; readonly waiting: readonly number[] };
};

/** The name of the head of a run, below the folder of the log. */
export function headName(run: string): string {
  return `${run}/head.json`;
}

/** The name of a segment, below the folder of the log. */
export function segmentName(run: string, number: number): string {
  return `${run}/${String(number).padStart(9, '0')}`;
}

/** The name of the sealed keys of webhook secrets that were in use during a run, below the folder of the log. */
export function runKeyName(run: string): string {
  return `${run}/secrets.key.sealed`;
}

/** The head of a run; undefined when it has none. Throws `Damage`. */
export async function findHead(log: BackupPlace, run: string): Promise<RunHead | undefined> {
  const name = headName(run);
  const stream = await log.read(name);
  return stream === undefined ? undefined : parseManifest<RunHead>(await text(stream), `log/${name}`);
}

/** The head of the newest run; undefined when nothing was ever shipped. Throws `Damage`. */
export async function lastHead(log: BackupPlace): Promise<RunHead | undefined> {
  const run = (await log.ids()).at(-1);
  return run === undefined ? undefined : await findHead(log, run);
}

/** The bytes of the file of a head. */
export function headText(head: RunHead): string {
  return manifestText(head);
}

function sha256Of(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** The parts of the file of a segment, and its checksum. */
export function segmentFile(
  facts: Omit<SegmentFacts, 'format' | 'from' | 'end' | 'page_size' | 'ends_commit'>,
  { from, end, pageSize, endsCommit, frames }: Capture,
): { readonly parts: readonly Buffer[]; readonly sha256: string } {
  const all: SegmentFacts = { format: 1, ...facts, from, end, page_size: pageSize, ends_commit: endsCommit };
  const line = Buffer.from(`${JSON.stringify(all)}\n`);
  const compressed = zstdCompressSync(frames);
  const sha256 = sha256Of(line, compressed);
  return { parts: [Buffer.from(`${sha256}\n`), line, compressed], sha256 };
}

/** The length of the checksum and its line break. */
const sumBytes = 65;

/** Reads a segment. Throws `Damage`, which names the file, unless it is whole and the one that is asked for. */
export async function readSegment(log: BackupPlace, run: string, number: number): Promise<Segment> {
  const name = `log/${segmentName(run, number)}`;
  const stream = await log.read(segmentName(run, number));
  if (stream === undefined) throw new Damage(`${name} is missing`);
  const file = await buffer(stream);
  const sha256 = file.toString('latin1', 0, sumBytes - 1);
  const rest = file.subarray(sumBytes);
  if (sha256Of(rest) !== sha256) throw new Damage(`${name} differs from its checksum`);
  const end = rest.indexOf('\n');
  const facts = JSON.parse(rest.toString('utf8', 0, end)) as SegmentFacts;
  if (facts.format !== 1)
    throw new Damage(`${name} has the format ${facts.format}, which this Confab does not know`);
  if (facts.run !== run || facts.number !== number)
    throw new Damage(`${name} is the segment ${facts.number} of ${facts.run}`);
  return { facts, sha256, frames: zstdDecompressSync(rest.subarray(end + 1)) };
}
