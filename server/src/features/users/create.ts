import { type UserCreate, userOperations } from 'confab-contract/users.ts';
import { handler } from '../../binding/handler.ts';
import type { Input } from '../../kernel/input.ts';
import type { Principal } from '../../kernel/principal.ts';
import { prepareChange, type UserChange, userReaders } from './user-change.ts';
import { makeUser, uidTaken } from './user-record.ts';
import { type UserParts, userDetail } from './users.ts';

type NewUser = { readonly uid: string; readonly change: UserChange };

/** Creates a user; throws `validation_failed` for a uid that is taken. */
export const createUser = handler(userOperations.createUser, prepare, async (call, parts: UserParts) => {
  const user = await makeUser(call, call.body.uid, call.body.change);
  if (user === undefined) throw uidTaken();
  return await userDetail(call, user, parts);
});

async function prepare(
  input: Input<UserCreate>,
  { principal }: { readonly principal: Principal },
  { pictures }: UserParts,
): Promise<Input<NewUser>> {
  const read = await input.read(userReaders).readLater({ picture: pictures.reader(principal, undefined) });
  return read.map(({ uid, ...profile }) => ({ uid, change: prepareChange(profile) }));
}
