import { sql } from 'kysely';
import { type DeferredWork, deferred } from '../../db/db.ts';
import { anyOf, numberIn, recordsOf, rowCount, textIn } from '../../db/dialect.ts';
import { cachedByShape, command, insertRow, query } from '../../db/statement.ts';

/** Notes a text that a user sent. */
export const insertRecentText = insertRow('recent_texts', ['user_id', 'digest', 'created_at']);

/** Which earlier texts count: those of the user, those of them that are equal, or equal ones of other users. */
export type Past = 'own' | 'own equal' | 'equal of others';

/** The text that asks, and how far back texts count: after the time `since`, and at most `top`. */
export type Earlier = {
  readonly userId: number;
  readonly digest: string;
  readonly beforeId: number;
  readonly since: number;
  readonly top: number;
};

/** Counts the earlier texts, or for equal ones of others the users who sent them. */
export const countEarlier = cachedByShape((past: Past) =>
  query<Earlier>()((q, value) => {
    const texts = q
      .selectFrom('recent_texts')
      .where('created_at', '>', value('since'))
      .where('id', '<', value('beforeId'))
      .$if(past !== 'own', (all) => all.where('digest', '=', value('digest')))
      .limit(rowCount(value('top')));
    const found =
      past === 'equal of others'
        ? texts.where('user_id', '<>', value('userId')).select('user_id').distinct()
        : texts.where('user_id', '=', value('userId')).select('user_id');
    return q.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('count'));
  }),
);

/** The texts that were sent first of those that are noted. */
export const oldestTexts = query<{ top: number }>()((q, value) =>
  q
    .selectFrom('recent_texts')
    .select(['id', 'created_at as createdAt'])
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** Forgets texts. */
export const deleteTexts = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('recent_texts').where(anyOf(sql.ref('id'), value('ids'))),
);

/** The counts of every rule that did something. */
export const ruleCounts = query()((q) =>
  q.selectFrom('rule_counts').select(['name', 'reported', 'held', 'refused', 'last_at as lastAt']),
);

/** Deletes the counts of all rules but some. */
export const deleteOtherCounts = command<{ names: readonly string[] }>()((q, value) =>
  q.deleteFrom('rule_counts').where(({ not }) => not(anyOf(sql.ref('name'), value('names')))),
);

const addToCounts = command<{ added: string }>()((q, value) =>
  q
    .insertInto('rule_counts')
    .columns(['name', 'reported', 'held', 'refused', 'last_at'])
    .expression(
      q
        .selectFrom(recordsOf(value('added'), 'given'))
        .select([
          textIn('given', 'name').as('name'),
          numberIn('given', 'report').as('reported'),
          numberIn('given', 'hold').as('held'),
          numberIn('given', 'refuse').as('refused'),
          numberIn('given', 'at').as('last_at'),
        ])
        .where(sql.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(['name']).doUpdateSet({
        reported: sql`rule_counts.reported + excluded.reported`,
        held: sql`rule_counts.held + excluded.held`,
        refused: sql`rule_counts.refused + excluded.refused`,
        last_at: sql`excluded.last_at`,
      }),
    ),
);

/** What a rule, or the hook, has done with one text. */
export type Match = {
  readonly name: string;
  readonly action: 'report' | 'hold' | 'refuse';
  readonly at: number;
};

/** Counts what rules have done, for `Tx.defer`: once for each rule in a group. */
export const countMatches: DeferredWork<Match> = (matches) => {
  const byName = new Map<
    string,
    { name: string; report: number; hold: number; refuse: number; at: number }
  >();
  for (const { name, action, at } of matches) {
    const count = byName.get(name) ?? { name, report: 0, hold: 0, refuse: 0, at };
    count[action] += 1;
    count.at = at;
    byName.set(name, count);
  }
  // In one order, so that groups of several nodes do not wait for each other.
  const added = [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return [deferred(addToCounts, { added: JSON.stringify(added) })];
};
