import { query } from '../../db/statement.ts';
import { userColumns } from './user.sql.ts';

/** A user by id, whatever their state. */
export const userById = query<{ id: number }>()((q, value) =>
  q.selectFrom('users').select(userColumns).where('id', '=', value('id')),
);

/** A user by uid, whatever their state. */
export const userByUid = query<{ uid: string }>()((q, value) =>
  q.selectFrom('users').select(userColumns).where('uid', '=', value('uid')),
);
