import type { Inspection } from './inspection.ts';

/**
 * Compares the indexes of words with their rows. The built-in user, with id 1, has words only after a change.
 */
const indexed = [
  { index: 'entry_search', table: 'entries', has: "kind <> 'place'", needs: '1 = 1' },
  { index: 'app_search', table: 'apps', has: 'deleted_at is null', needs: '1 = 1' },
  { index: 'user_search', table: 'users', has: "uid <> 'erased ' || cast(id as text)", needs: 'id > 1' },
  {
    index: 'public_user_search',
    table: 'users',
    has: "uid <> 'erased ' || cast(id as text)",
    needs: 'id > 1',
  },
  { index: 'file_search', table: 'files', has: "parent_type = 'app'", needs: '1 = 1' },
  { index: 'directory_search', table: 'directories', has: '1 = 1', needs: '1 = 1' },
  { index: 'webhook_search', table: 'webhooks', has: 'deleted_at is null', needs: '1 = 1' },
] as const;

/** An index of words. */
export type WordIndex = (typeof indexed)[number]['index'];

/** A row without words, or words without a row. */
export type WrongWords = { readonly index: WordIndex; readonly id: number; readonly isMissing: boolean };

/** At most `top` rows of each index whose words are missing, and as many words whose rows are. */
export async function wrongWords(store: Inspection, top: number): Promise<WrongWords[]> {
  const wrongWords: WrongWords[] = [];
  for (const { index, table, has, needs } of indexed) {
    const missing = await store.rows(
      `select id from ${table} where ${has} and ${needs} and not exists (select 1 from ${index} where ${index}.rowid = ${table}.id)
       order by id limit ${top}`,
    );
    const extra = await store.rows(
      `select ${index}.rowid as id from ${index}
       where not exists (select 1 from ${table} where ${table}.id = ${index}.rowid and ${has}) limit ${top}`,
    );
    wrongWords.push(
      ...missing.map(({ id }) => ({ index, id: Number(id), isMissing: true })),
      ...extra.map(({ id }) => ({ index, id: Number(id), isMissing: false })),
    );
  }
  return wrongWords;
}
