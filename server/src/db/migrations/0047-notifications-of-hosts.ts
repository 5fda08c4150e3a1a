import type { Migration } from './migration.ts';

/**
 * Notifications that the host product creates, which have tags and metadata, and the pages of one type of notification.
 * The type follows from the reason, so no row is written again.
 */
export const notificationsOfHosts: Migration = {
  id: 47,
  name: 'notifications-of-hosts',
  up: ({ text }) => [
    ...['notifications', 'hidden_notifications'].flatMap((table) => [
      `alter table ${table} add column tags ${text}`,
      `alter table ${table} add column metadata ${text}`,
    ]),
    // In the words of `typeOfNotification`.
    `create index notifications_type on notifications
       (user_id, (case reason when 'mention' then 'mention' when 'reaction' then 'reaction' else 'activity' end), id)`,
    // Only notifications of hosts have tags, so it costs the others nothing.
    `create index notifications_tagged on notifications (user_id, id) where tags is not null`,
  ],
};
