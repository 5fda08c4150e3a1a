import { type RawBuilder, sql } from 'kysely';
import { placeOfNotice } from '../../access/notification/notification.sql.ts';
import { anyOf, greaterOf, numberIn, numbersOf, rowCount } from '../../db/dialect.ts';
import { givenRecords } from '../../db/records.ts';
import { cachedByShape, command, insertSelected, query, updateRow } from '../../db/statement.ts';
import type { NotificationTable } from '../../db/tables/notifications.ts';

/** The columns of both tables. */
const columns = [
  'id',
  'event_id',
  'user_id',
  'reason',
  'action',
  'actor_id',
  'app_id',
  'link_type',
  'link_id',
  'template',
  'args',
  'words',
  'created_at',
  'read_at',
  'tags',
  'metadata',
] as const;

/** Some things of one type. */
type Things = { type: string; ids: readonly number[] };

/** Whether a notification of either table fits a condition on a row named `notice`. */
const isNotified = (condition: RawBuilder<boolean>) =>
  sql<boolean>`(exists (select 1 from notifications as notice where ${condition})
    or exists (select 1 from hidden_notifications as notice where ${condition}))`;

function queueThings(isBelow: 0 | 1, condition: RawBuilder<boolean>) {
  return command<Things>()((q, value) =>
    insertSelected(q, 'notification_refreshes', {
      from: q
        .selectFrom((part) =>
          part
            .selectFrom(numbersOf(value('ids'), 'given'))
            .select([
              sql<string>`cast(${value('type')} as text)`.as('entity_type'),
              sql<number>`given.value`.as('entity_id'),
            ])
            .as('thing'),
        )
        .where(condition)
        .orderBy('thing.entity_id'),
      values: {
        entity_type: sql.ref('thing.entity_type'),
        entity_id: sql.ref('thing.entity_id'),
        is_below: sql<number>`${sql.lit(isBelow)}`,
      },
    }).returning(refreshColumns),
  );
}

const refreshColumns = [
  'id',
  'entity_type as type',
  'entity_id as entityId',
  'is_below as isBelow',
  'after_group as afterGroup',
  'after_id as afterId',
] as const;

/** Notes the things of which there are notifications. */
export const queueOwn = queueThings(
  0,
  isNotified(sql<boolean>`notice.link_type = thing.entity_type and notice.link_id = thing.entity_id`),
);

/** Notes the things with comments below them. */
export const queueBelow = queueThings(
  1,
  sql<boolean>`exists (select 1 from entries where entries.parent_type = thing.entity_type
    and entries.parent_id = thing.entity_id and entries.kind = 'comment')`,
);

/** Notes the apps in which there are notifications. */
export const queueApps = queueThings(0, isNotified(sql<boolean>`notice.app_id = thing.entity_id`));

/** Notes that all notifications are to be looked at. */
export const queueAll = command()((q) =>
  q.insertInto('notification_refreshes').values({ entity_type: 'notification', entity_id: 0 }),
);

/** The things that were noted first. */
export const pendingRefreshes = query<{ top: number }>()((q, value) =>
  q
    .selectFrom('notification_refreshes')
    .select(refreshColumns)
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** Notes how far the notifications of a thing were looked at. */
export const setRefreshed = updateRow('notification_refreshes', ['after_group', 'after_id']);

/** Forgets that a thing was noted. */
export const deleteRefresh = command<{ id: number }>()((q, value) =>
  q.deleteFrom('notification_refreshes').where('id', '=', value('id')),
);

/** The next comments below a thing. */
export const commentsBelow = query<{ type: string; id: number; after: number; top: number }>()((q, value) =>
  q
    .selectFrom('entries')
    .select('id')
    .where('parent_type', '=', value('type'))
    .where('parent_id', '=', value('id'))
    .where('kind', '=', 'comment')
    .where('id', '>=', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/**
 * The notifications to examine: those about some items, those of an app, or all. They are read in the order of their
 * groups and ids; a group is an item, or within an app a user.
 */
export type RefreshScope = 'things' | 'app' | 'all';

type Part = {
  type: string;
  /** The things, or the app alone. */
  ids: readonly number[];
  afterGroup: number;
  afterId: number;
  top: number;
};

const groups = { things: sql<number>`notice.link_id`, app: sql<number>`notice.user_id`, all: sql<number>`0` };

/** The next notifications of a table in a scope, with where each belongs. */
export const noticesIn = cachedByShape(
  ({ table, scope }: { table: NotificationTable; scope: RefreshScope }) =>
    query<Part>()((q, value) =>
      q
        .selectFrom(`${table} as notice` as 'notifications as notice')
        .select(['notice.id', 'notice.user_id as userId', 'notice.read_at as readAt'])
        .select([groups[scope].as('grouped'), placeOfNotice.as('place')])
        .$if(scope === 'things', (part) =>
          part
            .where('notice.link_type', '=', value('type'))
            .where(anyOf(sql.ref('notice.link_id'), value('ids'))),
        )
        .$if(scope === 'app', (part) => part.where(anyOf(sql.ref('notice.app_id'), value('ids'))))
        .$if(scope === 'all', (part) => part.where('notice.id', '>', value('afterId')))
        .$if(scope !== 'all', (part) =>
          part
            .where(
              sql<boolean>`(${groups[scope]}, notice.id) > (${value('afterGroup')}, ${value('afterId')})`,
            )
            .orderBy(groups[scope]),
        )
        .orderBy('notice.id')
        .limit(rowCount(value('top'))),
    ),
);

/** Copies notifications into the other table. */
export const copyNotices = cachedByShape((from: NotificationTable) =>
  command<{ ids: readonly number[] }>()((q, value) =>
    q
      .insertInto(from === 'notifications' ? 'hidden_notifications' : 'notifications')
      .columns([...columns])
      .expression(
        q
          .selectFrom(from as 'notifications')
          .select([...columns])
          .where(anyOf(sql.ref('id'), value('ids'))),
      ),
  ),
);

/** Links unread notifications that something is held to what waits longest in their app, if something of the kind does. */
export const passOnHeld = command<{ ids: readonly number[] }>()((q, value) => {
  const next = sql`select reports.entity_id from reports join apps on apps.id = reports.app_id
    where reports.app_id = notifications.app_id and reports.held is not null and apps.deleted_at is null
      and reports.entity_type = notifications.link_type and reports.entity_id <> notifications.link_id
      and reports.author_id <> notifications.user_id
    order by reports.reported_at, reports.id limit 1`;
  return q
    .updateTable('notifications')
    .set({ link_id: sql<number>`(${next})` })
    .where(anyOf(sql.ref('id'), value('ids')))
    .where('reason', '=', 'held')
    .where('read_at', 'is', null)
    .where(sql<boolean>`exists (${next})`)
    .returning('id');
});

/** Deletes notifications of a table. */
export const deleteNotices = cachedByShape((from: NotificationTable) =>
  command<{ ids: readonly number[] }>()((q, value) =>
    q.deleteFrom(from as 'notifications').where(anyOf(sql.ref('id'), value('ids'))),
  ),
);

/** The first notifications of a user in a table. */
export const noticesOfUser = cachedByShape((table: NotificationTable) =>
  query<{ userId: number; top: number }>()((q, value) =>
    q
      .selectFrom(table as 'notifications')
      .select(['id', 'user_id as userId', 'read_at as readAt'])
      .where('user_id', '=', value('userId'))
      .limit(rowCount(value('top'))),
  ),
);

/**
 * Subtracts from the notification counts of many users; `counts` is a JSON array of `{userId, all, unread}`. A count that
 * was already wrong stops at 0, so that the loop continues; `confab doctor` finds it.
 */
export const takeFromCounts = command<{ counts: string }>()((q, value) => {
  const by = sql<number>`case tallies.kind when 'notification' then ${numberIn('given', 'all')}
    else ${numberIn('given', 'unread')} end`;
  return q
    .updateTable('tallies')
    .from(givenRecords(value('counts')))
    .set({ live: greaterOf(sql`tallies.live - ${by}`, sql.lit(0)) })
    .where('tallies.parent_type', '=', 'user')
    .where(sql<boolean>`tallies.parent_id = ${numberIn('given', 'userId')}`)
    .where('tallies.kind', 'in', ['notification', 'unread_notification']);
});
