import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Db } from '../db/db.ts';
import type { Authenticate } from '../http/server.ts';
import type { Upgrade } from '../http/upgrades.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { PeopleSetting, Principal } from '../kernel/principal.ts';
import { notFound, Problem } from '../kernel/problem.ts';
import { endsWithin, startLoop } from '../workers/runner.ts';
import { type LiveCaller, liveCaller } from './caller.ts';
import { createHub } from './hub.ts';
import { longPollingWire, type Poll, type PolledWire } from './long-polling.ts';
import { createNegotiations } from './negotiation.ts';
import { type Presence, startPresence } from './presence.ts';
import { serverSentWire, streamHeaders } from './server-sent.ts';
import { createStandings } from './standing.ts';
import { createStreams } from './streams.ts';
import { type Audience, startTail, type Tail } from './tail.ts';
import { createTyping, readTyped, writeTyped } from './typing.ts';
import { createWebSockets } from './websocket.ts';
import type { WireEvents } from './wire.ts';

/**
 * What is live: connections of the hub protocol over three carriers, streams of the log, who is there and who writes.
 *
 * Players: the *tail* follows the log; the *hub* has the connections and the channels they listen to; *streams* are
 * readers of the whole log; *presence* says who is there; *standings* remember what people are to apps. A *wire* is the
 * way to one client, whatever carries it.
 */

/** How often what is due by the clock is looked at. */
const sweepMs = 1000;
/** How long a poll waits for something to say: shorter than what proxies allow. */
const pollMs = 50_000;
/** How long the clients have to take their leave when the server stops. */
const stopBudgetMs = 2000;

/** When to try again a connection beyond the limit of a user: most are pages, which are looked at for minutes. */
const retryAfterSeconds = '60';

/** A connection whose two directions are requests of their own. */
type Session = {
  readonly userId: number;
  readonly events: WireEvents;
  /** Absent for server-sent events. */
  readonly polled?: PolledWire;
  polledAt: number;
};

/** What realtime is made with. */
export type RealtimeOptions = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly authenticate: Authenticate;
  readonly people: PeopleSetting;
  /** The most live connections and event streams of one user on this node. */
  readonly livePerUserMax: number;
  /** What negotiations are signed with; the same on every node. */
  readonly secret: string;
};

/** What is live on a server. */
export type Realtime = Awaited<ReturnType<typeof startRealtime>>;

/** The part of the server that the operations on live connections use. */
export type LiveParts = { readonly realtime: Realtime };

/** Starts what is live; it must be stopped before the server that its connections are on. */
export async function startRealtime(options: RealtimeOptions) {
  const { db, clock, log, authenticate, people, secret, livePerUserMax } = options;
  const { read } = db;
  const standings = createStandings();
  const negotiations = createNegotiations({ secret, clock });
  const sessions = new Map<string, Session>();
  let isStopping = false;

  const presence: Presence = await startPresence({
    db,
    clock,
    log,
    onChange: () => tail.announce(() => hub.tellOnline(read)),
  });
  const hub = createHub({
    clock,
    log,
    standings,
    presence,
    people,
    onOnline: (connection) => tail.announce(() => hub.tellOnline(read, connection)),
    prove: (authorization) => authenticate({ authorization, onBehalfOf: undefined }),
  });
  const streams = createStreams({ read, clock, log, standings, tail: () => tail });
  const audience = audienceOf(hub, streams);
  const tail: Tail = startTail({ read, standings, log, audience });
  const stopListening = db.onCommit('events', tail.nudge);
  const typing = createTyping({
    tell(typed) {
      db.others?.tell('typing', writeTyped(typed));
      tail.announce(() => hub.tellTyping(read, typed));
    },
  });
  db.others?.onTold('typing', (text) => tail.announce(() => hub.tellTyping(read, readTyped(text))));
  const webSockets = createWebSockets({ log });
  const sweeper = startLoop({ name: 'realtime-sweep', log, step: sweep });

  async function sweep(): Promise<number> {
    const now = performance.now();
    hub.sweep();
    await streams.sweep();
    for (const { polled, polledAt } of sessions.values())
      if (polled?.isPolled() === true && now - polledAt > pollMs) polled.release();
    return sweepMs;
  }

  /**
   * Has the credentials of somebody proved who was just let in. They were proved before, but where the store takes time
   * to answer they can have ended since, and the tail has seen that when there was nobody to tell.
   */
  function proveOnceMore({ user }: Principal): void {
    if (db.others === undefined) return;
    tail.announce(() => audience.proveAgain(user.id));
  }

  function sessionOf(token: string | undefined, { user }: Principal): Session {
    const session = sessions.get(token ?? '');
    if (session?.userId !== user.id) throw notFound('connection');
    return session;
  }

  /** Throws `too_many_connections` when a user has as many as one may have. Call it in the turn that opens another. */
  function assertRoom({ user }: Principal): void {
    if (hub.connections.of(user.id).size + streams.countOf(user.id) < livePerUserMax) return;
    throw new Problem(
      'too_many_connections',
      `A user has at most ${livePerUserMax} live connections and event streams at a time.`,
      { headers: { 'retry-after': retryAfterSeconds } },
    );
  }

  function assertRuns(): void {
    if (isStopping) throw new Problem('shutting_down', 'The server is shutting down.');
  }

  async function pollAgain(session: Session, polled: PolledWire): Promise<Poll> {
    session.polledAt = performance.now();
    session.events.onSign();
    return await polled.poll();
  }

  return {
    typing,

    /** Answers the token with which a connection can be opened. */
    negotiate(principal: Principal): { id: string; token: string } {
      assertRuns();
      assertRoom(principal);
      const { user } = principal;
      return { id: randomBytes(16).toString('base64url'), token: negotiations.make(user.id) };
    },

    /** Takes a socket over. A client that knows its way may leave the negotiation out. */
    async acceptSocket(upgrade: Upgrade): Promise<void> {
      assertRuns();
      const { principal, query } = upgrade;
      if (query.has('id')) negotiations.take(query.get('id') ?? undefined, principal.user.id);
      await tail.begin();
      assertRoom(principal);
      webSockets.accept(upgrade, (wire) => hub.open(wire, upgrade));
      proveOnceMore(principal);
    },

    /** Opens a connection whose words come as server-sent events; answers what carries them. */
    async openStream(caller: LiveCaller, token: string | undefined) {
      assertRuns();
      const id = negotiations.take(token, caller.principal.user.id);
      await tail.begin();
      assertRoom(caller.principal);
      let gone = () => {};
      const { wire, body } = serverSentWire(() => gone());
      const events = hub.open(wire, caller);
      gone = () => {
        sessions.delete(id);
        events.onGone();
      };
      sessions.set(id, { userId: caller.principal.user.id, events, polledAt: 0 });
      proveOnceMore(caller.principal);
      return body;
    },

    /** Fetches what there is for a polled connection; the first time it opens it. */
    async poll(caller: LiveCaller, token: string | undefined): Promise<Poll> {
      const known = sessions.get(token ?? '');
      if (known?.polled !== undefined && known.userId === caller.principal.user.id)
        return await pollAgain(known, known.polled);
      assertRuns();
      const id = negotiations.take(token, caller.principal.user.id);
      await tail.begin();
      assertRoom(caller.principal);
      let gone = () => {};
      const polled = longPollingWire(() => gone());
      const events = hub.open(polled, caller);
      gone = () => {
        sessions.delete(id);
        events.onGone();
      };
      sessions.set(id, { userId: caller.principal.user.id, events, polled, polledAt: performance.now() });
      proveOnceMore(caller.principal);
      return await polled.poll();
    },

    /** Takes records of a connection that is no WebSocket; throws `not_found` when there is none. */
    receive(principal: Principal, token: string | undefined, text: string): void {
      sessionOf(token, principal).events.onText(text);
    },

    /** Ends a connection that is no WebSocket. */
    endConnection(principal: Principal, token: string | undefined): void {
      const { events, polled } = sessionOf(token, principal);
      events.onEnd();
      // Its client polls no more, so nobody is left to be told.
      polled?.cut();
    },

    /** What sends the log as it grows. */
    eventStreams: {
      headers: streamHeaders,
      async open(opening: Parameters<typeof liveCaller>[0], after: number | undefined): Promise<Readable> {
        const { principal, ...credential } = liveCaller(opening);
        assertRuns();
        assertRoom(principal);
        const body = await streams.open(principal, () => authenticate(credential), after);
        proveOnceMore(principal);
        return body;
      },
    },

    /** Tells the clients to come back later and ends what is live, within two seconds. */
    async stop(): Promise<void> {
      isStopping = true;
      stopListening();
      await tail.stop();
      await sweeper.stop();
      streams.endAll();
      hub.endAll();
      await endsWithin(hub.whenQuiet(), stopBudgetMs);
      hub.cutAll();
      await presence.stop();
    },
  };
}

/** All who follow the log: the connections of the hub, and the streams. */
function audienceOf(hub: ReturnType<typeof createHub>, streams: ReturnType<typeof createStreams>): Audience {
  return {
    isThere: () => hub.isBusy() || !streams.isEmpty(),
    async proveAgain(userId) {
      await hub.proveAgain(userId);
      await streams.proveAgain(userId);
    },
    async address(reader, events) {
      const outbox = await hub.address(reader, events);
      const send = await streams.address(events);
      return () => {
        hub.send(outbox);
        send();
      };
    },
  };
}
