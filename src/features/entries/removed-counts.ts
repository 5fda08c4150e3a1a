import type { EntryRow } from '../../access/entry/entry.sql.ts';
import { countIn } from '../../access/held.ts';
import type { Tx } from '../../db/db.ts';
import { changeCount, type Tally } from '../../db/tallies.ts';

/** Counts removed entries of one parent less. */
export async function countLess(
  tx: Tx,
  tally: Tally,
  removed: readonly Pick<EntryRow, 'trashedAt' | 'heldAt'>[],
): Promise<void> {
  const counts = removed.map(countIn);
  await changeCount(tx, tally, {
    live: -counts.filter(({ live }) => live > 0).length,
    trashed: -counts.filter(({ trashed }) => trashed > 0).length,
  });
}
