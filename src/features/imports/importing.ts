import type { ImportKind } from '../../contract/import-words.ts';
import type { Db } from '../../db/db.ts';
import { createLease } from '../../db/lease.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/problem.ts';
import type { BlobStorage } from '../../storage/storage.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { findUpload } from '../blobs/blobs.ts';
import { checkImport, plannedOf, refusalOf } from './check-import.ts';
import { type OpenExport, openExport } from './export-reader.ts';
import { ImportError } from './import-file.ts';
import { type ImportRow, nextRun } from './import-runs.store.ts';
import { callerFor, getRun, moveRun, setProgress, sumOf, type Undone } from './import-runs.ts';
import { hasMore } from './imports.ts';
import { takeBack } from './take-back.ts';
import { type Made, writeSlice } from './write-slice.ts';

/**
 * The loop of imports. A step reads a file for a dry run, writes a slice, or takes some items back. Each transaction first
 * makes sure that the import is in the state for which the step was begun, so a request that comes in between decides. A
 * server that was killed reads the file again and passes over what is recorded as imported; nothing comes twice.
 */

/** How long a dry run waits to be run, in milliseconds: as long as an upload waits for its use. */
const waitingMsMax = 24 * 3_600_000;
/** How long a file stays open after its dry run, in milliseconds. */
const openMs = 30_000;
/** How long a node waits while another one imports, in milliseconds. */
const elsewhereMs = 1000;

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
};

/** Creates the loop's work. */
export function createImporting({ db, clock, storage, links }: Parts): Importing {
  const lease = createLease({ db, clock, name: 'importing' });
  /** The file that was read last, and how many of its comments an import has looked at. */
  let open:
    | { readonly id: number; readonly source: OpenExport; readonly at: number; from: number }
    | undefined;

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
    } catch (error) {
      const isOver = error instanceof ImportError || isFaultOfImport(error);
      await close();
      if (!isOver) throw error;
      await change(row, failed(error.message));
    }
    return 0;
  }

  async function stepOf(row: ImportRow, signal: AbortSignal): Promise<void> {
    if (row.state === 'ready') await change(row, { state: 'expired', blobId: null });
    else if (row.state === 'reading') await read(row, signal);
    else if (row.state === 'running') await write(row, signal);
    else await undo(row);
  }

  /** Moves an import on, unless it is elsewhere by now. */
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
    const { kind, name } = row;
    const file = { kind: kind as ImportKind, name, quotesReplies: row.quotesReplies === 1 };
    return await openExport(file, bytes, signal);
  }

  /** The dry run. */
  async function read(row: ImportRow, signal: AbortSignal): Promise<void> {
    const { source, checked } = await openChecked(row, signal);
    const planned = plannedOf(source.report, checked);
    const refusal = refusalOf(checked);
    await change(row, {
      planned,
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
        const writing = { tx, at: clock.now(), system: await callerFor(tx, row), runId: row.id, links };
        const made = await writeSlice({ ...writing, keepsEmails: row.keepsEmails === 1 }, slice);
        await setProgress(tx, now, { made: JSON.stringify(sumOf(JSON.parse(now.made) as Made, made)) });
      });
  }

  /** Opens the file of an import, unless it is open, and holds it against the store. */
  async function openChecked(row: ImportRow, signal: AbortSignal) {
    open ??= { id: row.id, source: await openFile(row, signal), at: performance.now(), from: 0 };
    const { source } = open;
    return { source, checked: await checkImport(db.read, await callerFor(db.read, row), source) };
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
      await close();
      await lease.end();
    },
  };
}

/** Whether a problem is one of the import: an app that was put in the trash while it ran, and not a store that is away. */
function isFaultOfImport(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500;
}
