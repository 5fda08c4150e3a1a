import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { VisibilityCache } from './app-visibility.ts';
import type { HubCaller } from './caller.ts';
import { type Connection, createConnections } from './connection.ts';
import { closing, handshakeReply, ping } from './hub-protocol.ts';
import type { Presence } from './presence.ts';
import { type Wire, waitingBytesMaxOf } from './wire.ts';

/**
 * The life of the hub's connections. A connection is *greeting* until its handshake, then *open*, and *ended* from the
 * decision to end it: from then on it is in no index and is sent nothing. It is *ending* until its last records are sent.
 */

/** The longest silence towards a client, in milliseconds: clients reconnect after 30 s. */
const pingEveryMs = 15_000;
/** How long a client has for its handshake. */
const handshakeMs = 15_000;
/** How long a client may be silent. Clients ping every 15 s, but browsers slow down pages in the background. */
const silenceMs = 60_000;
/** How long an ended connection has to send the records that wait. */
const endingMs = 5000;

/** The dependencies of the connections. */
export type HubConnectionsOptions = {
  readonly clock: Clock;
  readonly log: Log;
  readonly visibilities: VisibilityCache;
  readonly presence: Presence;
};

/** The connections of the hub, from their first to their last byte. */
export type HubConnections = ReturnType<typeof createHubConnections>;

/** No connections yet. */
export function createHubConnections({ clock, log, visibilities, presence }: HubConnectionsOptions) {
  const index = createConnections();
  const ending = new Set<Connection>();
  let onQuiet = (): void => undefined;

  /** Adds the connection of a client, which is to send its handshake. */
  function add(wire: Wire, client: HubCaller): Connection {
    const now = performance.now();
    const connection: Connection = {
      principal: client.principal,
      prove: client.prove,
      wire,
      form: client.form,
      formKey: client.formKey,
      state: 'greeting',
      channels: new Set(),
      openedAt: now,
      receivedAt: now,
      sentAt: now,
      endedAt: 0,
    };
    index.add(connection);
    return connection;
  }

  function write(connection: Connection, bytes: Buffer): void {
    const { id } = connection.principal.user;
    if (connection.wire.waitingBytes() > waitingBytesMaxOf(index.of(id).size)) {
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
    if (index.remove(connection)) visibilities.forgetUser(id);
    if (wasOpen && ![...index.of(id)].some(({ state }) => state === 'open')) presence.disconnected(id);
  }

  function end(connection: Connection, reason: Parameters<typeof closing>[0]): void {
    if (connection.state === 'ended') return;
    if (connection.state === 'open') write(connection, closing(reason));
    else connection.wire.send(handshakeReply(reason.error ?? 'The server is stopping.'));
    detach(connection);
    ending.add(connection);
    connection.wire.end();
  }

  /** Ends a connection whose credential has ended. */
  function refuse(connection: Connection): void {
    end(connection, { error: 'Unauthorized' });
  }

  /** Ends a connection at its client's request. */
  function acceptClose(connection: Connection): void {
    if (connection.state === 'ended') return;
    detach(connection);
    ending.add(connection);
    connection.wire.end();
  }

  /** Notes that the wire of a connection has ended. */
  function forget(connection: Connection): void {
    detach(connection);
    ending.delete(connection);
    if (!isBusy()) onQuiet();
  }

  /** Whether there is a connection, including one that is still sending its last records. */
  function isBusy(): boolean {
    return index.all.size + ending.size > 0;
  }

  /** Whether the credential of a connection has expired by `now`. */
  function isExpired({ principal }: Connection, now: number): boolean {
    return principal.expiresAt !== undefined && principal.expiresAt <= now;
  }

  return {
    index,
    add,
    write,
    end,
    refuse,
    acceptClose,
    forget,
    isBusy,
    isExpired,

    /** Sends pings, and ends connections that are silent, late with the handshake, or expired. */
    sweep(): void {
      const [now, time] = [performance.now(), clock.now()];
      for (const connection of index.all) {
        if (isExpired(connection, time)) refuse(connection);
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
      for (const connection of [...index.all]) end(connection, { allowReconnect: true });
    },

    /** Resolves when there is no connection. */
    whenQuiet: (): Promise<void> =>
      new Promise((resolve) => {
        onQuiet = resolve;
        if (!isBusy()) resolve();
      }),

    /** Cuts the remaining connections. */
    cutAll(): void {
      for (const connection of [...index.all, ...ending]) {
        detach(connection);
        connection.wire.cut();
      }
      ending.clear();
    },
  };
}
