import { tokenOperations } from 'confab-contract/tokens.ts';
import { handler } from '../../binding/handler.ts';
import { revokeTokensOf } from '../users/user-record.ts';

/** Revokes every access token of a user, whatever the user's state; once this is answered, they are refused. */
export const revokeTokens = handler(tokenOperations.revokeTokens, async (call) => {
  await revokeTokensOf(call, call.on);
  return undefined;
});
