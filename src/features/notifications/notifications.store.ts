import { type Expression, type SqlBool, sql } from 'kysely';
import { containsWords, rowCount } from '../../db/dialect.ts';
import { type Bind, command, query, shaped } from '../../db/statement.ts';
import { notificationIsShown, notificationRows } from '../access/notification.sql.ts';

/** What decides the text of a list statement. `unread` is null for read and unread notifications. */
export type NotificationListShape = {
  readonly order: 'id' | 'created_at';
  readonly descending: boolean;
  readonly unread: boolean | null;
  readonly hasAction: boolean;
  readonly hasQuestion: boolean;
};

/** The parameters of every list; those that a shape does not use may hold anything. */
export type NotificationListParameters = {
  userId: number;
  action: string;
  needles: readonly string[];
  top: number;
  skip: number;
};

// A search finds only what the user is shown; otherwise the words of what is withheld could be guessed.
function conditions(
  value: Bind<NotificationListParameters>,
  shape: NotificationListShape,
): Expression<SqlBool> {
  const parts = [sql<SqlBool>`notifications.user_id = ${value('userId')}`];
  if (shape.unread === true) parts.push(sql<SqlBool>`notifications.read_at is null`);
  if (shape.unread === false) parts.push(sql<SqlBool>`notifications.read_at is not null`);
  if (shape.hasAction) parts.push(sql<SqlBool>`notifications.action = ${value('action')}`);
  if (shape.hasQuestion) {
    const found = containsWords(sql<string>`notifications.words`, value('needles'));
    parts.push(sql<SqlBool>`${found} and ${notificationIsShown}`);
  }
  return sql.join(parts, sql` and `);
}

/** A page of the notifications of one user. */
export const listNotifications = shaped((key: string) => {
  const shape = JSON.parse(key) as NotificationListShape;
  const direction = shape.descending ? 'desc' : 'asc';
  return query<NotificationListParameters>()((q, value) =>
    notificationRows(q)
      .where(conditions(value, shape))
      .orderBy(`notifications.${shape.order}`, direction)
      .$if(shape.order !== 'id', (part) => part.orderBy('notifications.id', direction))
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip'))),
  );
});

/** How many notifications a list that is narrowed by an action or a question has. */
export const countNotifications = shaped((key: string) => {
  const shape = JSON.parse(key) as NotificationListShape;
  return query<NotificationListParameters>()((q, value) =>
    q
      .selectFrom('notifications')
      .innerJoin('users', 'users.id', 'notifications.user_id')
      .select((part) => part.fn.countAll<number>().as('count'))
      .where(conditions(value, shape)),
  );
});

/** Marks a notification as read; changes no row when it is. */
export const setRead = command<{ id: number; at: number }>()((q, value) =>
  q
    .updateTable('notifications')
    .set({ read_at: value('at') })
    .where('id', '=', value('id'))
    .where('read_at', 'is', null),
);

/** Marks a notification as unread; changes no row when it is. */
export const setUnread = command<{ id: number }>()((q, value) =>
  q
    .updateTable('notifications')
    .set({ read_at: null })
    .where('id', '=', value('id'))
    .where('read_at', 'is not', null),
);

/** Deletes a notification. */
export const deleteNotification = command<{ id: number }>()((q, value) =>
  q.deleteFrom('notifications').where('id', '=', value('id')),
);

/** Marks the first `top` unread notifications of a user up to one of them as read. */
export const setReadUpTo = command<{ userId: number; upto: number; at: number; top: number }>()((q, value) =>
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
        .orderBy('unread.id')
        .limit(rowCount(value('top'))),
    )
    .returning('id'),
);
