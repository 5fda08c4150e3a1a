import type { Migration } from './migration.ts';

/** Of whom files that are stored here take how much: of the person who uploaded them, and of the app that has them. */
export const storedBytes: Migration = {
  id: 25,
  name: 'stored-bytes',
  up: ({ integer }) => [
    `alter table blobs add column app_id ${integer}`,
    // 0 for what a program without counts uses, so that nothing is subtracted that was not added.
    `alter table blobs add column is_counted ${integer} not null default 0`,
    `alter table users add column stored_bytes ${integer} not null default 0`,
    `alter table apps add column stored_bytes ${integer} not null default 0`,
    `update blobs set is_counted = 1 where expires_at is null`,
    `update blobs set app_id = files.app_id from files where files.blob_id = blobs.id and blobs.is_counted = 1`,
    `update blobs set app_id = files.app_id from file_versions, files
       where file_versions.blob_id = blobs.id and files.id = file_versions.file_id and blobs.is_counted = 1`,
    ...[
      ['users', 'created_by_id'],
      ['apps', 'app_id'],
    ].map(
      ([table, column]) => `update ${table} set stored_bytes = counted.bytes
        from (select ${column} as id, sum(size) as bytes from blobs
          where is_counted = 1 and provider is null group by ${column}) as counted
        where counted.id = ${table}.id`,
    ),
  ],
};
