import { timestamp } from 'confab-contract/values/time.ts';
import type { Read } from '../../db/db.ts';
import { parkedAfter, parkedCount } from './notifier.store.ts';

/** The events that the notifier has parked, for operators; see `notifier.ts`. */

/** The most parked events that are described one by one; there may be many. */
const describedMax = 20;

/** How many events are parked. */
export async function countParked(read: Read): Promise<number> {
  return Number((await read.get(parkedCount, {}))?.count ?? 0);
}

/** Describes the first 20 parked events in sentences, each with its error, and counts the rest. */
export async function describeParked(read: Read): Promise<string[]> {
  const events = await read.all(parkedAfter, { after: 0, top: describedMax });
  const more = (await countParked(read)) - events.length;
  return [
    ...events.map(
      ({ eventId, action, error, parkedAt }) =>
        `event ${eventId} (${action}): its notifications failed and were given up at ${timestamp(parkedAt)} (${error}); "confab doctor --retry" tries again`,
    ),
    ...(more > 0 ? [`${more} more events without notifications`] : []),
  ];
}
