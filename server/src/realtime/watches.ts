import { Problem } from 'confab-contract/problem.ts';
import type { Db } from '../db/db.ts';
import type { AppChanges } from '../events/app-changes.ts';
import type { AppWatches } from '../features/apps/watch.ts';
import type { ClientLimits } from '../http/limits/client-limits.ts';
import type { Prove } from '../http/request.ts';
import type { Clock } from '../kernel/clock.ts';
import { LiveBody } from '../kernel/live-body.ts';
import type { Log } from '../kernel/log.ts';
import type { Principal } from '../kernel/principal.ts';
import { createSlices } from '../kernel/turn.ts';
import { startLoop } from '../workers/runner.ts';
import { proveAll } from './caller.ts';
import { createOpenWatches, type Watch, type WatchedApp, type WatchLimits } from './open-watches.ts';
import { commentWriterOf, type TypingNotice } from './typing.ts';
import { createWatchMessages, heartbeat, sliceMs, type WatchMessagesOptions } from './watch-messages.ts';
import { createWatchPeople, type WatchPeople } from './watch-people.ts';

/**
 * Watches: responses that say that something in an app has changed. What has changed, clients read
 * where everyone reads it, so one look at the log serves all watches of a server, and one answer those of an app. Where the
 * operator wants it, they also say who is writing a comment, and how many people are present, which is in no log (decisions
 * 0126 and 0135).
 *
 * A watch counts changes from the moment at which it was opened, before its first byte. A client that reads the app once it
 * has that byte therefore misses nothing. While nobody watches, no step runs and no event is read.
 *
 * Players: the *open watches* (`open-watches.ts`), the *people* whom they show to be present (`watch-people.ts`), and the
 * *messages* that they are sent (`watch-messages.ts`). One loop sends what is due, the other looks after the watches.
 */

/** The rest between two looks at the log: on a busy server every commit would cause one. */
const restMs = 100;
/** How often watches are looked after. */
const sweepMs = 1000;
/** How often the log is read without a commit that was heard: notices of other nodes can be lost. */
const pollMs = 10_000;
/** The longest silence of a watch, so that no proxy closes it as idle. */
const heartbeatMs = 15_000;
/** The most users whom one message names as writing; of more, nobody reads the names. */
const writersMax = 10;

type Opening = Parameters<AppWatches['appWatches']['open']>[0];

/** The dependencies of watches. */
export type WatchesOptions = {
  readonly db: Db;
  readonly changes: AppChanges;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: WatchLimits & WatchMessagesOptions['limits'] & Pick<ClientLimits, 'provedEveryMs'>;
  /** Whether watches say who is writing a comment, and how many people are present. */
  readonly shows: { readonly typing: boolean; readonly presence: boolean };
  /** Throws `too_many_connections` where a user has no room for another live connection. */
  readonly assertRoom: (principal: Principal) => void;
};

/** Manages the watches of this server. */
export function startWatches(options: WatchesOptions) {
  const { db, changes, clock, log, limits, shows, assertRoom } = options;
  const { read } = db;
  const watches = createOpenWatches({ changes, clock, limits, onPeople: () => loop.nudge() });
  const { apps } = watches;
  const people: WatchPeople = shows.presence
    ? createWatchPeople(watches, { peers: db.peers, perAddressMax: limits.visitorWatchesPerAddressMax })
    : undefined;
  const messages = createWatchMessages({ read, changes, watches, people, limits, showsTyping: shows.typing });
  let restsUntil = 0;
  let polledAt = 0;
  let isStopped = false;

  function lookAfter(app: WatchedApp, watch: Watch, now: number): void {
    if (watches.isExpired(watch)) watches.end(app, watch);
    else if (watches.isHeldUp(watch, now)) {
      log.info({ app_id: app.id }, 'a watch of an app was cut because its reader does not read');
      watch.body.destroy();
    } else if (now - watch.sentAt >= heartbeatMs) watches.push(watch, heartbeat);
  }

  /** Looks after every watch, then checks the credentials that are due. */
  async function sweep(): Promise<number | undefined> {
    if (apps.size === 0) return undefined;
    const now = performance.now();
    people?.forgetSilent(now);
    const due: { readonly app: WatchedApp; readonly watch: Watch; readonly prove: Prove }[] = [];
    const rest = createSlices(sliceMs);
    for (const app of [...apps.values()])
      for (const watch of [...app.watches]) {
        const resting = rest();
        if (resting !== undefined) await resting;
        lookAfter(app, watch, now);
        const { prove, provedAt } = watch;
        const isDue = app.watches.has(watch) && now - provedAt >= limits.provedEveryMs;
        if (isDue && prove !== undefined) due.push({ app, watch, prove });
      }
    await proveAll(due, {
      hold({ watch }, principal) {
        watch.principal = principal;
        watch.provedAt = performance.now();
      },
      end: ({ app, watch }) => watches.end(app, watch),
    });
    return sweepMs;
  }

  async function step(): Promise<number | undefined> {
    if (apps.size === 0) return people?.notifyNodes();
    const now = performance.now();
    if (now < restsUntil) return restsUntil - now;
    restsUntil = now + restMs;
    if (now - polledAt >= pollMs) {
      polledAt = now;
      changes.recheck();
    }
    await changes.catchUp();
    let waitMs = sweepMs;
    for (const app of [...apps.values()]) waitMs = await messages.sendDue(app, now, waitMs);
    return Math.max(Math.min(waitMs, people?.notifyNodes() ?? waitMs), restMs);
  }

  const loop = startLoop({ name: 'watches', log, step });
  // A loop of its own, so that no check of a credential keeps a message waiting.
  const sweeper = startLoop({ name: 'watches-sweep', log, step: sweep });
  const stopListening = db.onCommit('events', () => {
    // While nobody watches, a commit costs nothing.
    if (apps.size > 0) loop.nudge();
  });

  /** A watch that nothing has been sent to. */
  function watchOf({ caller, raw, query }: Pick<Opening, 'caller' | 'raw' | 'query'>, body: LiveBody): Watch {
    const now = performance.now();
    const isPresent = shows.presence && query.present === true && caller.kind !== 'key';
    const times = {
      sentAt: now,
      provedAt: now,
      unreadSince: undefined,
      isPresent,
      toldCount: undefined,
    };
    const address = caller.kind === 'visitor' ? raw.clientAddress : undefined;
    return { ...times, body, principal: caller, address, prove: raw.prove };
  }

  return {
    /** How many watches are open. */
    count: watches.count,

    /** How many watches a user has, with the API keys that act for the user. */
    countOf: watches.countOf,

    /** Opens a watch of an app that its caller may read. Returns its body. Throws `too_many_connections`. */
    async open({ caller, raw, query, on: { id: appId } }: Opening): Promise<LiveBody> {
      await changes.catchUp();
      if (isStopped) throw new Problem('shutting_down', 'The server is shutting down.');
      // In the turn that adds the watch, so that no other takes the place meanwhile.
      if (caller.kind === 'visitor') watches.assertFree(raw.clientAddress);
      else assertRoom(caller);
      const body = new LiveBody(() => watches.remove(app, watch));
      const watch = watchOf({ caller, raw, query }, body);
      const app = watches.add(appId, watch);
      if (watches.count() === 1) sweeper.nudge();
      loop.nudge();
      try {
        // The right was proved before the moment from which changes are counted.
        await messages.greet(app, watch);
      } catch (error) {
        body.destroy();
        throw error;
      }
      return body;
    },

    /** Says to the watches of an app that a user is writing a comment, where the operator wants it. */
    showTyping(notice: TypingNotice): void {
      const app = shows.typing ? apps.get(notice.appId) : undefined;
      if (app === undefined || app.writers.size >= writersMax) return;
      const name = commentWriterOf(notice);
      if (name === undefined) return;
      app.writers.set(notice.userId, name);
      loop.nudge();
    },

    /** Ends every watch. */
    async stop(): Promise<void> {
      isStopped = true;
      stopListening();
      await loop.stop();
      await sweeper.stop();
      watches.endAll();
      people?.leave();
    },
  };
}
