import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { LogPosition } from '../db/sqlite/wal-frames.ts';
import type { BackupPlace, Digest } from './place.ts';

/**
 * The manifest of a backup: its content, its moment, and the checksum of each file. It is written last, so a
 * backup without one is not finished.
 */
export type Manifest = {
  readonly format: 1;
  readonly id: string;
  /** The version of Confab that made the backup. */
  readonly confab: string;
  /** The newest step of the schema of the store. */
  readonly schema: number;
  readonly moment: {
    /** Every change that was acknowledged before this time is in the backup. */
    readonly time: string;
    /** Every event up to this position of the log is in it, and no other. */
    readonly position: number;
  };
  /** When the copy of the database was complete. */
  readonly copied_at: string;
  readonly finished_at: string;
  readonly files: { readonly [name: string]: Digest };
  readonly blobs: {
    readonly count: number;
    readonly bytes: number;
    /** How many blobs in use had no bytes in the store itself. */
    readonly missing: number;
  };
  /** Whether the key that seals secrets of webhooks is in the backup; `not needed` when it seals nothing. */
  readonly key: 'sealed' | 'left out' | 'not needed';
  /** The number of rows of each table. */
  readonly tables: { readonly [name: string]: number };
  /** The run of shipped segments that continues this backup, if the log was being shipped (`segment.ts`). */
  readonly log?: LogStart;
};

/** Where a run of segments continues a backup. */
export type LogStart = {
  readonly run: string;
  /** The number of the last segment before the copy began; later segments are applied to the copy. */
  readonly after: number;
  /** Where that segment ends. */
  readonly from: LogPosition;
  /** A position at or after the copy; segments that do not reach it cannot be applied to the copy. */
  readonly until: { readonly salts: string; readonly frame: number };
};

/** The files of a backup, in the folder of its id. */
export const fileNames = {
  database: 'confab.db',
  blobs: 'blobs.tsv',
  key: 'secrets.key.sealed',
  manifest: 'manifest.json',
  /** The keys of the blobs of a backup that is not finished. */
  begun: 'begun.tsv',
} as const;

/** A part of a backup that is missing or damaged; the message names the file. */
export class Damage extends Error {}

const idPattern = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z$/;

/** Whether a value is the id of a backup: its time in UTC, with hyphens in place of colons. */
export function isBackupId(value: unknown): value is string {
  return typeof value === 'string' && idPattern.test(value);
}

/** The id of a backup that begins at a time. */
export function backupIdAt(time: UnixMs): string {
  return timestamp(time).replaceAll(':', '-');
}

/** The id of a backup or run that begins at a time; it sorts after `last`, whatever the clock says. */
export function nextBackupId(time: UnixMs, last: string | undefined): string {
  const [date = '', clock = ''] = last?.split('T') ?? [];
  const lastTime = last === undefined ? 0 : Date.parse(`${date}T${clock.replaceAll('-', ':')}`);
  return backupIdAt(Math.max(time, lastTime + 1));
}

/** A manifest as the text of its file, which ends with the checksum of everything before. */
export function manifestText(manifest: { readonly format: 1 }): string {
  const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
  return `${JSON.stringify({ ...manifest, sha256 }, null, 2)}\n`;
}

/** Reads the text of a manifest; `name` is that of its file. Throws `Damage` unless it is whole. */
export function parseManifest<M extends { readonly format: 1 }>(text: string, name: string): M {
  let manifest: M & { sha256?: string };
  try {
    manifest = JSON.parse(text);
    delete manifest.sha256;
  } catch (error) {
    throw new Damage(`${name} is truncated or is no manifest`, { cause: error });
  }
  if (manifestText(manifest) !== text) throw new Damage(`${name} differs from its own checksum`);
  if (manifest.format !== 1)
    throw new Damage(`${name} has the format ${manifest.format}, which this Confab does not know`);
  return manifest;
}

/** The manifest of a backup; undefined when it is not finished. Throws `Damage` when the manifest is damaged. */
export async function findManifest(place: BackupPlace, id: string): Promise<Manifest | undefined> {
  const name = `${id}/${fileNames.manifest}`;
  const stream = await place.read(name);
  if (stream === undefined) return undefined;
  const manifest = parseManifest<Manifest>(await text(stream), name);
  if (manifest.id !== id) throw new Damage(`${name} is that of the backup ${manifest.id}`);
  return manifest;
}

/** A line of the list of blobs; `sha256` is undefined for a blob whose bytes the store itself did not have. */
export type BlobLine = { readonly key: string; readonly bytes: number; readonly sha256: string | undefined };

const missingMark = 'missing';

/** A list of blobs as the text of its file. */
export function blobLinesText(lines: readonly BlobLine[]): string {
  return lines.map(({ key, bytes, sha256 = missingMark }) => `${key}\t${bytes}\t${sha256}\n`).join('');
}

/** Reads a list of blobs that was checked against its checksum. */
export function parseBlobLines(text: string): BlobLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [key = '', bytes, sha256] = line.split('\t');
      return { key, bytes: Number(bytes), sha256: sha256 === missingMark ? undefined : sha256 };
    });
}

/** The list of blobs of a finished backup. Throws `Damage` unless it is the one that the manifest says. */
export async function readBlobLines(place: BackupPlace, manifest: Manifest): Promise<BlobLine[]> {
  const name = `${manifest.id}/${fileNames.blobs}`;
  const stream = await place.read(name);
  if (stream === undefined) throw new Damage(`${name} is missing`);
  const content = await text(stream);
  const sha256 = createHash('sha256').update(content).digest('hex');
  if (sha256 !== manifest.files[fileNames.blobs]?.sha256)
    throw new Damage(`${name} differs from its checksum`);
  return parseBlobLines(content);
}
