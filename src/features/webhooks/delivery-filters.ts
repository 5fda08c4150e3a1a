import type { RedeliverMany } from '../../contract/deliveries.ts';
import { parseTimestamp } from '../../kernel/clock.ts';
import type { DeliveryFilters, DeliveryFilterValues } from './deliveries.store.ts';

/** By what a request chooses deliveries, times in RFC 3339. */
export type DeliveryChoice = Omit<RedeliverMany, 'limit'>;

function msOf(text: string | undefined): number {
  return parseTimestamp(text ?? '') ?? 0;
}

/** Which filters a choice is made of, in the order of which field its `after` counts, and their values. */
export function filtersOf(
  webhookId: number,
  choice: DeliveryChoice,
  order: 'id' | 'sequence',
): { filters: DeliveryFilters; values: DeliveryFilterValues } {
  const { status, status_code: statusCode, action, event_id: eventId, since, until, after } = choice;
  return {
    filters: {
      status: status !== undefined,
      statusCode: statusCode !== undefined,
      action: action !== undefined,
      eventId: eventId !== undefined,
      since: since !== undefined,
      until: until !== undefined,
      after: after === undefined ? 'nothing' : order,
    },
    // A value that no filter asks for is bound to nothing.
    values: {
      webhookId,
      status: status ?? '',
      statusCode: statusCode ?? 0,
      action: action ?? '',
      eventId: eventId ?? 0,
      since: msOf(since),
      until: msOf(until),
      after: after ?? 0,
    },
  };
}

/** Whether nothing is chosen by: neither a property nor a place in the order. */
export function isUnfiltered(filters: DeliveryFilters): boolean {
  return Object.values(filters).every((filter) => filter === false || filter === 'nothing');
}
