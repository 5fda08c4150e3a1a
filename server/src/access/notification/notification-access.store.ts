import { query } from '../../db/statement.ts';
import { notificationColumns, notifications } from './notification.sql.ts';

/** A notification by its id. */
export const notificationById = query<{ id: number }>()((q, value) =>
  notifications(q).select(notificationColumns).where('notifications.id', '=', value('id')),
);
