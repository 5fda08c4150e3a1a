import { userOperations } from 'confab-contract/users.ts';
import { handler } from '../../binding/handler.ts';
import type { PeopleSetting, Principal } from '../../kernel/principal.ts';
import { type UserScope, userPage } from './user-pages.ts';

/** The users whom the caller may list; an API key lists all users. */
export const listUsers = handler(
  userOperations.listUsers,
  async (call, { people }: { people: PeopleSetting }) =>
    await userPage({ ...call, people }, scopeOf(call.caller, call.query.directory_id)),
);

/** All users for an API key, else those of the caller's own directory, or those without one if the caller has none. */
export function scopeOf({ kind, user }: Principal, directoryId: number | undefined): UserScope {
  const own = kind === 'key' ? 'every' : user.directoryId;
  if (directoryId === undefined) return own;
  return own === 'every' || own === directoryId ? directoryId : 'nobody';
}
