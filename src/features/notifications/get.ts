import { handler } from '../../binding/handler.ts';
import { notificationOperations } from '../../contract/notifications.ts';
import { notificationDetail } from './notification-json.ts';

/** One notification, with its actor and its user. */
export const getNotification = handler(
  notificationOperations.getNotification,
  async (call) => await notificationDetail(call, call.on),
);
