import { type Expression, type SqlBool, sql } from 'kysely';
import type { Builder, RowOf } from '../../db/statement.ts';
import { isThere, isWaiting, mayRead } from '../access.sql.ts';

/**
 * The subject of a notification for moderators that something is held is there while it waits for their decision. Any other
 * is there while it is shown.
 */
function isNoticed(table: 'notifications' | 'notice'): Expression<SqlBool> {
  const [type, id] = [sql.ref(`${table}.link_type`), sql.ref(`${table}.link_id`)];
  return sql<SqlBool>`case ${sql.ref(`${table}.reason`)} when 'held' then ${isWaiting(type, id)}
    else ${isThere(type, id)} end`;
}

/**
 * True while the user of a row of `notifications`, joined with `users`, may see what it is about, and for one that is about
 * nothing.
 */
export const notificationIsShown: Expression<SqlBool> = sql<SqlBool>`(notifications.link_id = 0
  or ${isNoticed('notifications')} and ${mayRead(sql.ref('notifications.app_id'), {
    userId: sql.ref('notifications.user_id'),
    directoryId: sql.ref('users.directory_id'),
    way: sql.ref('users.way'),
  })})`;

/** The types of notifications by which newer clients filter; all but two reasons are activity. */
export const notificationTypes = ['activity', 'mention', 'reaction'] as const;
/** One of them. */
export type NotificationType = (typeof notificationTypes)[number];

/** The type of a notification, in the words of the index `notifications_type`. */
export const typeOfNotification = sql<NotificationType>`case notifications.reason when 'mention' then 'mention'
  when 'reaction' then 'reaction' else 'activity' end`;

/**
 * Whether a notification is of a type, or `type` is empty, in words of no index: what is found otherwise stays in its own index
 * even where it is counted.
 */
export function isOfType(type: unknown): Expression<SqlBool> {
  return sql<SqlBool>`case ${type} when '' then true
    when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = ${type} end`;
}

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

/** Where a notification belongs: in the list of its user, among the hidden ones, or nowhere, because its subject is gone. */
export type NotificationPlace = 'shown' | 'hidden' | 'gone';

/**
 * Where a row of `notifications` or `hidden_notifications`, which the statement names `notice`, belongs. Rights of the user
 * do not count: a notification about an app that its user may not read stays in the list and says nothing. One that something
 * is held goes when a moderator has decided.
 */
export const placeOfNotice = sql<NotificationPlace>`case
  when notice.link_id = 0 then 'shown'
  when not exists (select 1 from apps as its_app where its_app.id = notice.app_id and its_app.deleted_at is null)
    or case notice.link_type
      when 'file' then not exists (select 1 from files as its_file where its_file.id = notice.link_id)
      else not exists (select 1 from entries as its_entry
        where its_entry.id = notice.link_id and its_entry.kind = notice.link_type) end then 'gone'
  when notice.reason = 'held' and not ${isNoticed('notice')} then 'gone'
  when exists (select 1 from apps as its_app where its_app.id = notice.app_id and its_app.trashed_at is null)
    and ${isNoticed('notice')} then 'shown'
  else 'hidden' end`;
