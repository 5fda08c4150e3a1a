import type { Tx } from '../db/db.ts';
import { insertEvents } from './events.store.ts';
import { type Action, actions, type NewEvent, payloadOf, tell } from './events.ts';

/**
 * Appends many events of one action, which happened at one time, with their deliveries. The number of statements does
 * not depend on the number of events. Must run in the transaction of the changes.
 */
export async function appendAll(
  tx: Tx,
  { action, at }: { action: Action; at: number },
  events: readonly Omit<NewEvent, 'action' | 'at' | 'isSilent'>[],
): Promise<void> {
  if (events.length === 0) return;
  const { entity } = actions[action];
  const records = events.map((event) => ({
    actorId: event.actor.id,
    appId: event.appId,
    userId: event.userId ?? null,
    entityId: event.entity?.id ?? 0,
    payload: payloadOf({ ...event, action, at }),
  }));
  const rows = await tx.all(insertEvents, {
    action,
    entityType: entity,
    createdAt: at,
    events: JSON.stringify(records),
  });
  tell(tx, action, { eventIds: rows.map(({ id }) => id), at });
}
