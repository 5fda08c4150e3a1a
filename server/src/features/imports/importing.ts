import { Problem } from 'confab-contract/problem.ts';
import { ImportError } from 'confab-importers/import-file.ts';
import type { Db } from '../../db/db.ts';
import { createLease } from '../../db/lease.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { BlobStorage } from '../../storage/storage.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import type { Site } from '../site/site-book.ts';
import { plannedOf, refusalOf } from './check-import.ts';
import { type ImportRow, nextRun } from './import-runs.store.ts';
import { callerFor, getRun, moveRun, setProgress, sumOf, type Undone } from './import-runs.ts';
import { createImportedFile, stateOf } from './imported-file.ts';
import { hasMore } from './imports.ts';
import { takeBack } from './take-back.ts';
import { type CreatedCounts, writeSlice } from './write-slice.ts';

/**
 * The loop of imports. A step reads a file for a dry run, writes a slice, or takes some items back. Each transaction first
 * makes sure that the import is in the state for which the step was begun, so a request that comes in between decides. A
 * server that was killed reads the file again and passes over what is recorded as imported; nothing comes twice.
 *
 * An import that cannot go on fails, so that it holds up no other: at once for a fault of its file or of its thread, after
 * some attempts where the storage is away or the server itself died of it. The attempts are stored ahead of each opening
 * of the file, because a server that dies cannot store them.
 */

/** How long a dry run waits to be run, in milliseconds: as long as an upload waits for its use. */
const waitingMsMax = 24 * 3_600_000;
/** How long a node waits while another one imports, in milliseconds. */
const elsewhereMs = 1000;
/** How often in a row an import may find the storage away. The pauses of the loop add up to a minute and a half. */
const absencesMax = 10;

/** The work of the loop. */
export type Importing = {
  /** Returns the milliseconds until the next step, or undefined when nothing is left to do. */
  step(signal: AbortSignal): Promise<number | undefined>;
  /** Ends the thread that reads an export, and leaves the work to other nodes. */
  close(): Promise<void>;
};

type Parts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly storage: BlobStorage;
  readonly links: BlobLinks;
  readonly log: Log;
  readonly site: () => Site;
};

/** Creates the loop's work. */
export function createImporting({ db, clock, storage, links, log, site }: Parts): Importing {
  const lease = createLease({ db, clock, name: 'importing' });
  const file = createImportedFile({ db, storage, lease });
  /** How often in a row an import found the storage away. */
  let absences = 0;

  async function step(signal: AbortSignal): Promise<number | undefined> {
    const row = await db.read.get(nextRun, { expired: clock.now() - waitingMsMax });
    if (row === undefined) return await file.closeWhenIdle();
    if (row.id !== file.id()) await file.close();
    if ((await lease.take()) === 'elsewhere') {
      await file.close();
      return elsewhereMs;
    }
    try {
      await stepOf(row, signal);
      absences = 0;
    } catch (error) {
      await file.leave(row.id);
      if (signal.aborted) throw error;
      await giveUp(row, error);
    }
    return 0;
  }

  /** Ends an import that met an error, unless a request came in between. Throws what may pass. */
  async function giveUp(row: ImportRow, error: unknown): Promise<void> {
    if ((await stateOf(db, row)) !== row.state) return;
    if (error instanceof ImportError || isFaultOfImport(error)) {
      if (error.cause !== undefined) log.error({ err: error.cause, import: row.id }, 'an import failed');
      return await change(row, failed(error.message));
    }
    absences += 1;
    if (absences < absencesMax) throw error;
    log.error({ err: error, import: row.id }, 'an import failed');
    absences = 0;
    await change(row, failed(`it failed ${absencesMax} times in a row, as the log of the server says`));
  }

  async function stepOf(row: ImportRow, signal: AbortSignal): Promise<void> {
    if (row.state === 'ready') await change(row, { state: 'expired', blobId: null });
    else if (row.state === 'reading') await read(row, signal);
    else if (row.state === 'running') await write(row, signal);
    else await undo(row);
  }

  /** Moves an import on, unless it is in another state by now. */
  async function change(row: ImportRow, to: Parameters<typeof moveRun>[2]): Promise<void> {
    await db.write(async (tx) => {
      const now = await getRun(tx, row.id);
      if (now.state !== row.state) return;
      await moveRun({ tx, caller: await callerFor(tx, row), at: clock.now() }, now, to);
    });
  }

  const failed = (error: string) =>
    ({ state: 'failed', error, blobId: null, finishedAt: clock.now() }) as const;

  /** The dry run. */
  async function read(row: ImportRow, signal: AbortSignal): Promise<void> {
    const { source, checked } = await file.openChecked(row, signal);
    const planned = plannedOf(source.report, checked);
    const refusal = refusalOf(checked);
    await change(row, {
      planned,
      attempts: 0,
      ...(refusal === undefined ? { state: 'ready' } : failed(refusal)),
    });
  }

  /** Writes the next slice that has something to write, and finishes the import after the last. */
  async function write(row: ImportRow, signal: AbortSignal): Promise<void> {
    if (!file.isBegun()) {
      const refusal = refusalOf((await file.openChecked(row, signal)).checked);
      if (refusal !== undefined) throw new ImportError(row.name, refusal);
    }
    const slice = await file.nextSlice();
    if (slice.comments.length === 0) {
      await file.close();
      await change(row, { state: 'finished', blobId: null, finishedAt: clock.now() });
    } else if (await hasMore(db.read, slice))
      await db.write(async (tx) => {
        const now = await getRun(tx, row.id);
        if (now.state !== 'running') return;
        const writing = {
          tx,
          at: clock.now(),
          system: await callerFor(tx, row),
          runId: row.id,
          links,
          newPages: site(),
        };
        const counts = await writeSlice({ ...writing, keepsEmails: row.keepsEmails === 1 }, slice);
        const sum = sumOf(JSON.parse(now.made) as CreatedCounts, counts);
        await setProgress(tx, now, { made: JSON.stringify(sum), attempts: 0 });
      });
  }

  /** Takes the next items back. */
  async function undo(row: ImportRow): Promise<void> {
    await db.write(async (tx) => {
      const now = await getRun(tx, row.id);
      if (now.state !== 'undoing') return;
      const at = clock.now();
      const caller = await callerFor(tx, row);
      const more = await takeBack({ tx, at, caller, runId: row.id, links });
      if (more === undefined) await moveRun({ tx, caller, at }, now, { state: 'undone', undoneAt: at });
      else {
        const undone = sumOf(JSON.parse(now.undone ?? '{}') as Undone, more);
        await setProgress(tx, now, { undone: JSON.stringify(undone) });
      }
    });
  }

  return {
    step,
    async close() {
      await file.leaveAny();
      await lease.end();
    },
  };
}

/** Whether a problem is one of the import: an app that was put in the trash while it ran, and not a store that is away. */
function isFaultOfImport(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500;
}
