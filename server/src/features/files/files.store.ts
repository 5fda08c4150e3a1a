import { sql } from 'kysely';
import { filesFor } from '../../access/file/file.sql.ts';
import { textsOf } from '../../db/dialect.ts';
import { command, insertSelected, query, updateRow } from '../../db/statement.ts';

/** The file of an app with a name, in the trash or not. */
export const fileByName = query<{ userId: number; appId: number; name: string }>()((q, value) =>
  filesFor(q, value)
    .where('files.app_id', '=', value('appId'))
    .where(sql<boolean>`files.parent_type = 'app'`)
    .where('files.name', '=', value('name')),
);

/** Inserts a file of an app; returns no row if the name is taken. */
export const insertFile = command<{
  appId: number;
  blobId: number;
  name: string;
  nameKey: string;
  metadata: string | null;
  tags: string;
  at: number;
  userId: number;
}>()((q, value) =>
  q
    .insertInto('files')
    .values({
      app_id: value('appId'),
      parent_type: 'app',
      parent_id: value('appId'),
      blob_id: value('blobId'),
      version: 1,
      name: value('name'),
      name_key: value('nameKey'),
      metadata: value('metadata'),
      tags: value('tags'),
      created_at: value('at'),
      created_by_id: value('userId'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

/** Keeps the present content of a file as an earlier version. */
export const keepVersion = command<{ fileId: number }>()((q, value) =>
  insertSelected(q, 'file_versions', {
    from: q.selectFrom('files').where('id', '=', value('fileId')),
    values: {
      file_id: sql.ref('id'),
      number: sql.ref('version'),
      blob_id: sql.ref('blob_id'),
      name: sql.ref('name'),
      created_at: sql<number>`coalesce(content_at, created_at)`,
      created_by_id: sql<number>`coalesce(content_by_id, created_by_id)`,
    },
  }),
);

/** Sets the content of a file of an app with the next version number, and takes it out of the trash. */
export const replaceContent = command<{ id: number; blobId: number; at: number; userId: number }>()(
  (q, value) =>
    q
      .updateTable('files')
      .set({
        blob_id: value('blobId'),
        version: sql`version + 1`,
        content_at: value('at'),
        content_by_id: value('userId'),
        modified_at: value('at'),
        modified_by_id: value('userId'),
        trashed_at: null,
        trashed_by_id: null,
        is_unannounced: 0,
      })
      .where('id', '=', value('id')),
);

/** Writes the fields of a file besides its content. */
export const updateFile = updateRow('files', [
  'name',
  'name_key',
  'metadata',
  'tags',
  'modified_at',
  'modified_by_id',
]);

/** Puts a file in the trash, holds it, or shows it again. */
export const setFileState = updateRow('files', [
  'trashed_at',
  'trashed_by_id',
  'held_at',
  'held_reason',
  'is_unannounced',
]);

/** Locks a file from a time on, or unlocks it. */
export const setFileLocked = updateRow('files', ['locked_at']);

/** Deletes the tags of a file. */
export const deleteFileTags = command<{ id: number }>()((q, value) =>
  q.deleteFrom('file_tags').where('file_id', '=', value('id')),
);

/** Writes the tags of a file. */
export const insertFileTags = command<{ id: number; appId: number; tags: readonly string[] }>()((q, value) =>
  insertSelected(q, 'file_tags', {
    from: q.selectFrom(textsOf(value('tags'), 'given')),
    values: { app_id: value('appId'), tag: sql<string>`given.value`, file_id: value('id') },
  }),
);
