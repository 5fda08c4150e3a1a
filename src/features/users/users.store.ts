import { sql } from 'kysely';
import { anyOf } from '../../db/dialect.ts';
import { query } from '../../db/statement.ts';
import { userColumns } from './users.sql.ts';

/** One user by id, whatever its state. */
export const userById = query<{ id: number }>()((q, value) =>
  q.selectFrom('users').select(userColumns).where('id', '=', value('id')),
);

/** One user by uid, whatever its state. */
export const userByUid = query<{ uid: string }>()((q, value) =>
  q.selectFrom('users').select(userColumns).where('uid', '=', value('uid')),
);

/** Some users by id. */
export const usersByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('users')
    .select(userColumns)
    .where(anyOf(sql.ref('users.id'), value('ids'))),
);
