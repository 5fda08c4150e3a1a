import type { Later, Tx } from '../db/db.ts';
import type { UnixMs } from '../kernel/clock.ts';
import { timestamp } from '../kernel/clock.ts';
import { type Json, json } from '../kernel/json.ts';
import { countDeliveries, insertDeliveries, insertEvent, wakeWebhooks } from './events.store.ts';

/**
 * The event log. Every change of data appends one event in its own transaction, together with a delivery for each
 * enabled webhook that asked for it. So which webhooks hear of a change is settled when it commits, nothing committed
 * is without its event, and nothing that was rolled back has one.
 */

/**
 * Every action, with the group that webhooks name as trigger and the property its entity has in the payload. Actions
 * without a group are in the log alone: they are about the running of a server, and no webhook can ask for them.
 */
export const actions = {
  app_created: { group: 'apps', entity: 'app' },
  app_updated: { group: 'apps', entity: 'app' },
  app_trashed: { group: 'apps', entity: 'app' },
  app_restored: { group: 'apps', entity: 'app' },
  app_subscribed: { group: 'apps', entity: 'app' },
  app_unsubscribed: { group: 'apps', entity: 'app' },
  app_starred: { group: null, entity: 'app' },
  app_unstarred: { group: null, entity: 'app' },
  app_deleted: { group: 'apps', entity: 'app' },
  member_added: { group: 'members', entity: 'member' },
  member_updated: { group: 'members', entity: 'member' },
  member_removed: { group: 'members', entity: 'member' },
  comment_created: { group: 'comments', entity: 'comment' },
  comment_updated: { group: 'comments', entity: 'comment' },
  comment_trashed: { group: 'comments', entity: 'comment' },
  comment_restored: { group: 'comments', entity: 'comment' },
  comment_deleted: { group: 'comments', entity: 'comment' },
  post_created: { group: 'posts', entity: 'post' },
  post_updated: { group: 'posts', entity: 'post' },
  post_trashed: { group: 'posts', entity: 'post' },
  post_restored: { group: 'posts', entity: 'post' },
  post_deleted: { group: 'posts', entity: 'post' },
  post_subscribed: { group: 'posts', entity: 'post' },
  post_unsubscribed: { group: 'posts', entity: 'post' },
  file_created: { group: 'files', entity: 'file' },
  file_updated: { group: 'files', entity: 'file' },
  file_trashed: { group: 'files', entity: 'file' },
  file_restored: { group: 'files', entity: 'file' },
  file_deleted: { group: 'files', entity: 'file' },
  file_subscribed: { group: 'files', entity: 'file' },
  file_unsubscribed: { group: 'files', entity: 'file' },
  message_created: { group: 'messages', entity: 'message' },
  message_updated: { group: 'messages', entity: 'message' },
  message_trashed: { group: 'messages', entity: 'message' },
  message_restored: { group: 'messages', entity: 'message' },
  message_deleted: { group: 'messages', entity: 'message' },
  reaction_added: { group: 'reactions', entity: 'reaction' },
  reaction_removed: { group: 'reactions', entity: 'reaction' },
  option_voted: { group: 'polls', entity: 'option' },
  option_unvoted: { group: 'polls', entity: 'option' },
  conversation_marked: { group: 'conversations', entity: 'conversation' },
  conversation_delivered: { group: 'conversations', entity: 'conversation' },
  conversation_pinned: { group: 'conversations', entity: 'conversation' },
  conversation_unpinned: { group: 'conversations', entity: 'conversation' },
  notification_created: { group: 'notifications', entity: 'notification' },
  notification_updated: { group: 'notifications', entity: 'notification' },
  notification_deleted: { group: 'notifications', entity: 'notification' },
  notifications_marked: { group: 'notifications', entity: 'notification' },
  user_created: { group: null, entity: 'user' },
  user_updated: { group: null, entity: 'user' },
  user_trashed: { group: null, entity: 'user' },
  user_restored: { group: null, entity: 'user' },
  token_issued: { group: null, entity: 'user' },
  tokens_revoked: { group: null, entity: 'user' },
  directory_created: { group: null, entity: 'directory' },
  directory_updated: { group: null, entity: 'directory' },
  directory_deleted: { group: null, entity: 'directory' },
  blob_linked: { group: null, entity: 'blob' },
  embed_created: { group: null, entity: 'embed' },
  meeting_created: { group: null, entity: 'meeting' },
  webhook_created: { group: null, entity: 'webhook' },
  webhook_updated: { group: null, entity: 'webhook' },
  webhook_deleted: { group: null, entity: 'webhook' },
  webhook_paused: { group: null, entity: 'webhook' },
  webhook_resumed: { group: null, entity: 'webhook' },
  webhook_pinged: { group: null, entity: 'webhook' },
  delivery_redelivered: { group: null, entity: 'delivery' },
  deliveries_redelivered: { group: null, entity: 'webhook' },
} as const;

/** The closed set of actions. */
export type Action = keyof typeof actions;

/** The groups a webhook can name as trigger. Groups without an action yet are accepted, so that clients can be set up. */
const triggerGroups = [
  'comments',
  'posts',
  'messages',
  'files',
  'reactions',
  'polls',
  'notifications',
  'conversations',
  'apps',
  'members',
] as const;

/** Whether a webhook can name this as trigger: a group, or one action of a group. */
export function isTrigger(name: string): boolean {
  if ((triggerGroups as readonly string[]).includes(name)) return true;
  return Object.hasOwn(actions, name) && actions[name as Action].group !== null;
}

/** One change, as told to the log. */
export type NewEvent = {
  readonly action: Action;
  readonly actor: { readonly id: number; readonly json: Json };
  readonly appId: number | null;
  /** The one user whom it concerns, if it is nobody else's business. */
  readonly userId?: number;
  /** The entity in list form; absent for what is about no single one, such as marking all notifications. */
  readonly entity?: { readonly id: number; readonly json: Json };
  /** More properties of the payload, already rendered, by name. */
  readonly extra?: { readonly [name: string]: Json };
  readonly at: UnixMs;
  /** Whether nobody is told, by webhook or notification: set by imports, whose content is old. */
  readonly isSilent?: boolean;
};

/** What deliveries and readers of the log are told of an event, but for its id: the members of a JSON object. */
export function payloadOf(event: NewEvent): string {
  const about = event.entity === undefined ? '' : `"${actions[event.action].entity}":${event.entity.json},`;
  const extra = Object.entries(event.extra ?? {}).map(([name, value]) => `"${name}":${value},`);
  return `"action":"${event.action}","actor":${event.actor.json},${about}${extra.join('')}"timestamp":"${timestamp(event.at)}","type":"${event.action.replace('_', '.')}"`;
}

/** Where the JSON object ends that begins at `start` of `text`; takes time by the length of that object alone. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new Error('a payload ends within its actor');
}

/** The payload with another actor: the one that `change` makes of the JSON text of the actor in it. */
export function withActor(payload: string, change: (actor: string) => Json): string {
  // The name of an action holds no quotation mark, so this is found before anything that came from outside.
  const name = '"actor":';
  const start = payload.indexOf(name) + name.length;
  const end = endOfObject(payload, start);
  return payload.slice(0, start) + change(payload.slice(start, end)) + payload.slice(end);
}

/** An event that webhooks are told of. */
type ToldEvent = {
  readonly eventId: number;
  readonly action: Action;
  readonly group: string;
  readonly at: UnixMs;
};

const tellWebhooks: Later<ToldEvent> = async (tx, events) => {
  if ((await tx.run(insertDeliveries, { events: JSON.stringify(events) })) === 0) return;
  const eventIds = events.map(({ eventId }) => eventId);
  await tx.run(countDeliveries, { eventIds });
  const now = events.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
  await tx.run(wakeWebhooks, { eventIds, now });
  tx.wake('deliveries');
};

/** Puts the deliveries of some events of one action into the transaction that appended them. */
export function tell(
  tx: Tx,
  action: Action,
  { eventIds, at }: { eventIds: readonly number[]; at: UnixMs },
): void {
  const { group } = actions[action];
  tx.wake('events');
  if (group === null) return;
  for (const eventId of eventIds) tx.later(tellWebhooks, { eventId, action, group, at });
}

/** Appends an event and its deliveries; must run in the transaction of the change. Answers the event's id. */
export async function append(tx: Tx, event: NewEvent): Promise<number> {
  const { action, at, isSilent = false } = event;
  const id = await tx.insert(insertEvent, {
    action,
    actorId: event.actor.id,
    appId: event.appId,
    userId: event.userId ?? null,
    entityType: actions[action].entity,
    entityId: event.entity?.id ?? 0,
    payload: payloadOf(event),
    createdAt: at,
    isSilent: isSilent ? 1 : 0,
  });
  if (isSilent) tx.wake('events');
  else tell(tx, action, { eventIds: [id], at });
  return id;
}

/** The body of a delivery: the stored payload between the event's id and the delivery's guid, the same at each attempt. */
export function deliveryBody(eventId: number, payload: string, guid: string): Json {
  return json(`{"id":${eventId},${payload},"guid":"${guid}"}`);
}
