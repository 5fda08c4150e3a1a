import { Problem } from 'confab-contract/problem.ts';
import type { Tx } from '../../db/db.ts';
import { createLease } from '../../db/lease.ts';
import {
  batchOf,
  firstEventAfter,
  noticesMax,
  notifiedUpTo,
  type Position,
  readWindow,
  type Window,
  windowEventsMax,
} from './log-window.ts';
import { prepareNotifications, recipientsOf } from './notification-writes.ts';
import { movePosition, newestEvent, parkEvent, storedPosition } from './notifier.store.ts';
import type { NotifierParts } from './parked-events.ts';

/**
 * The notifier creates notifications from the event log. It reads the log in order from a stored position. The
 * notifications of some events, the events about these notifications and the new position are written in one
 * transaction, so after a crash the next process continues where the last transaction ended: no notification is lost,
 * and none is created twice.
 *
 * A position is the last finished event and, within the event after it, the last finished recipient: an event with many
 * subscribers takes several batches. Events without recipients only advance the position in memory, because a write for
 * each of them would double the writes of a server; the stored position follows when the notifier has caught up with
 * the log, and at the latest some hundred events behind.
 *
 * A failing event does not block later events. After a failure the notifier processes events one at a time, and an
 * event that fails three times is *parked* with its error in the transaction that moves the position past it. An
 * operator sees it in `confab doctor` and retries it with `--retry` (`parked-events.ts`). A failure of the store parks nothing.
 *
 * Where several nodes share a store, one of them reads the log for all, by a lease. The lease only saves work: each
 * notification is created once because its transaction moves the position only from the value that this node knows. A
 * node that finds another value writes nothing and continues from there.
 */

/** Its transactions run alone, and append their events at once. */
const kind = { among: 'notifiers', key: 0, events: 0 } as const;
/** How often an event is tried by itself before it is parked. */
const triesMax = 3;
/** The most characters of an error that are stored. */
const errorCharactersMax = 500;
/** The most events by which the stored position lags behind the one in memory. */
const unstoredEventsMax = 500;

/** A failure: the event up to which each is tried by itself, and how often the first of them has failed. */
type Failure = { readonly upto: number; readonly eventId: number; readonly tries: number };

/** The outcome of one step. */
export type Step = {
  /** Whether there was nothing to read. */
  readonly isIdle: boolean;
  /** Whether there is more to read. */
  readonly hasMore: boolean;
  /** Whether `flush` is due once the notifier has caught up with the log. */
  readonly isUnstored: boolean;
};

const heldElsewhere: Step = { isIdle: true, hasMore: false, isUnstored: false };

/** Creates notifications; its worker takes one step at a time. */
export type Notifier = ReturnType<typeof createNotifier>;

/** Creates the notifier of one node. */
export function createNotifier({ db, clock, people, log }: NotifierParts) {
  let stored: Position | undefined;
  let current: Position = { eventId: 0, userId: 0 };
  let isUnstored = false;
  /** The window that was read last, kept until it is done: an event with many recipients is read and parsed once. */
  let window: Window | undefined;
  let failure: Failure | undefined;
  const lease = createLease({ db, clock, name: 'notifier' });

  /** Forgets the position, because another node has moved it. */
  function forgetPosition(): void {
    stored = undefined;
    window = undefined;
    isUnstored = false;
  }

  async function currentPosition(): Promise<Position> {
    if (stored !== undefined) return current;
    stored = await db.read.get(storedPosition, {});
    if (stored === undefined) throw new Error('the store has no position of the notifier');
    current = stored;
    return current;
  }

  /** Moves the stored position; returns false when it is not where this node knows it to be. */
  async function storePosition(tx: Tx, to: Position): Promise<boolean> {
    if (stored === undefined) throw new Error('the position is not known');
    const from = { fromEventId: stored.eventId, fromUserId: stored.userId };
    return (await tx.changed(movePosition, { ...to, ...from })) > 0;
  }

  function advance(to: Position, { isWritten }: { isWritten: boolean }): void {
    current = to;
    if (isWritten) stored = to;
  }

  /** The window that follows `from`, or undefined at the end of the log. */
  async function windowAfter(from: Position): Promise<Window | undefined> {
    if (window !== undefined && from.eventId < window.upto) return window;
    window = undefined;
    const newest = (await db.read.get(newestEvent, {}))?.id ?? 0;
    if (newest <= from.eventId) return undefined;
    const top = failure === undefined ? noticesMax : 1;
    window = await readWindow(db.read, from.eventId, { newest, top });
    return window;
  }

  /** Notifies the recipients of the next batch of the log. */
  async function notifyNext(from: Position): Promise<Step> {
    const next = await windowAfter(from);
    if (next === undefined) return { isIdle: true, hasMore: false, isUnstored };
    const batch = await batchOf(db.read, next, from);
    const isLate = batch.end.eventId - (stored?.eventId ?? 0) > unstoredEventsMax;
    if (batch.audiences.length === 0 && !isLate) {
      advance(batch.end, { isWritten: false });
      if (batch.notices.length > 0) isUnstored = true;
      return { isIdle: false, hasMore: batch.hasMore, isUnstored };
    }
    const outcome = await db.write(async (tx) => {
      const recipients = await recipientsOf(tx, batch, people);
      if (recipients.length === 0 && !isLate) return 'unwritten';
      // Everything is read before the first write, because nobody else can write from then on.
      const notifications = await prepareNotifications({ tx, at: clock.now() }, batch, recipients);
      if (!(await storePosition(tx, batch.end))) return 'overtaken';
      if (recipients.length > 0) await notifications.write();
      return 'written';
    }, kind);
    if (outcome === 'overtaken') {
      forgetPosition();
      return { isIdle: false, hasMore: true, isUnstored };
    }
    const isWritten = outcome === 'written';
    advance(batch.end, { isWritten });
    isUnstored = !isWritten;
    return { isIdle: false, hasMore: batch.hasMore, isUnstored };
  }

  /** Parks the event after `from` once it has failed often enough; until then throws `error`, to be tried again. */
  async function handleFailure(from: Position, error: unknown): Promise<Step> {
    window = undefined;
    // An unavailable store recovers; no event is at fault.
    if (error instanceof Problem && error.code === 'storage_unavailable') throw error;
    if (failure === undefined) {
      // Trying each event by itself shows which one fails.
      failure = { upto: from.eventId + windowEventsMax, eventId: 0, tries: 0 };
      throw error;
    }
    const event = await firstEventAfter(db.read, from);
    if (event === undefined) throw error;
    const tries = failure.eventId === event.id ? failure.tries + 1 : 1;
    failure = { ...failure, eventId: event.id, tries };
    if (tries < triesMax) throw error;
    const parked = { eventId: event.id, userId: notifiedUpTo(event.id, from), error: textOf(error) };
    const end = { eventId: event.id, userId: 0 };
    const isMoved = await db.write(async (tx) => {
      if (!(await storePosition(tx, end))) return false;
      await tx.run(parkEvent, { ...parked, parkedAt: clock.now() });
      return true;
    });
    if (isMoved) {
      log.error({ err: error, event: event.id }, 'nobody is notified of an event: see "confab doctor"');
      advance(end, { isWritten: true });
      isUnstored = false;
    } else forgetPosition();
    return { isIdle: false, hasMore: true, isUnstored };
  }

  return {
    /** Notifies the recipients of the next batch of the log. Throws the error of an event until the event is parked. */
    async step(): Promise<Step> {
      const turn = await lease.take();
      if (turn !== 'held') forgetPosition();
      if (turn === 'elsewhere') return heldElsewhere;
      const from = await currentPosition();
      try {
        const step = await notifyNext(from);
        if (step.isIdle || current.eventId >= (failure?.upto ?? 0)) failure = undefined;
        return step;
      } catch (error) {
        return await handleFailure(from, error);
      }
    },

    /** Stores the position, if it is due; call it once the notifier has caught up with the log. */
    async flush(): Promise<void> {
      if (!isUnstored) return;
      const to = current;
      if (await db.write((tx) => storePosition(tx, to))) advance(to, { isWritten: true });
      else forgetPosition();
      isUnstored = false;
    },

    /** The last event that it has finished; undefined while another node reads the log. */
    position: () => (stored === undefined ? undefined : current.eventId),

    /** Releases the lease, so that another node continues. */
    release: lease.end,
  };
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, errorCharactersMax);
}
