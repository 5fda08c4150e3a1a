import type { signingInOperations } from 'confab-contract/signing-in.ts';
import type { Mail } from 'confab-testing/network/mail-server.ts';
import { poll } from 'confab-testing/poll.ts';
import type { TestServer } from 'confab-testing/server.ts';
import { freshName, newVerifier, signInGuest } from 'confab-testing/visitors.ts';

/** A site whose pages sign people in. */
export const origin = 'https://blog.example.com';

type Asking = { readonly server: TestServer; readonly mails: readonly Mail[] };
type Request = { readonly body?: object; readonly as: string | null };
type Changing = Exclude<keyof typeof signingInOperations, 'getSignIn' | 'makePuzzle'>;

let mailboxes = 0;

/** An address that has not been asked about, with a request for it. */
function mailbox() {
  mailboxes += 1;
  const pair = newVerifier();
  const email = `reader${mailboxes}@example.com`;
  return { ...pair, email, body: { email, origin, challenge: pair.challenge, return_to: `${origin}/` } };
}

/** Sends a request by email and reads the mail. */
async function asked({ server, mails }: Asking) {
  const { email, verifier, challenge, body } = mailbox();
  const { ticket } = (await server.call('POST', '/api/sign-in/email', body, { as: null })).body;
  return { verifier, challenge, ticket, ...(await read(mails, email)) };
}

async function read(mails: readonly Mail[], email: string) {
  const { text } = await poll('the mail', () => mails.find(({ to }) => to === email));
  return {
    code: /^\d{6}$/m.exec(text)?.[0],
    secret: /\/sign-in\/link#(\w+)\./.exec(text)?.[1],
  };
}

const guest = async (server: TestServer): Promise<string> => (await signInGuest(server)).access_token;

/** A request of each operation with which people sign in, which succeeds once. */
export const signingIn: { readonly [O in Changing]: (asking: Asking) => Promise<Request> } = {
  signInAsGuest: async () => ({ body: { name: freshName() }, as: null }),
  signInByEmail: async () => ({ body: mailbox().body, as: null }),
  confirmCode: async (asking) => {
    const { ticket, code } = await asked(asking);
    return { body: { ticket, code, name: freshName() }, as: null };
  },
  confirmLink: async (asking) => {
    const { secret, challenge } = await asked(asking);
    return { body: { secret, challenge, name: freshName() }, as: null };
  },
  refuseMail: async (asking) => ({ body: { secret: (await asked(asking)).secret }, as: null }),
  exchangeCode: async (asking) => {
    const { ticket, code, verifier } = await asked(asking);
    const body = { ticket, code, name: freshName() };
    const confirmed = await asking.server.call('POST', '/api/sign-in/email/code', body, { as: null });
    return { body: { code: confirmed.body.code, verifier }, as: null };
  },
  renewSignIn: async ({ server }) => {
    const { renewal_secret } = await signInGuest(server);
    return { body: { renewal_secret }, as: null };
  },
  signOut: async ({ server }) => ({ as: await guest(server) }),
  updateVisitor: async ({ server }) => ({ body: { name: freshName() }, as: await guest(server) }),
  addMailbox: async ({ server }) => ({ body: { email: mailbox().email, origin }, as: await guest(server) }),
  confirmMailbox: async ({ server, mails }) => {
    const as = await guest(server);
    const { email } = mailbox();
    const { ticket } = (await server.call('POST', '/api/user/mailbox', { email, origin }, { as })).body;
    return { body: { ticket, code: (await read(mails, email)).code }, as };
  },
};
