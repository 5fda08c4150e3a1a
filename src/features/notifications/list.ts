import { handler } from '../../binding/handler.ts';
import { notificationOperations } from '../../contract/notifications.ts';
import type { Read } from '../../db/db.ts';
import { searchNeedles } from '../../db/dialect.ts';
import { countOf } from '../../db/tallies.ts';
import { envelope } from '../../kernel/page.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { notificationTally } from './notification-changes.ts';
import { renderNotifications } from './notification-json.ts';
import {
  countNotifications,
  listNotifications as listRows,
  type NotificationListParameters,
  type NotificationListShape,
} from './notifications.store.ts';

/**
 * Notifications tell a user what concerns them: mentions, replies, reactions, votes and news of what they subscribe to.
 * The notifier makes them from the log of events; a user reads, marks and deletes them.
 */

/** The caller's notifications. They have neither tags nor a trash, so a list that asks for one of these is empty. */
export const listNotifications = handler(notificationOperations.listNotifications, async (call) => {
  const { read, caller, list, query } = call;
  if (list.trashed === true || list.tag !== undefined)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const terms = parseQuestion(list.q);
  const shape: NotificationListShape = {
    order: list.order.field as NotificationListShape['order'],
    descending: list.order.descending,
    unread: query.unread ?? null,
    hasAction: query.action !== undefined,
    hasQuestion: terms !== undefined,
  };
  const parameters = {
    userId: caller.user.id,
    action: query.action ?? '',
    needles: terms === undefined ? [] : searchNeedles(terms),
    top: list.top,
    skip: list.skip,
  };
  const count = list.count ? await countList(read, shape, parameters) : undefined;
  if (list.countOnly) return envelope(list, { items: [], count });
  const rows = await read.all(listRows(JSON.stringify(shape)), parameters);
  return envelope(list, { items: await renderNotifications(call, rows, list.expand), count });
});

/** How many notifications the list has: from the kept counts, unless an action or a question narrows it. */
async function countList(
  read: Read,
  shape: NotificationListShape,
  parameters: NotificationListParameters,
): Promise<number> {
  if (shape.hasAction || shape.hasQuestion)
    return (await read.get(countNotifications(JSON.stringify(shape)), parameters))?.count ?? 0;
  const { userId } = parameters;
  const unread =
    shape.unread === null ? 0 : await countOf(read, notificationTally(userId, 'unread_notification'), false);
  if (shape.unread === true) return unread;
  return (await countOf(read, notificationTally(userId, 'notification'), false)) - unread;
}
