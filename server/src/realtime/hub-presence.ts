import type { Read } from '../db/db.ts';
import { json } from '../kernel/json.ts';
import type { PeopleSetting } from '../kernel/principal.ts';
import { onlineChannel } from './channels.ts';
import type { Connection } from './connection.ts';
import type { HubConnections } from './hub-connections.ts';
import { invocation } from './hub-protocol.ts';
import { sharedAppPairs } from './presence.store.ts';
import type { Presence } from './presence.ts';

/** The dependencies of the channel of present users. */
export type HubPresenceOptions = {
  readonly connections: HubConnections;
  readonly presence: Presence;
  readonly people: PeopleSetting;
};

/** The channel that carries the ids of the present users; each listener gets only the users whom they may see. */
export function createHubPresence({ connections, presence, people }: HubPresenceOptions) {
  function write(connection: Connection, ids: readonly number[]): void {
    connections.write(connection, invocation(onlineChannel, json(`[${ids.join(',')}]`)));
  }

  /** Sends each connection the present users of its user's directory who share an app with them; one statement for all. */
  async function writeShared(read: Read, listening: readonly Connection[]): Promise<void> {
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
      write(
        connection,
        there.filter((other) => other === id || known.has(`${id} ${other}`)),
      );
    }
  }

  return {
    /** Sends the present users to every listener, or to one. */
    async broadcastOnline(read: Read, only?: Connection): Promise<void> {
      const listening = [...connections.index.listeningTo(onlineChannel)].filter(
        (connection) => only === undefined || connection === only,
      );
      if (listening.length === 0) return;
      if (people === 'shared') return await writeShared(read, listening);
      const byDirectory = new Map<number | null, number[]>();
      for (const connection of listening) {
        const { directoryId } = connection.principal.user;
        const ids = byDirectory.get(directoryId) ?? presence.activeIn(directoryId);
        byDirectory.set(directoryId, ids);
        write(connection, ids);
      }
    },
  };
}
