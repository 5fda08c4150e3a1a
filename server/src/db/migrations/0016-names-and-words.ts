import type { Migration } from './migration.ts';

/**
 * Sort keys of names (`sortKey` in kernel/sort-key.ts), and search words that are split by other rules. Programs that know this
 * step fill in both (`features/renewal`): an empty key is one that has not been filled yet, and the setting requests a
 * check of the words of the whole store.
 */
export const namesAndWords: Migration = {
  id: 16,
  name: 'names-and-words',
  up: ({ text }) => [
    ...['apps', 'users'].flatMap((table) => [
      `alter table ${table} add column name_key ${text} not null default ''`,
      `alter table ${table} add column display_name_key ${text} not null default ''`,
      `create index ${table}_name on ${table} (name_key, id)`,
      `create index ${table}_display_name on ${table} (display_name_key, id)`,
    ]),
    // The users of one directory among many.
    `create index users_directory_name on users (directory_id, name_key, id)`,
    `create index users_directory_display_name on users (directory_id, display_name_key, id)`,
    `alter table directories add column name_key ${text} not null default ''`,
    `create index directories_name on directories (name_key, id)`,
    `alter table files add column name_key ${text} not null default ''`,
    `create index files_app_name on files (app_id, name_key, id) where parent_type = 'app'`,
    `create index files_all_names on files (name_key, id) where parent_type = 'app'`,
    // Comments on the posts and files of an app: nothing else hangs on something within one.
    `create index entries_below_created on entries (app_id, created_at, id) where parent_type <> 'app'`,
    `update users set name_key = 'system\u0001System', display_name_key = 'system\u0001System' where id = 1`,
    `insert into settings (name, value) select 'words', '{"part":0,"after":0}'
       where exists (select 1 from users where id > 1) or exists (select 1 from apps)`,
  ],
};
