import type { Read } from '../db/db.ts';
import { blankPayload, isWholeFor, type Thing, type Things } from '../features/events/things.ts';
import { factsOfNotifications } from '../features/notifications/notification-facts.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Json, json } from '../kernel/json.ts';
import { actionInSecondForm, eventInSecondForm } from '../second-form/live/event.ts';
import type { NotificationFacts } from '../second-form/shapes/notification.ts';
import { isForModerators, isShownTo, type VisibilityCache } from './app-visibility.ts';
import { appChannel, typingAction } from './channels.ts';
import type { Connection } from './connection.ts';
import { publicPayload } from './feed.ts';
import type { HubConnections } from './hub-connections.ts';
import { invocation } from './hub-protocol.ts';
import type { EventRow } from './log.store.ts';

/** Frames, and the indexes of those that each connection gets. */
export type Outbox = { readonly frames: Buffer[]; readonly to: Map<Connection, number[]> };

/** An event with what it is about, as that is now, and what the second form shows of a notification besides. */
type AddressedEvent = {
  readonly event: EventRow;
  readonly thing: Thing | undefined;
  readonly facts: NotificationFacts | undefined;
};

/** The dependencies of addressing. */
export type HubAddressingOptions = {
  readonly clock: Clock;
  readonly connections: HubConnections;
  readonly visibilities: VisibilityCache;
};

/** What is sent on a channel of the first form and on that of the second, which is the same except where it was renamed. */
type Message = {
  readonly channel: string;
  readonly secondChannel: string;
  readonly argument: Json;
  /** The argument in the second form; made once. */
  readonly inSecondForm: () => Json;
};

/** Returns what `make` returns, which runs at most once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The message of an event with this payload. */
function messageOf({ id }: EventRow, payload: string): Json {
  return json(`{"id":${id},${publicPayload(payload)}}`);
}

type Index = HubConnections['index'];

/** The connections that listen for an event, whatever they may see. */
function listenersIn(index: Index, { action, appId, userId }: EventRow): Connection[] {
  const isForAll = userId === null || isForModerators(action);
  const second = actionInSecondForm(action);
  const channels = second === action ? [action] : [action, second];
  return channels
    .flatMap((name) => [
      ...(appId === null ? [] : index.listeningTo(appChannel(appId, name))),
      ...index.listeningTo(name),
    ])
    .filter(({ principal }) => isForAll || principal.user.id === userId);
}

/** What the second form shows besides of the notifications that it is sent of; one statement, or none. */
async function factsFor(
  read: Read,
  index: Index,
  events: readonly EventRow[],
): Promise<Map<number, NotificationFacts>> {
  const isForSecond = (event: EventRow) =>
    event.entityType === 'notification' && listenersIn(index, event).some(({ form }) => form !== undefined);
  const ids = events.filter(isForSecond).map(({ entityId }) => entityId);
  return await factsOfNotifications(read, [...new Set(ids)]);
}

/**
 * Selects the connections that get an event or a notice: those that listen to its channel and whose user may see it.
 * Access is checked with a visibility that is as recent as the log. A message is rendered once for each channel
 * and each form.
 */
export function createHubAddressing({ clock, connections, visibilities }: HubAddressingOptions) {
  const { index } = connections;

  /** Addresses a message to the listeners of its channel for whom `isFor` is true. */
  function addressMessage(
    outbox: Outbox,
    message: Message,
    isFor: (connection: Connection) => boolean,
  ): void {
    addressOn(message.channel, { outbox, message }, isFor);
    if (message.secondChannel !== message.channel)
      addressOn(message.secondChannel, { outbox, message }, isFor);
  }

  /** Addresses a message to those who listen to this name and know its channel by it. */
  function addressOn(
    name: string,
    { outbox, message }: { readonly outbox: Outbox; readonly message: Message },
    isFor: (connection: Connection) => boolean,
  ): void {
    const { channel, secondChannel, argument, inSecondForm } = message;
    let [first, second] = [-1, -1];
    for (const connection of index.listeningTo(name)) {
      const isSecond = connection.form !== undefined;
      if (name !== (isSecond ? secondChannel : channel) || !isFor(connection)) continue;
      if (isSecond && second === -1)
        second = outbox.frames.push(invocation(secondChannel, inSecondForm())) - 1;
      if (!isSecond && first === -1) first = outbox.frames.push(invocation(channel, argument)) - 1;
      const frame = isSecond ? second : first;
      const indexes = outbox.to.get(connection);
      if (indexes === undefined) outbox.to.set(connection, [frame]);
      else indexes.push(frame);
    }
  }

  /** Addresses an event: at most one statement, and none where every visibility is cached. */
  async function addressEvent(
    read: Read,
    outbox: Outbox,
    { event, thing, facts }: AddressedEvent,
  ): Promise<void> {
    const { action, appId, userId, payload } = event;
    const second = actionInSecondForm(action);
    const listeners = listenersIn(index, event);
    if (listeners.length === 0) return;
    if (appId === null) {
      // Only API keys see events without an app and without a recipient.
      const isRecipient = ({ principal }: Connection) => principal.user.id === userId;
      const argument = messageOf(event, payload);
      const inSecondForm = once(() => eventInSecondForm(argument, { appId, facts }));
      const message = { channel: action, secondChannel: second, argument, inSecondForm };
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
      const inSecondForm = once(() => eventInSecondForm(argument, { appId, facts }));
      const isShownForm = (connection: Connection) => isShown(connection) && isFor(connection);
      addressMessage(
        outbox,
        {
          channel: appChannel(appId, action),
          secondChannel: appChannel(appId, second),
          argument,
          inSecondForm,
        },
        isShownForm,
      );
      // A channel without an app in its name carries the events of the apps that the listener belongs to.
      addressMessage(
        outbox,
        { channel: action, secondChannel: second, argument, inSecondForm },
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
    isHeard: (event: EventRow): boolean => event.isSilent === 0 && listenersIn(index, event).length > 0,

    /** Addresses events in the order of the log, with what they are about as it is now. */
    async address(read: Read, events: readonly EventRow[], things: Things): Promise<Outbox> {
      const outbox: Outbox = { frames: [], to: new Map() };
      const facts = await factsFor(read, index, events);
      for (const event of events) {
        const about = { thing: things.get(event.id), facts: facts.get(event.entityId) };
        if (event.isSilent === 0) await addressEvent(read, outbox, { event, ...about });
      }
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
        {
          channel,
          secondChannel: channel,
          argument,
          inSecondForm: once(() => eventInSecondForm(argument, { appId })),
        },
        ({ principal }) =>
          principal.user.id !== userId && known.get(principal.user.id)?.maySeeContent === true,
      );
      send(outbox);
    },
  };
}
