import type { Json } from '../../kernel/json.ts';
import { visibleText } from '../../kernel/unseen.ts';
import { type Notice, type NoticeContext, noticeWords, reasons, wordingOf } from './notice.ts';
import type { NotificationRecord } from './notifier.store.ts';

/** The rows that the notifier writes for the recipients of a notice. */

/** A recipient of an event. `rank` is the position of the strongest reason in `reasons`. */
export type Recipient = {
  readonly eventId: number;
  readonly userId: number;
  readonly userJson: Json;
  readonly rank: number;
};

/** The value; throws an Error when it is undefined. */
export function required<T>(value: T | undefined): T {
  if (value === undefined)
    throw new Error('a notification refers to a row that its transaction did not find');
  return value;
}

/** The name of an app in a sentence; undefined for a private chat and for a room without a name. */
export function nameOf(app: { type: string; uid: string; name: string | null }): string | undefined {
  if (app.type === 'private_chat') return undefined;
  return visibleText(app.name) ?? (app.type === 'chat_room' ? undefined : app.uid);
}

/** The row of a notification for a recipient. */
export function recordOf(
  notice: Notice,
  { userId, rank }: Recipient,
  context: NoticeContext,
): NotificationRecord {
  const reason = required(reasons[rank]);
  const { template, args } = wordingOf(notice, reason, context);
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
export function countsOf(recipients: readonly Recipient[]): { userId: number; by: number }[] {
  const counts = new Map<number, number>();
  for (const { userId } of recipients) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return [...counts].map(([userId, by]) => ({ userId, by }));
}
