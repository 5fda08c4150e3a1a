import { query, type Remembered, remember } from '../../db/statement.ts';
import { type UserRow, userColumns } from './user.sql.ts';

const ofUser: Remembered<UserRow> = {
  id: ({ id }) => id,
  tables: { users: 'id' },
  changesSeldom: true,
};

/** A user by id, whatever their state. */
export const userById = remember(
  query<{ id: number }>()((q, value) =>
    q.selectFrom('users').select(userColumns).where('id', '=', value('id')),
  ),
  ofUser,
);

/** A user by uid, whatever their state. */
export const userByUid = remember(
  query<{ uid: string }>()((q, value) =>
    q.selectFrom('users').select(userColumns).where('uid', '=', value('uid')),
  ),
  ofUser,
);
