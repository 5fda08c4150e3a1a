import type { Read } from '../../db/db.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Json } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';
import { renderUser } from './user-json.ts';
import { userOf } from './users.sql.ts';
import { userById, userByUid, usersByIds } from './users.store.ts';

/** The user that `ref` names, whatever its state, or undefined. */
export async function findUser(read: Read, ref: Ref): Promise<User | undefined> {
  const row =
    'id' in ref ? await read.get(userById, { id: ref.id }) : await read.get(userByUid, { uid: ref.uid });
  return row === undefined ? undefined : userOf(row);
}

/** The users with these ids, rendered, by id. One statement for any number of them. */
export async function renderedUsers(read: Read, ids: readonly number[]): Promise<Map<number, Json>> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return new Map();
  const rows = await read.all(usersByIds, { ids: distinct });
  return new Map(rows.map((row) => [row.id, renderUser(userOf(row))]));
}
