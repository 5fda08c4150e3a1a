import type { Migration } from './migration.ts';

/**
 * Moderators of a directory, held content, locks, and apps that ask for approval.
 *
 * Held content is in the trash as well, so a node of the release before hides it, and treats it as trashed by a
 * moderator.
 */
export const moderation: Migration = {
  id: 23,
  name: 'moderation',
  up: ({ integer, text, table }) => [
    `alter table users add column role ${text}`,
    ...['entries', 'files'].flatMap((name) => [
      `alter table ${name} add column held_at ${integer}`,
      `alter table ${name} add column held_reason ${text}`,
      `alter table ${name} add column is_unannounced ${integer} not null default 0`,
      `create index ${name}_held on ${name} (app_id, id) where held_at is not null`,
    ]),
    ...['apps', 'entries', 'files'].map((name) => `alter table ${name} add column locked_at ${integer}`),
    `alter table apps add column approval ${text}`,
    `alter table apps add column approval_count ${integer}`,
    table(
      'approved_counts',
      `app_id ${integer} not null references apps(id) on delete cascade,
       user_id ${integer} not null references users(id), count ${integer} not null, primary key (app_id, user_id)`,
    ),
  ],
};
