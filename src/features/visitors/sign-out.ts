import { handler } from '../../binding/handler.ts';
import { signingInOperations } from '../../contract/signing-in.ts';
import { hashSecret } from '../credentials/secret-text.ts';
import { revokeTokensOf } from '../users/user-record.ts';
import { visitorSecret } from './signing-in.store.ts';
import { endSession } from './visitor-sessions.ts';

/** Signs a visitor out, here or everywhere. */
export const signOut = handler(signingInOperations.signOut, async (call) => {
  const { tx, caller, query, raw, at } = call;
  if (query.everywhere === true) {
    await revokeTokensOf(call, caller.user);
    return undefined;
  }
  const token = /\S+$/.exec(raw.credential?.authorization ?? '')?.[0] ?? '';
  const row = await tx.get(visitorSecret, { hash: hashSecret(token), kind: 'access' });
  if (row !== undefined) await endSession({ tx, at }, row);
  return undefined;
});
