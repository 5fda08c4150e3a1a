import { notificationOperations } from 'confab-contract/notifications.ts';
import { parseRef } from 'confab-contract/values/ids.ts';
import { findApp, sees } from '../../access/access.ts';
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
import { type FirstFilter, scopedNotificationList } from './scoped.store.ts';

/**
 * The caller's notifications, all of them, of one type, or about an app. They have neither tags nor a trash, so a request for
 * one of these returns an empty list.
 */
export const listNotifications = handler(
  notificationOperations.listNotifications,
  async ({ read, caller, list, query: { app, ...query } }) => {
    const scope = app === undefined ? undefined : await scopeOfApp({ read, caller }, app);
    if (scope === null) return emptyPage(list);
    return await listNotificationsBy({ read, caller, list }, { ...query, scope });
  },
);

/** The store, the caller and the page of a list. */
type Listing = { readonly read: Read; readonly caller: Principal; readonly list: ListQuery };

/** What both lists are limited to. */
type Asked = { readonly unread?: boolean | null | undefined; readonly action?: string | undefined };

/** The app with an id or uid; null for one that the caller does not see. */
async function scopeOfApp(
  { read, caller }: Pick<Listing, 'read' | 'caller'>,
  name: string,
): Promise<NotificationScope | null> {
  const ref = parseRef(name);
  const app = ref === undefined ? undefined : await findApp(read, caller, ref);
  return app !== undefined && sees(app) ? { kind: 'app', id: app.id } : null;
}

/** The page of a list without anything. */
function emptyPage(list: ListQuery): PageAnswer {
  return envelope(list, { items: [], count: list.count ? 0 : undefined });
}

/** A page of all notifications of the caller. */
async function listAll(call: Listing, query: Asked): Promise<PageAnswer> {
  const { read, caller, list } = call;
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
  const { type, tag, scope, unread = null, action } = filter;
  // A tag that is not among the conditions is one that no notification has.
  if (list.trashed === true || (list.tag !== undefined && tag === undefined)) return emptyPage(list);
  if (type === undefined && tag === undefined && scope === undefined) return await listAll(call, filter);
  if (tag !== undefined && tag.length > tagsMax) throw refusal('tag', `must be at most ${tagsMax} tags`);
  const terms = parseQuestion(list.q);
  const { rows, count, next } = await readList(read, scopedNotificationList, {
    list,
    settings: {
      unread,
      scope: scope?.kind ?? 'all',
      leading: leadingOf(filter),
      hasTag: tag !== undefined,
      hasQuestion: terms !== undefined,
    },
    parameters: {
      userId: caller.user.id,
      scopeId: scope?.id ?? 0,
      type: type ?? '',
      action: action ?? '',
      tags: (tag ?? []).map((one) => tagMark(one.trim())),
      needles: terms === undefined ? [] : searchNeedles(terms),
    },
  });
  return envelope(list, { items: await renderNotifications(call, rows, list.expand), count, next });
}

/**
 * The condition whose index has the rows of a list. What is unread, tagged or about an app is little, and comes from an index
 * of its own, whatever its type and action. Most notifications are activity, so an action says more than that type.
 */
function leadingOf({ unread, tag, scope, type, action }: NotificationFilter): FirstFilter {
  if (unread === true || tag !== undefined || scope?.kind === 'app') return 'none';
  if (action !== undefined && (type === undefined || type === 'activity')) return 'action';
  return type === undefined ? 'none' : 'type';
}

/** How many notifications a user has, from the stored counts; `unread` is null for all of them. */
async function countNotifications(read: Read, userId: number, unread: boolean | null): Promise<number> {
  const ofUnread =
    unread === null ? 0 : await countOf(read, notificationTally(userId, 'unread_notification'), false);
  if (unread === true) return ofUnread;
  return (await countOf(read, notificationTally(userId, 'notification'), false)) - ofUnread;
}
