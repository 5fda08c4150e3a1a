import type { Read } from '../db/db.ts';
import type { Action } from '../events/events.ts';
import type { Log } from '../kernel/log.ts';
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
 * The hint of a commit makes it quick, its poll is the guarantee.
 */

/** The most events of a step: a slow step would keep requests waiting. */
const batchMax = 200;
/** How often the log is looked at without a hint. */
const pollMs = 1000;
/** How long the last reading of rights may take, in milliseconds: a process can be stopped in its middle. */
const freshMs = 1000;

/** What an action can change about the standing of people, and whose credentials it can end. */
type Effect = 'app' | 'member' | 'user';

const effects: { readonly [A in Action]?: Effect } = {
  app_updated: 'app',
  app_trashed: 'app',
  app_restored: 'app',
  app_deleted: 'app',
  member_added: 'member',
  member_updated: 'member',
  member_removed: 'member',
  user_updated: 'user',
  user_trashed: 'user',
  user_restored: 'user',
  tokens_revoked: 'user',
};
const effectOf: ReadonlyMap<string, Effect> = new Map(Object.entries(effects));
const actions = [...effectOf.keys()];

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
    const changes = await read.all(changesAfter, { after: judged, actions });
    const users = new Set<number>();
    let isNews = false;
    for (const { action, appId, entityId } of changes) {
      const effect = effectOf.get(action);
      if (effect === 'user') {
        isNews = standings.forgetUser(entityId) || isNews;
        users.add(entityId);
      } else if (effect === 'app') isNews = standings.forgetApp(appId ?? entityId) || isNews;
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
      let send = await audience.address(read, events);
      while (!(await isAsJudged())) send = await audience.address(read, events);
      send();
      told = last ?? told;
    } finally {
      telling = undefined;
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
    if (events.length > 0) await tell(events);
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
