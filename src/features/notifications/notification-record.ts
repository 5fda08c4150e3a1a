import { visibleText } from '../../kernel/blank.ts';
import type { Json } from '../../kernel/json.ts';
import { type Notice, noticeWords, type Place, reasons, wordingOf } from './notice.ts';
import type { NotificationRecord } from './notifying.store.ts';

/** What the notifier writes for one recipient of a notice. */

/** A recipient as found in the store. */
export type Recipient = {
  readonly eventId: number;
  readonly userId: number;
  readonly userJson: Json;
  readonly rank: number;
};

/** A value that is there; throws an Error when it is not. */
export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('what a notification is about is gone inside its own transaction');
  return value;
}

/** What an app is called in a sentence; a conversation without a name is left out. */
export function nameOf(app: { type: string; uid: string; name: string | null }): string | undefined {
  if (app.type === 'private_chat') return undefined;
  return visibleText(app.name) ?? (app.type === 'chat_room' ? undefined : app.uid);
}

/** The row of a notification for a recipient. */
export function recordOf(notice: Notice, { userId, rank }: Recipient, place: Place): NotificationRecord {
  const reason = found(reasons[rank]);
  const { template, args } = wordingOf(notice, reason, place);
  return {
    eventId: notice.eventId,
    userId,
    reason,
    action: notice.action,
    actorId: notice.actorId,
    appId: notice.appId,
    linkType: notice.link.type,
    linkId: notice.link.id,
    template,
    args: JSON.stringify(args),
    words: noticeWords(template, args),
    createdAt: notice.at,
  };
}

/** How many notifications each recipient gets. */
export function countsOf(people: readonly Recipient[]): { userId: number; by: number }[] {
  const counts = new Map<number, number>();
  for (const { userId } of people) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return [...counts].map(([userId, by]) => ({ userId, by }));
}
