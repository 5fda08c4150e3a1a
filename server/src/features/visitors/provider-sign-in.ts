import { randomBytes } from 'node:crypto';
import { Problem } from 'confab-contract/problem.ts';
import { signInLimits } from 'confab-contract/signing-in.ts';
import { beginningOf } from 'confab-contract/values/excerpt.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { hashSecret } from '../credentials/secret-text.ts';
import { isEmail } from '../users/user-change.ts';
import type { Asking } from './mailboxes.ts';
import type { Profile, ProviderClient } from './provider-client.ts';
import {
  deleteSignInRequest,
  insertIdentity,
  insertSignInRequest,
  providerRequest,
  userOfIdentity,
} from './sign-in-requests.store.ts';
import { readName, type VisitorNames } from './visitor-names.ts';
import { type Moment, makeCode, returningVisitor } from './visitor-sessions.ts';
import { makeVisitor } from './visitors.ts';

/**
 * Signing in by a provider. Each provider's accounts are visitors of their own: an address that a provider has verified
 * lets nobody into the account of a mailbox, and not the other way round.
 */

/** How long a visitor has at the provider, in milliseconds. */
const requestMs = 10 * 60_000;
/** To what the nonce and the verifier of a request are bound while they are sealed. */
const binding = 'sign-in provider';
const { nameCharactersMax } = signInLimits;

type ProviderState = { readonly nonce: string; readonly verifier: string };

/** The code for the page that asked, and where it goes. */
export type ProviderResult = {
  readonly code: string;
  readonly origin: string;
  readonly challenge: string;
  readonly returnTo: string | undefined;
};

/** Signs visitors in by providers. */
export type ProviderSignIn = ReturnType<typeof createProviderSignIn>;

/** Creates the part that signs visitors in by providers, which `clients` has by name. */
export function createProviderSignIn({
  db,
  box,
  clock,
  names,
  publicUrl,
  clients,
}: {
  readonly db: Db;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly names: VisitorNames;
  readonly publicUrl: () => string;
  readonly clients: ReadonlyMap<string, ProviderClient>;
}) {
  const redirectUri = (provider: string) => `${publicUrl()}/sign-in/callback/${provider}`;

  return {
    has: (provider: string): boolean => clients.has(provider),

    /** Begins, and returns the address at the provider and the state that belongs to this browser. */
    async begin(provider: string, { origin, challenge, returnTo }: Asking) {
      const client = clientOf(clients, provider);
      const [state, nonce, verifier] = [secret(), secret(), secret()];
      const address = await client.begin({ redirectUri: redirectUri(provider), state, nonce, verifier });
      const at = clock.now();
      box.makeKey();
      const sealed = box.seal(JSON.stringify({ nonce, verifier } satisfies ProviderState), binding);
      await db.write(async (tx) => {
        await tx.run(insertSignInRequest, {
          ...{ hash: hashSecret(state), way: provider, origin, returnTo: returnTo ?? null, challenge },
          ...{ email: null, sealed, codeHash: null, linkHash: null, mailboxHash: null, askerHash: null },
          ...{ createdAt: at, expiresAt: at + requestMs, userId: null, dueAt: at },
        });
      });
      return { address, state };
    },

    /**
     * Ends with the address to which the provider has sent the browser of `state` back. Throws an Error for what is not as
     * it must be; a state is used up in any case.
     */
    async finish(provider: string, returned: URL, state: string): Promise<ProviderResult> {
      const client = clientOf(clients, provider);
      // An answer to another state, which anybody can have the browser open, uses up nothing.
      if (returned.searchParams.get('state') !== state) throw new Error('the state is that of another');
      const hash = hashSecret(state);
      const attempt = { hash, way: provider, now: clock.now() };
      if ((await db.read.get(providerRequest, attempt)) === undefined)
        throw new Error('the state is unknown, expired or was used');
      const request = await db.write(async (tx) => {
        const row = await tx.get(providerRequest, attempt);
        return row !== undefined && (await tx.changed(deleteSignInRequest, { hash })) > 0 ? row : undefined;
      });
      if (request === undefined) throw new Error('the state was used at the same time');
      const { nonce, verifier } = JSON.parse(box.open(request.sealed ?? '', binding)) as ProviderState;
      const own = new URL(redirectUri(provider));
      own.search = returned.search;
      const profile = await client.finish(
        { redirectUri: redirectUri(provider), state, nonce, verifier },
        own,
      );
      const name = await shownName(profile.name, names);
      const { origin, returnTo, challenge } = request;
      const code = await db.write(async (tx) => {
        const moment = { tx, at: clock.now() };
        const known = await tx.get(userOfIdentity, { way: provider, subject: profile.subject });
        const user =
          known === undefined
            ? await joinVisitor(moment, provider, { profile: { ...profile, name }, names })
            : await returningVisitor(moment, known.userId);
        return await makeCode(moment, user, challenge);
      });
      return { code, origin, challenge, returnTo: returnTo ?? undefined };
    },
  };
}

function clientOf(clients: ReadonlyMap<string, ProviderClient>, provider: string): ProviderClient {
  const client = clients.get(provider);
  if (client === undefined) throw new Error('there is no such provider');
  return client;
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

async function joinVisitor(
  moment: Moment,
  way: string,
  { profile, names }: { readonly profile: Profile & { name: string }; readonly names: VisitorNames },
) {
  const { tx, at } = moment;
  const name = await freeName(moment, profile.name, names);
  const email = profile.email !== null && isEmail(profile.email) ? profile.email : null;
  const user = await makeVisitor(moment, { name, email, way });
  const identity = { way, subject: profile.subject, userId: user.id, at };
  if ((await tx.changed(insertIdentity, identity)) === 0) throw new Error('somebody signs in twice at once');
  return user;
}

/** The name that a provider gives, or the same with a number where it looks like that of somebody else. */
async function freeName({ tx, at }: Moment, name: string, names: VisitorNames): Promise<string> {
  const numbers = ['', ' 2', ' 3', ' 4', ' 5', ' 6', ` ${randomBytes(3).readUIntBE(0, 3)}`];
  for (const number of numbers) {
    const candidate = beginningOf(name, nameCharactersMax - number.length) + number;
    try {
      await names.assertFree(tx, candidate, { exceptId: 0, at });
      return candidate;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  throw new Error('every name is taken');
}

/** The name that a provider gives, or another where it cannot be shown or a rule refuses it. */
async function shownName(name: string | undefined, names: VisitorNames): Promise<string> {
  try {
    return await names.screen(readName(beginningOf(name ?? '', nameCharactersMax)));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return 'Visitor';
  }
}
