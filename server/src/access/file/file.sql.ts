import { sql } from 'kysely';
import type { Bind, Builder, RowFrom } from '../../db/statement.ts';

/** The columns of the content of a file or version. */
export const contentColumns = [
  'blobs.key as blobKey',
  'blobs.media_type as mediaType',
  'blobs.width',
  'blobs.height',
  'blobs.size',
  'blobs.provider',
  'blobs.link',
  'blobs.download',
  'blobs.embed',
  'blobs.raw',
] as const;

/** Files and attachments with their content, for one user. */
export function filesFor<P extends { userId: number }>(q: Builder, value: Bind<P>) {
  const userId = value('userId' as keyof P & string) as number;
  return q
    .selectFrom('files')
    .innerJoin('blobs', 'blobs.id', 'files.blob_id')
    .select([
      'files.id',
      'files.app_id as appId',
      'files.parent_type as parentType',
      'files.parent_id as parentId',
      'files.blob_id as blobId',
      'files.version',
      'files.name',
      'files.metadata',
      'files.tags',
      'files.created_at as createdAt',
      'files.created_by_id as createdById',
      'files.modified_at as modifiedAt',
      'files.modified_by_id as modifiedById',
      'files.trashed_at as trashedAt',
      'files.trashed_by_id as trashedById',
      'files.held_at as heldAt',
      'files.held_reason as heldReason',
      'files.is_unannounced as isUnannounced',
      'files.locked_at as lockedAt',
      sql<number | null>`case files.parent_type
        when 'post' then (select above.locked_at from entries as above where above.id = files.parent_id) end`.as(
        'parentLockedAt',
      ),
      ...contentColumns,
      sql<number>`coalesce((select live from tallies where parent_type = 'file' and parent_id = files.id
        and kind = 'comment'), 0)`.as('commentCount'),
      sql<number>`exists (select 1 from subscriptions where entity_type = 'file' and entity_id = files.id
        and subscriptions.user_id = ${userId})`.as('isSubscribed'),
    ]);
}

/** A file or attachment with its content, and whether the caller is subscribed to it (1) or not (0). */
export type FileRow = RowFrom<typeof filesFor>;
