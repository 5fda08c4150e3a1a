import { notificationOperations } from 'confab-contract/notifications.ts';
import { parseId } from 'confab-contract/values/ids.ts';
import { notificationAccess } from '../../access/notification/notification-access.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { Db } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import { changeNotificationCount, recordNotification } from './notification-changes.ts';
import { notificationDetail } from './notification-json.ts';
import { setRead, setReadUpTo, setUnread } from './notifications.store.ts';
import { setReadInScope } from './scoped.store.ts';

async function setMark(
  change: Call<typeof notificationOperations.markNotification>,
  isRead: boolean,
): Promise<Json> {
  const { tx, caller, on, at } = change;
  const { id, userId } = on;
  const changed = isRead ? await tx.changed(setRead, { id, at }) : await tx.changed(setUnread, { id });
  if (changed === 0) return await notificationDetail({ read: tx, caller }, on);
  await changeNotificationCount(tx, { userId, kind: 'unread_notification', by: isRead ? -1 : 1 });
  const marked = { ...on, readAt: isRead ? at : null };
  await recordNotification(change, 'notification_updated', marked);
  return await notificationDetail({ read: tx, caller }, marked);
}

/** Marks a notification as read; repeating it changes nothing. */
export const markNotification = handler(notificationOperations.markNotification, (change) =>
  setMark(change, true),
);
/** Marks a notification as unread; repeating it changes nothing. */
export const unmarkNotification = handler(notificationOperations.unmarkNotification, (change) =>
  setMark(change, false),
);

/** The most notifications that one transaction marks, which takes the one writer some 20 ms; a user may have many more. */
const markedMax = 2000;

/**
 * Marks the caller's notifications as read in batches, each with its own event: those up to the one that `id` names, or
 * all without `id`. Throws `not_found` when `id` is not one of the caller's notifications.
 */
export const markNotifications = handler(
  notificationOperations.markNotifications,
  async ({ db, caller, query }, { clock }: { clock: Clock }) => {
    await markAll({ db, clock, caller }, query.id);
    return undefined;
  },
);

/** What is above notifications: an app, or a directory with its apps. */
export type NotificationScope = { readonly kind: 'app' | 'directory'; readonly id: number };

type Marker = { readonly db: Db; readonly clock: Clock; readonly caller: Principal };

/**
 * Marks the caller's notifications as read, in a scope or all: those up to the one that `id` names, or all without `id`.
 * Throws `not_found` when `id` is not one of the caller's notifications.
 */
export async function markAll(
  { db, clock, caller }: Marker,
  id: string | undefined,
  scope?: NotificationScope,
): Promise<void> {
  let upto = Number.MAX_SAFE_INTEGER;
  if (id !== undefined) {
    upto = parseId(id) ?? 0;
    await notificationAccess.read({ read: db.read, caller, ref: { id: upto }, isTrashedIncluded: false });
  }
  let hasMore = true;
  while (hasMore) hasMore = await markBatch({ db, clock, caller }, upto, scope);
}

/** Marks at most `markedMax` unread notifications of a user, the oldest first; returns whether there may be more. */
async function markBatch(
  { db, clock, caller: { user } }: Marker,
  upto: number,
  scope: NotificationScope | undefined,
): Promise<boolean> {
  const userId = user.id;
  return await db.write(async (tx) => {
    const at = clock.now();
    const part = { userId, upto, at, top: markedMax };
    const rows =
      scope === undefined
        ? await tx.all(setReadUpTo, part)
        : await tx.all(setReadInScope(scope.kind), { ...part, scopeId: scope.id });
    if (rows.length === 0) return false;
    await changeNotificationCount(tx, { userId, kind: 'unread_notification', by: -rows.length });
    const newest = rows.reduce((max, { id }) => Math.max(max, id), 0);
    await append(tx, {
      action: 'notifications_marked',
      actor: actorOf({ user }),
      appId: scope?.kind === 'app' ? scope.id : null,
      userId,
      extra: { marked_id: json(String(newest)) },
      at,
    });
    return rows.length === markedMax;
  });
}
