import { userOperations } from 'confab-contract/users.ts';
import { handler } from '../../binding/handler.ts';
import { trashOrRestoreUser } from './user-record.ts';
import { type UserParts, userDetail } from './users.ts';

/** Puts a user in the trash and revokes the user's access tokens; repeating it changes nothing. */
export const trashUser = handler(
  userOperations.trashUser,
  async (call, parts: UserParts) =>
    await userDetail(call, await trashOrRestoreUser(call, call.on, { isTrashed: true }), parts),
);

/** Restores a user from the trash. */
export const restoreUser = handler(
  userOperations.restoreUser,
  async (call, parts: UserParts) =>
    await userDetail(call, await trashOrRestoreUser(call, call.on, { isTrashed: false }), parts),
);
