import { invalidField } from 'confab-contract/problem.ts';
import type { NotificationCreate } from 'confab-contract/second-form/notifications.ts';
import { readRef } from 'confab-contract/values/ids.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { NotificationRow } from '../../access/notification/notification.sql.ts';
import { notificationAccess } from '../../access/notification/notification-access.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Read, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import { hostAction } from '../../second-form/shapes/notification.ts';
import { actorOf, renderUser } from '../users/user-json.ts';
import { systemUserId } from '../users/users.sql.ts';
import { tagsText } from './host-tags.ts';
import { noticeWords } from './notice.ts';
import { changeNotificationCount } from './notification-changes.ts';
import { renderNotification } from './notification-json.ts';
import { appOfItem, insertHostNotification, setEvent } from './scoped.store.ts';

/** Notifications that the host product creates, about an item of an app or about something of its own. */

type Change = { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs };

const linkTypes: readonly string[] = ['comment', 'post', 'message', 'file'];

/** Notifies a user. Throws `validation_failed` for a user or an item who is not there, and for a sentence that lacks values. */
export async function notifyUser(change: Change, body: NotificationCreate): Promise<NotificationRow> {
  const { tx, caller, at } = change;
  const { template, args = [], metadata, tags } = body;
  checkTemplate(template, args);
  const tagged = tags === undefined ? [] : normaliseTags(tags);
  const user = await findReader(tx, body.user);
  const link = body.link === undefined ? noLink : await findItem(tx, body.link);
  const id = await tx.insert(insertHostNotification, {
    // The event has the notification in it, so it comes after this row, and its id after both.
    eventId: 0,
    userId: user.id,
    reason: 'host',
    action: hostAction,
    actorId: caller.user.id,
    appId: link.appId,
    linkType: link.type,
    linkId: link.id,
    template,
    args: JSON.stringify(args),
    words: noticeWords(template, args),
    createdAt: at,
    tags: tagged.length === 0 ? null : tagsText(tagged),
    metadata: metadata === undefined ? null : JSON.stringify(metadata),
  });
  for (const kind of ['notification', 'unread_notification'] as const)
    await changeNotificationCount(tx, { userId: user.id, kind, by: 1 });
  const row = await notificationAccess.read({ read: tx, caller, ref: { id }, isTrashedIncluded: false });
  const eventId = await append(tx, {
    action: 'notification_created',
    actor: actorOf(caller),
    appId: row.isShown === 1 && row.appId !== 0 ? row.appId : null,
    userId: user.id,
    entity: { id, json: renderNotification(row, { user: renderUser(user) }) },
    at,
  });
  await tx.run(setEvent, { id, eventId });
  return row;
}

function checkTemplate(template: string, args: readonly string[]): void {
  const places = [...template.matchAll(/\{([0-9]+)\}/g)].map(([, place]) => Number(place));
  const missing = places.find((place) => place >= args.length);
  if (missing !== undefined)
    throw invalidField('/template', 'args', `names {${missing}}, but args has only ${args.length} values`);
}

async function findReader(read: Read, name: string | number): Promise<User> {
  const ref = readRef(name);
  const user = ref === undefined ? undefined : await findUser(read, ref);
  if (user === undefined || user.id === systemUserId || user.trashedAt !== null || user.suspendedAt !== null)
    throw invalidField('/user', 'unknown', 'is no user who can be notified');
  return user;
}

const noLink = { appId: 0, type: '', id: 0 } as const;

async function findItem(read: Read, { type, id }: { readonly type: string; readonly id: number }) {
  if (!linkTypes.includes(type))
    throw invalidField('/link/type', 'unknown', `must be one of ${linkTypes.join(', ')}`);
  const app = await read.get(appOfItem, { type, id });
  if (app === undefined) throw invalidField('/link/id', 'unknown', `is no ${type} that is shown`);
  return { appId: app.id, type, id };
}
