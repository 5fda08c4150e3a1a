import type { Migration } from './migration.ts';

/**
 * Indexes for the comments on the posts and files of an app, in the orders by id and by change, as there is one by time.
 * PostgreSQL takes the kind, the app and the place of a comment for independent of each other; without an index that has
 * all of them it sorts every comment of the app, or reads all entries of the store until it has found a page of them.
 */
export const commentsBelow: Migration = {
  id: 31,
  name: 'comments-below',
  up: () => [
    `create index entries_below on entries (app_id, id) where parent_type <> 'app'`,
    `create index entries_below_modified on entries (app_id, modified_at, id)
       where parent_type <> 'app' and modified_at is not null`,
  ],
};
