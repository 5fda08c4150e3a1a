import { secondFormNotificationOperations } from 'confab-contract/second-form/notifications.ts';
import { parseRef } from 'confab-contract/values/ids.ts';
import { findDirectory } from '../../access/directory/directory-access.ts';
import { handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import { notifyUser } from '../../features/notifications/create.ts';
import { listNotificationsBy } from '../../features/notifications/list.ts';
import { markAll, type NotificationScope } from '../../features/notifications/mark.ts';
import { notificationDetail } from '../../features/notifications/notification-json.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';

type Parts = { readonly clock: Clock };

/** The caller's notifications, of one type, tagged, or about the apps of a directory. */
export const listNotificationsInSecondForm = handler(
  secondFormNotificationOperations.listNotificationsInSecondForm,
  async ({ read, caller, list, query: { directory, ...query } }) => {
    const scope = directory === undefined ? undefined : await directoryOf({ read, caller }, directory);
    return await listNotificationsBy({ read, caller, list }, { ...query, scope });
  },
);

/** The directory with an id or a name; one that the caller does not see is one without anything. */
async function directoryOf(
  { read, caller }: { readonly read: Read; readonly caller: Principal },
  name: string,
): Promise<NotificationScope> {
  const ref = parseRef(name);
  const directory = ref === undefined ? undefined : await findDirectory(read, ref);
  const isSeen = directory !== undefined && caller.user.directoryId === directory.id;
  return { kind: 'directory', id: isSeen ? directory.id : 0 };
}

/** The caller's notifications about an app. */
export const listAppNotifications = handler(
  secondFormNotificationOperations.listAppNotifications,
  async ({ on, query, ...call }) =>
    await listNotificationsBy(call, { ...query, scope: { kind: 'app', id: on.id } }),
);

/** Marks the caller's notifications about an app as read. */
export const markAppNotifications = handler(
  secondFormNotificationOperations.markAppNotifications,
  async ({ db, caller, query, on }, { clock }: Parts) => {
    await markAll({ db, clock, caller }, query.id, { kind: 'app', id: on.id });
    return undefined;
  },
);

/** Marks the caller's notifications about the apps of a directory as read. */
export const markDirectoryNotifications = handler(
  secondFormNotificationOperations.markDirectoryNotifications,
  async ({ db, caller, query, on }, { clock }: Parts) => {
    await markAll({ db, clock, caller }, query.id, { kind: 'directory', id: on.id });
    return undefined;
  },
);

/** Notifies a user on behalf of the host product. */
export const createNotification = handler(
  secondFormNotificationOperations.createNotification,
  async ({ tx, caller, body, at }) => {
    const row = await notifyUser({ tx, caller, at }, body);
    return await notificationDetail({ read: tx, caller }, row);
  },
);
