import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Problem } from 'confab-contract/problem.ts';
import type { Db } from '../db/db.ts';
import type { AppChanges } from '../events/app-changes.ts';
import { readThings } from '../features/events/things.ts';
import type { ClientLimits } from '../http/limits/client-limits.ts';
import type { Upgrade } from '../http/upgrades.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { PeopleSetting, Principal } from '../kernel/principal.ts';
import type { RateLimits } from '../kernel/rate-limits.ts';
import { endsWithin, startLoop } from '../workers/runner.ts';
import { createVisibilityCache } from './app-visibility.ts';
import { type LiveCaller, liveCaller } from './caller.ts';
import type { FormOfConnection } from './forms.ts';
import { createHub } from './hub.ts';
import type { Poll } from './long-polling.ts';
import { createNegotiations } from './negotiation.ts';
import { type Presence, startPresence } from './presence.ts';
import { streamHeaders } from './server-sent.ts';
import { createSessions } from './sessions.ts';
import { createStreams } from './streams.ts';
import { type Audience, startTail, type Tail } from './tail.ts';
import { createTyping, decodeTypingNotice, encodeTypingNotice, type TypingNotice } from './typing.ts';
import { startWatches } from './watches.ts';
import { createWebSockets } from './websocket.ts';

/**
 * Live connections: the hub protocol over three transports, streams of the log, presence and typing notices.
 *
 * Players: the *tail* follows the log; the *hub* has the connections and the channels they listen to; *streams* carry
 * the whole log; *watches* say that an app has changed; *presence* knows which users are connected; the *visibilities*
 * cache what users may see of apps. A *wire* is the connection to one client over any transport.
 */

/** How often expired connections, heartbeats and waiting polls are looked for. */
const sweepMs = 1000;
/** How long clients have to close their connections when the server stops. */
const stopBudgetMs = 2000;

/** When to retry a connection beyond a user's limit: most connections belong to pages, which stay open for minutes. */
const retryAfterSeconds = '60';

/** The dependencies of live connections. */
export type RealtimeOptions = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly people: PeopleSetting;
  /** Whether watches say who is writing a comment, and how many people are present. */
  readonly shows: { readonly typing: boolean; readonly presence: boolean };
  readonly limits: ClientLimits;
  readonly changes: AppChanges;
  readonly rateLimits: RateLimits;
  /** The key that signs negotiations; the same on every node. */
  readonly secret: string;
};

/** The live connections of a server. */
export type Realtime = Awaited<ReturnType<typeof startRealtime>>;

/** The part of the server that the operations on live connections use. */
export type LiveParts = { readonly realtime: Realtime };

/** Starts live connections. Stop them before the HTTP server that carries them. */
export async function startRealtime(options: RealtimeOptions) {
  const { db, clock, log, people, secret, limits, rateLimits } = options;
  const { read } = db;
  const visibilities = createVisibilityCache();
  const negotiations = createNegotiations({ secret, clock });
  /** The users of connections whose credential has to be checked again. */
  const unproved = new Set<number>();
  let isStopping = false;

  const presence: Presence = await startPresence({
    db,
    clock,
    log,
    onChange: () => tail.announce(() => hub.broadcastOnline(read)),
  });
  const hub = createHub({
    peers: db.peers,
    clock,
    log,
    visibilities,
    presence,
    people,
    rateLimits,
    onOnline: (connection) => tail.announce(() => hub.broadcastOnline(read, connection)),
  });
  const sessions = createSessions(hub.open);
  const streams = createStreams({ read, clock, log, visibilities, limits, tail: () => tail });
  const audience = audienceOf(hub, streams);
  const tail: Tail = startTail({ read, visibilities, log, audience });
  const watches = startWatches({ ...options, assertRoom });
  const stopListening = db.onCommit('events', tail.nudge);
  options.metrics?.read('confab_live_connections', () => [
    { labels: { kind: 'hub' }, value: hub.connections.index.all.size },
    { labels: { kind: 'stream' }, value: streams.clients.count() },
    { labels: { kind: 'watch' }, value: watches.count() },
  ]);
  const typing = createTyping({
    publish(notice) {
      db.peers?.send('typing', encodeTypingNotice(notice));
      showTyping(notice);
    },
  });
  db.peers?.onMessage('typing', (text) => showTyping(decodeTypingNotice(text)));
  const webSockets = createWebSockets({ log });
  const sweeper = startLoop({ name: 'realtime-sweep', log, step: sweep });

  function showTyping(notice: TypingNotice): void {
    watches.showTyping(notice);
    tail.announce(() => hub.broadcastTyping(read, notice));
  }

  async function sweep(): Promise<number> {
    hub.connections.sweep();
    sessions.sweep();
    await streams.clients.sweep();
    return sweepMs;
  }

  /**
   * Checks the credential of a new connection again. It was checked before the connection existed, and with a remote store
   * it can have ended in between, when the tail had no connection to end.
   */
  function proveNew({ user }: Principal): void {
    if (db.peers === undefined) return;
    unproved.add(user.id);
    // The first to run checks all, because many clients come back at the same time.
    tail.announce(proveUnproved);
  }

  /** Checks the users of all connections that are new by then. */
  async function proveUnproved(): Promise<void> {
    const userIds = [...unproved];
    unproved.clear();
    try {
      await audience.proveAgain(userIds);
    } catch (error) {
      for (const userId of userIds) unproved.add(userId);
      throw error;
    }
  }

  /** Throws `too_many_connections` when a user has the most connections. Call it in the turn that opens another. */
  function assertRoom({ user }: Principal): void {
    const { livePerUserMax } = limits;
    const hubCount = hub.connections.index.of(user.id).size;
    if (hubCount + streams.clients.countOf(user.id) + watches.countOf(user.id) < livePerUserMax) return;
    throw new Problem(
      'too_many_connections',
      `A user has at most ${livePerUserMax} live connections and event streams at a time.`,
      { headers: { 'retry-after': retryAfterSeconds } },
    );
  }

  function assertRuns(): void {
    if (isStopping) throw new Problem('shutting_down', 'The server is shutting down.');
  }

  return {
    typing,

    /** Notes the form that a request with an access token has asked for. */
    noteForm: hub.noteForm,

    /** The position in the log of the last event that was sent; undefined while there are no clients. */
    position: () => tail.position(),

    /** Returns the token with which a connection can be opened. */
    negotiate(principal: Principal, form: FormOfConnection): { id: string; token: string } {
      assertRuns();
      assertRoom(principal);
      const { user } = principal;
      return { id: randomBytes(16).toString('base64url'), token: negotiations.make(user.id, form) };
    },

    /** Takes over a socket. A WebSocket client may skip the negotiation, and gets the first form then. */
    async acceptSocket(upgrade: Upgrade): Promise<void> {
      assertRuns();
      const { principal, query } = upgrade;
      const isNegotiated = query.has('id');
      const form = isNegotiated ? negotiations.take(query.get('id') ?? undefined, principal.user.id) : {};
      await tail.begin();
      assertRoom(principal);
      webSockets.accept(upgrade, (wire) => hub.open(wire, { ...upgrade, ...form }));
      proveNew(principal);
    },

    /** Opens a connection over server-sent events; returns the body of the response. */
    async openStream(caller: LiveCaller, token: string | undefined) {
      assertRuns();
      const { id, ...form } = negotiations.take(token, caller.principal.user.id);
      await tail.begin();
      assertRoom(caller.principal);
      const body = sessions.openStream(id, { ...caller, ...form });
      proveNew(caller.principal);
      return body;
    },

    /** Fetches the waiting records of a long-polling connection; the first poll opens it. */
    async poll(caller: LiveCaller, token: string | undefined): Promise<Poll> {
      const polled = sessions.pollAgain(caller.principal, token);
      if (polled !== undefined) return await polled;
      assertRuns();
      const { id, ...form } = negotiations.take(token, caller.principal.user.id);
      await tail.begin();
      assertRoom(caller.principal);
      const opened = sessions.openPolled(id, { ...caller, ...form });
      proveNew(caller.principal);
      return await opened.poll();
    },

    /** Receives records of a connection that is not a WebSocket; throws `not_found` when there is none. */
    receive: sessions.receive,

    /** Ends a connection that is not a WebSocket. */
    endConnection: sessions.end,

    /** Event streams. */
    eventStreams: {
      headers: streamHeaders,
      async open(opening: Parameters<typeof liveCaller>[0], after: number | undefined): Promise<Readable> {
        const caller = liveCaller(opening);
        assertRuns();
        assertRoom(caller.principal);
        const body = await streams.open(caller, after);
        proveNew(caller.principal);
        return body;
      },
    },

    /** Streams that say that an app has changed. */
    appWatches: { headers: streamHeaders, open: watches.open },

    /** Asks clients to reconnect later and ends every connection, within two seconds. */
    async stop(): Promise<void> {
      isStopping = true;
      stopListening();
      await tail.stop();
      await sweeper.stop();
      streams.clients.endAll();
      await watches.stop();
      hub.connections.endAll();
      await endsWithin(hub.connections.whenQuiet(), stopBudgetMs);
      hub.connections.cutAll();
      await presence.stop();
    },
  };
}

/** The live clients: the connections of the hub and the event streams. */
function audienceOf(hub: ReturnType<typeof createHub>, streams: ReturnType<typeof createStreams>): Audience {
  return {
    hasListeners: () => hub.connections.isBusy() || streams.clients.count() > 0,
    async proveAgain(userIds) {
      await hub.proveAgain(userIds);
      await streams.clients.proveAgain(userIds);
    },
    async address(reader, events) {
      const heard = streams.clients.hasLive() ? events : events.filter(hub.isHeard);
      const things = await readThings(reader, heard);
      const outbox = await hub.address(reader, events, things);
      const send = await streams.address(events, things);
      return () => {
        hub.send(outbox);
        send();
      };
    },
  };
}
