import type { UnixMs } from 'confab-contract/values/time.ts';
import type { NotificationRow } from '../../access/notification/notification.sql.ts';
import type { Tx } from '../../db/db.ts';
import { changeCount } from '../../db/tallies.ts';
import { append } from '../../events/events.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import { renderNotifications } from './notification-json.ts';

/** The two stored counts of a user's notifications: all of them, and those that are unread. */
type NotificationKind = 'notification' | 'unread_notification';

/** The tally of a user's notifications. */
export function notificationTally(userId: number, kind: NotificationKind) {
  return { parentType: 'user', parentId: userId, kind, appId: 0 } as const;
}

/** Adds `by` to a stored count of a user's notifications. */
export async function changeNotificationCount(
  tx: Tx,
  { userId, kind, by }: { readonly userId: number; readonly kind: NotificationKind; readonly by: number },
): Promise<void> {
  await changeCount(tx, notificationTally(userId, kind), { live: by, trashed: 0 });
}

/** Appends the event of a change of a notification, with the notification as it is after the change. */
export async function recordNotification(
  { tx, caller, at }: { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs },
  action: 'notification_updated' | 'notification_deleted',
  row: NotificationRow,
): Promise<void> {
  // The log is in the first form, whoever caused it.
  const { form: _, ...reader } = caller;
  const [rendered] = await renderNotifications({ read: tx, caller: reader }, [row], new Set(['user']));
  if (rendered === undefined) throw new Error('a notification was not rendered');
  await append(tx, {
    action,
    actor: actorOf(caller),
    appId: row.isShown === 1 ? row.appId : null,
    userId: row.userId,
    entity: { id: row.id, json: rendered },
    at,
  });
}
