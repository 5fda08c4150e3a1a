import { type RawBuilder, sql } from 'kysely';
import { rowCount, textsOf } from '../../db/dialect.ts';
import { type Builder, query } from '../../db/statement.ts';

/** The shown threads of an app with an anchor that has a key, in the words of their index. */
function threadsOf(q: Builder, appId: unknown) {
  return q
    .selectFrom('entries')
    .where('entries.parent_type', '=', sql.lit('app'))
    .where('entries.parent_id', '=', sql<number>`${appId}`)
    .where('entries.trashed_at', 'is', null);
}

/**
 * How many threads of an app some keys have, and how many of these are open, in the order of the keys. Each is read from
 * the index alone, the newest first, up to `countMax`: so no request reads more than that for a key.
 */
export const countsOfKeys = query<{ appId: number; keys: readonly string[]; countMax: number }>()(
  (q, value) => {
    const newest = threadsOf(q, value('appId'))
      .select('entries.resolved_at')
      .where('entries.anchor_key', '=', sql.ref<string>('given.value'))
      .orderBy('entries.id', 'desc')
      .limit(rowCount(value('countMax')));
    const counted = (what: RawBuilder<number>) => sql<number>`(select ${what} from (${newest}) as newest)`;
    return q
      .selectFrom(textsOf(value('keys'), 'given'))
      .select([
        sql<string>`given.value`.as('key'),
        counted(sql<number>`count(*)`).as('count'),
        counted(sql<number>`count(*) - count(newest.resolved_at)`).as('openCount'),
      ])
      .orderBy(sql`given.key`);
  },
);

/**
 * The first keys of the threads of an app after one, sorted. Each is looked up in the index after the one before, so that
 * the threads of a key are not read.
 */
export const keysAfter = query<{ appId: number; after: string; top: number }>()((q, value) => {
  const nextAfter = (key: unknown) =>
    threadsOf(q, value('appId'))
      .select('entries.anchor_key')
      .where('entries.anchor_key', '>', sql<string>`${key}`)
      .orderBy('entries.anchor_key')
      .limit(sql.lit(1));
  return q
    .withRecursive('found(key, place)', (step) =>
      step
        .selectNoFrom([
          sql<string | null>`(${nextAfter(sql`cast(${value('after')} as text)`)})`.as('key'),
          sql<number>`1`.as('place'),
        ])
        .unionAll(
          step
            .selectFrom('found')
            .select([
              sql<string | null>`(${nextAfter(sql.ref('found.key'))})`.as('key'),
              sql<number>`found.place + 1`.as('place'),
            ])
            .where('found.key', 'is not', null)
            .where('found.place', '<', rowCount(value('top'))),
        ),
    )
    .selectFrom('found')
    .select('found.key')
    .where('found.key', 'is not', null)
    .orderBy('found.place')
    .$narrowType<{ key: string }>();
});
