import { notificationOperations } from 'confab-contract/notifications.ts';
import type { NotificationType } from '../../access/notification/notification.sql.ts';
import { handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import { searchNeedles } from '../../db/dialect.ts';
import { readList } from '../../db/list.ts';
import { countOf } from '../../db/tallies.ts';
import { envelope, type ListQuery, type PageAnswer, refusal } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { tagMark } from './host-tags.ts';
import type { NotificationScope } from './mark.ts';
import { notificationTally } from './notification-changes.ts';
import { renderNotifications } from './notification-json.ts';
import { notificationList } from './notifications.store.ts';
import { scopedNotificationList } from './scoped.store.ts';

/**
 * The caller's notifications. They have neither tags nor a trash, so a request for one of these returns an empty list.
 */
export const listNotifications = handler(notificationOperations.listNotifications, (call) =>
  listAll(call, call.query),
);

/** The store, the caller and the page of a list. */
type Listing = { readonly read: Read; readonly caller: Principal; readonly list: ListQuery };

/** What both lists are limited to. */
type Asked = { readonly unread?: boolean | null | undefined; readonly action?: string | undefined };

/** A page of all notifications of the caller. */
async function listAll(call: Listing, query: Asked): Promise<PageAnswer> {
  const { read, caller, list } = call;
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
}

/** Which notifications are listed. All of these conditions hold; of some tags, one is enough. */
export type NotificationFilter = Asked & {
  readonly type?: NotificationType | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly scope?: NotificationScope | undefined;
};

/** The most tags by which a list is filtered at once. */
const tagsMax = 20;

/** A page of some notifications of the caller. Throws `invalid_query` for too many tags. */
export async function listNotificationsBy(call: Listing, filter: NotificationFilter): Promise<PageAnswer> {
  const { read, caller, list } = call;
  const { type, tag, scope, unread = null, action = '' } = filter;
  if (type === undefined && tag === undefined && scope === undefined) return await listAll(call, filter);
  if (list.trashed === true) return envelope(list, { items: [], count: list.count ? 0 : undefined });
  if (tag !== undefined && tag.length > tagsMax) throw refusal('tag', `must be at most ${tagsMax} tags`);
  const terms = parseQuestion(list.q);
  const { rows, count, next } = await readList(read, scopedNotificationList, {
    list,
    settings: {
      unread,
      scope: scope?.kind ?? 'all',
      hasType: type !== undefined,
      hasTag: tag !== undefined,
      hasQuestion: terms !== undefined,
    },
    parameters: {
      userId: caller.user.id,
      scopeId: scope?.id ?? 0,
      type: type ?? '',
      action,
      tags: (tag ?? []).map((one) => tagMark(one.trim())),
      needles: terms === undefined ? [] : searchNeedles(terms),
    },
  });
  return envelope(list, { items: await renderNotifications(call, rows, list.expand), count, next });
}

/** How many notifications a user has, from the stored counts; `unread` is null for all of them. */
async function countNotifications(read: Read, userId: number, unread: boolean | null): Promise<number> {
  const ofUnread =
    unread === null ? 0 : await countOf(read, notificationTally(userId, 'unread_notification'), false);
  if (unread === true) return ofUnread;
  return (await countOf(read, notificationTally(userId, 'notification'), false)) - ofUnread;
}
