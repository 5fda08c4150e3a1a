import type { Migration } from './migration.ts';

/** Notifications of users, and how far the notifier has read the log. */
export const notifications: Migration = {
  id: 7,
  name: 'notifications',
  up: ({ id, integer, text, table }) => [
    `alter table events add column is_silent ${integer} not null default 0`,
    table(
      'event_cursors',
      `reader ${text} primary key, event_id ${integer} not null, user_id ${integer} not null default 0`,
    ),
    // Events from before this step cause no notifications.
    `insert into event_cursors (reader, event_id) select 'notifier', coalesce(max(id), 0) from events`,
    table(
      'notifications',
      `${id}, event_id ${integer} not null, user_id ${integer} not null references users(id),
       reason ${text} not null, action ${text} not null, actor_id ${integer} not null references users(id),
       app_id ${integer} not null, link_type ${text} not null, link_id ${integer} not null,
       template ${text} not null, args ${text} not null, words ${text} not null, created_at ${integer} not null,
       read_at ${integer}, unique (event_id, user_id)`,
    ),
    // The pages of one person in either order, of one action, and of what is unread, which is little.
    `create index notifications_user on notifications (user_id, id)`,
    `create index notifications_created on notifications (user_id, created_at, id)`,
    `create index notifications_action on notifications (user_id, action, id)`,
    `create index notifications_unread on notifications (user_id, id) where read_at is null`,
    // Whether a user was already notified that a text mentions them.
    `create index notifications_mention on notifications (link_type, link_id, user_id) where reason = 'mention'`,
  ],
};
