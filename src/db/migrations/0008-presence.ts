import type { Migration } from './migration.ts';

/** Who has a live connection, in the row of the user, so that whatever shows a user shows it at no further cost. */
export const presence: Migration = {
  id: 8,
  name: 'presence',
  up: ({ integer }) => [
    `alter table users add column is_active ${integer} not null default 0`,
    // Holds the few who are active, for the start of a server whose predecessor could not say that they left.
    `create index users_active on users (id) where is_active = 1`,
  ],
};
