import type { EntryRow } from '../../access/entry/entry.sql.ts';
import { countIn } from '../../access/held.ts';
import type { Tx } from '../../db/db.ts';
import { changeCount, type Tally } from '../../db/tallies.ts';

/** Takes removed entries of one parent out of its count. */
export async function countRemoved(
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
