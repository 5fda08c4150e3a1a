import { sql } from 'kysely';
import {
  notificationColumns,
  notificationIsShown,
  notifications,
} from '../../access/notification/notification.sql.ts';
import { containsWords, rowCount } from '../../db/dialect.ts';
import { list } from '../../db/list.ts';
import { command } from '../../db/statement.ts';

/**
 * The notifications of a user. A search finds only what the user is shown; otherwise the words of hidden content could
 * be guessed.
 */
export const notificationList = list<{ userId: number; action: string; needles: readonly string[] }>()({
  name: 'notifications',
  filters: { unread: [null, true, false], hasAction: [false, true], hasQuestion: [false, true] },
  rows: (q, value, { unread, hasAction, hasQuestion }) =>
    notifications(q)
      .select(notificationColumns)
      .where('notifications.user_id', '=', value('userId'))
      .$if(unread === true, (part) => part.where('notifications.read_at', 'is', null))
      .$if(unread === false, (part) => part.where('notifications.read_at', 'is not', null))
      .$if(hasAction, (part) => part.where('notifications.action', '=', value('action')))
      .$if(hasQuestion, (part) =>
        part
          .where(containsWords(sql<string>`notifications.words`, value('needles')))
          .where(notificationIsShown),
      ),
  orders: { id: [], created_at: [{ by: sql`notifications.created_at` }] },
  id: sql`notifications.id`,
});

/** Marks a notification as read; changes no row when it is read already. */
export const setRead = command<{ id: number; at: number }>()((q, value) =>
  q
    .updateTable('notifications')
    .set({ read_at: value('at') })
    .where('id', '=', value('id'))
    .where('read_at', 'is', null),
);

/** Marks a notification as unread; changes no row when it is unread already. */
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
