import { escapeText } from 'confab-contract/values/canonical-html.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import type { NotificationRow } from '../../access/notification/notification.sql.ts';
import type { Read } from '../../db/db.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notificationInSecondForm } from '../../second-form/shapes/notification.ts';
import { systemUserId } from '../users/users.sql.ts';
import { renderedUsers } from '../users/users.ts';
import { sentenceOf, withheld } from './notice.ts';
import { factsOfNotifications } from './notification-facts.ts';
import { required } from './notification-record.ts';

/** The store and the caller that notifications are rendered for. */
type Reader = { readonly read: Read; readonly caller: Principal };

/** The rendered users that a notification has in addition to its own fields. */
type Expanded = { readonly actor?: Json | undefined; readonly user?: Json | undefined };

/** Notifications as the caller sees them, with the users that `expand` names (`actor`, `user`); one statement at most. */
export async function renderNotifications(
  { read, caller }: Reader,
  rows: readonly NotificationRow[],
  expand: ReadonlySet<string>,
): Promise<Json[]> {
  if (caller.form !== undefined) return await renderInSecondForm({ read, caller }, rows);
  const users = await renderedUsers(
    read,
    caller,
    rows.flatMap((row) => [
      ...(expand.has('actor') && row.isShown === 1 ? [row.actorId] : []),
      ...(expand.has('user') ? [row.userId] : []),
    ]),
  );
  return rows.map((row) =>
    renderNotification(row, {
      actor: expand.has('actor') ? users.get(row.actorId) : undefined,
      user: expand.has('user') ? users.get(row.userId) : undefined,
    }),
  );
}

/** Notifications in the second form, each with its actor and its user; two statements, however many there are. */
async function renderInSecondForm(
  { read, caller }: Reader,
  rows: readonly NotificationRow[],
): Promise<Json[]> {
  if (rows.length === 0) return [];
  // Clients show the picture of the actor in any case, so the system tells of what reveals nothing.
  const actorOf = (row: NotificationRow) => (row.isShown === 1 ? row.actorId : systemUserId);
  const [users, facts] = await Promise.all([
    renderedUsers(
      read,
      caller,
      rows.flatMap((row) => [actorOf(row), row.userId]),
    ),
    factsOfNotifications(
      read,
      rows.map(({ id }) => id),
    ),
  ]);
  const userOf = (id: number) => ({ id, json: required(users.get(id)) });
  return rows.map((row) => {
    const isShown = row.isShown === 1;
    const known = required(facts.get(row.id));
    return notificationInSecondForm(
      {
        id: row.id,
        action: row.action,
        sentence: isShown ? { template: row.template, args: JSON.parse(row.args) as string[] } : withheld,
        actor: userOf(actorOf(row)),
        item: isShown && row.linkId !== 0 ? { id: row.linkId, type: row.linkType } : undefined,
        user: userOf(row.userId),
        createdAt: timestamp(row.createdAt),
        isUnread: row.readAt === null,
      },
      // What the host product says of an item can reveal it.
      isShown ? known : { ...known, metadata: null, tags: null },
    );
  });
}

/** One notification as the caller sees it, with its actor and its user. */
export async function notificationDetail(reader: Reader, row: NotificationRow): Promise<Json> {
  const [rendered] = await renderNotifications(reader, [row], new Set(['actor', 'user']));
  if (rendered === undefined) throw new Error('a notification was not rendered');
  return rendered;
}

/** A notification as the API returns it. One about something that its user may not see reveals nothing of it. */
export function renderNotification(row: NotificationRow, { actor, user }: Expanded = {}): Json {
  const isShown = row.isShown === 1;
  const args = isShown ? (JSON.parse(row.args) as string[]) : withheld.args;
  const wording = { template: isShown ? row.template : withheld.template, args };
  const sentence = jsonString(sentenceOf(wording));
  const html = jsonString(sentenceOf({ template: wording.template, args: args.map(escapeText) }));
  const link = row.linkId === 0 ? '' : `"link":{"id":${row.linkId},"type":"${row.linkType}"},`;
  const about = isShown ? `"actor_id":${row.actorId},${link}` : '';
  const shownActor = isShown && actor !== undefined ? `"actor":${actor},` : '';
  const shownUser = user === undefined ? '' : `"user":${user},`;
  return json(
    `{"id":${row.id},"action":"${row.action}",${about}${shownActor}"template":${jsonString(wording.template)},` +
      `"args":${JSON.stringify(args)},"text":${sentence},"html":${html},"plain":${sentence},` +
      `"user_id":${row.userId},${shownUser}"created_at":"${timestamp(row.createdAt)}","is_unread":${row.readAt === null}}`,
  );
}
