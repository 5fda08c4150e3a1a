import type { Migration } from './migration.ts';

/**
 * Notifications about what is in the trash or held, which are kept apart, and the things whose notifications are to be
 * looked at again.
 */
export const hiddenNotifications: Migration = {
  id: 35,
  name: 'hidden-notifications',
  up: ({ id, integer, text, table }) => [
    table(
      'hidden_notifications',
      `id ${integer} primary key, event_id ${integer} not null, user_id ${integer} not null references users(id),
       reason ${text} not null, action ${text} not null, actor_id ${integer} not null references users(id),
       app_id ${integer} not null, link_type ${text} not null, link_id ${integer} not null,
       template ${text} not null, args ${text} not null, words ${text} not null, created_at ${integer} not null,
       read_at ${integer}`,
    ),
    `create index hidden_notifications_user on hidden_notifications (user_id)`,
    // The notifications about one thing, and those of one app, which are read user by user.
    `create index hidden_notifications_link on hidden_notifications (link_type, link_id)`,
    `create index hidden_notifications_app on hidden_notifications (app_id, user_id, id)`,
    `create index notifications_app on notifications (app_id, user_id, id)`,
    table(
      'notification_refreshes',
      `${id}, entity_type ${text} not null, entity_id ${integer} not null, is_below ${integer} not null default 0,
       after_group ${integer} not null default 0, after_id ${integer} not null default 0`,
    ),
    // Programs before this step left notifications about what was deleted, and those about what is not shown in the lists.
    `insert into notification_refreshes (entity_type, entity_id)
       select 'notification', 0 where exists (select 1 from notifications)`,
  ],
};
