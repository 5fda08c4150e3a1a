import { actionNames, factsOf, findFacts } from 'confab-contract/actions.ts';
import { Problem } from 'confab-contract/problem.ts';
import type { Read } from '../db/db.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from '../workers/runner.ts';
import type { VisibilityCache } from './app-visibility.ts';
import { changesAfter, type EventRow, eventsAfter, newestPosition } from './log.store.ts';

/**
 * Follows the log in order, from its newest position, for live clients.
 *
 * A step notes the end of the log, then reads all changes of rights, including those beyond the events that it will send,
 * and only then selects the recipients of the next events. So every event is checked against rights newer than itself.
 * Before sending, it reads the changes of rights again; if one concerns a live client, it selects the recipients again.
 * Changes of content count as well, because they may hide what an event says (`features/events/things.ts`).
 * So once a change of rights has been answered, no client receives an event that it may not see, even an event
 * from before the change. On SQLite this is exact, because the last check and the sending share one turn of the event
 * loop; with several nodes, a change that commits during the last check can come too late.
 *
 * A failing event does not block the others: after a failure that is not the store's, the events of the batch are sent
 * one by one, and an event that fails three times is skipped and its error logged. Clients find it in the feed.
 *
 * Commits wake the tail, which saves a delay; its poll is the guarantee.
 */

/** The most events of a step: a long step would delay requests. */
const batchMax = 200;
/** How often the log is polled. */
const pollMs = 1000;
/** How long the last check of rights may take before it is repeated: the process may have been suspended during it. */
const refreshMsMax = 1000;
/** How many times an event may fail before it is skipped. */
const attemptsMax = 3;

/** The things whose events repeat what users wrote, besides apps, whose changes count as changes of rights. */
const contentTypes: readonly string[] = ['comment', 'post', 'message', 'file', 'reaction'];

/** The actions that can change rights, end credentials, or take away what earlier events say. */
const changesOfRights = actionNames.filter((action) => {
  const { rights, entity } = factsOf(action);
  const isContent =
    contentTypes.includes(entity) && !action.endsWith('_created') && action !== 'reaction_added';
  return rights !== undefined || isContent;
});

/** The live clients that receive events. */
export type Audience = {
  /** Whether there is any client. */
  hasListeners(): boolean;
  /** Checks the credentials of the clients of users again. */
  proveAgain(userIds: readonly number[]): Promise<void>;
  /** Selects the clients that may see each event; the function it returns sends the events synchronously. */
  address(read: Read, events: readonly EventRow[]): Promise<() => void>;
};

/** The follower of the log. */
export type Tail = {
  /** Starts at the end of the log, unless it is running. Every event committed after it resolves is sent. */
  begin(): Promise<void>;
  /** The position of the last event sent, or being sent; undefined while there are no clients. */
  position(): number | undefined;
  /** Runs `send` after the pending events, with rights that are as recent; for what is not in the log. */
  announce(send: () => Promise<void> | void): void;
  nudge(): void;
  stop(): Promise<void>;
};

/** An error that an event causes; `cause` is the error itself. */
class EventFailure extends Error {}

/** Starts to follow the log. */
export function startTail({
  read,
  visibilities,
  audience,
  log,
}: {
  read: Read;
  visibilities: VisibilityCache;
  audience: Audience;
  log: Log;
}): Tail {
  let cursor: number | undefined;
  /** The position up to which changes of rights have been applied; never behind `cursor`. */
  let rightsCursor = 0;
  /** The last position of the events being sent. */
  let broadcasting: number | undefined;
  let announcements: (() => Promise<void> | void)[] = [];
  /** The position up to which events are sent one by one, because one of them has failed. */
  let suspectUpTo = 0;
  /** The event that failed last, and how many times in a row. */
  let failed = { id: 0, tries: 0 };

  async function begin(): Promise<void> {
    if (cursor !== undefined) return;
    const newest = (await read.get(newestPosition, {}))?.position ?? 0;
    if (cursor !== undefined) return;
    cursor = newest;
    rightsCursor = newest;
    loop.nudge();
  }

  /**
   * Applies every change of rights; returns whether one concerned a remembered right, or changed content of the apps that
   * events are being sent of.
   */
  async function refreshRights(sentOf: ReadonlySet<number | null> = new Set()): Promise<boolean> {
    const changes = await read.all(changesAfter, { after: rightsCursor, actions: changesOfRights });
    const users = new Set<number>();
    let hasChanged = false;
    for (const { action, appId, entityId } of changes) {
      const rights = findFacts(action)?.rights;
      if (rights === 'user') {
        hasChanged = visibilities.forgetUser(entityId) || hasChanged;
        users.add(entityId);
      } else if (rights === undefined) hasChanged = sentOf.has(appId) || hasChanged;
      else if (rights === 'app') hasChanged = visibilities.forgetApp(appId ?? entityId) || hasChanged;
      else if (appId !== null) hasChanged = visibilities.forgetMember(appId, entityId) || hasChanged;
    }
    await audience.proveAgain([...users]);
    rightsCursor = Math.max(rightsCursor, changes.at(-1)?.id ?? 0);
    return hasChanged;
  }

  async function broadcast(events: readonly EventRow[]): Promise<void> {
    const last = events.at(-1)?.id;
    broadcasting = last;
    try {
      const sentOf = new Set(events.map(({ appId }) => appId));
      let send = await addressEvents(events);
      while (!(await areRightsCurrent(sentOf))) send = await addressEvents(events);
      send();
      cursor = last ?? cursor;
    } finally {
      broadcasting = undefined;
    }
  }

  /** Selects the recipients; wraps an error in an `EventFailure` unless it is the store's. */
  async function addressEvents(events: readonly EventRow[]): Promise<() => void> {
    try {
      return await audience.address(read, events);
    } catch (error) {
      if (error instanceof Problem && error.code === 'storage_unavailable') throw error;
      throw new EventFailure('an event could not be sent', { cause: error });
    }
  }

  /** Sends events in order, so that a failing one does not block the others. */
  async function broadcastAll(events: readonly EventRow[]): Promise<void> {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return;
    if (first.id > suspectUpTo) {
      try {
        await broadcast(events);
        return;
      } catch (error) {
        if (!(error instanceof EventFailure)) throw error;
        suspectUpTo = last.id;
      }
    }
    for (const event of events) await broadcastOrSkip(event);
  }

  /** Sends one event, or skips it once it has failed `attemptsMax` times; throws before that, so that it is retried. */
  async function broadcastOrSkip(event: EventRow): Promise<void> {
    try {
      await broadcast([event]);
    } catch (error) {
      if (!(error instanceof EventFailure)) throw error;
      failed = { id: event.id, tries: failed.id === event.id ? failed.tries + 1 : 1 };
      if (failed.tries < attemptsMax) throw error;
      log.error({ err: error.cause, event: event.id }, 'live connections skip an event that fails');
      cursor = event.id;
    }
  }

  /** Whether the remembered rights are those that every client has at this moment, and the content of some apps as it was. */
  async function areRightsCurrent(sentOf: ReadonlySet<number | null>): Promise<boolean> {
    const startedAt = performance.now();
    const isNews = await refreshRights(sentOf);
    return !isNews && performance.now() - startedAt < refreshMsMax;
  }

  async function step(): Promise<number | undefined> {
    if (!audience.hasListeners()) {
      cursor = undefined;
      announcements = [];
      visibilities.forgetAll();
      return undefined;
    }
    await begin();
    const upto = (await read.get(newestPosition, {}))?.position ?? 0;
    await refreshRights();
    const events = await read.all(eventsAfter, { after: cursor ?? 0, upto, top: batchMax });
    await broadcastAll(events);
    for (let announcement = announcements[0]; announcement !== undefined; announcement = announcements[0]) {
      await announcement();
      announcements.shift();
    }
    return events.length === batchMax ? 0 : pollMs;
  }

  const loop: Loop = startLoop({ name: 'realtime', step, log });

  return {
    begin,
    position: () => broadcasting ?? cursor,
    announce(send) {
      if (!audience.hasListeners()) return;
      announcements.push(send);
      loop.nudge();
    },
    nudge() {
      // Without clients a commit costs nothing.
      if (cursor !== undefined) loop.nudge();
    },
    stop: () => loop.stop(),
  };
}
