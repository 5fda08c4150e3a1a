import { signingInOperations } from 'confab-contract/signing-in.ts';
import { handler } from '../../binding/handler.ts';
import { revokeTokensOf } from '../users/user-record.ts';
import { endSessionOf } from './visitor-sessions.ts';

/** Signs a visitor out, here or everywhere. */
export const signOut = handler(signingInOperations.signOut, async (call) => {
  const { tx, caller, query, raw, at } = call;
  if (query.everywhere === true) await revokeTokensOf(call, caller.user);
  else await endSessionOf({ tx, at }, raw.credential?.authorization);
  return undefined;
});
