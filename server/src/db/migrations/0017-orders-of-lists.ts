import type { Migration } from './migration.ts';

/**
 * Indexes for every order of the lists of entries, apps, users and files, and for the trash. An index on a column that is
 * empty in a new row holds only the rows with a value, so that adding a row costs nothing for it; `list.ts` reads the
 * other rows by id.
 */
export const ordersOfLists: Migration = {
  id: 17,
  name: 'orders-of-lists',
  up: () => [
    `create index entries_parent_modified on entries (parent_type, parent_id, kind, modified_at, id)
       where modified_at is not null`,
    `create index entries_app_modified on entries (app_id, kind, modified_at, id) where modified_at is not null`,
    `create index entries_modified on entries (kind, modified_at, id) where modified_at is not null`,
    // The trash of one app, of all apps, and of a parent: with the column of its condition, so that it is read alone.
    `create index entries_app_trash on entries (app_id, kind, id) where trashed_at is not null`,
    `create index entries_trash on entries (kind, id) where trashed_at is not null`,
    `drop index entries_parent_trash`,
    `create index entries_parent_trash on entries (parent_type, parent_id, kind, id, trashed_at)
       where trashed_at is not null`,
    `create index apps_type on apps (type, id)`,
    `create index apps_created on apps (created_at, id)`,
    `create index apps_modified on apps (modified_at, id) where modified_at is not null`,
    `create index users_email on users (email, id) where email is not null`,
    `create index users_created on users (created_at, id)`,
    `create index users_modified on users (modified_at, id) where modified_at is not null`,
    `create index files_app_created on files (app_id, created_at, id) where parent_type = 'app'`,
    `create index files_app_modified on files (app_id, modified_at, id)
       where parent_type = 'app' and modified_at is not null`,
    `create index files_created on files (created_at, id) where parent_type = 'app'`,
    `create index files_app_timestamp on files (app_id, (coalesce(modified_at, created_at)), id) where parent_type = 'app'`,
    `create index files_timestamp on files ((coalesce(modified_at, created_at)), id) where parent_type = 'app'`,
    `create index files_modified on files (modified_at, id) where parent_type = 'app' and modified_at is not null`,
  ],
};
