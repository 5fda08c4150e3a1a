import { sql } from 'kysely';
import { numberIn } from '../../db/dialect.ts';
import { givenRecords } from '../../db/records.ts';
import { command } from '../../db/statement.ts';

/** Adds to the stored bytes of some users and returns the sums. `added` is a JSON array of `{id, bytes}`. */
export const addToUsers = command<{ added: string }>()((q, value) =>
  q
    .updateTable('users')
    .from(givenRecords(value('added')))
    .set({ stored_bytes: sql<number>`stored_bytes + ${numberIn('given', 'bytes')}` })
    .where('users.id', '=', numberIn('given', 'id'))
    .returning('users.stored_bytes as storedBytes'),
);

/** The same for apps. */
export const addToApps = command<{ added: string }>()((q, value) =>
  q
    .updateTable('apps')
    .from(givenRecords(value('added')))
    .set({ stored_bytes: sql<number>`stored_bytes + ${numberIn('given', 'bytes')}` })
    .where('apps.id', '=', numberIn('given', 'id'))
    .returning('apps.stored_bytes as storedBytes'),
);
