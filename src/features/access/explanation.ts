import { type AccessRule, explainedRights } from '../../contract/access.ts';
import { missingScopes, scopesOf } from '../../contract/scopes.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { AppView } from './access.ts';
import { isLocked } from './locks.ts';
import { isAtLeast, moderates, standingOf } from './standing.ts';
import { userRefusal } from './user-access.ts';

/**
 * Why a caller may do something in an app, or may not: by the rules that `standingOf` decides with, unless something bars
 * every right, such as the trash.
 */

/** A right in an app. */
type Right = (typeof explainedRights)[number];

/** Whether a caller has a right, and the rule that decides. */
type Decision = { readonly right: Right; readonly isAllowed: boolean; readonly rule: AccessRule };

/** The decision on each right of a caller at a time in an app with their level, in the order of `explainedRights`. */
export function explain(caller: Principal, app: AppView, at: UnixMs): Decision[] {
  return explainedRights.map((right) => {
    const refusal = refusalOf(right, caller, app);
    if (refusal !== undefined) return { right, isAllowed: false, rule: refusal };
    const { level, accessRule, roleRule } = standingOf(caller, app);
    const isByAccess = right === 'read' || (right === 'write' && !moderates({ level }));
    const isAllowed = isAtLeast(level, right);
    if (right === 'write' && isAllowed && isLocked(app, at))
      return { right, isAllowed: false, rule: 'locked' };
    return { right, isAllowed, rule: isByAccess ? accessRule : roleRule };
  });
}

/** What refuses a right whatever the caller's level; undefined for nothing. */
function refusalOf(right: Right, { kind, user, scopes }: Principal, app: AppView): AccessRule | undefined {
  const bar = kind === 'token' ? userRefusal(user) : undefined;
  if (bar !== undefined) return bar;
  const needed = scopesOf({ method: right === 'read' ? 'GET' : 'POST', caller: 'any', on: { app: right } });
  if (missingScopes(needed, scopes).length > 0) return 'key_scope';
  return app.trashedAt === null ? undefined : 'app_trashed';
}
