import { notFound } from 'confab-contract/problem.ts';
import { idOf, type Lookup } from '../lookup.ts';
import type { NotificationRow } from './notification.sql.ts';
import { notificationById } from './notification-access.store.ts';

declare const accessible: unique symbol;

/** A notification that the caller may see, mark and delete. */
export type AccessibleNotification = NotificationRow & { readonly [accessible]: true };

/** The caller's own notification, or anyone's for an API key; throws `not_found`. */
async function accessibleNotification({ read, caller, ref }: Lookup): Promise<AccessibleNotification> {
  const row = await read.get(notificationById, { id: idOf(ref) });
  if (row === undefined) throw notFound('notification');
  if (caller.kind !== 'key' && row.userId !== caller.user.id) throw notFound('notification');
  return row as AccessibleNotification;
}

/** The one right on notifications. A caller who may see one may also mark and delete it. */
export const notificationAccess = { read: accessibleNotification };
