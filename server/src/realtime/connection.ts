import type { Prove } from '../http/request.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Wire } from './wire.ts';

/** One client that is connected to the hub. Times are those of `performance.now()`. */
export type Connection = {
  readonly wire: Wire;
  readonly prove: Prove;
  /** As it was proved last; its user is always the one who opened the connection. */
  principal: Principal;
  /** `greeting` until the handshake; `ended` from the decision to end it. */
  state: 'greeting' | 'open' | 'ended';
  /** The version of the second form in which it gets events; undefined for the first. */
  form: number | undefined;
  /** The key of the access token whose form it follows. */
  readonly formKey: string | undefined;
  readonly channels: Set<string>;
  readonly openedAt: number;
  receivedAt: number;
  sentAt: number;
  endedAt: number;
};

/** An empty index of connections by channel and by user. */
export function createConnections() {
  const all = new Set<Connection>();
  const byChannel = new Map<string, Set<Connection>>();
  const byUser = new Map<number, Set<Connection>>();
  const none: ReadonlySet<Connection> = new Set();

  return {
    all: all as ReadonlySet<Connection>,
    listeningTo: (channel: string): ReadonlySet<Connection> => byChannel.get(channel) ?? none,
    of: (userId: number): ReadonlySet<Connection> => byUser.get(userId) ?? none,
    userIds: (): Iterable<number> => byUser.keys(),

    add(connection: Connection): void {
      all.add(connection);
      entry(byUser, connection.principal.user.id).add(connection);
    },

    /** Removes a connection; returns whether it was the last of its user. */
    remove(connection: Connection): boolean {
      const userId = connection.principal.user.id;
      if (!all.delete(connection)) return false;
      for (const channel of connection.channels) drop(byChannel, channel, connection);
      connection.channels.clear();
      return drop(byUser, userId, connection);
    },

    listen(connection: Connection, channel: string): void {
      connection.channels.add(channel);
      entry(byChannel, channel).add(connection);
    },

    stopListening(connection: Connection, channel: string): void {
      connection.channels.delete(channel);
      drop(byChannel, channel, connection);
    },
  };
}

function entry<K>(map: Map<K, Set<Connection>>, key: K): Set<Connection> {
  const known = map.get(key) ?? new Set();
  if (known.size === 0) map.set(key, known);
  return known;
}

/** Returns whether nothing is left under the key. */
function drop<K>(map: Map<K, Set<Connection>>, key: K, connection: Connection): boolean {
  const known = map.get(key);
  if (known === undefined) return false;
  known.delete(connection);
  if (known.size > 0) return false;
  map.delete(key);
  return true;
}
