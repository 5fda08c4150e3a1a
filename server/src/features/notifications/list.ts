import { notificationOperations } from 'confab-contract/notifications.ts';
import { handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import { searchNeedles } from '../../db/dialect.ts';
import { readList } from '../../db/list.ts';
import { countOf } from '../../db/tallies.ts';
import { envelope } from '../../kernel/page.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { notificationTally } from './notification-changes.ts';
import { renderNotifications } from './notification-json.ts';
import { notificationList } from './notifications.store.ts';

/**
 * The caller's notifications. They have neither tags nor a trash, so a request for one of these returns an empty list.
 */
export const listNotifications = handler(notificationOperations.listNotifications, async (call) => {
  const { read, caller, list, query } = call;
  if (list.trashed === true || list.tag !== undefined)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const terms = parseQuestion(list.q);
  const settings = {
    unread: query.unread ?? null,
    hasAction: query.action !== undefined,
    hasQuestion: terms !== undefined,
  };
  const { rows, count, next } = await readList(read, notificationList, {
    list,
    settings,
    parameters: {
      userId: caller.user.id,
      action: query.action ?? '',
      needles: terms === undefined ? [] : searchNeedles(terms),
    },
    storedCount:
      settings.hasAction || settings.hasQuestion
        ? undefined
        : () => countNotifications(read, caller.user.id, settings.unread),
  });
  return envelope(list, { items: await renderNotifications(call, rows, list.expand), count, next });
});

/** How many notifications a user has, from the stored counts; `unread` is null for all of them. */
async function countNotifications(read: Read, userId: number, unread: boolean | null): Promise<number> {
  const ofUnread =
    unread === null ? 0 : await countOf(read, notificationTally(userId, 'unread_notification'), false);
  if (unread === true) return ofUnread;
  return (await countOf(read, notificationTally(userId, 'notification'), false)) - ofUnread;
}
