import type { Read } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Json, json } from '../kernel/json.ts';
import type { Log } from '../kernel/log.ts';
import type { PeopleSetting, Principal } from '../kernel/principal.ts';
import { Problem } from '../kernel/problem.ts';
import { appChannel, onlineChannel, readChannel, typingAction } from './channels.ts';
import { type Connection, createConnections } from './connection.ts';
import { publicPayload } from './feed.ts';
import {
  closing,
  completion,
  type HubRecord,
  handshakeReply,
  invocation,
  ProtocolError,
  ping,
  readHandshake,
  readRecord,
  splitRecords,
} from './hub-protocol.ts';
import type { EventRow } from './log.store.ts';
import { fellows } from './presence.store.ts';
import type { Presence } from './presence.ts';
import { isShownTo, type Standings } from './standing.ts';
import { type Wire, type WireEvents, waitingBytesMaxOf } from './wire.ts';

/**
 * The hub: live connections, the channels they listen to, and what is said in each.
 *
 * A name of a channel is taken from anyone, so that listening tells nothing about an app; whether somebody may have an
 * event is judged when there is one, by a standing that is as new as the log. What is said is rendered once for each
 * channel, and what one step of the log brings goes to a connection in one piece.
 */

/** The most channels of all connections of a user; a messenger listens to a handful for each conversation. */
const channelsMax = 50_000;
/** How long after the last word another one is due, in milliseconds: clients take 30 s of silence for a broken line. */
const pingEveryMs = 15_000;
/** How long a client has for its handshake. */
const handshakeMs = 15_000;
/** How long a client may be silent. Its own pings come every 15 s, but browsers slow down what runs in the background. */
const silenceMs = 60_000;
/** How long an ended connection has to send what waits. */
const endingMs = 5000;

/** What the hub is made of. */
export type HubOptions = {
  readonly clock: Clock;
  readonly log: Log;
  readonly standings: Standings;
  readonly presence: Presence;
  readonly people: PeopleSetting;
  /** Called when a connection begins to listen to who is there; it is then to be told. */
  readonly onOnline: (connection: Connection) => void;
  /** Who a credential is for; throws a `Problem` when it is none. */
  readonly prove: (authorization: string | undefined) => Promise<Principal>;
};

/** Who is to get which of some frames, by connection. */
export type Outbox = { readonly frames: Buffer[]; readonly to: Map<Connection, number[]> };

/** A hub without connections. */
export function createHub({ clock, log, standings, presence, people, onOnline, prove }: HubOptions) {
  const connections = createConnections();
  const ending = new Set<Connection>();
  let onQuiet = (): void => undefined;

  function say(connection: Connection, bytes: Buffer): void {
    const { id } = connection.principal.user;
    if (connection.wire.waitingBytes() > waitingBytesMaxOf(connections.of(id).size)) {
      log.warn({ user_id: id }, 'a live connection was cut because it cannot keep up');
      forget(connection);
      connection.wire.cut();
      return;
    }
    connection.saidAt = performance.now();
    connection.wire.send(bytes);
  }

  /** From here on the connection is told nothing. */
  function forget(connection: Connection): void {
    if (connection.state === 'ended') return;
    const wasOpen = connection.state === 'open';
    connection.state = 'ended';
    connection.endedAt = performance.now();
    const { id } = connection.principal.user;
    if (connections.remove(connection)) standings.forgetUser(id);
    if (wasOpen && ![...connections.of(id)].some(({ state }) => state === 'open')) presence.left(id);
  }

  function end(connection: Connection, why: Parameters<typeof closing>[0]): void {
    if (connection.state === 'ended') return;
    if (connection.state === 'open') say(connection, closing(why));
    else connection.wire.send(handshakeReply(why.error ?? 'The server is stopping.'));
    forget(connection);
    ending.add(connection);
    connection.wire.end();
  }

  /** Ends a connection whose other side wants it. */
  function takeLeave(connection: Connection): void {
    if (connection.state === 'ended') return;
    forget(connection);
    ending.add(connection);
    connection.wire.end();
  }

  function isBusy(): boolean {
    return connections.all.size + ending.size > 0;
  }

  function receive(connection: Connection, text: string): void {
    connection.heardAt = performance.now();
    try {
      for (const record of splitRecords(text)) {
        if (connection.state === 'ended') return;
        if (connection.state === 'open') obey(connection, readRecord(record));
        else greet(connection, record);
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      end(connection, { error: error.message });
    }
  }

  function greet(connection: Connection, record: string): void {
    readHandshake(record);
    connection.state = 'open';
    say(connection, handshakeReply());
    presence.came(connection.principal.user);
  }

  function obey(connection: Connection, record: HubRecord): void {
    if (record.kind === 'close') takeLeave(connection);
    else if (record.kind === 'stream') {
      say(connection, completion(record.id, 'No method answers with a stream.'));
    } else if (record.kind === 'call') {
      const error = call(connection, record.method.toLowerCase(), record.values);
      if (record.id !== undefined) say(connection, completion(record.id, error));
    }
  }

  /** Does what a client asks for; answers why not when it cannot be done. */
  function call(connection: Connection, method: string, values: readonly unknown[]): string | undefined {
    if (method !== 'subscribe' && method !== 'unsubscribe') return 'No method has this name.';
    const channel = readChannel(values[0]);
    if (channel === undefined || values.length !== 1) return `${method} takes the name of a channel.`;
    if (method === 'unsubscribe') {
      connections.stopListening(connection, channel);
      return undefined;
    }
    if (!connection.channels.has(channel) && channelsOf(connection.principal.user.id) >= channelsMax)
      return `All connections of a user listen to at most ${channelsMax} channels.`;
    const isNew = !connection.channels.has(channel);
    connections.listen(connection, channel);
    if (isNew && channel === onlineChannel) onOnline(connection);
    return undefined;
  }

  function channelsOf(userId: number): number {
    let count = 0;
    for (const { channels } of connections.of(userId)) count += channels.size;
    return count;
  }

  function sayOnline(connection: Connection, ids: readonly number[]): void {
    say(connection, invocation(onlineChannel, json(`[${ids.join(',')}]`)));
  }

  /** Those who are there in the directory of each connection and share an app with its user; one statement for all. */
  async function sayFellows(read: Read, listening: readonly Connection[]): Promise<void> {
    const activeIn = new Map<number | null, number[]>();
    for (const { principal } of listening) {
      const { directoryId } = principal.user;
      if (!activeIn.has(directoryId)) activeIn.set(directoryId, presence.activeIn(directoryId));
    }
    const ids = [...new Set(listening.map(({ principal }) => principal.user.id))];
    const pairs = await read.all(fellows, { ids, otherIds: [...activeIn.values()].flat() });
    const known = new Set(pairs.map(({ id, otherId }) => `${id} ${otherId}`));
    for (const connection of listening) {
      const { id, directoryId } = connection.principal.user;
      if (connection.state === 'ended') continue;
      const there = activeIn.get(directoryId) ?? [];
      sayOnline(
        connection,
        there.filter((other) => other === id || known.has(`${id} ${other}`)),
      );
    }
  }

  /** Adds those who listen to a channel, as far as `isFor` says that it is for them. */
  function address(
    outbox: Outbox,
    { channel, argument }: { channel: string; argument: Json },
    isFor: (connection: Connection) => boolean,
  ): void {
    let frame = -1;
    for (const connection of connections.listeningTo(channel)) {
      if (!isFor(connection)) continue;
      if (frame === -1) frame = outbox.frames.push(invocation(channel, argument)) - 1;
      const indexes = outbox.to.get(connection);
      if (indexes === undefined) outbox.to.set(connection, [frame]);
      else indexes.push(frame);
    }
  }

  /** Finds out who gets an event: at most one statement, and none where every standing is known. */
  async function addressEvent(read: Read, outbox: Outbox, event: EventRow): Promise<void> {
    const { id, action, appId, userId, entityType, payload } = event;
    const own = appId === null ? undefined : appChannel(appId, action);
    const listeners = [
      ...(own === undefined ? [] : connections.listeningTo(own)),
      ...connections.listeningTo(action),
    ].filter((connection) => userId === null || connection.principal.user.id === userId);
    if (listeners.length === 0) return;
    const argument = json(`{"id":${id},${publicPayload(payload)}}`);
    const isTheirs = (connection: Connection) => userId === null || connection.principal.user.id === userId;
    if (appId === null) {
      // What is about no app and addressed to nobody is the business of API keys alone.
      if (userId !== null) address(outbox, { channel: action, argument }, isTheirs);
      return;
    }
    const known = await standings.of(
      read,
      appId,
      listeners.map(({ principal }) => principal.user.id),
    );
    const standingOf = ({ principal }: Connection) => known.get(principal.user.id);
    const isShown = (connection: Connection) => {
      const standing = standingOf(connection);
      return standing !== undefined && isTheirs(connection) && isShownTo(entityType, standing);
    };
    address(outbox, { channel: appChannel(appId, action), argument }, isShown);
    // Without an app in its name a channel carries what concerns the listener: the apps they belong to.
    address(
      outbox,
      { channel: action, argument },
      (connection) => isShown(connection) && (userId !== null || standingOf(connection)?.isMember === true),
    );
  }

  /** Sends what was addressed: the same bytes to all who get the same frames. */
  function send({ frames, to }: Outbox): void {
    const now = clock.now();
    const pieces = new Map<string, Buffer>();
    for (const [connection, indexes] of to) {
      if (connection.state === 'ended') continue;
      if (isExpired(connection, now)) {
        end(connection, { error: 'Unauthorized' });
        continue;
      }
      const key = indexes.join();
      let piece = pieces.get(key);
      if (piece === undefined) {
        const parts = indexes.map((index) => frames[index]).filter((part) => part !== undefined);
        piece = parts.length === 1 ? parts[0] : undefined;
        piece ??= Buffer.concat(parts);
        pieces.set(key, piece);
      }
      say(connection, piece);
    }
  }

  return {
    connections,

    /** Lets a client in; the answer is told what comes from it. */
    open(
      wire: Wire,
      who: { principal: Principal; authorization: string | undefined },
    ): WireEvents & { connection: Connection } {
      const now = performance.now();
      const connection: Connection = {
        principal: who.principal,
        authorization: who.authorization,
        wire,
        state: 'greeting',
        channels: new Set(),
        openedAt: now,
        heardAt: now,
        saidAt: now,
        endedAt: 0,
      };
      connections.add(connection);
      return {
        connection,
        onText: (text) => receive(connection, text),
        onFault: (error) => end(connection, { error }),
        onSign: () => {
          connection.heardAt = performance.now();
        },
        onEnd: () => takeLeave(connection),
        onGone: () => {
          forget(connection);
          ending.delete(connection);
          if (!isBusy()) onQuiet();
        },
      };
    },

    /** Finds out who gets some events of the log, in their order. */
    async address(read: Read, events: readonly EventRow[]): Promise<Outbox> {
      const outbox: Outbox = { frames: [], to: new Map() };
      for (const event of events) if (event.isSilent === 0) await addressEvent(read, outbox, event);
      return outbox;
    },

    send,

    /** Tells the others who listen to an app that somebody is writing in it. */
    async tellTyping(
      read: Read,
      { appId, userId, argument }: { appId: number; userId: number; argument: Json },
    ): Promise<void> {
      const channel = appChannel(appId, typingAction);
      const others = [...connections.listeningTo(channel)].filter(
        ({ principal }) => principal.user.id !== userId,
      );
      if (others.length === 0) return;
      const ids = others.map(({ principal }) => principal.user.id);
      const known = await standings.of(read, appId, ids);
      const outbox: Outbox = { frames: [], to: new Map() };
      address(
        outbox,
        { channel, argument },
        ({ principal }) =>
          principal.user.id !== userId && known.get(principal.user.id)?.maySeeContent === true,
      );
      send(outbox);
    },

    /** Tells everyone who listens, or one of them, who is there among the people each may know. */
    async tellOnline(read: Read, only?: Connection): Promise<void> {
      const listening = [...connections.listeningTo(onlineChannel)].filter(
        (connection) => only === undefined || connection === only,
      );
      if (listening.length === 0) return;
      if (people === 'shared') return await sayFellows(read, listening);
      const byDirectory = new Map<number | null, number[]>();
      for (const connection of listening) {
        const { directoryId } = connection.principal.user;
        const ids = byDirectory.get(directoryId) ?? presence.activeIn(directoryId);
        byDirectory.set(directoryId, ids);
        sayOnline(connection, ids);
      }
    },

    /** Proves the credentials of a user's connections again, and ends those whose credential has ended. */
    async proveAgain(userId: number): Promise<void> {
      for (const connection of [...connections.of(userId)]) {
        try {
          connection.principal = await prove(connection.authorization);
          if (connection.state === 'open') presence.came(connection.principal.user);
        } catch (error) {
          if (!(error instanceof Problem) || error.code === 'storage_unavailable') throw error;
          end(connection, { error: 'Unauthorized' });
        }
      }
    },

    /** Does what is due by the clock: pings, and the end of connections that are silent, late or out of rights. */
    sweep(): void {
      const [now, time] = [performance.now(), clock.now()];
      for (const connection of connections.all) {
        if (isExpired(connection, time)) end(connection, { error: 'Unauthorized' });
        else if (connection.state === 'greeting' && now - connection.openedAt > handshakeMs)
          end(connection, { error: 'The handshake did not come in time.' });
        else if (now - connection.heardAt > silenceMs) {
          forget(connection);
          connection.wire.cut();
        } else if (connection.state === 'open' && now - connection.saidAt >= pingEveryMs) {
          say(connection, ping);
          connection.wire.probe();
        }
      }
      for (const connection of ending)
        if (now - connection.endedAt > endingMs) {
          ending.delete(connection);
          connection.wire.cut();
        }
    },

    /** Tells every client to come back and ends its connection. */
    endAll(): void {
      for (const connection of [...connections.all]) end(connection, { allowReconnect: true });
    },

    /** Whether there is a connection, or one that has something left to send. */
    isBusy,

    /** Resolves when there is none. */
    whenQuiet: (): Promise<void> =>
      new Promise((resolve) => {
        onQuiet = resolve;
        if (!isBusy()) resolve();
      }),

    /** Ends at once what is left. */
    cutAll(): void {
      for (const connection of [...connections.all, ...ending]) {
        forget(connection);
        connection.wire.cut();
      }
      ending.clear();
    },
  };
}

function isExpired({ principal }: Connection, now: number): boolean {
  return principal.expiresAt !== undefined && principal.expiresAt <= now;
}
