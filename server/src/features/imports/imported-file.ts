import type { ImportKind, RepliesAs } from 'confab-contract/import-words.ts';
import { ImportError } from 'confab-importers/import-file.ts';
import type { Db } from '../../db/db.ts';
import type { createLease } from '../../db/lease.ts';
import { startTimer } from '../../kernel/timer.ts';
import type { BlobStorage } from '../../storage/storage.ts';
import { findUpload } from '../blobs/blobs.ts';
import { checkImport } from './check-import.ts';
import { type OpenExport, openExport } from './export-reader.ts';
import { type ImportRow, runById } from './import-runs.store.ts';
import { callerFor, getRun, setProgress } from './import-runs.ts';

/** How long a file stays open after its dry run, in milliseconds. */
const openMs = 30_000;
/** How often a node that reads a file looks whether its import was stopped, in milliseconds. */
const lookMs = 500;
/** How often a server may die of an import, or stop answering in it, without progress in between. */
const attemptsMax = 3;

/** The state of an import as it is stored; undefined where it is gone. */
export async function stateOf(db: Db, { id }: ImportRow): Promise<ImportRow['state'] | undefined> {
  return (await db.read.get(runById, { id }))?.state;
}

/** What the file of an import needs. */
type Parts = {
  readonly db: Db;
  readonly storage: BlobStorage;
  readonly lease: ReturnType<typeof createLease>;
};

/**
 * The file of an import on this node, at most one at a time. It stays open from its dry run to the end of the import. Each
 * opening is counted in the store ahead of it, and forgotten once the file was closed in order.
 */
export function createImportedFile({ db, storage, lease }: Parts) {
  /** The file that was read last, and how many of its comments an import has looked at. */
  let open:
    | { readonly id: number; readonly source: OpenExport; readonly at: number; from: number }
    | undefined;

  async function close(): Promise<void> {
    const closing = open;
    open = undefined;
    await closing?.source.close();
  }

  /** Closes the file of an import, of which the server did not die. */
  async function leave(id: number): Promise<void> {
    await close();
    await setAttempts(id, () => 0);
  }

  /** Counts the openings of a file without progress. */
  async function setAttempts(id: number, count: (before: number) => number): Promise<number> {
    return await db.write(async (tx) => {
      const now = await getRun(tx, id);
      const attempts = count(now.attempts);
      if (attempts !== now.attempts) await setProgress(tx, now, { attempts });
      return attempts;
    });
  }

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
      if (isElsewhere || (await stateOf(db, row)) !== row.state)
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

  return {
    close,
    leave,
    openChecked,

    /** The import whose file is open. */
    id: (): number | undefined => open?.id,

    /** Whether slices of the open file were read. */
    isBegun: (): boolean => open !== undefined && open.from > 0,

    /** The next slice of the open file, empty at its end. */
    async nextSlice() {
      if (open === undefined) throw new Error('a file that was opened is not open');
      const slice = await open.source.slice(open.from);
      open.from += slice.comments.length;
      return slice;
    },

    /** Closes the file if it was open for long; a dry run is often followed by the import at once. Returns when to look again. */
    async closeWhenIdle(): Promise<number | undefined> {
      if (open !== undefined && performance.now() - open.at > openMs) await close();
      return open === undefined ? undefined : openMs;
    },

    /** Closes the file of any import, of which the server did not die. */
    async leaveAny(): Promise<void> {
      if (open !== undefined) await leave(open.id);
    },
  };
}
