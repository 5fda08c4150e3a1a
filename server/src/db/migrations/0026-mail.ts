import type { Migration } from './migration.ts';

/**
 * The mailer's state of each user who has mail due or has chosen which mail to get. Notifications from before this step
 * are not sent.
 */
export const mail: Migration = {
  id: 26,
  name: 'mail',
  up: ({ integer, text, table }) => [
    table(
      'mail_states',
      `user_id ${integer} primary key references users(id), choice ${text} not null default 'all',
       due_at ${integer}, upto ${integer} not null default 0, sent_at ${integer},
       tries ${integer} not null default 0, refusals ${integer} not null default 0, refused_address ${text}`,
    ),
    `create index mail_states_due on mail_states (due_at) where due_at is not null`,
    `insert into event_cursors (reader, event_id) select 'mailer', coalesce(max(id), 0) from notifications`,
    `insert into leases (name) values ('mailer')`,
  ],
};
