import { isEntry } from '../../access/entry/entry.sql.ts';
import { rowCount } from '../../db/dialect.ts';
import { query } from '../../db/statement.ts';

/** The entries that have been in the trash since before a time, without those that are held. */
export const entriesTrashedBefore = query<{ before: number; top: number }>()((q, value) =>
  q
    .selectFrom('entries')
    .select([
      'id',
      'kind',
      'app_id as appId',
      'parent_type as parentType',
      'parent_id as parentId',
      'content',
      'trashed_at as trashedAt',
      'held_at as heldAt',
    ])
    .where('trashed_at', '<', value('before'))
    .where('held_at', 'is', null)
    .where(isEntry)
    .orderBy('trashed_at')
    .limit(rowCount(value('top'))),
);
