import type { Read } from '../db/db.ts';
import { blankPayload, isWholeFor, type Things } from '../features/events/things.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Json, json } from '../kernel/json.ts';
import type { Log } from '../kernel/log.ts';
import type { PeopleSetting } from '../kernel/principal.ts';
import { type RateLimits, rateSubjectOf } from '../kernel/rate-limits.ts';
import { isForModerators, isShownTo, type VisibilityCache } from './app-visibility.ts';
import { type LiveCaller, proveAll } from './caller.ts';
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
import { sharedAppPairs } from './presence.store.ts';
import type { Presence } from './presence.ts';
import { type Wire, type WireEvents, waitingBytesMaxOf } from './wire.ts';

/**
 * The hub: live connections and the channels they listen to.
 *
 * A client may listen to any channel name, so that listening reveals nothing about an app; access is checked for each
 * event, with a visibility that is as recent as the log. A message is rendered once for each channel, and the messages
 * of one step of the log go to a connection in one piece.
 */

/** The most channels of all connections of a user; a messenger listens to a handful for each conversation. */
const channelsMax = 50_000;
/** The longest silence towards a client, in milliseconds: clients reconnect after 30 s. */
const pingEveryMs = 15_000;
/** How long a client has for its handshake. */
const handshakeMs = 15_000;
/** How long a client may be silent. Clients ping every 15 s, but browsers slow down pages in the background. */
const silenceMs = 60_000;
/** How long an ended connection has to send the records that wait. */
const endingMs = 5000;

/** The dependencies of the hub. */
export type HubOptions = {
  readonly clock: Clock;
  readonly log: Log;
  readonly visibilities: VisibilityCache;
  readonly presence: Presence;
  readonly people: PeopleSetting;
  readonly rateLimits: RateLimits;
  /** Called when a connection starts to listen to presence, to send it the present users. */
  readonly onOnline: (connection: Connection) => void;
};

/** Frames, and the indexes of those that each connection gets. */
export type Outbox = { readonly frames: Buffer[]; readonly to: Map<Connection, number[]> };

/** A hub without connections. */
export function createHub({ clock, log, visibilities, presence, people, rateLimits, onOnline }: HubOptions) {
  const connections = createConnections();
  const ending = new Set<Connection>();
  let onQuiet = (): void => undefined;

  function write(connection: Connection, bytes: Buffer): void {
    const { id } = connection.principal.user;
    if (connection.wire.waitingBytes() > waitingBytesMaxOf(connections.of(id).size)) {
      log.warn({ user_id: id }, 'a live connection was cut because it cannot keep up');
      detach(connection);
      connection.wire.cut();
      return;
    }
    connection.sentAt = performance.now();
    connection.wire.send(bytes);
  }

  /** Removes the connection from the index, so that it is sent nothing more. */
  function detach(connection: Connection): void {
    if (connection.state === 'ended') return;
    const wasOpen = connection.state === 'open';
    connection.state = 'ended';
    connection.endedAt = performance.now();
    const { id } = connection.principal.user;
    if (connections.remove(connection)) visibilities.forgetUser(id);
    if (wasOpen && ![...connections.of(id)].some(({ state }) => state === 'open')) presence.disconnected(id);
  }

  function end(connection: Connection, reason: Parameters<typeof closing>[0]): void {
    if (connection.state === 'ended') return;
    if (connection.state === 'open') write(connection, closing(reason));
    else connection.wire.send(handshakeReply(reason.error ?? 'The server is stopping.'));
    detach(connection);
    ending.add(connection);
    connection.wire.end();
  }

  /** Ends a connection at its client's request. */
  function acceptClose(connection: Connection): void {
    if (connection.state === 'ended') return;
    detach(connection);
    ending.add(connection);
    connection.wire.end();
  }

  function isBusy(): boolean {
    return connections.all.size + ending.size > 0;
  }

  function receive(connection: Connection, text: string): void {
    connection.receivedAt = performance.now();
    try {
      for (const record of splitRecords(text)) {
        if (connection.state === 'ended') return;
        if (connection.state === 'open') handle(connection, readRecord(record));
        else acceptHandshake(connection, record);
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      end(connection, { error: error.message });
    }
  }

  function acceptHandshake(connection: Connection, record: string): void {
    readHandshake(record);
    connection.state = 'open';
    write(connection, handshakeReply());
    presence.connected(connection.principal.user);
  }

  function handle(connection: Connection, record: HubRecord): void {
    if (record.kind === 'close') acceptClose(connection);
    else if (record.kind === 'stream') {
      write(connection, completion(record.id, 'No method answers with a stream.'));
    } else if (record.kind === 'call') {
      const error = call(connection, record.method.toLowerCase(), record.values);
      if (record.id !== undefined) write(connection, completion(record.id, error));
    }
  }

  /** Runs a method for a client; returns an error message when it cannot. */
  function call(connection: Connection, method: string, values: readonly unknown[]): string | undefined {
    const taken = rateLimits.takeNow(...rateSubjectOf(connection.principal), 'live');
    if (taken?.isRefused === true)
      return `A user sends at most ${taken.quota} messages a minute; try again in ${taken.seconds} seconds.`;
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

  function writeOnline(connection: Connection, ids: readonly number[]): void {
    write(connection, invocation(onlineChannel, json(`[${ids.join(',')}]`)));
  }

  /** Sends each connection the present users of its user's directory who share an app with them; one statement for all. */
  async function writeSharedOnline(read: Read, listening: readonly Connection[]): Promise<void> {
    const activeIn = new Map<number | null, number[]>();
    for (const { principal } of listening) {
      const { directoryId } = principal.user;
      if (!activeIn.has(directoryId)) activeIn.set(directoryId, presence.activeIn(directoryId));
    }
    const ids = [...new Set(listening.map(({ principal }) => principal.user.id))];
    const pairs = await read.all(sharedAppPairs, { ids, otherIds: [...activeIn.values()].flat() });
    const known = new Set(pairs.map(({ id, otherId }) => `${id} ${otherId}`));
    for (const connection of listening) {
      const { id, directoryId } = connection.principal.user;
      if (connection.state === 'ended') continue;
      const there = activeIn.get(directoryId) ?? [];
      writeOnline(
        connection,
        there.filter((other) => other === id || known.has(`${id} ${other}`)),
      );
    }
  }

  /** Addresses a message to the listeners of a channel for whom `isFor` is true. */
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

  /** The connections that listen for an event, whatever they may see. */
  function listenersOf({ action, appId, userId }: EventRow): Connection[] {
    const isForAll = userId === null || isForModerators(action);
    return [
      ...(appId === null ? [] : connections.listeningTo(appChannel(appId, action))),
      ...connections.listeningTo(action),
    ].filter(({ principal }) => isForAll || principal.user.id === userId);
  }

  /** Addresses an event: at most one statement, and none where every visibility is cached. */
  async function addressEvent(
    read: Read,
    outbox: Outbox,
    { event, things }: { readonly event: EventRow; readonly things: Things },
  ): Promise<void> {
    const { id, action, appId, userId, payload } = event;
    const listeners = listenersOf(event);
    if (listeners.length === 0) return;
    const argumentOf = (text: string) => json(`{"id":${id},${publicPayload(text)}}`);
    if (appId === null) {
      // Only API keys see events without an app and without a recipient.
      const isRecipient = ({ principal }: Connection) => principal.user.id === userId;
      if (userId !== null) address(outbox, { channel: action, argument: argumentOf(payload) }, isRecipient);
      return;
    }
    const isForAll = userId === null || isForModerators(action);
    const known = await visibilities.of(
      read,
      appId,
      listeners.map(({ principal }) => principal.user.id),
    );
    const visibilityOf = ({ principal }: Connection) => known.get(principal.user.id);
    const isShown = (connection: Connection) => {
      const visibility = visibilityOf(connection);
      return visibility !== undefined && isShownTo(event, connection.principal.user.id, visibility);
    };
    const thing = things.get(id);
    const isWhole = (connection: Connection) => {
      const isModerator = visibilityOf(connection)?.isModerator === true;
      return isWholeFor(thing, { kind: 'token', userId: connection.principal.user.id, isModerator });
    };
    const addressForm = (text: string, isFor: (connection: Connection) => boolean) => {
      const argument = argumentOf(text);
      const isShownForm = (connection: Connection) => isShown(connection) && isFor(connection);
      address(outbox, { channel: appChannel(appId, action), argument }, isShownForm);
      // A channel without an app in its name carries the events of the apps that the listener belongs to.
      address(
        outbox,
        { channel: action, argument },
        (connection) => isShownForm(connection) && (!isForAll || visibilityOf(connection)?.isMember === true),
      );
    };
    if (listeners.some(isWhole)) addressForm(payload, isWhole);
    if (thing !== undefined && !listeners.every(isWhole))
      addressForm(blankPayload(event), (connection) => !isWhole(connection));
  }

  /** Sends the frames; connections that get the same frames share one buffer. */
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
      write(connection, piece);
    }
  }

  return {
    connections,

    /** Adds the connection of a client; the returned handlers take what arrives from it. */
    open(wire: Wire, client: LiveCaller): WireEvents & { connection: Connection } {
      const now = performance.now();
      const connection: Connection = {
        principal: client.principal,
        prove: client.prove,
        wire,
        state: 'greeting',
        channels: new Set(),
        openedAt: now,
        receivedAt: now,
        sentAt: now,
        endedAt: 0,
      };
      connections.add(connection);
      return {
        connection,
        onText: (text) => receive(connection, text),
        onFault: (error) => end(connection, { error }),
        onAlive: () => {
          connection.receivedAt = performance.now();
        },
        onEnd: () => acceptClose(connection),
        onGone: () => {
          detach(connection);
          ending.delete(connection);
          if (!isBusy()) onQuiet();
        },
      };
    },

    /** Whether an event is sent to connections of the hub, if they may see it. */
    isHeard: (event: EventRow): boolean => event.isSilent === 0 && listenersOf(event).length > 0,

    /** Addresses events in the order of the log, with what they are about as it is now. */
    async address(read: Read, events: readonly EventRow[], things: Things): Promise<Outbox> {
      const outbox: Outbox = { frames: [], to: new Map() };
      for (const event of events)
        if (event.isSilent === 0) await addressEvent(read, outbox, { event, things });
      return outbox;
    },

    send,

    /** Notifies the other listeners of an app that a user is writing in it. */
    async broadcastTyping(
      read: Read,
      { appId, userId, argument }: { appId: number; userId: number; argument: Json },
    ): Promise<void> {
      const channel = appChannel(appId, typingAction);
      const others = [...connections.listeningTo(channel)].filter(
        ({ principal }) => principal.user.id !== userId,
      );
      if (others.length === 0) return;
      const ids = others.map(({ principal }) => principal.user.id);
      const known = await visibilities.of(read, appId, ids);
      const outbox: Outbox = { frames: [], to: new Map() };
      address(
        outbox,
        { channel, argument },
        ({ principal }) =>
          principal.user.id !== userId && known.get(principal.user.id)?.maySeeContent === true,
      );
      send(outbox);
    },

    /** Sends the present users to every listener, or to one; each gets only the users whom they may see. */
    async broadcastOnline(read: Read, only?: Connection): Promise<void> {
      const listening = [...connections.listeningTo(onlineChannel)].filter(
        (connection) => only === undefined || connection === only,
      );
      if (listening.length === 0) return;
      if (people === 'shared') return await writeSharedOnline(read, listening);
      const byDirectory = new Map<number | null, number[]>();
      for (const connection of listening) {
        const { directoryId } = connection.principal.user;
        const ids = byDirectory.get(directoryId) ?? presence.activeIn(directoryId);
        byDirectory.set(directoryId, ids);
        writeOnline(connection, ids);
      }
    },

    /** Checks the credentials of the connections of users again; ends those whose credential has ended. */
    async proveAgain(userIds: readonly number[]): Promise<void> {
      await proveAll(
        userIds.flatMap((id) => [...connections.of(id)]),
        {
          hold: (connection, principal) => {
            connection.principal = principal;
            if (connection.state === 'open') presence.connected(principal.user);
          },
          end: (connection) => end(connection, { error: 'Unauthorized' }),
        },
      );
    },

    /** Sends pings, and ends connections that are silent, late with the handshake, or expired. */
    sweep(): void {
      const [now, time] = [performance.now(), clock.now()];
      for (const connection of connections.all) {
        if (isExpired(connection, time)) end(connection, { error: 'Unauthorized' });
        else if (connection.state === 'greeting' && now - connection.openedAt > handshakeMs)
          end(connection, { error: 'The handshake did not come in time.' });
        else if (now - connection.receivedAt > silenceMs) {
          detach(connection);
          connection.wire.cut();
        } else if (connection.state === 'open' && now - connection.sentAt >= pingEveryMs) {
          write(connection, ping);
          connection.wire.probe();
        }
      }
      for (const connection of ending)
        if (now - connection.endedAt > endingMs) {
          ending.delete(connection);
          connection.wire.cut();
        }
    },

    /** Asks every client to reconnect and ends its connection. */
    endAll(): void {
      for (const connection of [...connections.all]) end(connection, { allowReconnect: true });
    },

    /** Whether there is a connection, including one that is still sending its last records. */
    isBusy,

    /** Resolves when there is no connection. */
    whenQuiet: (): Promise<void> =>
      new Promise((resolve) => {
        onQuiet = resolve;
        if (!isBusy()) resolve();
      }),

    /** Cuts the remaining connections. */
    cutAll(): void {
      for (const connection of [...connections.all, ...ending]) {
        detach(connection);
        connection.wire.cut();
      }
      ending.clear();
    },
  };
}

function isExpired({ principal }: Connection, now: number): boolean {
  return principal.expiresAt !== undefined && principal.expiresAt <= now;
}
