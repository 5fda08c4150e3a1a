import { sql } from 'kysely';
import { anyOf } from '../db/dialect.ts';
import { query } from '../db/statement.ts';

/** The facts that decide what users may see of apps; suspended and trashed users and deleted apps are left out. */
export const visibilityFacts = query<{ appIds: readonly number[]; userIds: readonly number[] }>()(
  (q, value) =>
    q
      .selectFrom('apps')
      .innerJoin('users', (join) => join.onTrue())
      .leftJoin('members', (join) =>
        join.onRef('members.app_id', '=', 'apps.id').onRef('members.user_id', '=', 'users.id'),
      )
      .select([
        'apps.id as appId',
        'users.id as userId',
        'users.directory_id as userDirectoryId',
        'users.role as userRole',
        'apps.access',
        'apps.directory_id as directoryId',
        'apps.created_by_id as createdById',
        'apps.trashed_at as trashedAt',
        'members.access as memberAccess',
        'members.role as memberRole',
      ])
      .where(anyOf(sql.ref('apps.id'), value('appIds')))
      .where(anyOf(sql.ref('users.id'), value('userIds')))
      .where('apps.deleted_at', 'is', null)
      .where('users.suspended_at', 'is', null)
      .where('users.trashed_at', 'is', null),
);
