import { sql } from 'kysely';
import { anyOf, rowCount } from '../../db/dialect.ts';
import { query } from '../../db/statement.ts';

/** The apps after an id that are open to the users of all directories, each with the user who made it. */
export const openApps = query<{ afterId: number; top: number }>()((q, value) =>
  q
    .selectFrom('apps')
    .innerJoin('users as creator', 'creator.id', 'apps.created_by_id')
    .select([
      'apps.id',
      'apps.uid',
      'apps.by_key as byKey',
      'creator.uid as creatorUid',
      'creator.directory_id as creatorDirectoryId',
    ])
    .where('apps.id', '>', value('afterId'))
    .where('apps.access', '<>', 'none')
    .where('apps.directory_id', 'is', null)
    .where('apps.trashed_at', 'is', null)
    .orderBy('apps.id')
    .limit(rowCount(value('top'))),
);

/** The events in which some apps were created and changed, in the order of the log. */
export const changesOfApps = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('events')
    .select(['entity_id as appId', 'action', 'payload'])
    .where('entity_type', '=', 'app')
    .where(anyOf(sql.ref('entity_id'), value('ids')))
    .where('action', 'in', [sql.lit('app_created'), sql.lit('app_updated')])
    .orderBy('id'),
);
