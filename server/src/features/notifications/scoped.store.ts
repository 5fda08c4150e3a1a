import { type Expression, type SqlBool, sql } from 'kysely';
import { isThere } from '../../access/access.sql.ts';
import {
  isOfType,
  notificationColumns,
  notificationIsShown,
  notifications,
  typeOfNotification,
} from '../../access/notification/notification.sql.ts';
import { containsAny, containsWords, rowCount } from '../../db/dialect.ts';
import { list } from '../../db/list.ts';
import { cachedByShape, command, insertRow, query, updateRow } from '../../db/statement.ts';

/** The notifications of a user that are of one type, about one place, or tagged. */

/** All notifications, or those about what is in an app, or in the apps of a directory. */
export type ScopeKind = 'all' | 'app' | 'directory';

/** The parameters of such a list; those that its settings do not use may hold anything. */
type ScopedParameters = {
  userId: number;
  /** The app or the directory. */
  scopeId: number;
  /** Empty for every type. */
  type: string;
  /** Empty for every action. */
  action: string;
  tags: readonly string[];
  needles: readonly string[];
};

/** The condition by whose index the rows are found: the type or the action, or neither. */
export type FirstFilter = 'none' | 'type' | 'action';

/** Whether a notification is about what is in an app, or in an app of a directory. */
function isInScope(appId: Expression<number>, scope: ScopeKind, scopeId: unknown): Expression<SqlBool> {
  if (scope === 'all') return sql<SqlBool>`true`;
  if (scope === 'app') return sql<SqlBool>`${appId} = ${scopeId}`;
  return sql<SqlBool>`exists (select 1 from apps as scoped where scoped.id = ${appId} and scoped.directory_id = ${scopeId})`;
}

/**
 * The list. As in the list of all notifications, a search finds only what the user is shown.
 */
export const scopedNotificationList = list<ScopedParameters>()({
  name: 'notifications-in-a-scope',
  filters: {
    unread: [null, true, false],
    scope: ['all', 'app', 'directory'],
    leading: ['none', 'type', 'action'],
    hasTag: [false, true],
    hasQuestion: [false, true],
  },
  rows: (q, value, { unread, scope, leading, hasTag, hasQuestion }) =>
    notifications(q)
      .select(notificationColumns)
      .where('notifications.user_id', '=', value('userId'))
      .where(
        leading === 'action'
          ? sql<SqlBool>`notifications.action = ${value('action')}`
          : sql<SqlBool>`(${value('action')} = '' or notifications.action = ${value('action')})`,
      )
      .where(
        leading === 'type'
          ? sql<SqlBool>`(${typeOfNotification}) = ${value('type')}`
          : isOfType(value('type')),
      )
      // The ids keep SQLite at the short index of what is unread also where the rows are counted.
      .$if(unread === true, (part) =>
        part.where('notifications.read_at', 'is', null).where('notifications.id', '>', sql.lit(0)),
      )
      .$if(unread === false, (part) => part.where('notifications.read_at', 'is not', null))
      .$if(scope !== 'all', (part) =>
        part.where(isInScope(sql.ref('notifications.app_id'), scope, value('scopeId'))),
      )
      .$if(hasTag, (part) =>
        part
          .where('notifications.tags', 'is not', null)
          .where(containsAny(sql<string>`notifications.tags`, value('tags'))),
      )
      .$if(hasQuestion, (part) =>
        part
          .where(containsWords(sql<string>`notifications.words`, value('needles')))
          .where(notificationIsShown),
      ),
  orders: { id: [], created_at: [{ by: sql`notifications.created_at` }] },
  id: sql`notifications.id`,
});

/** Marks the first `top` unread notifications of a user in a scope, up to one of them, as read. */
export const setReadInScope = cachedByShape((scope: ScopeKind) =>
  command<{ userId: number; scopeId: number; upto: number; at: number; top: number }>()((q, value) =>
    q
      .updateTable('notifications')
      .set({ read_at: value('at') })
      .where('id', 'in', (sub) =>
        sub
          .selectFrom('notifications as unread')
          .select('unread.id')
          .where('unread.user_id', '=', value('userId'))
          .where('unread.read_at', 'is', null)
          .where('unread.id', '<=', value('upto'))
          .where(isInScope(sql.ref('unread.app_id'), scope, value('scopeId')))
          .orderBy('unread.id')
          .limit(rowCount(value('top'))),
      )
      .returning('id'),
  ),
);

/** The app of a comment, post, message or file that is shown; no row when there is none. */
export const appOfItem = query<{ type: string; id: number }>()((q, value) =>
  q
    .selectFrom('apps')
    .select('apps.id')
    .where(
      sql<SqlBool>`apps.id = case ${value('type')} when 'file'
        then (select files.app_id from files where files.id = ${value('id')})
        else (select entries.app_id from entries where entries.id = ${value('id')} and entries.kind = ${value('type')}) end`,
    )
    .where('apps.deleted_at', 'is', null)
    .where(isThere(sql`${value('type')}`, sql`${value('id')}`)),
);

/** Writes a notification of the host product; the event that tells of it follows, and `setEvent` names it. */
export const insertHostNotification = insertRow('notifications', [
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
  'tags',
  'metadata',
]);

/** Names the event of a notification. */
export const setEvent = updateRow('notifications', ['event_id']);
