import { notFound } from 'confab-contract/problem.ts';
import { secondFormUserOperations } from 'confab-contract/second-form/users.ts';
import { parseRef, type Ref } from 'confab-contract/values/ids.ts';
import { isErased } from '../../access/user/user.sql.ts';
import { findUser, userAccess } from '../../access/user/user-access.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import { findKnownUser, setFollow } from '../../features/follows/follows.ts';
import { renderUserFor } from '../../features/users/user-json.ts';
import { erasedName, getSystemUser } from '../../features/users/user-record.ts';
import { systemUserId } from '../../features/users/users.sql.ts';
import { type UserParts, userDetail } from '../../features/users/users.ts';
import { factsOfVisitors, withFacts } from '../../features/users/visitor-facts.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { userOfServer } from '../shapes/user.ts';

type People = { readonly people: PeopleSetting };

function refOf(text: string): Ref {
  const ref = parseRef(text);
  if (ref === undefined) throw notFound('user');
  return ref;
}

/** The card of a user. */
export const getUserInSecondForm = handler(
  secondFormUserOperations.getUserInSecondForm,
  async ({ read, caller, params, query, at }, { people, ...parts }: UserParts & People): Promise<Json> => {
    if (params.user === '0') return await systemCard(read);
    if (params.user === '-1') return userOfServer({ id: -1, name: erasedName });
    const ref = refOf(params.user);
    if (caller.kind === 'key') {
      const user = await userAccess.read({ read, caller, ref, isTrashedIncluded: query.trashed === true });
      const facts = await factsOfVisitors(read, [user], at);
      return withFacts(await userDetail({ read, caller }, user, parts), facts.get(user.id));
    }
    const known = await findKnownUser(read, { caller, people }, ref);
    if (known === undefined) return await cardOfNobody(read, ref);
    const { user, isFollowed } = known;
    if (user.id === caller.user.id) return await userDetail({ read, caller }, user, parts);
    return json(`${renderUserFor(caller, user).slice(0, -1)},"is_followed":${isFollowed}}`);
  },
);

/** The card of who wrote something and is nobody to see: the server itself, or a user who is gone. */
async function cardOfNobody(read: Read, ref: Ref): Promise<Json> {
  const user = await findUser(read, ref);
  if (user?.id === systemUserId) return await systemCard(read);
  if (user === undefined || !isErased(user)) throw notFound('user');
  return userOfServer({ id: -1, name: erasedName });
}

async function systemCard(read: Read): Promise<Json> {
  return userOfServer({ id: 0, name: (await getSystemUser(read)).displayName });
}

async function follow(
  { tx, caller, params, at }: Call<typeof secondFormUserOperations.followUser>,
  { people }: People,
  isFollowed: boolean,
): Promise<undefined> {
  const known = await findKnownUser(tx, { caller, people }, params.user);
  if (known === undefined) throw notFound('user');
  await setFollow({ tx, caller, at }, known, isFollowed);
}

/** Makes the caller follow a user. */
export const followUser = handler(secondFormUserOperations.followUser, (call, parts: People) =>
  follow(call, parts, true),
);

/** Ends that the caller follows a user. */
export const unfollowUser = handler(secondFormUserOperations.unfollowUser, (call, parts: People) =>
  follow(call, parts, false),
);
