import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { SearchTable } from '../dialect.ts';
import type { GroupCommit } from '../group-commit.ts';
import { command, query } from '../statement.ts';

/**
 * Traces that deleted rows leave in the files of a SQLite store, and how they are overwritten. The pages of tables are
 * overwritten when a row is deleted (`secure_delete`). Two places remain: the words of a deleted row stay in its search
 * index until the parts of the index are merged, and earlier forms of pages stay in the write-ahead log until it is
 * copied back.
 */

/** Every search index. */
export const searchTables: readonly SearchTable[] = [
  'entry_search',
  'app_search',
  'user_search',
  'public_user_search',
  'file_search',
  'directory_search',
  'webhook_search',
];

/** How many pages of an index one transaction merges: some ten milliseconds of the one writer. */
const pagesPerStep = 200;

/** Merges pages of an index; a negative number begins to merge all parts into one. */
function mergeOf(table: SearchTable) {
  return command<{ pages: number }>()((q, value) =>
    q
      .insertInto(table as 'entry_search')
      .columns([table as 'words', 'rank' as 'words'])
      .expression(
        q.selectNoFrom([sql<string>`'merge'`.as('word'), sql<string>`${value('pages')}`.as('pages')]),
      ),
  );
}

const merges = searchTables.map(mergeOf);
const totalChanges = query()((q) => q.selectNoFrom(sql<number>`total_changes()`.as('number')));

/** Overwrites what deleted rows have left; see `Db.forgetDeleted`. */
export function createTraces({
  writer,
  queue,
  renew,
  emptyFollowed,
}: {
  writer: DatabaseSync;
  queue: GroupCommit;
  /** Gives back the snapshot of the reader, which would keep the log from being emptied. */
  renew: () => void;
  /** Empties a log that another process follows. */
  emptyFollowed: (() => Promise<boolean>) | undefined;
}) {
  let index = 0;
  let isBegun = false;

  /** Merges some pages of the present index; returns whether there was something to merge. */
  async function mergeSome(): Promise<boolean> {
    const merge = merges[index];
    if (merge === undefined) return false;
    const pages = isBegun ? pagesPerStep : -pagesPerStep;
    return await queue.write(async (tx) => {
      const before = await tx.get(totalChanges, {});
      await tx.run(merge, { pages });
      const after = await tx.get(totalChanges, {});
      // The statement itself counts as one change.
      return Number(after?.number) - Number(before?.number) >= 2;
    }, undefined);
  }

  /** Copies the log back and empties it; returns whether nothing kept it from that. */
  function emptyLog(): boolean {
    if (writer.isTransaction) return false;
    renew();
    const timeout = writer.prepare('pragma busy_timeout').get()?.timeout;
    // This would wait for all readers, and every request would wait as well.
    writer.exec('pragma busy_timeout = 0');
    const outcome = writer.prepare('pragma wal_checkpoint(truncate)').get();
    writer.exec(`pragma busy_timeout = ${timeout}`);
    return outcome?.busy === 0;
  }

  return {
    async forget(): Promise<'more' | 'busy' | 'done'> {
      if (index < merges.length) {
        const isMerging = await mergeSome();
        isBegun = isMerging;
        if (!isMerging) index += 1;
        return 'more';
      }
      if (!(emptyFollowed === undefined ? emptyLog() : await emptyFollowed())) return 'busy';
      index = 0;
      return 'done';
    },
  };
}
