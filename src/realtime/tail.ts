import type { Read } from '../db/db.ts';
import type { Action } from '../events/events.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from '../workers/runner.ts';
import { changesAfter, type EventRow, eventsAfter, newestPosition } from './log.store.ts';
import type { Standings } from './standing.ts';

/**
 * Follows the log for those who listen, in its order, from the newest position on.
 *
 * A step first reads which rights have changed up to the end of the log, however much of it is still to be told, and
 * only then tells the next events. Reading, judging and sending happen in one turn of the event loop, in which nothing
 * can be committed and answered, so from the moment a change of rights is answered nobody gets what they may not see,
 * not even of what happened before. The hint of a commit makes it quick, its poll is the guarantee.
 */

/** The most events of a step: a slow step would keep requests waiting. */
const batchMax = 200;
/** How often the log is looked at without a hint. */
const pollMs = 1000;

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
  /** Tells some events to those who may know of them. Sends nothing when it throws. */
  tell(read: Read, events: readonly EventRow[]): Promise<void>;
};

/** The follower of the log. */
export type Tail = {
  /** Begins at the end of the log, unless it is already followed. Resolves when what is committed from here on is told. */
  begin(): Promise<void>;
  /** The last position that was told; undefined while nobody listens. */
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
  let announcements: (() => Promise<void> | void)[] = [];

  async function begin(): Promise<void> {
    if (told !== undefined) return;
    const newest = (await read.get(newestPosition, {}))?.position ?? 0;
    if (told !== undefined) return;
    told = newest;
    judged = newest;
    loop.nudge();
  }

  async function judge(): Promise<void> {
    const changes = await read.all(changesAfter, { after: judged, actions });
    const users = new Set<number>();
    for (const { action, appId, entityId } of changes) {
      const effect = effectOf.get(action);
      if (effect === 'user') {
        standings.forgetUser(entityId);
        users.add(entityId);
      } else if (effect === 'app') standings.forgetApp(appId ?? entityId);
      else if (appId !== null) standings.forgetMember(appId, entityId);
    }
    for (const userId of users) await audience.proveAgain(userId);
    judged = Math.max(judged, changes.at(-1)?.id ?? 0);
  }

  async function step(): Promise<number | undefined> {
    if (!audience.isThere()) {
      told = undefined;
      announcements = [];
      standings.forgetAll();
      return undefined;
    }
    await begin();
    await judge();
    const events = await read.all(eventsAfter, { after: told ?? 0, top: batchMax });
    if (events.length > 0) {
      await audience.tell(read, events);
      told = events.at(-1)?.id ?? told;
    }
    const saying = announcements;
    announcements = [];
    for (const say of saying) await say();
    return events.length === batchMax ? 0 : pollMs;
  }

  const loop: Loop = startLoop({ name: 'realtime', step, log });

  return {
    begin,
    position: () => told,
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
