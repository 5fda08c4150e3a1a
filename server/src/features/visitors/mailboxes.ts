import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { EmailSignIn, MailedCode, MailedLink } from 'confab-contract/signing-in.ts';
import { signInLimits } from 'confab-contract/signing-in.ts';
import { dayMs, type UnixMs } from 'confab-contract/values/time.ts';
import type { Db } from '../../db/db.ts';
import { allOf } from '../../kernel/all-of.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { networkOfClient } from '../../net/networks.ts';
import { hashSecret, kindOfSecret, makeSecret } from '../credentials/secret-text.ts';
import { type Asker, mailboxHashes, shownAsker } from './mailbox-address.ts';
import {
  countTry,
  deleteSignInRequest,
  insertNewIdentity,
  insertSignInRequest,
  mailedRequest,
  mailsSince,
  refusedMailbox,
  refuseMailbox,
  visitorFrom,
} from './sign-in-requests.store.ts';
import type { VisitorNames } from './visitor-names.ts';
import { ended, type Moment, makeCode, returningVisitor } from './visitor-sessions.ts';
import { makeVisitor } from './visitors.ts';

/**
 * Signing in by mail: whoever reads a mailbox is its visitor. A mail has a code of six digits, which the window that asked
 * for it takes, and a link. What the link confirms goes to the page that asked, in the browser in which it did and in no
 * other, so nobody gets into a session by sending somebody else a mail.
 */

/** How a mailbox signs in. */
export const mailboxWay = 'email';
const way = mailboxWay;
/**
 * How many mails a mailbox gets in that time: that one network asks for, and that all ask for together. Those for which the
 * network asks from which its visitor last signed in come in any case, so that others cannot keep the visitor out.
 */
const mailsOfAskerMax = 5;
const mailsMax = 10;
/** The time for which mails are counted, in milliseconds, so for which an expired request is kept. */
export const mailsMs = 60 * 60_000;
/** How long a mailbox gets no mail after its owner said so. */
const refusalMs = 7 * dayMs;

/** What a mail says, sealed until it is sent. `asker` is the network that asked, where it is known. */
export type Mailed = { readonly code: string; readonly secret: string; readonly asker?: string | undefined };

/** To what a sealed mail is bound. */
export const mailBinding = 'sign-in';

/** A page that asks who its visitor is. */
export type Asking = Pick<EmailSignIn, 'origin' | 'challenge'> & { readonly returnTo: string | undefined };

/** What a mail is for: to sign in on a page that asks, or for a visitor who has signed in to add the mailbox. */
type Purpose = Partial<Asking> & Pick<Asking, 'origin'> & { readonly userId?: number };

function codeHash(ticketHash: Uint8Array, code: string): Uint8Array {
  return createHash('sha256').update(ticketHash).update(code).digest();
}

/** What asking for a mail uses; `secret` is that of the hashes of mailboxes. */
type MailParts = { readonly db: Db; readonly box: SecretBox; readonly secret: string };

/** A request for a mail. */
type MailRequest = {
  readonly mailbox: string;
  readonly asker: Asker;
  readonly purpose: Purpose;
  readonly at: UnixMs;
};

/** Sends a code to a mailbox, and returns the ticket that belongs to it. Without a mail it does the same work. */
export async function askMailbox(
  { db, box, secret }: MailParts,
  { mailbox, asker, purpose, at }: MailRequest,
): Promise<string> {
  const { origin, challenge = '', returnTo = null, userId = null } = purpose;
  const ticket = makeSecret('ticket');
  const hash = hashSecret(ticket);
  const mailed: Mailed = {
    code: String(randomInt(1_000_000)).padStart(6, '0'),
    secret: makeSecret('mailed'),
    asker: shownAsker(asker),
  };
  box.makeKey();
  const sealed = box.seal(JSON.stringify(mailed), mailBinding);
  const hashes = mailboxHashes(secret, { mailbox, asker });
  await db.write(async (tx) => {
    const row = (await mayMail({ tx, at }, { mailbox, asker, ...hashes }))
      ? { email: mailbox, sealed, ...hashes }
      : { email: null, sealed: null, mailboxHash: null, askerHash: null };
    await tx.run(insertSignInRequest, {
      ...{ hash, way, origin, returnTo, challenge, ...row },
      ...{ codeHash: codeHash(hash, mailed.code), linkHash: hashSecret(mailed.secret) },
      ...{ createdAt: at, expiresAt: at + signInLimits.mailSeconds * 1000, userId, dueAt: at },
    });
  });
  return ticket;
}

/** Whether a mailbox gets a mail for a network. It reads the same whatever is known. */
async function mayMail(
  { tx, at }: Moment,
  { mailbox, asker, ...hashes }: Pick<MailRequest, 'mailbox' | 'asker'> & ReturnType<typeof mailboxHashes>,
): Promise<boolean> {
  const network = asker === undefined ? '' : networkOfClient(asker);
  const [mails, owner, refusal] = await Promise.all([
    tx.get(mailsSince, { ...hashes, since: at - mailsMs }),
    tx.get(visitorFrom, { way, subject: mailbox, network }),
    tx.get(refusedMailbox, { hash: hashes.mailboxHash, now: at }),
  ]);
  const { ofAsker = 0, ofAll = 0 } = mails ?? {};
  return refusal === undefined && ofAsker < mailsOfAskerMax && (ofAll < mailsMax || owner !== undefined);
}

type MailedRequest = NonNullable<Awaited<ReturnType<typeof requestOf>>>;

async function requestOf({ tx, at }: Moment, secret: string, kind: 'ticket' | 'mailed') {
  if (kindOfSecret(secret) !== kind) return undefined;
  return await tx.get(mailedRequest, { hash: hashSecret(secret), now: at });
}

/** That a mailbox is confirmed: the code for the page, or undefined while the name of a new visitor is missing. */
export type ConfirmedMailbox = {
  readonly code: string | undefined;
  readonly origin: string;
  readonly returnTo: string | null;
};

/**
 * The request that a ticket with the code of its mail confirms, for a visitor who adds the mailbox or, without one, for
 * signing in; undefined for what confirms none. The try is counted, except with the ticket of another purpose.
 */
export async function requestByCode(
  moment: Moment,
  { ticket, code }: Pick<MailedCode, 'ticket' | 'code'>,
  userId: number | null,
): Promise<MailedRequest | undefined> {
  const request = await requestOf(moment, ticket, 'ticket');
  if (request === undefined || request.userId !== userId) return undefined;
  const attempt = await moment.tx.get(countTry, { hash: request.hash });
  if (attempt === undefined || attempt.tries > signInLimits.codeTriesMax) return undefined;
  const attemptHash = codeHash(request.hash, code.replaceAll(/\D/g, ''));
  if (request.codeHash === null || !timingSafeEqual(attemptHash, request.codeHash)) return undefined;
  return request;
}

/** Confirms a mailbox by the code of a mail; undefined for what confirms none. The try is counted in any case. */
export async function confirmByCode(
  moment: Moment,
  { name, ...proof }: MailedCode,
  names: VisitorNames,
): Promise<ConfirmedMailbox | undefined> {
  const request = await requestByCode(moment, proof, null);
  return request === undefined ? undefined : await confirm(moment, request, { name, names });
}

/** Confirms a mailbox by the link of a mail; undefined for what confirms none. */
export async function confirmByLink(
  moment: Moment,
  { secret, challenge, name }: MailedLink,
  names: VisitorNames,
): Promise<ConfirmedMailbox | undefined> {
  const request = await requestOf(moment, secret, 'mailed');
  // What a visitor adds is confirmed where they have signed in, and by no link.
  return request === undefined || request.userId !== null || request.challenge !== challenge
    ? undefined
    : await confirm(moment, request, { name, names });
}

async function confirm(
  moment: Moment,
  { hash, email, origin, returnTo, challenge, knownId }: MailedRequest,
  { name, names }: { readonly name: string | undefined; readonly names: VisitorNames },
): Promise<ConfirmedMailbox | undefined> {
  const { tx, at } = moment;
  if (email === null) return undefined;
  const useUp = async () => {
    if ((await tx.changed(deleteSignInRequest, { hash })) === 0) throw ended();
  };
  if (knownId !== null) {
    const visitor = returningVisitor(moment, knownId);
    await allOf<unknown>([useUp(), visitor]);
    return { code: await makeCode(moment, await visitor, challenge), origin, returnTo };
  }
  if (name === undefined) return { code: undefined, origin, returnTo };
  const checks = [names.assertFree(tx, name, { exceptId: 0, at }), useUp()];
  const visitor = await makeVisitor(moment, { name, email, way }, checks);
  // Of two requests that confirm a mailbox at once, the store refuses the second, which then finds the visitor.
  await tx.run(insertNewIdentity, { way, subject: email, userId: visitor.id, createdAt: at });
  return { code: await makeCode(moment, visitor, challenge), origin, returnTo };
}

/** Stops the mails to a mailbox in whatever spelling, by the link of one; returns whether it was one. */
export async function refuseMailsTo(moment: Moment, secret: string): Promise<boolean> {
  const { tx, at } = moment;
  const request = await requestOf(moment, secret, 'mailed');
  if (request === undefined || request.mailboxHash === null) return false;
  await tx.run(deleteSignInRequest, { hash: request.hash });
  await tx.run(refuseMailbox, { hash: request.mailboxHash, until: at + refusalMs });
  return true;
}
