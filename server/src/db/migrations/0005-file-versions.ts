import type { Migration } from './migration.ts';

/** Earlier contents of files, blobs whose bytes are elsewhere, and pictures of users. */
export const fileVersions: Migration = {
  id: 5,
  name: 'file-versions',
  up: ({ integer, text, table }) => [
    // The current content stays with its file, whose version is the highest number that was ever given.
    table(
      'file_versions',
      `file_id ${integer} not null references files(id) on delete cascade, number ${integer} not null,
       blob_id ${integer} not null references blobs(id), name ${text} not null, created_at ${integer} not null,
       created_by_id ${integer} not null references users(id), primary key (file_id, number)`,
    ),
    // Content that was restored belongs to two versions, so this one is not unique.
    `create index file_versions_blob on file_versions (blob_id)`,
    // When and by whom the current content was put in, which an edit of the name or the tags does not change.
    `alter table files add column content_at ${integer}`,
    `alter table files add column content_by_id ${integer} references users(id)`,
    `update files set content_at = modified_at, content_by_id = modified_by_id where version > 1`,

    `alter table blobs add column provider ${text}`,
    `alter table blobs add column link ${text}`,
    `alter table blobs add column download ${text}`,
    `alter table blobs add column embed ${text}`,
    `alter table blobs add column raw ${text}`,
    // Of pictures that came inside a request, so that the same picture is not kept anew at every visit.
    `alter table blobs add column digest ${text}`,

    `create index users_picture on users (picture_id) where picture_id is not null`,
  ],
};
