import { triggerGroups } from 'confab-contract/action-facts.ts';
import { type Action, actions, factsOf, findFacts } from 'confab-contract/actions.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import type { DeferredWork, Tx } from '../db/db.ts';
import { type Json, json } from '../kernel/json.ts';
import { insertEvent } from './events.store.ts';

/**
 * The event log. Every change of data appends one event in its own transaction, which also creates the deliveries of
 * webhooks. The commit therefore determines which webhooks receive a change, every committed change has an event, and
 * no rolled-back change has one.
 */

type Named<A extends Action, K extends 'extra' | 'optional'> = K extends K
  ? (typeof actions)[A] extends { readonly [P in K]: readonly (infer N extends string)[] }
    ? N
    : never
  : never;

/** The additional properties in the payload of an action. */
type Extra<A extends Action> = [Named<A, 'extra' | 'optional'>] extends [never]
  ? { readonly extra?: never }
  : [Named<A, 'extra'>] extends [never]
    ? { readonly extra?: { readonly [N in Named<A, 'optional'>]?: Json } }
    : {
        readonly extra: { readonly [N in Named<A, 'extra'>]: Json } & {
          readonly [N in Named<A, 'optional'>]?: Json;
        };
      };

/** The entity that an event of an action is about, as lists show it; absent if the event is about several. */
type About<A extends Action> = (typeof actions)[A] extends { readonly isAboutMany: true }
  ? { readonly entity?: never }
  : { readonly entity: { readonly id: number; readonly json: Json } };

/** The properties that every event has. */
type Common = {
  readonly actor: { readonly id: number; readonly json: Json };
  readonly appId: number | null;
  /** The user whom the event concerns, if it concerns only one. */
  readonly userId?: number;
  readonly at: UnixMs;
  /** If true, no webhook and no user is notified. Imports set it, because their content is old. */
  readonly isSilent?: boolean;
};

/** An action with the content of its events. The properties of `extra` are already rendered. */
export type ActionPayload<A extends Action = Action> = {
  [One in A]: { readonly action: One } & About<One> & Extra<One>;
}[A];

/** One change, as it is appended to the log. */
export type NewEvent = Common & ActionPayload;

/** The actions whose events carry their entity and nothing else. */
export type ActionOn<E extends string> = {
  [A in Action]: (typeof actions)[A]['entity'] extends E
    ? ActionPayload<A> extends { readonly extra?: never }
      ? A
      : never
    : never;
}[Action];

/** Whether a webhook can name this as a trigger: a group, or one action of a group. */
export function isTrigger(name: string): boolean {
  return (triggerGroups as readonly string[]).includes(name) || findFacts(name)?.group !== undefined;
}

/** The payload of an event without the event's id: the inside of a JSON object. */
export function payloadOf(event: NewEvent): string {
  const about = event.entity === undefined ? '' : `"${actions[event.action].entity}":${event.entity.json},`;
  const extra = Object.entries(event.extra ?? {}).map(([name, value]) => `"${name}":${value},`);
  return `"action":"${event.action}","actor":${event.actor.json},${about}${extra.join('')}"timestamp":"${timestamp(event.at)}","type":"${event.action.replace('_', '.')}"`;
}

/** The end of the JSON object that begins at `start` of `text`. The time depends only on the length of that object. */
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

/** The payload with its actor replaced by the result of `change` for the actor's JSON text. */
export function withActor(payload: string, change: (actor: string) => Json): string {
  // The name of an action has no quotation mark, so the first match is never inside a text of a user.
  const name = '"actor":';
  const start = payload.indexOf(name) + name.length;
  const end = endOfObject(payload, start);
  return payload.slice(0, start) + change(payload.slice(start, end)) + payload.slice(end);
}

/** An event in the log that webhooks can subscribe to. */
export type PublishedEvent = {
  readonly eventId: number;
  readonly action: Action;
  readonly group: string;
  readonly at: UnixMs;
};

let publication: DeferredWork<PublishedEvent> | undefined;

/**
 * Sets the function that gets the events that webhooks can subscribe to, at the end of the transactions that append
 * them. The composition root calls this before it opens a store, so that no program can append an event without its
 * deliveries.
 */
export function setPublisher(work: DeferredWork<PublishedEvent>): void {
  publication = work;
}

/** Publishes events of one action in the transaction that appended them. */
export function publish(
  tx: Tx,
  action: Action,
  { eventIds, at }: { eventIds: readonly number[]; at: UnixMs },
): void {
  const { group } = factsOf(action);
  tx.wake('events');
  if (group === undefined) return;
  if (publication === undefined) throw new Error('nothing publishes events: call setPublisher first');
  for (const eventId of eventIds) tx.defer(publication, { eventId, action, group, at });
}

/** Appends an event and has it published; must run in the transaction of the change. Returns the event's id. */
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
  else publish(tx, action, { eventIds: [id], at });
  return id;
}

/** The body of a delivery: the stored payload between the event's id and the delivery's guid, the same at each attempt. */
export function deliveryBody(eventId: number, payload: string, guid: string): Json {
  return json(`{"id":${eventId},${payload},"guid":"${guid}"}`);
}
