import type { Read } from '../../../db/db.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { laneStates, oldestUndelivered } from './lanes.store.ts';

/** Figures about the lanes of a store, for metrics. */

/** The most webhooks that are counted. */
const countedMax = 10_000;

/** The states of a lane, as figures have them. */
const states = ['open', 'paused', 'disabled'] as const;

/** How many of the first 10,000 webhooks send, are paused by their breaker, or are disabled. */
export async function countLanes(read: Read): Promise<{ state: (typeof states)[number]; count: number }[]> {
  const rows = await read.all(laneStates, { top: countedMax });
  return states.map((state) => ({
    state,
    count: Number(rows.find((row) => row.state === state)?.count ?? 0),
  }));
}

/** The age in milliseconds of the oldest event that an enabled webhook has not received; 0 for none. */
export async function deliveryAgeMs(read: Read, clock: Clock): Promise<number> {
  const oldest = await read.get(oldestUndelivered, {});
  const times = [oldest?.pending, oldest?.retrying].filter((time) => typeof time === 'number');
  return times.length === 0 ? 0 : Math.max(clock.now() - Math.min(...times), 0);
}
