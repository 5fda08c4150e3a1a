import { rm, writeFile } from 'node:fs/promises';
import { timestamp } from 'confab-contract/values/time.ts';
import {
  type CopiedBlob,
  type CopyFacts,
  type LiveDatabase,
  openCopy,
  openLive,
} from '../db/sqlite/copies.ts';
import { holdAt, holdMs, holdSetting } from '../features/blobs/hold.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { startLoop } from '../workers/runner.ts';
import { type BlobSource, copyBlob } from './copy-blob.ts';
import { lastBackupSetting, lastRunSetting } from './last-backup.ts';
import {
  type BlobLine,
  backupIdAt,
  blobLinesText,
  Damage,
  fileNames,
  findManifest,
  type LogStart,
  type Manifest,
  manifestText,
  readBlobLines,
} from './manifest.ts';
import { type BackupPlace, type Digest, forEachOf, putDigested, spoolPath } from './place.ts';
import { sealKeyText } from './sealed-key.ts';
import { lastHead, type RunHead } from './segment.ts';

/**
 * Makes a backup of a SQLite store that a server may be using.
 *
 * The order makes it consistent. Bytes of blobs are held first, so that none is removed. Then the database is copied as
 * it is at one moment. Every blob that a row of the copy uses had its bytes before its row was claimed, so they are
 * copied afterwards, those that the place does not have yet. The manifest comes last.
 */

/** The sources of a backup. */
export type BackupSource = BlobSource & {
  /** The file of the database. */
  readonly database: string;
  /** The text of the keys that seal secrets of webhooks; undefined when there is none here. */
  readonly keyText: string | undefined;
};

/** The options for making a backup. */
export type CreateOptions = {
  readonly source: BackupSource;
  readonly place: BackupPlace;
  readonly clock: Clock;
  readonly log: Log;
  /** The version of this program. */
  readonly version: string;
  /** Seals the key of webhook secrets; without it the key is left out. */
  readonly passphrase: string | undefined;
};

/** A finished backup, with what was new in it. */
export type Created = {
  readonly manifest: Manifest;
  readonly copied: { readonly blobs: number; readonly bytes: number };
};

/** How many blobs are copied at the same time. */
const blobsRunningMax = 8;

/** Makes a backup and returns its manifest. What a failure leaves is no backup, and the next pruning removes it. */
export async function createBackup(options: CreateOptions): Promise<Created> {
  const { source, clock, log } = options;
  const live = openLive(source.database);
  const hold = () => live.note(holdSetting, holdAt(clock.now()));
  hold();
  const renewal = startLoop({
    name: 'the hold of a backup',
    log,
    async step() {
      hold();
      return holdMs / 4;
    },
  });
  try {
    const created = await createHeld(options, { live, hold });
    const { id, finished_at, log: shipped } = created.manifest;
    live.note(lastBackupSetting, JSON.stringify({ id, finished_at }));
    if (shipped !== undefined) live.note(lastRunSetting, shipped.run);
    return created;
  } finally {
    await renewal.stop();
    live.note(holdSetting, undefined);
    live.close();
  }
}

async function createHeld(
  options: CreateOptions,
  { live, hold }: { readonly live: LiveDatabase; readonly hold: () => void },
): Promise<Created> {
  const { source, place, clock, version, passphrase } = options;
  const known = await knownDigests(place);
  const head = await lastHead(place.log);
  const startedAt = clock.now();
  const id = backupIdAt(startedAt);
  await place.begin(id);
  const path = spoolPath(place, fileNames.database);
  await rm(path, { force: true });
  await live.copyTo(path);
  const log = head === undefined ? undefined : logStart(head, { live, hold });
  const copiedAt = clock.now();
  const { facts, blobs } = read(path);
  const files: Record<string, Digest> = {};
  const nameOf = (name: string) => `${id}/${name}`;
  async function putText(name: string, content: string): Promise<void> {
    const spooled = spoolPath(place, name);
    await writeFile(spooled, content, { mode: 0o600 });
    files[name] = await putDigested(place, nameOf(name), spooled);
  }

  files[fileNames.database] = await putDigested(place, nameOf(fileNames.database), path);
  const begun = spoolPath(place, fileNames.begun);
  await writeFile(begun, blobs.map(({ key }) => `${key}\n`).join(''), { mode: 0o600 });
  await place.put(nameOf(fileNames.begun), begun);
  const { lines, copied } = await copyBlobs(blobs, { source, place, known });
  await putText(fileNames.blobs, blobLinesText(lines));
  await place.remove(nameOf(fileNames.begun));
  const isSealed = passphrase !== undefined && source.keyText !== undefined;
  if (isSealed) await putText(fileNames.key, sealKeyText(source.keyText, passphrase, id));
  const stored = lines.filter(({ sha256 }) => sha256 !== undefined);
  const manifest: Manifest = {
    format: 1,
    id,
    confab: version,
    schema: facts.schema,
    moment: { time: timestamp(startedAt), position: facts.position },
    copied_at: timestamp(copiedAt),
    finished_at: timestamp(clock.now()),
    files,
    blobs: {
      count: stored.length,
      bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
      missing: lines.length - stored.length,
    },
    key: isSealed ? 'sealed' : facts.sealedSecrets > 0 ? 'left out' : 'not needed',
    tables: facts.tables,
    ...(log === undefined ? {} : { log }),
  };
  const spooled = spoolPath(place, fileNames.manifest);
  await writeFile(spooled, manifestText(manifest), { mode: 0o600 });
  await place.put(nameOf(fileNames.manifest), spooled);
  return { manifest, copied };
}

/** How often the end of the log is looked for. */
const logLooksMax = 100;

/** Where the newest run goes on from a copy that was just made. */
function logStart(
  { run, last, position }: RunHead,
  { live, hold }: { readonly live: LiveDatabase; readonly hold: () => void },
): LogStart | undefined {
  for (let looks = 0; looks < logLooksMax; looks += 1) {
    // After a commit the log has frames, unless it is just being started again.
    hold();
    const until = live.logEnd();
    if (until !== undefined) return { run, after: last, from: position, until };
  }
  return undefined;
}

function read(path: string): { facts: CopyFacts; blobs: CopiedBlob[] } {
  const copy = openCopy(path);
  try {
    return { facts: copy.facts(), blobs: [...copy.blobs()] };
  } finally {
    copy.close();
  }
}

/** The checksums of the blobs that the newest undamaged backup lists, by key. */
export async function knownDigests(place: BackupPlace): Promise<ReadonlyMap<string, string>> {
  for (const id of (await place.ids()).toReversed()) {
    try {
      const manifest = await findManifest(place, id);
      if (manifest === undefined) continue;
      const lines = await readBlobLines(place, manifest);
      return new Map(lines.flatMap(({ key, sha256 }) => (sha256 === undefined ? [] : [[key, sha256]])));
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
    }
  }
  return new Map();
}

/** Copies the blobs that the place does not have, and lists all of them in the order of their keys. */
async function copyBlobs(
  blobs: readonly CopiedBlob[],
  parts: { source: BackupSource; place: BackupPlace; known: ReadonlyMap<string, string> },
): Promise<{ lines: BlobLine[]; copied: Created['copied'] }> {
  const lines: BlobLine[] = [];
  const copied = { blobs: 0, bytes: 0 };
  await forEachOf(blobs, blobsRunningMax, async (blob) => {
    const { digest, isNew } = await copyBlob(blob, parts);
    if (isNew) {
      copied.blobs += 1;
      copied.bytes += digest?.bytes ?? 0;
    }
    // An upload that nothing uses may have no bytes: it is still being received, or it has expired.
    if (digest === undefined && !blob.isUsed) return;
    lines.push({ key: blob.key, bytes: digest?.bytes ?? blob.size, sha256: digest?.sha256 });
  });
  return { lines: lines.toSorted((a, b) => (a.key < b.key ? -1 : 1)), copied };
}
