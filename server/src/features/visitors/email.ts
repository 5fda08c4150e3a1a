import { signInLimits, signingInOperations } from 'confab-contract/signing-in.ts';
import { handler } from '../../binding/handler.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { readOrigin, readReturn } from './asking.ts';
import { readMailbox } from './mailbox-address.ts';
import {
  askMailbox,
  type ConfirmedMailbox,
  confirmByCode,
  confirmByLink,
  refuseMailsTo,
} from './mailboxes.ts';
import { joiningAs, readName } from './visitor-names.ts';
import { ended } from './visitor-sessions.ts';
import { assertWay, type SignInParts } from './ways.ts';

/** Sends a code and a link to a mailbox. */
export const signInByEmail = handler(
  signingInOperations.signInByEmail,
  async ({ db, body, at, raw }, { signIn, box }: SignInParts & { readonly box: SecretBox }) => {
    const {
      email,
      origin,
      challenge,
      return_to: returnTo,
    } = body.read({ email: readMailbox, origin: readOrigin(signIn.site().origins) }).valid();
    assertWay(signIn, 'email');
    const asking = {
      origin,
      challenge,
      returnTo: returnTo === undefined ? undefined : readReturn(returnTo, origin),
    };
    const ticket = await askMailbox(
      { db, box, secret: signIn.mailboxSecret },
      { mailbox: email, asker: raw.clientAddress, purpose: asking, at },
    );
    return json(JSON.stringify({ ticket, expires_in: signInLimits.mailSeconds }));
  },
);

/** Confirms a mailbox by the code of a mail. A wrong code is counted before it is refused. */
export const confirmCode = handler(
  signingInOperations.confirmCode,
  async ({ db, body, at }, { signIn }: SignInParts) => {
    const input = body.read({ name: readName }).valid();
    assertWay(signIn, 'email');
    if (input.name !== undefined) await signIn.names.screen(input.name);
    return confirmed(
      await db.write(
        (tx) => confirmByCode({ tx, at }, input, signIn.names),
        joiningAs(input.name, input.ticket),
      ),
    );
  },
);

/** Confirms a mailbox by the link of a mail. */
export const confirmLink = handler(
  signingInOperations.confirmLink,
  async ({ db, body, at }, { signIn }: SignInParts) => {
    const input = body.read({ name: readName }).valid();
    assertWay(signIn, 'email');
    if (input.name !== undefined) await signIn.names.screen(input.name);
    return confirmed(
      await db.write(
        (tx) => confirmByLink({ tx, at }, input, signIn.names),
        joiningAs(input.name, input.secret),
      ),
    );
  },
);

function confirmed(confirmation: ConfirmedMailbox | undefined): Json {
  if (confirmation === undefined) throw ended();
  const { code, origin, returnTo } = confirmation;
  return json(
    JSON.stringify({ code, needs_name: code === undefined, origin, return_to: returnTo ?? undefined }),
  );
}

/** Stops the codes to a mailbox for a while. */
export const refuseMail = handler(
  signingInOperations.refuseMail,
  async ({ db, body, at }, { signIn }: SignInParts) => {
    const { secret } = body.valid();
    assertWay(signIn, 'email');
    if (!(await db.write((tx) => refuseMailsTo({ tx, at }, secret)))) throw ended();
    return undefined;
  },
);
