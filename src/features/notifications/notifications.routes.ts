import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Notifications } from './notifications.ts';

/** Binds the operations of notifications. */
export function bindNotifications(http: Http, notifications: Notifications): void {
  http.bind(operations.listNotifications, ({ principal, list, query }) =>
    notifications.listNotifications(principal, list, query),
  );
  http.bind(operations.markNotifications, ({ principal, query }) =>
    notifications.markNotifications(principal, query.id),
  );
  http.bind(operations.getNotification, ({ principal, params }) =>
    notifications.getNotification(principal, params.id),
  );
  http.bind(operations.deleteNotification, ({ principal, params }) =>
    notifications.deleteNotification(principal, params.id),
  );
  http.bind(operations.markNotification, ({ principal, params }) =>
    notifications.markNotification(principal, params.id),
  );
  http.bind(operations.unmarkNotification, ({ principal, params }) =>
    notifications.unmarkNotification(principal, params.id),
  );
}
