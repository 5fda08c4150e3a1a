import type { Tx } from '../db/db.ts';
import { countDeliveriesOf, insertDeliveriesOf, insertEvents, wakeWebhooksOf } from './events.store.ts';
import { type Action, actions, type NewEvent, payloadOf } from './events.ts';

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
  const { group, entity } = actions[action];
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
  tx.wake('events');
  if (group === null) return;
  const eventIds = rows.map(({ id }) => id);
  if ((await tx.run(insertDeliveriesOf, { eventIds, action, group, now: at })) === 0) return;
  await tx.run(countDeliveriesOf, { eventIds });
  await tx.run(wakeWebhooksOf, { eventIds, now: at });
  tx.wake('deliveries');
}
