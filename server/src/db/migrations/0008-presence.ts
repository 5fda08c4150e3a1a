import type { Migration } from './migration.ts';

/** Presence is a column of the user, so showing a user with it costs nothing extra. */
export const presence: Migration = {
  id: 8,
  name: 'presence',
  up: ({ integer }) => [
    `alter table users add column is_active ${integer} not null default 0`,
    // Holds the few who are active, for the start of a server whose predecessor could not say that they left.
    `create index users_active on users (id) where is_active = 1`,
  ],
};
