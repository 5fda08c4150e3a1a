import { invalidField } from 'confab-contract/problem.ts';
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
  const choice = `"mail":"${state?.choice ?? 'all'}","new_comments":${getsNewComments(state)}`;
  return json(`{${address}"is_refused":${isRefused},${choice}${sent}}`);
}

/** Whether the user of a state wants each new comment. A node of the release before ends all mail without ending this. */
export function getsNewComments(
  state: { readonly choice: string; readonly newComments: number } | undefined,
): boolean {
  return state?.newComments === 1 && state.choice !== 'none';
}

/** What a user changes of their mail; what is undefined stays. */
export type MailChange = {
  readonly mail?: MailChoice | undefined;
  /** Whether they are told of each new comment in the apps that they moderate. */
  readonly newComments?: boolean | undefined;
};

/**
 * Stores what a user wants to be sent, with its event. Choosing the same again changes nothing. Whoever stops all mail gets no
 * new comments, and whoever asks for these gets what is direct again. Throws `validation_failed` for both at once.
 */
export async function changeMail(
  { tx, at }: { readonly tx: Tx; readonly at: UnixMs },
  user: User,
  { mail, newComments }: MailChange,
): Promise<void> {
  if (mail === 'none' && newComments === true)
    throw invalidField('/new_comments', 'without_mail', 'must not be true while mail is none');
  const [state] = await tx.all(statesOf, { userIds: [user.id] });
  const before = { choice: state?.choice ?? 'all', newComments: state?.newComments ?? 0 };
  const choice = mail ?? (newComments === true && before.choice === 'none' ? 'direct' : before.choice);
  const isTold = choice !== 'none' && (newComments ?? before.newComments === 1);
  const after = { choice, newComments: isTold ? 1 : 0 };
  if (after.choice === before.choice && after.newComments === before.newComments) return;
  await tx.run(setChoice, { ...after, userId: user.id, isNone: after.choice === 'none' ? 1 : 0 });
  await append(tx, {
    action: 'mail_updated',
    actor: actorOf({ user }),
    appId: null,
    userId: user.id,
    entity: { id: user.id, json: renderUser(user) },
    extra: { mail: jsonString(after.choice), new_comments: json(String(isTold)) },
    at,
  });
}
