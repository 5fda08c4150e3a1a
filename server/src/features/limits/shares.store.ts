import { sql } from 'kysely';
import { anyOf, numberIn, recordsOf, textIn } from '../../db/dialect.ts';
import { command, insertSelected, query } from '../../db/statement.ts';

/** How much of some quotas all nodes have taken. */
export const takenOf = query<{ keys: readonly string[] }>()((q, value) =>
  q
    .selectFrom('rate_shares')
    .select(['key', 'taken'])
    .where(anyOf(sql.ref('key'), value('keys'))),
);

/** Stores how much of some quotas is taken. `shares` is a JSON array of `{key, taken, endsAt}`. */
export const storeTaken = command<{ shares: string }>()((q, value) =>
  insertSelected(q, 'rate_shares', {
    from: q
      .selectFrom(recordsOf(value('shares'), 'given'))
      // SQLite reads `on conflict` as the condition of a join otherwise.
      .where(sql<boolean>`true`),
    values: {
      key: textIn('given', 'key'),
      taken: numberIn('given', 'taken'),
      ends_at: numberIn('given', 'endsAt'),
    },
  }).onConflict((conflict) =>
    conflict.column('key').doUpdateSet((row) => ({ taken: row.ref('excluded.taken') })),
  ),
);

/** Forgets the quotas whose window ended before a time. */
export const forgetTaken = command<{ before: number }>()((q, value) =>
  q.deleteFrom('rate_shares').where('ends_at', '<', value('before')),
);
