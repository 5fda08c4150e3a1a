import { dayMs } from 'confab-contract/values/time.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { deleteEvents, logBounds, noteRemoved, oldestEvents } from './retention.store.ts';

/** How many events one step looks at: a few milliseconds of the one writer. */
const eventsPerStep = 500;

/**
 * Removes events that are older than some days. These stay: events with a kept delivery, whose body is made from them;
 * parked events; events that the notifier has not read; and the newest event, from which positions continue. Readers of
 * the feed keep their positions themselves; a reader that comes back too late gets `position_gone`.
 */
export function createEventRetention({ db, clock, days }: { db: Db; clock: Clock; days: number }) {
  /** The last event that was looked at, and when the log was looked at from its beginning: events that stayed may go. */
  let after = 0;
  let startedAt = Number.NEGATIVE_INFINITY;

  return {
    /** Looks at some events and removes the old ones; returns whether there may be more. */
    async sweep(): Promise<boolean> {
      const now = clock.now();
      // A clock that was ahead and is right again begins anew as well.
      if (now < startedAt || now - startedAt > dayMs) {
        after = 0;
        startedAt = now;
      }
      const bounds = await db.read.get(logBounds, {});
      const upto = Math.min(bounds?.done ?? 0, (bounds?.newest ?? 0) - 1);
      const events = await db.read.all(oldestEvents, { after, upto, top: eventsPerStep });
      const old = events.filter(({ createdAt }) => createdAt < now - days * dayMs);
      const ids = old.filter(({ isNeeded }) => !isNeeded).map(({ id }) => id);
      if (ids.length > 0)
        await db.write(async (tx) => {
          const removed = (await tx.all(deleteEvents, { ids })).map(({ id }) => id);
          if (removed.length > 0) await tx.run(noteRemoved, { eventId: Math.max(...removed) });
        });
      after = old.at(-1)?.id ?? after;
      return old.length === eventsPerStep;
    },
  };
}
