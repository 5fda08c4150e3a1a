import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';
import { actorOf, renderUser } from '../users/user-json.ts';
import { setChoice, statesOf } from './mail.store.ts';

/**
 * Mail tells users of notifications that they have not read. The mailer (`mailer.ts`) sends it, `mail-message.ts` writes
 * it, and users choose what they get here or at the address that each message carries (decision 0070).
 */

/** The mail that a user wants: everything, only notifications addressed to them, or nothing. */
export const mailChoices = ['all', 'direct', 'none'] as const;
/** One of `mailChoices`. */
export type MailChoice = (typeof mailChoices)[number];

/** How many refusals in a row of one address end the mail to it. */
export const refusalsMax = 3;

/** The settings of a user's mail, as the API returns them. */
export async function renderMail(read: Pick<Tx, 'all'>, user: User): Promise<Json> {
  const [state] = await read.all(statesOf, { userIds: [user.id] });
  const address = user.email === null ? '' : `"address":${jsonString(user.email)},`;
  const sent = state?.sentAt == null ? '' : `,"sent_at":"${timestamp(state.sentAt)}"`;
  const isRefused =
    user.email !== null && state?.refusedAddress === user.email && state.refusals >= refusalsMax;
  return json(`{${address}"is_refused":${isRefused},"mail":"${state?.choice ?? 'all'}"${sent}}`);
}

/** Stores what a user wants to be sent, with its event. Choosing the same again changes nothing. */
export async function setMailChoice(
  { tx, at }: { readonly tx: Tx; readonly at: UnixMs },
  user: User,
  choice: MailChoice,
): Promise<void> {
  const [state] = await tx.all(statesOf, { userIds: [user.id] });
  if ((state?.choice ?? 'all') === choice) return;
  await tx.run(setChoice, { userId: user.id, choice, isNone: choice === 'none' ? 1 : 0 });
  await append(tx, {
    action: 'mail_updated',
    actor: actorOf({ user }),
    appId: null,
    userId: user.id,
    entity: { id: user.id, json: renderUser(user) },
    extra: { mail: jsonString(choice) },
    at,
  });
}
