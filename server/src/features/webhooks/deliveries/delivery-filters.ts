import type { RedeliverMany } from 'confab-contract/deliveries.ts';
import { parseTimestamp } from 'confab-contract/values/time.ts';
import type { DeliveryFilters, DeliveryFilterValues } from './deliveries.store.ts';

/** The filters of a request, with times in RFC 3339. */
export type DeliveryQuery = Omit<RedeliverMany, 'limit'> & { readonly before?: number };

function msOf(text: string | undefined): number {
  return parseTimestamp(text ?? '') ?? 0;
}

/** The filters of a request and their values; `after` counts in the field named by `order`. */
export function filtersOf(
  webhookId: number,
  choice: DeliveryQuery,
  order: 'id' | 'sequence',
): { filters: DeliveryFilters; values: DeliveryFilterValues } {
  const { status, status_code: statusCode, action, event_id: eventId, since, until, after, before } = choice;
  return {
    filters: {
      status: status !== undefined,
      statusCode: statusCode !== undefined,
      action: action !== undefined,
      eventId: eventId !== undefined,
      since: since !== undefined,
      until: until !== undefined,
      after: after === undefined ? 'nothing' : order,
      before: before !== undefined,
    },
    // The value of a filter that is off is bound to nothing.
    values: {
      webhookId,
      status: status ?? '',
      statusCode: statusCode ?? 0,
      action: action ?? '',
      eventId: eventId ?? 0,
      since: msOf(since),
      until: msOf(until),
      after: after ?? 0,
      before: before ?? 0,
    },
  };
}

/** Whether no filter is on. */
export function isUnfiltered(filters: DeliveryFilters): boolean {
  return Object.values(filters).every((filter) => filter === false || filter === 'nothing');
}
