import { sql } from 'kysely';
import { anyOf } from '../../db/dialect.ts';
import { query } from '../../db/statement.ts';

/** The apps whose uid is one of these. */
export const appsWithUids = query<{ uids: readonly string[] }>()((q, value) =>
  q
    .selectFrom('apps')
    .select(['id', 'uid'])
    .where(anyOf(sql.ref('uid'), value('uids')))
    .orderBy('id'),
);

/** The users whose uid is one of these. */
export const usersWithUids = query<{ uids: readonly string[] }>()((q, value) =>
  q
    .selectFrom('users')
    .select(['id', 'uid'])
    .where(anyOf(sql.ref('uid'), value('uids')))
    .orderBy('id'),
);
