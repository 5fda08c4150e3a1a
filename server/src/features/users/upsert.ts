import { invalidField } from 'confab-contract/problem.ts';
import { userOperations } from 'confab-contract/users.ts';
import { ownUidFault } from 'confab-contract/values/ids.ts';
import { findUser } from '../../access/user/user-access.ts';
import { handler } from '../../binding/handler.ts';
import type { User } from '../../kernel/principal.ts';
import { prepareChange, type UserChange, userReaders } from './user-change.ts';
import { changeUser, makeUser, type UserWrite, uidTaken } from './user-record.ts';
import { type UserParts, userDetail } from './users.ts';

/** Changes the user with the uid in the path, or creates that user. */
export const upsertUser = handler(
  userOperations.upsertUser,
  async (input, { principal, params: { user: uid } }, { pictures }: UserParts) => {
    const fault = ownUidFault('user', uid);
    const read = await input
      .and(fault === undefined ? undefined : invalidField('/uid', 'uid', fault))
      .read(userReaders)
      .readLater({ picture: pictures.reader(principal, { uid }) });
    return read.map(prepareChange);
  },
  async (call, parts: UserParts) => {
    const { isNew, user } = await putUser(call, call.params.user, call.body);
    return { status: isNew ? 201 : 200, body: await userDetail(call, user, parts) };
  },
);

/** Changes or creates a user; of two requests that create one at once, the second changes what the first created. */
export async function putUser(
  write: UserWrite,
  uid: string,
  change: UserChange,
): Promise<{ isNew: boolean; user: User }> {
  const user = await findUser(write.tx, { uid });
  if (user !== undefined) return { isNew: false, user: await changeUser(write, user, change) };
  if (change.uid !== undefined && change.uid !== uid)
    throw invalidField('/uid', 'not_found', 'must be the uid in the path while no user has that one');
  const created = await makeUser(write, uid, change);
  if (created !== undefined) return { isNew: true, user: created };
  const other = await findUser(write.tx, { uid });
  if (other === undefined) throw uidTaken();
  return { isNew: false, user: await changeUser(write, other, change) };
}
