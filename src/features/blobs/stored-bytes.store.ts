import { type AliasedExpression, sql } from 'kysely';
import { numberIn, recordsOf } from '../../db/dialect.ts';
import { command } from '../../db/statement.ts';

/** The records of a JSON array `{id, bytes}`. */
const given = (parameter: string) =>
  recordsOf(parameter, 'given') as unknown as AliasedExpression<{ key: number }, 'given'>;

/** Adds to the stored bytes of some users and returns the sums. `added` is a JSON array of `{id, bytes}`. */
export const addToUsers = command<{ added: string }>()((q, value) =>
  q
    .updateTable('users')
    .from(given(value('added')))
    .set({ stored_bytes: sql<number>`stored_bytes + ${numberIn('given', 'bytes')}` })
    .where('users.id', '=', numberIn('given', 'id'))
    .returning('users.stored_bytes as storedBytes'),
);

/** The same for apps. */
export const addToApps = command<{ added: string }>()((q, value) =>
  q
    .updateTable('apps')
    .from(given(value('added')))
    .set({ stored_bytes: sql<number>`stored_bytes + ${numberIn('given', 'bytes')}` })
    .where('apps.id', '=', numberIn('given', 'id'))
    .returning('apps.stored_bytes as storedBytes'),
);
