import type { Migration } from './migration.ts';

/**
 * What the mailer knows of each user whom it has something to send to, and of those who chose what they get. What users
 * were notified of before there was a mailer is not sent.
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
