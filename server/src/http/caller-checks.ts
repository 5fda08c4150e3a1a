import type { Operation } from 'confab-contract/operation.ts';
import { Problem } from 'confab-contract/problem.ts';
import { missingScopes, type NeededScope } from 'confab-contract/scopes.ts';
import type { Principal } from '../kernel/principal.ts';

/** Refuses a caller of the wrong kind with the status that the operation lists for it. */
export function checkCaller(
  operation: Pick<Operation, 'caller' | 'errors' | 'visitors' | 'signedIn'>,
  principal: Principal,
): void {
  if (principal.kind === 'visitor') {
    if (operation.caller === 'visitor') return;
    if (operation.visitors !== undefined || operation.signedIn !== undefined) return;
    throw new Problem('users_only', 'This operation is not for visitors.');
  }
  if (operation.caller === 'visitor')
    throw new Problem('visitor_required', 'This operation is for visitors who have signed in.');
  if (operation.caller === 'key' && principal.kind !== 'key')
    throw operation.errors.includes(403)
      ? new Problem('key_only', 'This operation needs an API key.')
      : new Problem('key_required', 'This operation needs an API key.');
  if (operation.caller === 'user' && principal.kind !== 'token')
    throw new Problem('user_required', 'This operation acts on a user and needs an access token.');
}

/** Refuses an API key that lacks a scope. */
export function checkScopes(needed: readonly NeededScope[], { scopes }: Principal): void {
  const missing = missingScopes(needed, scopes);
  if (missing.length > 0)
    throw new Problem('scope_missing', `The API key lacks the scope ${missing.join(' and the scope ')}.`);
}
