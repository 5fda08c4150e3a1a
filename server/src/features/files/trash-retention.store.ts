import { sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { query } from '../../db/statement.ts';

/** The files of apps that have been in the trash since before a time, without those that are held. */
export const filesTrashedBefore = query<{ before: number; top: number }>()((q, value) =>
  q
    .selectFrom('files')
    .select([
      'id',
      'app_id as appId',
      'blob_id as blobId',
      'version',
      'created_by_id as createdById',
      'created_at as createdAt',
      'trashed_at as trashedAt',
      'held_at as heldAt',
    ])
    .where('trashed_at', '<', value('before'))
    .where('held_at', 'is', null)
    .where(sql<boolean>`parent_type = 'app'`)
    .orderBy('trashed_at')
    .limit(rowCount(value('top'))),
);
