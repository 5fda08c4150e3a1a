import type { Read } from '../db.ts';
import { query } from '../statement.ts';
import { migrations } from './all.ts';

const newestMigration = query()((q) =>
  q.selectFrom('migrations').select((part) => part.fn.max('id').as('id')),
);

/** The migration the store stands at and the newest that this program knows; a later program may move the store on. */
export async function schemaState(read: Read): Promise<{ stored: number; known: number }> {
  const row = await read.get(newestMigration, {});
  return { stored: Number(row?.id ?? 0), known: migrations.at(-1)?.id ?? 0 };
}
