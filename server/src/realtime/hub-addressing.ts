import type { Read } from '../db/db.ts';
import { blankPayload, isWholeFor, type Thing, type Things } from '../features/events/things.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Json, json } from '../kernel/json.ts';
import { isForModerators, isShownTo, type VisibilityCache } from './app-visibility.ts';
import { appChannel, typingAction } from './channels.ts';
import type { Connection } from './connection.ts';
import { publicPayload } from './feed.ts';
import type { HubConnections } from './hub-connections.ts';
import { invocation } from './hub-protocol.ts';
import type { EventRow } from './log.store.ts';

/** Frames, and the indexes of those that each connection gets. */
export type Outbox = { readonly frames: Buffer[]; readonly to: Map<Connection, number[]> };

/** An event with what it is about, as that is now. */
type AddressedEvent = { readonly event: EventRow; readonly thing: Thing | undefined };

/** The dependencies of addressing. */
export type HubAddressingOptions = {
  readonly clock: Clock;
  readonly connections: HubConnections;
  readonly visibilities: VisibilityCache;
};

/** The message of an event with this payload. */
function messageOf({ id }: EventRow, payload: string): Json {
  return json(`{"id":${id},${publicPayload(payload)}}`);
}

/**
 * Selects the connections that get an event or a notice: those that listen to its channel and whose user may see it.
 * Access is checked with a visibility that is as recent as the log. A message is rendered once for each channel.
 */
export function createHubAddressing({ clock, connections, visibilities }: HubAddressingOptions) {
  const { index } = connections;

  /** Addresses a message to the listeners of a channel for whom `isFor` is true. */
  function addressMessage(
    outbox: Outbox,
    { channel, argument }: { channel: string; argument: Json },
    isFor: (connection: Connection) => boolean,
  ): void {
    let frame = -1;
    for (const connection of index.listeningTo(channel)) {
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
      ...(appId === null ? [] : index.listeningTo(appChannel(appId, action))),
      ...index.listeningTo(action),
    ].filter(({ principal }) => isForAll || principal.user.id === userId);
  }

  /** Addresses an event: at most one statement, and none where every visibility is cached. */
  async function addressEvent(read: Read, outbox: Outbox, { event, thing }: AddressedEvent): Promise<void> {
    const { action, appId, userId, payload } = event;
    const listeners = listenersOf(event);
    if (listeners.length === 0) return;
    if (appId === null) {
      // Only API keys see events without an app and without a recipient.
      const isRecipient = ({ principal }: Connection) => principal.user.id === userId;
      const message = { channel: action, argument: messageOf(event, payload) };
      if (userId !== null) addressMessage(outbox, message, isRecipient);
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
    const isWhole = (connection: Connection) => {
      const isModerator = visibilityOf(connection)?.isModerator === true;
      return isWholeFor(thing, { kind: 'token', userId: connection.principal.user.id, isModerator });
    };
    const addressForm = (text: string, isFor: (connection: Connection) => boolean) => {
      const argument = messageOf(event, text);
      const isShownForm = (connection: Connection) => isShown(connection) && isFor(connection);
      addressMessage(outbox, { channel: appChannel(appId, action), argument }, isShownForm);
      // A channel without an app in its name carries the events of the apps that the listener belongs to.
      addressMessage(
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
      if (connections.isExpired(connection, now)) {
        connections.refuse(connection);
        continue;
      }
      const key = indexes.join();
      let piece = pieces.get(key);
      if (piece === undefined) {
        const parts = indexes.map((place) => frames[place]).filter((part) => part !== undefined);
        piece = parts.length === 1 ? parts[0] : undefined;
        piece ??= Buffer.concat(parts);
        pieces.set(key, piece);
      }
      connections.write(connection, piece);
    }
  }

  return {
    /** Whether an event is sent to connections of the hub, if they may see it. */
    isHeard: (event: EventRow): boolean => event.isSilent === 0 && listenersOf(event).length > 0,

    /** Addresses events in the order of the log, with what they are about as it is now. */
    async address(read: Read, events: readonly EventRow[], things: Things): Promise<Outbox> {
      const outbox: Outbox = { frames: [], to: new Map() };
      for (const event of events)
        if (event.isSilent === 0) await addressEvent(read, outbox, { event, thing: things.get(event.id) });
      return outbox;
    },

    send,

    /** Notifies the other listeners of an app that a user is writing in it. */
    async broadcastTyping(
      read: Read,
      { appId, userId, argument }: { appId: number; userId: number; argument: Json },
    ): Promise<void> {
      const channel = appChannel(appId, typingAction);
      const others = [...index.listeningTo(channel)].filter(({ principal }) => principal.user.id !== userId);
      if (others.length === 0) return;
      const ids = others.map(({ principal }) => principal.user.id);
      const known = await visibilities.of(read, appId, ids);
      const outbox: Outbox = { frames: [], to: new Map() };
      addressMessage(
        outbox,
        { channel, argument },
        ({ principal }) =>
          principal.user.id !== userId && known.get(principal.user.id)?.maySeeContent === true,
      );
      send(outbox);
    },
  };
}
