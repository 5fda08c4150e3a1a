import { query } from '../../db/statement.ts';
import { notificationRows } from './notification.sql.ts';

/** A notification by its id. */
export const notificationById = query<{ id: number }>()((q, value) =>
  notificationRows(q).where('notifications.id', '=', value('id')),
);
