import { sql } from 'kysely';
import { type DeferredWork, deferred } from './db.ts';
import { anyOf, numberIn, recordsOf, type SearchTable, textIn } from './dialect.ts';
import { command } from './statement.ts';

/** The new content of a search index for a row: its words, or null for a deleted row. */
export type Indexed = {
  readonly id: number;
  readonly words: string | null;
  /** Whether the row is new, so that the index has no words of it yet. */
  readonly isNew?: boolean;
};

/** The search index of `table`, for `Tx.defer`: it writes many rows at once far more cheaply. */
function searchIndex(table: SearchTable): DeferredWork<Indexed> {
  const forget = command<{ ids: readonly number[] }>()((q, value) =>
    q.deleteFrom(table).where(anyOf(sql.ref('rowid'), value('ids'))),
  );
  const add = command<{ rows: string }>()((q, value) =>
    q
      .insertInto(table)
      .columns(['rowid', 'words'])
      .expression(
        q
          .selectFrom(recordsOf(value('rows'), 'given'))
          .select([numberIn('given', 'id').as('rowid'), textIn('given', 'words').as('words')]),
      ),
  );
  return (items) => {
    // The last change of a row wins.
    const last = [...new Map(items.map((item) => [item.id, item])).values()];
    const known = last.filter(({ isNew }) => isNew !== true);
    const rows = last.filter(({ words }) => words !== null);
    return [
      ...(known.length > 0 ? [deferred(forget, { ids: known.map(({ id }) => id) })] : []),
      ...(rows.length > 0 ? [deferred(add, { rows: JSON.stringify(rows) })] : []),
    ];
  };
}

/** The search index of entries of every kind. */
export const entryIndex = searchIndex('entry_search');
/** The search index of apps. */
export const appIndex = searchIndex('app_search');
/** The search index of users for API keys. */
export const userIndex = searchIndex('user_search');
/** The search index of the fields that users see of each other. */
export const publicUserIndex = searchIndex('public_user_search');
/** The search index of files. */
export const fileIndex = searchIndex('file_search');
/** The search index of directories. */
export const directoryIndex = searchIndex('directory_search');
/** The search index of webhooks. */
export const webhookIndex = searchIndex('webhook_search');
