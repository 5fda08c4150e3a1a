import { accessOperations, accessRules } from 'confab-contract/access.ts';
import { notFound } from 'confab-contract/problem.ts';
import { parseRef } from 'confab-contract/values/ids.ts';
import { asModeratable, findApp, type ReadableApp } from '../../access/access.ts';
import { postAccess } from '../../access/entry/entry-access.ts';
import { explain } from '../../access/explanation.ts';
import { fileAccess } from '../../access/file/file-access.ts';
import type { Lockable } from '../../access/locks.ts';
import { findUser } from '../../access/user/user-access.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import { json, jsonString } from '../../kernel/json.ts';
import type { PeopleSetting, Principal } from '../../kernel/principal.ts';
import { findCandidates } from './member-changes.ts';

/** Explains what a user may do in an app, and by which rules. */
export const explainAccess = handler(
  accessOperations.explainAccess,
  async (call, { people }: { people: PeopleSetting }) => {
    const { read, on } = call;
    const caller = await askedAbout({ ...call, people }, call.query.user);
    const app = await findApp(read, caller, { id: on.id });
    if (app === undefined) throw notFound('app');
    const content = await contentAskedAbout(call);
    const decisions = explain(caller, { app, at: call.at, content }).map(
      ({ right, isAllowed, rule }) =>
        `"${right}":{"is_allowed":${isAllowed},"rule":"${rule}","reason":${jsonString(accessRules[rule])}}`,
    );
    return json(`{"app_id":${app.id},"user_id":${caller.user.id},${decisions.join(',')}}`);
  },
);

/**
 * The post or file that a request asks about, undefined for none. Throws `not_found` for one that the caller does not see
 * in the app.
 */
async function contentAskedAbout({
  read,
  caller,
  on,
  query,
}: Pick<Call<typeof accessOperations.explainAccess>, 'read' | 'caller' | 'on' | 'query'>): Promise<
  Lockable | undefined
> {
  const kind = query.post === undefined ? 'file' : 'post';
  const named = query.post ?? query.file;
  if (named === undefined) return undefined;
  const ref = parseRef(named);
  if (ref === undefined) throw notFound(kind);
  const lookup = { read, caller, ref, isTrashedIncluded: false };
  const content =
    kind === 'post' ? (await postAccess.read(lookup)).entry : (await fileAccess.read(lookup)).file;
  if (content.appId !== on.id) throw notFound(kind);
  return content;
}

/**
 * Whom a request asks about: the caller, or the user `named` as a caller with an access token. Throws
 * `moderate_forbidden` for other users where the caller does not moderate, and `not_found` for users whom the caller
 * neither sees nor finds among the members.
 */
async function askedAbout(
  call: { read: Read; caller: Principal; on: ReadableApp; people: PeopleSetting },
  named: string | undefined,
): Promise<Principal> {
  const { read, caller, on } = call;
  const isSelf = caller.kind === 'token' && (named === caller.user.uid || named === String(caller.user.id));
  if (named === undefined || isSelf) return caller;
  asModeratable(on);
  const ref = parseRef(named);
  if (ref === undefined) throw notFound('user');
  const [candidate] = await findCandidates({ ...call, tx: read }, [ref]);
  const user = candidate && (await findUser(read, { id: candidate.id }));
  if (user === undefined) throw notFound('user');
  return { kind: 'token', user };
}
