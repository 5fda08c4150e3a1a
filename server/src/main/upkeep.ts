import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BackupCheck,
  type BackupJob,
  type Backups,
  listedBackupsMax,
  shownFaultsMax,
} from 'confab-contract/backups.ts';
import { notFound, Problem } from 'confab-contract/problem.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { archiveOf } from '../backup/archive.ts';
import { noteCheck, readChecks } from '../backup/checks.ts';
import { type BackupEntry, listBackups } from '../backup/list.ts';
import { Damage, findManifest, isBackupId, type Manifest } from '../backup/manifest.ts';
import type { BackupPlace } from '../backup/place.ts';
import type { BackupOutcome } from '../backup/schedule.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import type { BackupParts } from '../features/backups/backups.ts';
import type { DoctorParts } from '../features/doctor/doctor.ts';
import type { Clock } from '../kernel/clock.ts';
import { CommandError } from '../kernel/command-error.ts';
import type { Log } from '../kernel/log.ts';
import { openPlace, withPlace } from '../setup/places.ts';
import { backupEnvironment, makeBackup } from './backup.ts';
import { startDoctor } from './doctor.ts';
import { runCommand } from './processes.ts';

/** The background jobs that operators start; only one job on backups runs at a time. */

type Parts = { readonly config: Config; readonly db: Db; readonly clock: Clock; readonly log: Log };

/** The parts to stop, in the order in which they were started. */
type RunningParts = { readonly name: string; readonly stop: () => Promise<void> | void }[];

/** The backups of a server, for requests and for the loop that makes them. */
type BackupUpkeep = BackupParts['backups'] & {
  /** Makes a backup as soon as nothing else runs. */
  make(signal: AbortSignal): Promise<BackupOutcome>;
};

/** The work that requests begin. */
export type RequestedUpkeep = { readonly backups: BackupUpkeep } & DoctorParts;

/** Makes the parts that do what requests begin. */
export function startRequestedUpkeep(options: Parts & { readonly started: RunningParts }): RequestedUpkeep {
  return { backups: startBackupUpkeep(options), doctor: startDoctor(options) };
}

/** Makes the part that makes, checks and sends the backups of a server. */
function startBackupUpkeep({
  config,
  db,
  clock,
  log,
  started,
}: Parts & { readonly started: RunningParts }): BackupUpkeep {
  const { backupTo: to } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  let job: BackupJob | undefined;
  let running: Promise<void> | undefined;
  let listing: Promise<BackupListing> | undefined;
  let last: BackupListing | undefined;
  let isSending = false;
  started.push({
    name: 'the work on backups',
    async stop() {
      stopping.abort();
      await running;
    },
  });

  /** Begins the one job that may run. */
  function begin(what: Pick<BackupJob, 'kind' | 'id'>, work: () => Promise<BackupOutcome>) {
    const begun: BackupJob = { ...what, state: 'running', started_at: timestamp(clock.now()) };
    job = begun;
    const ended = work().catch((error: unknown): BackupOutcome => {
      log.error({ err: error }, 'a job of a backup failed');
      return { failure: error instanceof Error ? error.message : String(error) };
    });
    running = ended.then((outcome) => {
      const state = 'failure' in outcome ? 'failed' : 'done';
      job = { ...begun, ...outcome, state, finished_at: timestamp(clock.now()) };
      running = undefined;
    });
    return { begun, ended };
  }

  /** Reads the place, once at a time: those who ask meanwhile get the same. */
  async function read(): Promise<BackupListing> {
    listing ??= withPlace(config, { isWritten: false }, async (place) => {
      const ids = await place.ids();
      return { count: ids.length, entries: await listBackups(place, listedBackupsMax) };
    }).finally(() => {
      listing = undefined;
    });
    last = await listing;
    return last;
  }

  return {
    async list(): Promise<Backups> {
      const about = { is_possible: config.databaseUrl === undefined, ...(job === undefined ? {} : { job }) };
      if (to === undefined) return { ...about, count: 0, data: [] };
      try {
        // A client that watches a job asks often, and the list does not change until the job ends.
        const { count, entries } = running === undefined || last === undefined ? await read() : last;
        const checks = await readChecks(db.read);
        const data = entries.toReversed().map((entry) => shown(entry, checks[entry.id]));
        return { ...about, place: to, count, data };
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        return { ...about, place: to, failure: error.message, count: 0, data: [] };
      }
    },

    create(): BackupJob {
      if (to === undefined) throw new Problem('validation_failed', whyNone(config));
      if (running !== undefined && job?.kind === 'create') return job;
      if (running !== undefined) throw busy();
      return begin({ kind: 'create' }, async () => await makeBackup(config, to, signal)).begun;
    },

    async verify(id: string): Promise<BackupJob> {
      const ids =
        to === undefined || !isBackupId(id)
          ? []
          : await withPlace(config, { isWritten: false }, async (place) => await place.ids());
      if (to === undefined || !ids.includes(id)) throw notFound('backup');
      if (running !== undefined) throw busy();
      const parts = { config, db, clock };
      return begin({ kind: 'verify', id }, async () => await verify(parts, { to, id, signal })).begun;
    },

    async send(id: string) {
      if (to === undefined || !isBackupId(id)) throw notFound('backup');
      if (isSending) throw new Problem('too_busy', 'A backup is being sent already.');
      isSending = true;
      let place: BackupPlace | undefined;
      const end = async () => {
        isSending = false;
        await place?.close();
      };
      try {
        place = await openPlace(config, to, { isWritten: false });
        const manifest = await wholeManifest(place, id);
        return { pieces: archiveOf(place, manifest), end };
      } catch (error) {
        await end();
        throw error;
      }
    },

    async make(ending: AbortSignal): Promise<BackupOutcome> {
      if (to === undefined) return { failure: whyNone(config) };
      while (running !== undefined && !ending.aborted) await Promise.race([running, once(ending, 'abort')]);
      const either = AbortSignal.any([ending, signal]);
      return await begin({ kind: 'create' }, async () => await makeBackup(config, to, either)).ended;
    },
  };
}

type BackupListing = { readonly count: number; readonly entries: readonly BackupEntry[] };

function shown({ moment, ...entry }: BackupEntry, check: BackupCheck | undefined) {
  return {
    ...entry,
    ...(moment === undefined ? {} : { moment: moment.time, position: moment.position }),
    ...(check === undefined ? {} : { check }),
  };
}

function whyNone({ databaseUrl }: Config): string {
  return databaseUrl === undefined
    ? 'There is no place for backups: set CONFAB_BACKUP_TO.'
    : 'The store is on PostgreSQL, which is backed up with its own tools (docs/backups.md).';
}

function busy(): Problem {
  return new Problem('too_busy', 'A backup is being made or checked. Try again later.');
}

async function wholeManifest(place: BackupPlace, id: string): Promise<Manifest> {
  try {
    const manifest = await findManifest(place, id);
    if (manifest !== undefined) return manifest;
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
  }
  throw notFound('backup');
}

/** Checks a backup in a process of its own, and notes what was found. */
async function verify(
  { config, db, clock }: Omit<Parts, 'log'>,
  { to, id, signal }: { readonly to: string; readonly id: string; readonly signal: AbortSignal },
): Promise<BackupOutcome> {
  // The process may be ended before it removes what it has restored.
  const folder = await mkdtemp(join(tmpdir(), 'confab-check-'));
  try {
    const { stdout, failure } = await runCommand(['backup', 'verify', to, '--backup', id, '--json'], {
      env: { ...backupEnvironment(config, 'error'), TMPDIR: folder },
      signal,
    });
    if (stdout === '') return { failure: failure ?? 'it said nothing' };
    const { damage } = JSON.parse(stdout) as { readonly damage: readonly string[] };
    const faults = damage.slice(0, shownFaultsMax);
    await noteCheck(db, id, { at: timestamp(clock.now()), is_whole: damage.length === 0, faults });
    return { id };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
