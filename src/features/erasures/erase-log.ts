import type { Tx } from '../../db/db.ts';
import { noticeWords } from '../notifications/notice.ts';
import type { JsonValue } from '../redactions/blank.ts';
import { changeEvents } from '../redactions/redactions.ts';
import type { Counts, ErasingStep } from './erasures.ts';
import { payloadWithout, withoutPerson, wordingWithout } from './person-json.ts';
import { setAnswer, setWording } from './walks.store.ts';

/** What the log and its readers repeat of a person: events, notifications of other users, and kept answers. */

/** Rewrites events, so that they keep their places, their actions and their ids, and say nothing of the person. */
export async function eventsWithout(
  tx: Tx,
  rows: readonly { readonly id: number; readonly payload: string }[],
  { person }: ErasingStep,
): Promise<Counts> {
  return await changeEvents(tx, rows, (payload) => payloadWithout(payload, person));
}

/** Rewrites notifications of other users. */
export async function notificationsWithout(
  tx: Tx,
  rows: readonly {
    readonly id: number;
    readonly userId: number;
    readonly actorId: number;
    readonly template: string;
    readonly args: string;
  }[],
  { person }: ErasingStep,
): Promise<Counts> {
  let changed = 0;
  for (const { id, args: stored, ...row } of rows) {
    const { template, args } = wordingWithout(person, { ...row, args: JSON.parse(stored) as string[] });
    const text = JSON.stringify(args);
    if (template === row.template && text === stored) continue;
    await tx.run(setWording, { id, template, args: text, words: noticeWords(template, args) });
    changed += 1;
  }
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
