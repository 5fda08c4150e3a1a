import { type DeferredWork, deferred } from '../../../db/db.ts';
import type { PublishedEvent } from '../../../events/events.ts';
import { countDeliveries, insertDeliveries, wakeWebhooks } from './publication.store.ts';

/**
 * Creates a delivery of each event for each enabled webhook with its trigger, counts the deliveries and makes their
 * webhooks due: three commands for all transactions of a group, two of which do nothing where no webhook matches.
 */
export const publishToWebhooks: DeferredWork<PublishedEvent> = (events) => {
  const eventIds = events.map(({ eventId }) => eventId);
  const now = events.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
  return [
    deferred(insertDeliveries, { events: JSON.stringify(events) }, { wakes: 'deliveries' }),
    deferred(countDeliveries, { eventIds }, { isFollowUp: true }),
    deferred(wakeWebhooks, { eventIds, now }, { isFollowUp: true }),
  ];
};
