import { sql } from 'kysely';
import { anyOf, rowCount } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

// A literal rather than a parameter: the partial index is used only for a condition that is literally its own.
const attached = sql<boolean>`files.parent_type <> 'app'`;

/** The first files of an app, in the trash or not. */
export const filesOfApp = query<{ appId: number; top: number }>()((q, value) =>
  q
    .selectFrom('files')
    .select(['id', 'blob_id as blobId'])
    .where('app_id', '=', value('appId'))
    .where(sql<boolean>`parent_type = 'app'`)
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The attachments on some parents of one type, and those on the comments of these parents, that are not in the trash. */
export const filesBelow = query<{ type: string; ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('files')
    .select('id')
    .where(attached)
    .where('parent_type', '=', value('type'))
    .where(anyOf(sql.ref('parent_id'), value('ids')))
    .where('trashed_at', 'is', null)
    .unionAll(
      q
        .selectFrom('entries')
        // A cross join keeps this order: the few comments first, then their files, never all files of comments.
        .crossJoin('files')
        .select('files.id')
        .where(attached)
        .whereRef('files.parent_type', '=', 'entries.kind')
        .whereRef('files.parent_id', '=', 'entries.id')
        .where('entries.parent_type', '=', value('type'))
        .where(anyOf(sql.ref('entries.parent_id'), value('ids')))
        .where('entries.kind', '=', 'comment')
        .where('entries.attachment_count', '>', 0)
        .where('entries.trashed_at', 'is', null)
        .where('files.trashed_at', 'is', null),
    ),
);

/** Marks the items counted under some parents as hidden or visible. */
export const setHidden = command<{ type: string; ids: readonly number[]; isHidden: number }>()((q, value) =>
  q
    .updateTable('tallies')
    .set({ is_hidden: value('isHidden') })
    .where('parent_type', '=', value('type'))
    .where(anyOf(sql.ref('parent_id'), value('ids'))),
);

/** Deletes the tags of some files. */
export const deleteTagsOfFiles = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('file_tags').where(anyOf(sql.ref('file_id'), value('ids'))),
);

/** The blobs of the earlier versions of some files. */
export const blobsOfVersions = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('file_versions')
    .select('blob_id as blobId')
    .distinct()
    .where(anyOf(sql.ref('file_id'), value('ids'))),
);

/** Deletes every earlier version of some files. */
export const deleteVersions = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('file_versions').where(anyOf(sql.ref('file_id'), value('ids'))),
);

/** Deletes files. */
export const deleteFiles = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('files').where(anyOf(sql.ref('id'), value('ids'))),
);
