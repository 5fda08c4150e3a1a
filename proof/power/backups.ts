import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openFolderPlace } from 'confab-server/src/backup/folder-place.ts';
import { Damage, findManifest } from 'confab-server/src/backup/manifest.ts';
import { restoreBackup } from 'confab-server/src/backup/restore.ts';
import { findHead } from 'confab-server/src/backup/segment.ts';
import { compareRestored, startLoad } from 'confab-testing/backup/load.ts';
import { Disk } from 'confab-testing/disk/disk.ts';
import { readDiskLog, shimEnvironment } from 'confab-testing/disk/shim.ts';
import { runConfab } from 'confab-testing/harness/confab-command.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import type { Random } from 'confab-testing/harness/random.ts';

/**
 * Power cuts of the place of backups, while a server ships its log there and backups are made and removed: whatever the
 * place calls a finished backup must be whole, with all of the log that its head names.
 */

/** How often a backup is made while clients write; each removes the one before. */
const backups = 3;

/** What the cuts have shown. */
export type PlaceFindings = {
  readonly cuts: number;
  /** How many times there was a finished backup, and how many segments went on from those in sum. */
  readonly restored: number;
  readonly segments: number;
  readonly violations: readonly string[];
};

/** Records a server and its place in `folder`, and cuts the power of both `cuts` times. */
export async function cutPlace({
  folder,
  shim,
  cuts,
  random,
}: {
  readonly folder: string;
  readonly shim: string;
  readonly cuts: number;
  readonly random: Random;
}): Promise<PlaceFindings> {
  const [root, log] = [join(folder, 'disk'), join(folder, 'disk.log')];
  mkdirSync(root, { recursive: true });
  writeFileSync(log, '');
  const disk = new Disk(root);
  const written = await writeUnder({
    folder,
    root,
    random,
    environment: shimEnvironment(shim, { root, log }),
  });
  const records = [...readDiskLog(log)];
  const moments = Array.from({ length: cuts }, () => random.integer(0, records.length - 1)).sort(
    (a, b) => a - b,
  );
  const violations: string[] = [];
  let [applied, restored, segments] = [0, 0, 0];
  for (const [index, moment] of moments.entries()) {
    for (const record of records.slice(applied, moment)) disk.apply(record);
    applied = moment;
    const target = join(folder, `cut-${index}`);
    mkdirSync(target);
    disk.cutPower(index % 2 === 0 ? 'clean' : 'torn', target, random);
    const found = await check(target, written);
    restored += found.restored;
    segments += found.segments;
    violations.push(...found.violations.map((what) => `cut ${index}: ${what}`));
    if (found.violations.length === 0) rmSync(target, { recursive: true });
  }
  return { cuts, restored, segments, violations };
}

/** Has clients write to a server that ships its log, while backups are made and removed. */
async function writeUnder({
  folder,
  root,
  random,
  environment,
}: {
  readonly folder: string;
  readonly root: string;
  readonly random: Random;
  readonly environment: Readonly<Record<string, string>>;
}) {
  const place = join(root, 'place');
  const data = join(root, 'data');
  await using server = await startConfab({
    folder,
    settings: {
      CONFAB_DATA_DIR: data,
      CONFAB_BACKUP_TO: place,
      CONFAB_BACKUP_LOG: 'yes',
      CONFAB_LOG_LEVEL: 'warn',
      ...environment,
    },
  });
  const load = await startLoad(server, { writers: 4, random });
  for (let made = 0; made < backups; made += 1) {
    await pause(3000);
    const command = ['backup', 'create', place, '--keep', '1'];
    const { status, stderr } = await runConfab(command, { CONFAB_DATA_DIR: data, ...environment });
    // The server may be making its own.
    if (status !== 0 && !stderr.includes('another backup is being made'))
      throw new Error(`a backup ended with ${status}: ${stderr}`);
  }
  await pause(2000);
  const written = await load.stop();
  await server.stop();
  return written;
}

type Written = Awaited<ReturnType<typeof writeUnder>>;

/** Restores the newest backup that a cut left, with its log, and compares it with what had been answered by then. */
async function check(target: string, written: Written) {
  const nothing = { restored: 0, segments: 0, violations: [] as string[] };
  const folder = join(target, 'place');
  if (!existsSync(folder)) return nothing;
  const place = await openFolderPlace(folder, { isWritten: false });
  try {
    for (const id of (await place.ids()).toReversed()) {
      const manifest = await findManifest(place, id);
      if (manifest === undefined) continue;
      const to = join(target, 'restored');
      const upTo = Number.POSITIVE_INFINITY;
      const options = { place, id, to, passphrase: undefined, bucket: undefined, upTo };
      const { applied } = await restoreBackup(options);
      const head = manifest.log === undefined ? undefined : await findHead(place.log, manifest.log.run);
      const hasLog = applied !== undefined && applied.segments > 0 && head !== undefined;
      const moment = Date.parse(hasLog ? head.complete_to : manifest.moment.time);
      const { violations } = compareRestored(to, written, { moment, end: Date.now() });
      return { restored: 1, segments: applied?.segments ?? 0, violations: [...violations] };
    }
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    return { ...nothing, violations: [error.message] };
  }
  return nothing;
}
