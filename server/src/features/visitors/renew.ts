import { signingInOperations } from 'confab-contract/signing-in.ts';
import { handler } from '../../binding/handler.ts';
import { ended, renew } from './visitor-sessions.ts';

/** Gets a visitor the next access token. That a secret came twice is written down before it is refused. */
export const renewSignIn = handler(signingInOperations.renewSignIn, async ({ db, body, at, raw }) => {
  const { renewal_secret: secret } = body.valid();
  const signedIn = await renew({ db, at, address: raw.clientAddress }, secret);
  if (signedIn === undefined) throw ended();
  return signedIn;
});
