import { sql } from 'kysely';
import { anyOf, numberIn, recordsOf, rowCount, textIn } from '../../db/dialect.ts';
import { cachedByShape, command, insertRow, insertSelected, query } from '../../db/statement.ts';

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
    const earlier =
      past === 'equal of others'
        ? texts.where('user_id', '<>', value('userId')).select('user_id').distinct()
        : texts.where('user_id', '=', value('userId')).select('user_id');
    return q.selectFrom(earlier.as('found')).select(({ fn }) => fn.countAll<number>().as('count'));
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

/** Adds to the counts of some rules, which come as a JSON array. */
export const addToCounts = command<{ added: string }>()((q, value) =>
  insertSelected(q, 'rule_counts', {
    from: q.selectFrom(recordsOf(value('added'), 'given')).where(sql.lit(true)),
    values: {
      name: textIn('given', 'name'),
      reported: numberIn('given', 'report'),
      held: numberIn('given', 'hold'),
      refused: numberIn('given', 'refuse'),
      last_at: numberIn('given', 'at'),
    },
  }).onConflict((conflict) =>
    conflict.columns(['name']).doUpdateSet({
      reported: sql`rule_counts.reported + excluded.reported`,
      held: sql`rule_counts.held + excluded.held`,
      refused: sql`rule_counts.refused + excluded.refused`,
      last_at: sql`excluded.last_at`,
    }),
  ),
);
