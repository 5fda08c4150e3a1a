import { notificationOperations } from 'confab-contract/notifications.ts';
import { handler } from '../../binding/handler.ts';
import { changeNotificationCount, recordNotification } from './notification-changes.ts';
import { deleteNotification as deleteRow } from './notifications.store.ts';

/** Deletes a notification permanently. */
export const deleteNotification = handler(notificationOperations.deleteNotification, async (change) => {
  const { tx, on } = change;
  await tx.run(deleteRow, { id: on.id });
  await changeNotificationCount(tx, { userId: on.userId, kind: 'notification', by: -1 });
  if (on.readAt === null)
    await changeNotificationCount(tx, { userId: on.userId, kind: 'unread_notification', by: -1 });
  await recordNotification(change, 'notification_deleted', on);
  return undefined;
});
