import type { MailedCode } from 'confab-contract/signing-in.ts';
import type { Json } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';
import { changeUser, type UserWrite } from '../users/user-record.ts';
import { mailboxWay, requestByCode } from './mailboxes.ts';
import {
  deleteSignInRequest,
  giveIdentities,
  insertIdentity,
  userOfIdentity,
} from './sign-in-requests.store.ts';
import { continueSession, endSessionOf, type Moment, returningVisitor } from './visitor-sessions.ts';

/**
 * Accounts of different ways become one when a visitor who has signed in by one confirms the mailbox of the other, where
 * they have signed in. A mailbox that is nobody's becomes a way of the visitor. One that has an account keeps it: the other
 * is erased, and the account of the mailbox gets its ways, texts, reactions and reports.
 */

/**
 * Requests the erasure of a user whose content an heir gets. It is passed in, because erasures remove reactions, which are
 * counted for guests, and features must not import each other in a circle.
 */
export type EraseWithHeir = (
  write: UserWrite,
  user: User,
  texts: { readonly content: 'keep'; readonly heirId: number },
) => Promise<unknown>;

/** A request of a visitor that may end an account. */
type Joining = Moment & {
  readonly authorization: string | undefined;
  readonly requestErasure: EraseWithHeir;
};

/**
 * Adds a mailbox to a visitor by the code of a mail, and renders with what they are signed in then; undefined for what
 * confirms none. Throws `sign_in_ended` where one of the accounts is suspended or gone: joining ends no suspension.
 */
export async function addMailbox(
  moment: Joining,
  { id }: User,
  proof: Pick<MailedCode, 'ticket' | 'code'>,
): Promise<Json | undefined> {
  const { tx } = moment;
  const request = await requestByCode(moment, proof, id);
  if (request === undefined || request.email === null) return undefined;
  const visitor = await returningVisitor(moment, id);
  if ((await tx.changed(deleteSignInRequest, { hash: request.hash })) === 0) return undefined;
  // Taken before it is looked up: of two visitors who confirm it at once, one finds that it is the other's.
  const mailbox = { way: mailboxWay, subject: request.email };
  const isTaken = (await tx.changed(insertIdentity, { ...mailbox, userId: id, at: moment.at })) > 0;
  const holder = isTaken ? undefined : await tx.get(userOfIdentity, mailbox);
  if (holder !== undefined && holder.userId !== id)
    return await join(moment, visitor, await returningVisitor(moment, holder.userId));
  await endSessionOf(moment, moment.authorization);
  const user = isTaken ? await withMailbox(moment, visitor, request.email) : visitor;
  return await continueSession(moment, user);
}

/** The visitor by whom a mailbox was taken that was nobody's, and who is a guest no more. */
async function withMailbox({ tx, at }: Moment, visitor: User, mailbox: string): Promise<User> {
  const isGuest = visitor.way === 'guest';
  // What a guest said of their address was not confirmed.
  const values = isGuest ? { way: mailboxWay, email: mailbox } : { email: visitor.email ?? mailbox };
  return await changeUser({ tx, at, caller: { kind: 'visitor', user: visitor } }, visitor, { values });
}

/** Makes the account of a visitor a part of that of the mailbox. */
async function join(moment: Joining, visitor: User, heir: User): Promise<Json> {
  const { tx, at, requestErasure } = moment;
  await tx.run(giveIdentities, { userId: visitor.id, heirId: heir.id });
  const write = { tx, at, caller: { kind: 'visitor', user: heir } } as const;
  await requestErasure(write, visitor, { content: 'keep', heirId: heir.id });
  return await continueSession(moment, heir);
}
