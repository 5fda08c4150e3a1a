import { actionNames, factsOf, findFacts } from '../contract/actions.ts';
import type { Read } from '../db/db.ts';
import type { Log } from '../kernel/log.ts';
import { Problem } from '../kernel/problem.ts';
import { type Loop, startLoop } from '../workers/runner.ts';
import { changesAfter, type EventRow, eventsAfter, newestPosition } from './log.store.ts';
import type { Standings } from './standing.ts';

/**
 * Follows the log for those who listen, in its order, from the newest position on.
 *
 * A step first notes the end of the log, then reads which rights have changed, however much of the log is still to be
 * told, and only then finds out who is told the next events up to that end. So whatever is told is judged by rights that
 * are newer than it. Before anything is sent the changes of rights are read once more, and if one concerns somebody who
 * listens, it is judged again. So from the moment a change of rights is answered nobody gets what they may not see, not
 * even of what happened before it: on SQLite exactly, because all of this is one turn of the event loop; where other
 * nodes write meanwhile, but for what is on its way to be sent while the last of these readings is.
 *
 * An event that fails holds up no others: after a failure that is not the store's, the events of the batch are taken one
 * by one, and one that fails three times is left out, with its error in the log. Its readers find it in the feed.
 *
 * The hint of a commit makes it quick, its poll is the guarantee.
 */

/** The most events of a step: a slow step would keep requests waiting. */
const batchMax = 200;
/** How often the log is looked at without a hint. */
const pollMs = 1000;
/** How long the last reading of rights may take, in milliseconds: a process can be stopped in its middle. */
const freshMs = 1000;
/** How often an event is tried before it is left out. */
const triesMax = 3;

/** The actions that can change rights or end credentials. */
const changesOfRights = actionNames.filter((action) => factsOf(action).rights !== undefined);

/** Those who listen. */
export type Audience = {
  /** Whether there is anybody. */
  isThere(): boolean;
  /** Proves the credentials of a user again. */
  proveAgain(userId: number): Promise<void>;
  /** Finds out who may know of some events; the answer sends them, at once and without waiting for anything. */
  address(read: Read, events: readonly EventRow[]): Promise<() => void>;
};

/** The follower of the log. */
export type Tail = {
  /** Begins at the end of the log, unless it is already followed. Resolves when what is committed from here on is told. */
  begin(): Promise<void>;
  /** The last position that was told, or is being told; undefined while nobody listens. */
  position(): number | undefined;
  /** Has something said in its turn that is in no log, judged by standings that are as new. */
  announce(tell: () => Promise<void> | void): void;
  nudge(): void;
  stop(): Promise<void>;
};

/** An error that an event causes; `cause` is the error itself. */
class EventFailure extends Error {}

/** Starts to follow the log for an audience. */
export function startTail({
  read,
  standings,
  audience,
  log,
}: {
  read: Read;
  standings: Standings;
  audience: Audience;
  log: Log;
}): Tail {
  let told: number | undefined;
  /** Up to where changes of rights have been taken note of; never behind what was told. */
  let judged = 0;
  /** The last position of what is being told. */
  let telling: number | undefined;
  let announcements: (() => Promise<void> | void)[] = [];
  /** Up to where events are taken one by one, because one of them has failed. */
  let suspectUpTo = 0;
  /** The event that failed last, and how often in a row. */
  let failed = { id: 0, tries: 0 };

  async function begin(): Promise<void> {
    if (told !== undefined) return;
    const newest = (await read.get(newestPosition, {}))?.position ?? 0;
    if (told !== undefined) return;
    told = newest;
    judged = newest;
    loop.nudge();
  }

  /** Takes note of every change of rights; answers whether one concerns somebody whose rights were remembered. */
  async function judge(): Promise<boolean> {
    const changes = await read.all(changesAfter, { after: judged, actions: changesOfRights });
    const users = new Set<number>();
    let isNews = false;
    for (const { action, appId, entityId } of changes) {
      const rights = findFacts(action)?.rights;
      if (rights === 'user') {
        isNews = standings.forgetUser(entityId) || isNews;
        users.add(entityId);
      } else if (rights === 'app') isNews = standings.forgetApp(appId ?? entityId) || isNews;
      else if (appId !== null) isNews = standings.forgetMember(appId, entityId) || isNews;
    }
    for (const userId of users) await audience.proveAgain(userId);
    judged = Math.max(judged, changes.at(-1)?.id ?? 0);
    return isNews;
  }

  async function tell(events: readonly EventRow[]): Promise<void> {
    const last = events.at(-1)?.id;
    telling = last;
    try {
      let send = await addressed(events);
      while (!(await isAsJudged())) send = await addressed(events);
      send();
      told = last ?? told;
    } finally {
      telling = undefined;
    }
  }

  /** Addresses events; wraps an error that may be theirs, rather than the store's, in an `EventFailure`. */
  async function addressed(events: readonly EventRow[]): Promise<() => void> {
    try {
      return await audience.address(read, events);
    } catch (error) {
      if (error instanceof Problem && error.code === 'storage_unavailable') throw error;
      throw new EventFailure('an event could not be told', { cause: error });
    }
  }

  /** Tells events in their order, so that none of them can hold up the others for long. */
  async function tellAll(events: readonly EventRow[]): Promise<void> {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return;
    if (first.id > suspectUpTo) {
      try {
        await tell(events);
        return;
      } catch (error) {
        if (!(error instanceof EventFailure)) throw error;
        suspectUpTo = last.id;
      }
    }
    for (const event of events) await tellOrLeaveOut(event);
  }

  /** Tells one event, or leaves it out once it has failed often enough; throws until then, to try it again later. */
  async function tellOrLeaveOut(event: EventRow): Promise<void> {
    try {
      await tell([event]);
    } catch (error) {
      if (!(error instanceof EventFailure)) throw error;
      failed = { id: event.id, tries: failed.id === event.id ? failed.tries + 1 : 1 };
      if (failed.tries < triesMax) throw error;
      log.error({ err: error.cause, event: event.id }, 'live connections leave out an event that fails');
      told = event.id;
    }
  }

  /** Whether at the moment everybody who listens has the rights that are remembered. */
  async function isAsJudged(): Promise<boolean> {
    const askedAt = performance.now();
    const isNews = await judge();
    return !isNews && performance.now() - askedAt < freshMs;
  }

  async function step(): Promise<number | undefined> {
    if (!audience.isThere()) {
      told = undefined;
      announcements = [];
      standings.forgetAll();
      return undefined;
    }
    await begin();
    const upto = (await read.get(newestPosition, {}))?.position ?? 0;
    await judge();
    const events = await read.all(eventsAfter, { after: told ?? 0, upto, top: batchMax });
    await tellAll(events);
    for (let say = announcements[0]; say !== undefined; say = announcements[0]) {
      await say();
      announcements.shift();
    }
    return events.length === batchMax ? 0 : pollMs;
  }

  const loop: Loop = startLoop({ name: 'realtime', step, log });

  return {
    begin,
    position: () => telling ?? told,
    announce(tell) {
      if (!audience.isThere()) return;
      announcements.push(tell);
      loop.nudge();
    },
    nudge() {
      // A commit that nobody listens for costs nothing.
      if (told !== undefined) loop.nudge();
    },
    stop: () => loop.stop(),
  };
}
