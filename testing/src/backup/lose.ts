import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openFolderPlace } from 'confab-server/src/backup/folder-place.ts';
import { lastFinished } from 'confab-server/src/backup/list.ts';
import { findManifest } from 'confab-server/src/backup/manifest.ts';
import { restoreBackup } from 'confab-server/src/backup/restore.ts';
import { lastHead } from 'confab-server/src/backup/segment.ts';
import { type ConfabProcess, startConfab } from '../harness/confab-process.ts';
import type { Random } from '../harness/random.ts';
import { poll } from '../poll.ts';
import { compareRestored, lostSince, startLoad } from './load.ts';

/** What became of a server that was killed together with its disk. */
export type Lost = {
  /** How long before the kill the oldest acknowledged change was answered that is lost, in milliseconds. */
  readonly lostMs: number;
  readonly changes: number;
  readonly blobs: number;
  readonly violations: readonly string[];
};

/**
 * Has a server ship its log while clients write, kills it at a random moment, removes its data folder, and restores a
 * store from the place. Everything acknowledged `graceMs` milliseconds before must be in it.
 */
export async function shipAndLose({
  folder,
  random,
  graceMs,
  runMs,
  isRestarted,
  settings = {},
}: {
  readonly folder: string;
  readonly random: Random;
  readonly graceMs: number;
  /** How long clients write, after the first backup. */
  readonly runMs: number;
  /** Whether the server is stopped and started before, which must not begin a new run. */
  readonly isRestarted: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<Lost> {
  rmSync(folder, { recursive: true, force: true });
  const to = join(folder, 'place');
  const own = { CONFAB_BACKUP_TO: to, CONFAB_BACKUP_LOG: 'yes', CONFAB_LOG_LEVEL: 'warn' };
  const start = async (key?: string) =>
    await startConfab({ folder, ...(key === undefined ? {} : { key }), settings: { ...own, ...settings } });
  let server = await start();
  try {
    if (isRestarted) {
      await poll('the first backup', async () => await shippedFrom(to, -1), 120_000);
      await server.stop();
      server = await start(server.key);
    }
    return await loseUnderLoad(server, { folder, to, random, graceMs, runMs });
  } finally {
    await server.kill();
  }
}

async function loseUnderLoad(
  server: ConfabProcess,
  {
    folder,
    to,
    random,
    graceMs,
    runMs,
  }: { folder: string; to: string; random: Random; graceMs: number; runMs: number },
): Promise<Lost> {
  const load = await startLoad(server, { writers: 4, random });
  const place = await poll('the first backup', async () => await shippedFrom(to, 1), 120_000);
  await pause(random.integer(runMs / 2, runMs));
  const killedAt = Date.now();
  await server.kill();
  rmSync(join(folder, 'data'), { recursive: true });
  const written = await load.stop();
  const runs = await place.log.ids();
  const id = await lastFinished(place);
  const restored = join(folder, 'restored');
  const upTo = Number.POSITIVE_INFINITY;
  await restoreBackup({ place, id, to: restored, passphrase: undefined, bucket: undefined, upTo });
  const lostAt = lostSince(restored, written);
  const compared = compareRestored(restored, written, { moment: killedAt - graceMs, end: Date.now() });
  const violations = runs.length === 1 ? [] : [`the log was shipped in ${runs.length} runs instead of one`];
  return {
    ...compared,
    violations: [...compared.violations, ...violations],
    lostMs: Math.max(killedAt - lostAt, 0),
  };
}

/** The place once it has a backup and more than so many segments after it; undefined before. */
async function shippedFrom(to: string, segments: number) {
  if (!readdirSync(join(to, '..')).includes('place')) return undefined;
  const place = await openFolderPlace(to, { isWritten: false });
  const [id] = (await place.ids()).toReversed();
  const manifest = id === undefined ? undefined : await findManifest(place, id);
  const head = await lastHead(place.log);
  const isShipped = manifest?.log !== undefined && head !== undefined;
  return isShipped && head.last - manifest.log.after > segments ? place : undefined;
}
