import { notificationOperations } from 'confab-contract/notifications.ts';
import { handler } from '../../binding/handler.ts';
import { notificationDetail } from './notification-json.ts';

/**
 * Notifications inform a user of mentions, replies, reactions, votes and news of subscriptions. The notifier creates
 * them from the event log; a user reads, marks and deletes them.
 */

/** One notification, with its actor and its user. */
export const getNotification = handler(
  notificationOperations.getNotification,
  async (call) => await notificationDetail(call, call.on),
);
