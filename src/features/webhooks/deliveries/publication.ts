import type { DeferredWork } from '../../../db/db.ts';
import type { PublishedEvent } from '../../../events/events.ts';
import { countDeliveries, insertDeliveries, wakeWebhooks } from './publication.store.ts';

/**
 * Creates a delivery of each event for each enabled webhook with its trigger, counts the deliveries and makes their
 * webhooks due: three statements for all transactions of a group, and one where no webhook matches.
 */
export const publishToWebhooks: DeferredWork<PublishedEvent> = async (tx, events) => {
  if ((await tx.run(insertDeliveries, { events: JSON.stringify(events) })) === 0) return;
  const eventIds = events.map(({ eventId }) => eventId);
  await tx.run(countDeliveries, { eventIds });
  const now = events.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
  await tx.run(wakeWebhooks, { eventIds, now });
  tx.wake('deliveries');
};
