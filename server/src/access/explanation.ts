import { type AccessRule, explainedRights } from 'confab-contract/access.ts';
import { missingScopes, scopesOf } from 'confab-contract/scopes.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Principal } from '../kernel/principal.ts';
import type { AppView } from './access.ts';
import { isLocked, type Lockable } from './locks.ts';
import { isAtLeast, moderates, standingOf } from './standing.ts';
import { userRefusal } from './user/user-access.ts';

/**
 * Why a caller may do something in an app, or may not: by the rules that `standingOf` decides with, unless something bars
 * every right, such as the trash.
 */

/** A right in an app. */
type Right = (typeof explainedRights)[number];

/** Whether a caller has a right, and the rule that decides. */
type Decision = { readonly right: Right; readonly isAllowed: boolean; readonly rule: AccessRule };

/** The subject of an explanation: an app with the caller's level, at a time, and content in it to write on. */
type Explained = { readonly app: AppView; readonly at: UnixMs; readonly content: Lockable | undefined };

/** The decision on each right of a caller, in the order of `explainedRights`. */
export function explain(caller: Principal, { app, at, content }: Explained): Decision[] {
  return explainedRights.map((right) => {
    const refusal = refusalOf(right, caller, app);
    if (refusal !== undefined) return { right, isAllowed: false, rule: refusal };
    const { level, accessRule, roleRule } = standingOf(caller, app);
    const isByAccess = right === 'read' || (right === 'write' && !moderates({ level }));
    const isAllowed = isAtLeast(level, right);
    if (right === 'write' && isAllowed && isLocked(app, at, content))
      return { right, isAllowed: false, rule: isLocked(app, at) ? 'locked' : 'item_locked' };
    return { right, isAllowed, rule: isByAccess ? accessRule : roleRule };
  });
}

/** The reason that refuses a right at any level of the caller; undefined if there is none. */
function refusalOf(right: Right, { kind, user, scopes }: Principal, app: AppView): AccessRule | undefined {
  const bar = kind === 'token' ? userRefusal(user) : undefined;
  if (bar !== undefined) return bar;
  const needed = scopesOf({ method: right === 'read' ? 'GET' : 'POST', caller: 'any', on: { app: right } });
  if (missingScopes(needed, scopes).length > 0) return 'key_scope';
  return app.trashedAt === null ? undefined : 'app_trashed';
}
