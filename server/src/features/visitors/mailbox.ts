import { signInLimits, signingInOperations } from 'confab-contract/signing-in.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { countCaller, type RateLimits } from '../../kernel/rate-limits.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { readOrigin } from './asking.ts';
import { addMailbox as add, type EraseWithHeir } from './joining.ts';
import { readMailbox } from './mailbox-address.ts';
import { askMailbox } from './mailboxes.ts';
import { ended } from './visitor-sessions.ts';
import { assertWay, type SignInParts } from './ways.ts';

/** Sends a code to a mailbox by which the visitor wants to sign in as well. */
export const addMailbox = handler(
  signingInOperations.addMailbox,
  (input, _call, { signIn }: SignInParts) =>
    input.read({ email: readMailbox, origin: readOrigin(signIn.site().origins) }),
  async ({ db, body, caller, at, raw }, { signIn, box }: SignInParts & { readonly box: SecretBox }) => {
    assertWay(signIn, 'email');
    const { email, origin } = body;
    const purpose = { origin, userId: caller.user.id };
    const ticket = await askMailbox(
      { db, box, secret: signIn.mailboxSecret },
      { mailbox: email, asker: raw.clientAddress, purpose, at },
    );
    return json(JSON.stringify({ ticket, expires_in: signInLimits.mailSeconds }));
  },
);

/** Confirms that mailbox. A wrong code is counted before it is refused. */
export const confirmMailbox = handler(
  signingInOperations.confirmMailbox,
  async (
    { db, body, caller, at, raw },
    {
      signIn,
      requestErasure,
      rateLimits,
    }: SignInParts & { readonly requestErasure: EraseWithHeir; readonly rateLimits: RateLimits },
  ) => {
    assertWay(signIn, 'email');
    // It may erase an account, as a request of the visitor does.
    await countCaller(rateLimits, 'erasure', { principal: caller, clientAddress: raw.clientAddress });
    const from = { address: raw.clientAddress, authorization: raw.credential?.authorization };
    const signedIn = await db.write((tx) => add({ tx, at, requestErasure, ...from }, caller.user, body));
    if (signedIn === undefined) throw ended();
    return signedIn;
  },
);
