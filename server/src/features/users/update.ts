import { userOperations } from 'confab-contract/users.ts';
import { handler } from '../../binding/handler.ts';
import { prepareChange, userReaders } from './user-change.ts';
import { changeUser } from './user-record.ts';
import { type UserParts, userDetail } from './users.ts';

/** Changes the fields of a user that the body has. */
export const updateUser = handler(
  userOperations.updateUser,
  async (input, { principal, params }, { pictures }: UserParts) => {
    const picture = pictures.reader(principal, params.user);
    return (await input.read(userReaders).readLater({ picture })).map(prepareChange);
  },
  async (call, parts: UserParts) => await userDetail(call, await changeUser(call, call.on, call.body), parts),
);
