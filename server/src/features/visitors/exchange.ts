import { signingInOperations } from 'confab-contract/signing-in.ts';
import { handler } from '../../binding/handler.ts';
import { ended, exchange } from './visitor-sessions.ts';

/** Signs a visitor in with the code of a window. A code that was tried is used up, also by a wrong verifier. */
export const exchangeCode = handler(signingInOperations.exchangeCode, async ({ db, body, at, raw }) => {
  const input = body.valid();
  const signedIn = await exchange({ db, at, address: raw.clientAddress }, input);
  if (signedIn === undefined) throw ended();
  return signedIn;
});
