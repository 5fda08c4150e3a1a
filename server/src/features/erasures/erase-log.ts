import type { Tx } from '../../db/db.ts';
import { noticeWords, withheld } from '../notifications/notice.ts';
import { deleteNotifications } from '../notifications/refresh.ts';
import type { JsonValue } from '../redactions/blank.ts';
import { changeEvents } from '../redactions/redactions.ts';
import type { Counts, ErasingStep } from './erasures.ts';
import { payloadWithout, withoutPerson, wordingWithout } from './person-json.ts';
import { setAnswer, setWording } from './walks.store.ts';

/** Copies of a user's data in the log and its readers: events, notifications of other users, and kept answers. */

/** Rewrites events, so that they keep their places, their actions and their ids, and say nothing of the person. */
export async function eventsWithout(
  tx: Tx,
  rows: readonly { readonly id: number; readonly payload: string }[],
  { person }: ErasingStep,
): Promise<Counts> {
  return await changeEvents(tx, rows, (payload) => payloadWithout(payload, person));
}

/** A notification of another user that says something of the person. */
type Notice = {
  readonly id: number;
  readonly userId: number;
  readonly actorId: number;
  readonly template: string;
  readonly args: string;
  readonly readAt: number | null;
  readonly isHidden: number;
};

/** Rewrites notifications of other users, and removes those that would say nothing. */
export async function notificationsWithout(
  tx: Tx,
  rows: readonly Notice[],
  { person, at }: ErasingStep,
): Promise<Counts> {
  const emptied: Notice[] = [];
  let changed = 0;
  for (const { id, args: stored, ...row } of rows) {
    const { template, args } = wordingWithout(person, { ...row, args: JSON.parse(stored) as string[] });
    const text = JSON.stringify(args);
    if (template === row.template && text === stored) continue;
    changed += 1;
    if (template === withheld.template) {
      emptied.push({ ...row, id, args: stored });
      continue;
    }
    const statement = setWording[row.isHidden === 1 ? 'hidden_notifications' : 'notifications'];
    await tx.run(statement, { id, template, args: text, words: noticeWords(template, args) });
  }
  await deleteNotifications({ tx, at }, emptied);
  return { notifications_of_others: changed };
}

/** Rewrites answers that are kept for retries of other users' requests. */
export async function answersWithout(
  tx: Tx,
  rows: readonly { readonly id: number; readonly body: string }[],
  { person }: ErasingStep,
): Promise<Counts> {
  let changed = 0;
  for (const { id, body } of rows) {
    const before = JSON.parse(body) as JsonValue;
    const after = JSON.stringify(withoutPerson(before, person));
    if (after === JSON.stringify(before)) continue;
    await tx.run(setAnswer, { id, body: after });
    changed += 1;
  }
  return { kept_answers_of_others: changed };
}
