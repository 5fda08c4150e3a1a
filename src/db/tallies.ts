import { sql } from 'kysely';
import type { Trashed } from '../kernel/page.ts';
import type { Read, Tx } from './db.ts';
import { command, query } from './statement.ts';

/** What is counted: the items of one kind that one parent has. `appId` is 0 where the parent is in no app. */
export type Tally = {
  readonly parentType: string;
  readonly parentId: number;
  readonly kind: string;
  readonly appId: number;
};

const changeTally = command<Tally & { live: number; trashed: number }>()((q, value) =>
  q
    .insertInto('tallies')
    .values({
      parent_type: value('parentType'),
      parent_id: value('parentId'),
      kind: value('kind'),
      app_id: value('appId'),
      // A count cannot begin below zero: the check of the table would refuse the row before it meets its own.
      live: sql`max(${value('live')}, 0)`,
      trashed: sql`max(${value('trashed')}, 0)`,
      is_hidden: 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['parent_type', 'parent_id', 'kind']).doUpdateSet({
        live: sql`tallies.live + ${value('live')}`,
        trashed: sql`tallies.trashed + ${value('trashed')}`,
      }),
    ),
);

const tallyOf = query<Omit<Tally, 'appId'>>()((q, value) =>
  q
    .selectFrom('tallies')
    .select(['live', 'trashed'])
    .where('parent_type', '=', value('parentType'))
    .where('parent_id', '=', value('parentId'))
    .where('kind', '=', value('kind')),
);

/** Adds to the counts in the transaction that adds, trashes, restores or removes the items themselves. */
export async function changeCount(
  tx: Tx,
  tally: Tally,
  by: { live: number; trashed: number },
): Promise<void> {
  await tx.run(changeTally, { ...tally, ...by });
}

/** How many items there are: live ones, trashed ones, or both for null. Costs one look-up at any size. */
export async function countOf(read: Read, tally: Omit<Tally, 'appId'>, trashed: Trashed): Promise<number> {
  const { parentType, parentId, kind } = tally;
  const row = await read.get(tallyOf, { parentType, parentId, kind });
  if (row === undefined) return 0;
  if (trashed === null) return row.live + row.trashed;
  return trashed ? row.trashed : row.live;
}
