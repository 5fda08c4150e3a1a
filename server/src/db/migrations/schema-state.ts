import type { Read } from '../db.ts';
import { query } from '../statement.ts';
import { newestKnown } from './steps.ts';

const schemaMarks = query()((q) =>
  q
    .selectFrom('migrations')
    .select((part) => [part.fn.max('id').as('newest'), part.fn.max('breaks_before').as('breaksBefore')]),
);

/**
 * The newest step that the store has taken, the newest that this program knows, and whether the program fits the store:
 * a later program may take the store on while this one runs.
 */
export async function schemaState(read: Read): Promise<{ ok: boolean; stored: number; known: number }> {
  const row = await read.get(schemaMarks, {});
  const stored = Number(row?.newest ?? 0);
  const isBroken = Number(row?.breaksBefore ?? 0) > newestKnown;
  return { ok: stored >= newestKnown && !isBroken, stored, known: newestKnown };
}
