import { Problem } from 'confab-contract/problem.ts';
import { type TokenCreate, tokenOperations } from 'confab-contract/tokens.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import { findUser, type TokenHolder, userAccess } from '../../access/user/user-access.ts';
import { handler } from '../../binding/handler.ts';
import type { Db } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { hashSecret, makeSecret } from '../credentials/secret-text.ts';
import { prepareChange, type UserChange, userReaders } from '../users/user-change.ts';
import { actorOf, renderUser } from '../users/user-json.ts';
import { makeUser, type UserWrite } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import type { UserParts } from '../users/users.ts';
import { deleteExpiredTokens, insertToken } from './tokens.store.ts';

/** An access token lets its holder call as one user until it expires or is revoked (specification section 5). */

/** How long an access token is valid by default, in seconds. */
export const tokenSecondsDefault = 3600;
/** The most expired tokens that one new token deletes: more than one, so that their number falls. */
const expiredTokensMax = 100;

type TokenDraft = { readonly expiresIn: number; readonly profile: UserChange };

/** Issues an access token. An unknown uid creates the user with the other fields of the body. */
export const issueToken = handler(tokenOperations.issueToken, prepare, async (call) => {
  const user = await holderOf(call, call.on, call.body.profile);
  return await issueTokenTo(call, user, call.body.expiresIn);
});

async function prepare(
  input: Input<TokenCreate>,
  { principal, params: { user: ref } }: { readonly principal: Principal; readonly params: { user: Ref } },
  { db, pictures }: UserParts & { readonly db: Db },
): Promise<Input<TokenDraft>> {
  const readPicture = pictures.reader(principal, undefined);
  const picture = async (...given: Parameters<typeof readPicture>) => {
    const isNew = 'uid' in ref && (await findUser(db.read, ref)) === undefined;
    // The body must be valid, but it changes nothing about a user who exists, so no picture is stored.
    return isNew ? await readPicture(...given) : null;
  };
  const complete = await input.read(userReaders).readLater({ picture });
  return complete.map(({ expires_in: expiresIn = tokenSecondsDefault, ...profile }) => ({
    expiresIn,
    profile: prepareChange(profile),
  }));
}

/** The user to issue a token to, created where the uid is free. Throws `validation_failed` for the system user. */
export async function holderOf(write: UserWrite, holder: TokenHolder, profile: UserChange): Promise<User> {
  const { tx, caller } = write;
  if (holder.user !== undefined) {
    if (holder.user.id === systemUserId)
      throw new Problem('validation_failed', 'The built-in user of the system has no access tokens.');
    if (holder.user.way !== null)
      throw new Problem('validation_failed', 'Visitors get their access tokens by signing in.');
    return holder.user;
  }
  const user = await makeUser(write, holder.uid, profile);
  if (user !== undefined) return user;
  // Another request has created the user since the look-up.
  const ref = { uid: holder.uid };
  const other = await userAccess.issue({ read: tx, caller, ref, isTrashedIncluded: false });
  return await holderOf(write, other, profile);
}

/** Issues an access token of a user that is valid for `expiresIn` seconds, and renders it. */
export async function issueTokenTo(write: UserWrite, user: User, expiresIn: number): Promise<Json> {
  const { tx, caller, at } = write;
  const secret = makeSecret('token');
  await tx.run(deleteExpiredTokens, { userId: user.id, now: at, top: expiredTokensMax });
  await tx.run(insertToken, {
    hash: hashSecret(secret),
    userId: user.id,
    createdAt: at,
    expiresAt: at + expiresIn * 1000,
  });
  await append(tx, {
    action: 'token_issued',
    actor: actorOf(caller),
    appId: null,
    entity: { id: user.id, json: renderUser(user) },
    extra: { expires_in: json(String(expiresIn)) },
    at,
  });
  return json(`{"access_token":"${secret}","expires_in":${expiresIn}}`);
}
