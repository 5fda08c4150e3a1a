import { sql } from 'kysely';
import { typeOfNotification } from '../../access/notification/notification.sql.ts';
import { anyOf } from '../../db/dialect.ts';
import { shortText } from '../../db/long-texts.ts';
import { query } from '../../db/statement.ts';

/**
 * What the second form shows of some notifications besides their rows. What an item says is read only for reactions, whose
 * own sentence leaves it out.
 */
export const notificationFacts = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('notifications')
    .leftJoin('apps', 'apps.id', 'notifications.app_id')
    .leftJoin('entries', (join) =>
      join
        .onRef('entries.id', '=', 'notifications.link_id')
        .onRef('entries.kind', '=', 'notifications.link_type'),
    )
    .select([
      'notifications.id',
      typeOfNotification.as('type'),
      'notifications.app_id as appId',
      'notifications.tags',
      'notifications.metadata',
      'apps.type as appType',
      'apps.uid as appUid',
      'entries.parent_type as parentType',
      'entries.parent_id as parentId',
      sql<
        string | null
      >`case notifications.reason when 'reaction' then ${shortText(sql.ref('entries.content'))} end`.as(
        'content',
      ),
    ])
    .where(anyOf(sql.ref('notifications.id'), value('ids'))),
);
