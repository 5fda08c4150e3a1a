import type { UnixMs } from 'confab-contract/values/time.ts';
import { type Expression, sql } from 'kysely';
import type { Trashed } from '../kernel/page.ts';
import { type DeferredWork, deferred, type Read, type Tx } from './db.ts';
import { anyOf, atLeast, numberIn, recordsOf, textIn, unindexed } from './dialect.ts';
import { type Builder, command, type InsertedRows, insertSelected, query } from './statement.ts';

/** The subject of a count: the items of one kind in one parent. `appId` is 0 for a parent outside of apps. */
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
      // A count cannot begin below zero: the check of the table would refuse the row before the conflict is
      // resolved.
      live: atLeast(value('live'), 0),
      trashed: atLeast(value('trashed'), 0),
      is_hidden: 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['parent_type', 'parent_id', 'kind']).doUpdateSet({
        live: sql`tallies.live + ${value('live')}`,
        trashed: sql`tallies.trashed + ${value('trashed')}`,
      }),
    ),
);

/**
 * A command that adds to the count `live` for each row of `from`, in bulk. A missing count begins with
 * `values.live`; an existing one grows by `by`, which is `values.live` by default.
 */
export function addCounts(
  q: Builder,
  {
    from,
    values,
    by = sql<number>`excluded.live`,
  }: {
    readonly from: InsertedRows;
    readonly values: { readonly [C in 'parent_type' | 'parent_id' | 'kind' | 'app_id' | 'live']: unknown };
    readonly by?: Expression<number>;
  },
) {
  const row = { ...values, trashed: sql.lit(0), is_hidden: sql.lit(0) };
  return insertSelected(q, 'tallies', { from, values: row }).onConflict((conflict) =>
    conflict.columns(['parent_type', 'parent_id', 'kind']).doUpdateSet({ live: sql`tallies.live + ${by}` }),
  );
}

const addToTallies = command<{ added: string }>()((q, value) =>
  addCounts(q, {
    from: q.selectFrom(recordsOf(value('added'), 'given')).where(sql.lit(true)),
    values: {
      parent_type: textIn('given', 'parentType'),
      parent_id: numberIn('given', 'parentId'),
      kind: textIn('given', 'kind'),
      app_id: numberIn('given', 'appId'),
      live: numberIn('given', 'live'),
    },
  }),
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

/**
 * Counts one more live item, for `Tx.defer`. All items of one parent are counted at once, because otherwise each create
 * request in a busy parent would change the same row.
 */
export const countAdded: DeferredWork<Tally> = (added) => {
  const byParent = new Map<string, Tally & { live: number }>();
  for (const tally of added) {
    const key = `${tally.kind} ${tally.parentType} ${tally.parentId}`;
    const known = byParent.get(key);
    if (known === undefined) byParent.set(key, { ...tally, live: 1 });
    else known.live += 1;
  }
  return [deferred(addToTallies, { added: JSON.stringify([...byParent.values()]) })];
};

/** How many items there are: live ones, trashed ones, or both for null. Costs one look-up at any size. */
export async function countOf(read: Read, tally: Omit<Tally, 'appId'>, trashed: Trashed): Promise<number> {
  const { parentType, parentId, kind } = tally;
  const row = await read.get(tallyOf, { parentType, parentId, kind });
  return row === undefined ? 0 : numberOf(row, trashed);
}

const liveTallies = query<{ parentType: string; kind: string; parentIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('tallies')
    .select(['parent_id as parentId', 'live'])
    .where('parent_type', '=', value('parentType'))
    .where('kind', '=', value('kind'))
    .where(anyOf(sql.ref('parent_id'), value('parentIds'))),
);

/**
 * The number of live items of one kind in each of some parents; a parent that was never counted is absent.
 */
export async function liveCounts(
  read: Read,
  parents: { parentType: string; kind: string; parentIds: readonly number[] },
): Promise<Map<number, number>> {
  const rows = await read.all(liveTallies, parents);
  return new Map(rows.map(({ parentId, live }) => [parentId, live]));
}

/** The items to count: live ones, trashed ones, or both for null. */
export function numberOf(counts: { live: number; trashed: number }, trashed: Trashed): number {
  if (trashed === null) return counts.live + counts.trashed;
  return trashed ? counts.trashed : counts.live;
}

const orphan = command<{ type: string; ids: readonly number[]; at: number }>()((q, value) =>
  q
    .updateTable('tallies')
    .set({ is_hidden: 1, removed_at: value('at') })
    .where('parent_type', '=', value('type'))
    .where(anyOf(sql.ref('parent_id'), value('ids'))),
);

/**
 * Hides the items of some parents and marks them for removal in batches. So deleting a parent costs the same,
 * however many items it has. Must run in the transaction that deletes the parents.
 */
export async function orphanBelow(
  tx: Tx,
  parents: { type: string; ids: readonly number[]; at: UnixMs },
): Promise<void> {
  if ((await tx.changed(orphan, parents)) > 0) tx.wake('removals');
}

const orphaned = query<{ kinds: readonly string[] }>()((q, value) =>
  q
    .selectFrom('tallies')
    .select(['parent_type as parentType', 'parent_id as parentId', 'kind', 'app_id as appId'])
    .where('removed_at', 'is not', null)
    // The index by kind would read every count of these kinds; the index of counts to be removed is small.
    .where(anyOf(unindexed(sql.ref('kind')), value('kinds')))
    .limit(sql.lit(1)),
);

/** One parent that was deleted and still has items of one of these kinds, if any. */
export async function orphanedTally<K extends string>(
  read: Read,
  kinds: readonly K[],
): Promise<(Tally & { readonly kind: K }) | undefined> {
  return (await read.get(orphaned, { kinds })) as (Tally & { readonly kind: K }) | undefined;
}

const deleteTally = command<Omit<Tally, 'appId'>>()((q, value) =>
  q
    .deleteFrom('tallies')
    .where('parent_type', '=', value('parentType'))
    .where('parent_id', '=', value('parentId'))
    .where('kind', '=', value('kind')),
);

const deleteTallies = command<Pick<Tally, 'parentType' | 'parentId'>>()((q, value) =>
  q
    .deleteFrom('tallies')
    .where('parent_type', '=', value('parentType'))
    .where('parent_id', '=', value('parentId')),
);

/** Removes every count of a deleted parent. */
export async function dropCounts(tx: Tx, parent: Pick<Tally, 'parentType' | 'parentId'>): Promise<void> {
  await tx.run(deleteTallies, parent);
}

/** Removes the counts of a parent after the parent and all counted items are gone. */
export async function dropCount(tx: Tx, { parentType, parentId, kind }: Tally): Promise<void> {
  await tx.run(deleteTally, { parentType, parentId, kind });
}
