import { timestamp } from '../../kernel/clock.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { escapeText } from '../entries/markdown-sanitise.ts';
import { sentenceOf, withheld } from './notice.ts';
import type { NotificationRow } from './notifications.store.ts';

/** More members of a notification, rendered, by name: actor and user. */
export type NotificationMembers = { readonly actor?: Json | undefined; readonly user?: Json | undefined };

/** A notification in the words of the wire. One about what its person may not see says nothing. */
export function renderNotification(row: NotificationRow, members: NotificationMembers = {}): Json {
  const isShown = row.isShown === 1;
  const args = isShown ? (JSON.parse(row.args) as string[]) : withheld.args;
  const wording = { template: isShown ? row.template : withheld.template, args };
  const sentence = jsonString(sentenceOf(wording));
  const html = jsonString(sentenceOf({ template: wording.template, args: args.map(escapeText) }));
  const about = isShown
    ? `"actor_id":${row.actorId},"link":{"id":${row.linkId},"type":"${row.linkType}"},`
    : '';
  const actor = isShown && members.actor !== undefined ? `"actor":${members.actor},` : '';
  const user = members.user === undefined ? '' : `"user":${members.user},`;
  return json(
    `{"id":${row.id},"action":"${row.action}",${about}${actor}"template":${jsonString(wording.template)},` +
      `"args":${JSON.stringify(args)},"text":${sentence},"html":${html},"plain":${sentence},` +
      `"user_id":${row.userId},${user}"created_at":"${timestamp(row.createdAt)}","is_unread":${row.readAt === null}}`,
  );
}
