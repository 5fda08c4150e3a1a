import type { ImportKind, RepliesAs } from '../../contract/import-words.ts';
import type { Db } from '../../db/db.ts';
import { createLease } from '../../db/lease.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { Problem } from '../../kernel/problem.ts';
import { startTimer } from '../../kernel/timer.ts';
import type { BlobStorage } from '../../storage/storage.ts';
import type { PageSettings } from '../apps/visitor-pages.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { findUpload } from '../blobs/blobs.ts';
import { checkImport, plannedOf, refusalOf } from './check-import.ts';
import { ImportError } from './import-file.ts';
import { type ImportRow, nextRun, runById } from './import-runs.store.ts';
import { callerFor, getRun, moveRun, setProgress, sumOf, type Undone } from './import-runs.ts';
import { hasMore } from './imports.ts';
import { type OpenExport, openExport } from './reading/export-reader.ts';
import { takeBack } from './take-back.ts';
import { type Made, writeSlice } from './write-slice.ts';

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
/** How long a file stays open after its dry run, in milliseconds. */
const openMs = 30_000;
/** How long a node waits while another one imports, in milliseconds. */
const elsewhereMs = 1000;
/** How often a node that reads a file looks whether its import was stopped, in milliseconds. */
const lookMs = 500;
/** How often a server may die of an import, or stop answering in it, without progress in between. */
const attemptsMax = 3;
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
} & Pick<PageSettings, 'pagesVisitors'>;

/** Creates the loop's work. */
export function createImporting({ db, clock, storage, links, log, pagesVisitors }: Parts): Importing {
  const lease = createLease({ db, clock, name: 'importing' });
  /** The file that was read last, and how many of its comments an import has looked at. */
  let open:
    | { readonly id: number; readonly source: OpenExport; readonly at: number; from: number }
    | undefined;
  /** How often in a row an import found the storage away. */
  let absences = 0;

  async function close(): Promise<void> {
    const closing = open;
    open = undefined;
    await closing?.source.close();
  }

  async function step(signal: AbortSignal): Promise<number | undefined> {
    const row = await db.read.get(nextRun, { expired: clock.now() - waitingMsMax });
    if (row === undefined) {
      // A dry run is often followed by the import at once.
      if (open !== undefined && performance.now() - open.at > openMs) await close();
      return open === undefined ? undefined : openMs;
    }
    if (row.id !== open?.id) await close();
    if ((await lease.take()) === 'elsewhere') {
      await close();
      return elsewhereMs;
    }
    try {
      await stepOf(row, signal);
      absences = 0;
    } catch (error) {
      await leave(row.id);
      if (signal.aborted) throw error;
      await giveUp(row, error);
    }
    return 0;
  }

  /** Closes the file of an import, of which the server did not die. */
  async function leave(id: number): Promise<void> {
    await close();
    await setAttempts(id, () => 0);
  }

  /** Ends an import that met an error, unless a request came in between. Throws what may pass. */
  async function giveUp(row: ImportRow, error: unknown): Promise<void> {
    if ((await stateOf(row)) !== row.state) return;
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

  const stateOf = async ({ id }: ImportRow) => (await db.read.get(runById, { id }))?.state;

  /** Counts the openings of a file without progress. */
  async function setAttempts(id: number, count: (before: number) => number): Promise<number> {
    return await db.write(async (tx) => {
      const now = await getRun(tx, id);
      const attempts = count(now.attempts);
      if (attempts !== now.attempts) await setProgress(tx, now, { attempts });
      return attempts;
    });
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

  async function openFile(row: ImportRow, signal: AbortSignal): Promise<OpenExport> {
    const blob = row.blobId === null ? undefined : await findUpload(db.read, row.blobId);
    const bytes = blob && (await storage.read({ key: blob.key }));
    if (bytes === undefined) throw new ImportError(row.name, 'the file is gone');
    const { kind, name, replies, site } = row;
    const file = {
      kind: kind as ImportKind,
      name,
      replies: replies as RepliesAs,
      site: site ?? undefined,
    };
    return await openExport(file, bytes, signal);
  }

  /** The dry run. */
  async function read(row: ImportRow, signal: AbortSignal): Promise<void> {
    const { source, checked } = await openChecked(row, signal);
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
    if (open === undefined || open.from === 0) {
      const refusal = refusalOf((await openChecked(row, signal)).checked);
      if (refusal !== undefined) throw new ImportError(row.name, refusal);
    }
    if (open === undefined) throw new Error('a file that was opened is not open');
    const slice = await open.source.slice(open.from);
    open.from += slice.comments.length;
    if (slice.comments.length === 0) {
      await close();
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
          pagesVisitors,
        };
        const made = await writeSlice({ ...writing, keepsEmails: row.keepsEmails === 1 }, slice);
        const sum = sumOf(JSON.parse(now.made) as Made, made);
        await setProgress(tx, now, { made: JSON.stringify(sum), attempts: 0 });
      });
  }

  /** Opens the file of an import, unless it is open, and holds it against the store. */
  async function openChecked(row: ImportRow, signal: AbortSignal) {
    if (open === undefined && (await setAttempts(row.id, (before) => before + 1)) > attemptsMax)
      throw new ImportError(
        row.name,
        `the server ended ${attemptsMax} times while it read or wrote this import`,
      );
    return await whileWanted(row, signal, async (wanted) => {
      open ??= { id: row.id, source: await openFile(row, wanted), at: performance.now(), from: 0 };
      const { source } = open;
      return { source, checked: await checkImport(db.read, await callerFor(db.read, row), source) };
    });
  }

  /** Does work that can take minutes, as long as this node is the one that imports and the import stays in its state. */
  async function whileWanted<T>(
    row: ImportRow,
    signal: AbortSignal,
    work: (wanted: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const unwanted = new AbortController();
    let isDone = false;
    const look = async () => {
      const isElsewhere = (await lease.take()) === 'elsewhere';
      if (isElsewhere || (await stateOf(row)) !== row.state)
        unwanted.abort(new Error('another request decided'));
    };
    let timer = startTimer(lookMs, lookAgain);
    function lookAgain(): void {
      look().then(
        () => {
          if (!isDone) timer = startTimer(lookMs, lookAgain);
        },
        (error: unknown) => unwanted.abort(error),
      );
    }
    try {
      return await work(AbortSignal.any([signal, unwanted.signal]));
    } finally {
      isDone = true;
      timer.stop();
    }
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
      if (open !== undefined) await leave(open.id);
      await lease.end();
    },
  };
}

/** Whether a problem is one of the import: an app that was put in the trash while it ran, and not a store that is away. */
function isFaultOfImport(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500;
}
