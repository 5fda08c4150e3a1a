import { Readable } from 'node:stream';
import { findApp, sees } from '../access/access.ts';
import type { Db } from '../db/db.ts';
import type { AppChanges } from '../events/app-changes.ts';
import type { AppWatches } from '../features/apps/watch.ts';
import type { ClientLimits } from '../http/limits/client-limits.ts';
import { createPlaces } from '../http/limits/places.ts';
import type { Prove } from '../http/request.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Principal } from '../kernel/principal.ts';
import { Problem } from '../kernel/problem.ts';
import { startLoop } from '../workers/runner.ts';
import { readVisibilities } from './app-visibility.ts';
import { proveAll } from './caller.ts';
import { createHeadcount, type People, presentPeople } from './headcount.ts';
import { commentWriterOf, type TypingNotice } from './typing.ts';

/**
 * Watches: responses that say that something in an app has changed. What has changed, clients read
 * where everyone reads it, so one look at the log serves all watches of a server, and one answer those of an app. Where the
 * operator wants it, they also say who is writing a comment, and how many people are present, which is in no log (decisions
 * 0126 and 0135).
 *
 * A watch counts changes from the moment at which it was opened, before its first byte. A client that reads the app once it
 * has that byte therefore misses nothing. While nobody watches, no step runs and no event is read.
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

const changed = 'event: changed\ndata: {}\n\n';
const heartbeat = ':\n\n';

type Opening = Parameters<AppWatches['appWatches']['open']>[0];

type Watch = {
  readonly body: Readable;
  /** The address that a visitor is counted by; undefined for callers with a credential, and where it may stand for everybody. */
  readonly address: string | undefined;
  /** Undefined for callers without a credential. */
  readonly prove: Prove | undefined;
  /** Whether its caller counts as present, and is told how many are. */
  readonly isPresent: boolean;
  /** How many people it was told of. */
  toldCount: number | undefined;
  /** As it was proved last; its user is always the one who opened the watch. */
  principal: Principal;
  sentAt: number;
  provedAt: number;
  /** Since when bytes wait for the client. */
  unreadSince: number | undefined;
};

type WatchedApp = {
  readonly id: number;
  readonly watches: Set<Watch>;
  /** The moment of `AppChanges` up to which its watches know of changes. */
  since: number;
  toldAt: number;
  /** The names of those who are writing and have not been shown yet, by their ids. */
  readonly writers: Map<number, string>;
  writersToldAt: number;
  /** Since when another number of people may be present than its watches were told. */
  countChangedAt: number | undefined;
  countToldAt: number;
};

/** The dependencies of watches. */
export type WatchesOptions = {
  readonly db: Db;
  readonly changes: AppChanges;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<
    ClientLimits,
    | 'visitorWatchesMax'
    | 'visitorWatchesPerAddressMax'
    | 'unreadMs'
    | 'watchEveryMs'
    | 'presenceEveryMs'
    | 'presenceSettleMs'
    | 'provedEveryMs'
  >;
  /** Whether watches say who is writing a comment, and how many people are present. */
  readonly shows: { readonly typing: boolean; readonly presence: boolean };
  /** Throws `too_many_connections` where a user has no room for another live connection. */
  readonly assertRoom: (principal: Principal) => void;
};

/** Manages the watches of this server. */
export function startWatches(options: WatchesOptions) {
  const { db, changes, clock, log, limits, shows, assertRoom } = options;
  const { read } = db;
  const apps = new Map<number, WatchedApp>();
  const ofUser = new Map<number, number>();
  const places = createPlaces(limits);
  const headcount = shows.presence ? createHeadcount(db.peers) : undefined;
  let count = 0;
  let restsUntil = 0;
  let polledAt = 0;
  let isStopped = false;

  function countWatch({ principal, address }: Watch, by: 1 | -1): void {
    count += by;
    if (principal.kind !== 'visitor') addTo(ofUser, principal.user.id, by);
    else places.count(address, by);
  }

  function add(appId: number, watch: Watch): WatchedApp {
    const app = apps.get(appId) ?? {
      id: appId,
      watches: new Set(),
      since: changes.moment(),
      toldAt: 0,
      writers: new Map(),
      writersToldAt: 0,
      countChangedAt: undefined,
      countToldAt: 0,
    };
    apps.set(appId, app);
    app.watches.add(watch);
    countWatch(watch, 1);
    if (count === 1) sweeper.nudge();
    if (watch.isPresent) recount([appId]);
    return app;
  }

  function remove(app: WatchedApp, watch: Watch): void {
    if (!app.watches.delete(watch)) return;
    countWatch(watch, -1);
    if (app.watches.size === 0) apps.delete(app.id);
    if (watch.isPresent) recount([app.id]);
  }

  /** Notes that another number of people may be present in apps. */
  function recount(appIds: readonly number[]): void {
    if (appIds.length === 0) return;
    for (const id of appIds) {
      const app = apps.get(id);
      if (app !== undefined) app.countChangedAt ??= performance.now();
    }
    loop.nudge();
  }

  /** The people whom the watches of an app show to be present at this node. */
  function peopleOf({ watches }: WatchedApp): People {
    const present = [...watches].filter(({ isPresent }) => isPresent);
    return presentPeople(present, limits.visitorWatchesPerAddressMax);
  }

  /** Notifies other nodes of the people at this one; returns the milliseconds until there may be more to say. */
  function notifyNodes(): number | undefined {
    const here = () => {
      const present = [...apps.values()].filter(({ watches }) =>
        [...watches].some(({ isPresent }) => isPresent),
      );
      return new Map(present.map((app) => [app.id, peopleOf(app)]));
    };
    return headcount?.notify(here, performance.now());
  }

  function end(app: WatchedApp, watch: Watch): void {
    remove(app, watch);
    if (!watch.body.destroyed) watch.body.push(null);
  }

  function push(watch: Watch, text: string): void {
    watch.sentAt = performance.now();
    watch.body.push(text);
  }

  /** Those of some watches whose callers may read the app now; at most three statements, however many there are. */
  async function readersAmong(appId: number, watches: readonly Watch[]): Promise<(watch: Watch) => boolean> {
    const userIds = new Set<number>();
    const others = new Map<string, Principal>();
    for (const { principal } of watches)
      if (principal.kind === 'token') userIds.add(principal.user.id);
      else others.set(principal.kind, principal);
    const users = (await readVisibilities(read, { appIds: [appId], userIds: [...userIds] })).get(appId);
    const reading = new Set<string>();
    for (const [kind, principal] of others) {
      const app = await findApp(read, principal, { id: appId });
      if (app !== undefined && sees(app)) reading.add(kind);
    }
    return ({ principal: { kind, user } }) =>
      kind === 'token' ? users?.get(user.id)?.maySeeContent === true : reading.has(kind);
  }

  /** Says to the watches of an app that it has changed. */
  async function tell(app: WatchedApp): Promise<void> {
    const moment = changes.moment();
    await sendTo(app, () => changed);
    app.since = moment;
    app.toldAt = performance.now();
  }

  /** Says to the watches of an app who is writing, to those who do of the others alone. */
  async function tellWriters(app: WatchedApp): Promise<void> {
    const writers = [...app.writers];
    app.writers.clear();
    app.writersToldAt = performance.now();
    const all = writersMessage(writers);
    await sendTo(app, ({ principal: { user } }) => {
      const others = writers.filter(([id]) => id !== user.id);
      if (others.length === writers.length) return all;
      return others.length === 0 ? undefined : writersMessage(others);
    });
  }

  /** Says to the watches of an app how many people are present, to those who were told another number. */
  async function tellCount(app: WatchedApp): Promise<void> {
    app.countChangedAt = undefined;
    const people = headcount?.count(app.id, peopleOf(app)) ?? 0;
    const isNews = (watch: Watch) => watch.isPresent && watch.toldCount !== people;
    if (![...app.watches].some(isNews)) return;
    app.countToldAt = performance.now();
    await sendTo(app, (watch) => {
      if (!isNews(watch)) return undefined;
      watch.toldCount = people;
      return countMessage(people);
    });
  }

  /** Sends each watch of an app its message where its caller may still read the app, and ends the others. */
  async function sendTo(app: WatchedApp, messageOf: (watch: Watch) => string | undefined): Promise<void> {
    const watches = [...app.watches];
    const mayRead = await readersAmong(app.id, watches);
    for (const watch of watches) {
      if (!mayRead(watch) || isExpired(watch)) end(app, watch);
      const message = app.watches.has(watch) ? messageOf(watch) : undefined;
      if (message !== undefined) push(watch, message);
    }
  }

  function isExpired({ principal: { expiresAt } }: Watch): boolean {
    return expiresAt !== undefined && expiresAt <= clock.now();
  }

  /** Whether a client has left bytes unread for longer than any client may. */
  function isHeldUp(watch: Watch, now: number): boolean {
    if (watch.body.readableLength === 0) watch.unreadSince = undefined;
    else watch.unreadSince ??= now;
    return watch.unreadSince !== undefined && now - watch.unreadSince >= limits.unreadMs;
  }

  function lookAfter(app: WatchedApp, watch: Watch, now: number): void {
    if (isExpired(watch)) end(app, watch);
    else if (isHeldUp(watch, now)) {
      log.info({ app_id: app.id }, 'a watch of an app was cut because its reader does not read');
      watch.body.destroy();
    } else if (now - watch.sentAt >= heartbeatMs) push(watch, heartbeat);
  }

  /** Looks after every watch, then checks the credentials that are due. */
  async function sweep(): Promise<number | undefined> {
    if (apps.size === 0) return undefined;
    const now = performance.now();
    if (headcount !== undefined) recount(headcount.forget(now));
    const due: { readonly app: WatchedApp; readonly watch: Watch; readonly prove: Prove }[] = [];
    for (const app of [...apps.values()])
      for (const watch of [...app.watches]) {
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
      end: ({ app, watch }) => end(app, watch),
    });
    return sweepMs;
  }

  async function step(): Promise<number | undefined> {
    if (apps.size === 0) return notifyNodes();
    const now = performance.now();
    if (now < restsUntil) return restsUntil - now;
    restsUntil = now + restMs;
    if (now - polledAt >= pollMs) {
      polledAt = now;
      changes.recheck();
    }
    await changes.catchUp();
    let waitMs = sweepMs;
    for (const app of [...apps.values()]) {
      const { toldAt, writersToldAt, countChangedAt, countToldAt } = app;
      const countAt = Math.max(
        (countChangedAt ?? 0) + limits.presenceSettleMs,
        countToldAt + limits.presenceEveryMs,
      );
      const due = [
        { isDue: changes.hasChanged(app.id, app.since), at: toldAt + limits.watchEveryMs, send: tell },
        { isDue: app.writers.size > 0, at: writersToldAt + limits.watchEveryMs, send: tellWriters },
        { isDue: countChangedAt !== undefined, at: countAt, send: tellCount },
      ];
      for (const { isDue, at, send } of due) {
        const dueMs = at - now;
        if (isDue && dueMs > 0) waitMs = Math.min(waitMs, dueMs);
        else if (isDue) await send(app);
      }
    }
    return Math.max(Math.min(waitMs, notifyNodes() ?? waitMs), restMs);
  }

  const loop = startLoop({ name: 'watches', log, step });
  // A loop of its own, so that no check of a credential keeps a message waiting.
  const sweeper = startLoop({ name: 'watches-sweep', log, step: sweep });
  const stopListening = db.onCommit('events', () => {
    // While nobody watches, a commit costs nothing.
    if (apps.size > 0) loop.nudge();
  });

  db.peers?.onMessage('headcount', (notice) => {
    if (headcount !== undefined) recount(headcount.hear(notice, performance.now()));
  });

  /** A watch that nothing has been sent to. */
  function watchOf({ caller, raw, query }: Pick<Opening, 'caller' | 'raw' | 'query'>, body: Readable): Watch {
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

  /** The first bytes send the headers, and say to clients what they are told besides changes. */
  function greeting(app: WatchedApp, watch: Watch): string {
    const writers = shows.typing ? writersMessage([]) : '';
    if (!watch.isPresent || headcount === undefined) return writers || heartbeat;
    watch.toldCount = headcount.count(app.id, peopleOf(app));
    return writers + countMessage(watch.toldCount);
  }

  return {
    /** How many watches are open. */
    count: (): number => count,

    /** How many watches a user has, with the API keys that act for the user. */
    countOf: (userId: number): number => ofUser.get(userId) ?? 0,

    /** Opens a watch of an app that its caller may read. Returns its body. Throws `too_many_connections`. */
    async open({ caller, raw, query, on: { id: appId } }: Opening): Promise<Readable> {
      await changes.catchUp();
      if (isStopped) throw new Problem('shutting_down', 'The server is shutting down.');
      // In the turn that adds the watch, so that no other takes the place meanwhile.
      if (caller.kind === 'visitor') places.assertFree(raw.clientAddress);
      else assertRoom(caller);
      const body = new Readable({ read: () => undefined });
      const watch = watchOf({ caller, raw, query }, body);
      const app = add(appId, watch);
      body.once('close', () => remove(app, watch));
      loop.nudge();
      try {
        // The right was proved before the moment from which changes are counted.
        if (!(await readersAmong(appId, [watch]))(watch)) end(app, watch);
        else if (app.watches.has(watch)) push(watch, greeting(app, watch));
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
      for (const app of [...apps.values()]) for (const watch of [...app.watches]) end(app, watch);
      headcount?.leave();
    },
  };
}

/** A message that so many people are present. */
function countMessage(count: number): string {
  return `event: presence\ndata: ${JSON.stringify({ count })}\n\n`;
}

/** A message that users with these ids and names are writing. */
function writersMessage(writers: readonly (readonly [id: number, name: string])[]): string {
  const users = writers.map(([id, name]) => ({ id, display_name: name }));
  return `event: typing\ndata: ${JSON.stringify({ users })}\n\n`;
}

function addTo<K>(counts: Map<K, number>, key: K, by: 1 | -1): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}
