import { type Action, actions } from 'confab-contract/actions.ts';
import type { Tx } from '../db/db.ts';
import { insertEvents } from './events.store.ts';
import { type NewEvent, payloadOf, publish } from './events.ts';

/** One of many events with the same action and time. */
type EventOf<A extends Action> = Omit<
  Extract<NewEvent, { readonly action: A }>,
  'action' | 'at' | 'isSilent'
>;

/**
 * Appends many events with the same action and time, and their deliveries. The number of statements does not depend on
 * the number of events. Must run in the transaction of the changes.
 */
export async function appendAll<A extends Action>(
  tx: Tx,
  { action, at }: { action: A; at: number },
  events: readonly EventOf<A>[],
): Promise<void> {
  if (events.length === 0) return;
  const records = events.map((facts) => {
    const event = { ...facts, action, at } as NewEvent;
    return {
      actorId: event.actor.id,
      appId: event.appId,
      userId: event.userId ?? null,
      entityId: event.entity?.id ?? 0,
      payload: payloadOf(event),
    };
  });
  const rows = await tx.all(insertEvents, {
    action,
    entityType: actions[action].entity,
    createdAt: at,
    events: JSON.stringify(records),
  });
  publish(tx, action, { eventIds: rows.map(({ id }) => id), at });
}
