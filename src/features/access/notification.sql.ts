import { type Expression, type SqlBool, sql } from 'kysely';
import type { Builder, RowOf } from '../../db/statement.ts';
import { isThere, mayRead } from './access.sql.ts';

/** True while the user of a row of `notifications`, joined with `users`, may see what it is about. */
export const notificationIsShown: Expression<SqlBool> = sql<SqlBool>`(${isThere(
  sql.ref('notifications.link_type'),
  sql.ref('notifications.link_id'),
)} and ${mayRead(sql.ref('notifications.app_id'), {
  userId: sql.ref('notifications.user_id'),
  directoryId: sql.ref('users.directory_id'),
})})`;

/** Notifications with the users whom they are for. */
export function notifications(q: Builder) {
  return q.selectFrom('notifications').innerJoin('users', 'users.id', 'notifications.user_id');
}

/** The columns of a notification. */
export const notificationColumns = [
  'notifications.id',
  'notifications.event_id as eventId',
  'notifications.user_id as userId',
  'notifications.action',
  'notifications.actor_id as actorId',
  'notifications.app_id as appId',
  'notifications.link_type as linkType',
  'notifications.link_id as linkId',
  'notifications.template',
  'notifications.args',
  'notifications.created_at as createdAt',
  'notifications.read_at as readAt',
  sql<number>`${notificationIsShown}`.as('isShown'),
] as const;

/** A notification as stored. `isShown` is 1 while its user may see what it is about. */
export type NotificationRow = RowOf<'notifications', typeof notificationColumns>;
