import { type RateLimits, rateSubjectOf } from '../kernel/rate-limits.ts';
import { isOnlyOfSecondForm } from '../second-form/live/event.ts';
import { onlineChannel, readChannel } from './channels.ts';
import type { Connection } from './connection.ts';
import type { HubConnections } from './hub-connections.ts';
import {
  completion,
  type HubRecord,
  handshakeReply,
  ProtocolError,
  readHandshake,
  readRecord,
  splitRecords,
} from './hub-protocol.ts';
import type { Presence } from './presence.ts';

/** The most channels of all connections of a user; a messenger listens to a handful for each conversation. */
const channelsMax = 50_000;

/** The dependencies of what clients call. */
export type HubCallsOptions = {
  readonly connections: HubConnections;
  readonly presence: Presence;
  readonly rateLimits: RateLimits;
  /** Called when a connection starts to listen to presence, to send it the present users. */
  readonly onOnline: (connection: Connection) => void;
  /** Called when a connection listens to a name that only the second form has. */
  readonly onSecondForm: (connection: Connection) => void;
};

/** Handles what clients send: the handshake, and calls that choose channels. Returns what takes text of a connection. */
export function createHubCalls({
  connections,
  presence,
  rateLimits,
  onOnline,
  onSecondForm,
}: HubCallsOptions) {
  const { index } = connections;

  function acceptHandshake(connection: Connection, record: string): void {
    readHandshake(record);
    connection.state = 'open';
    connections.write(connection, handshakeReply());
    presence.connected(connection.principal.user);
  }

  function handle(connection: Connection, record: HubRecord): void {
    if (record.kind === 'close') connections.acceptClose(connection);
    else if (record.kind === 'stream') {
      connections.write(connection, completion(record.id, 'No method answers with a stream.'));
    } else if (record.kind === 'call') {
      const error = call(connection, record.method.toLowerCase(), record.values);
      if (record.id !== undefined) connections.write(connection, completion(record.id, error));
    }
  }

  /** Runs a method for a client; returns an error message when it cannot. */
  function call(connection: Connection, method: string, values: readonly unknown[]): string | undefined {
    const limit = rateLimits.takeNow(...rateSubjectOf(connection.principal), 'live');
    if (limit?.isRefused === true)
      return `A user sends at most ${limit.quota} messages a minute; try again in ${limit.seconds} seconds.`;
    if (method !== 'subscribe' && method !== 'unsubscribe') return 'No method has this name.';
    const channel = readChannel(values[0]);
    if (channel === undefined || values.length !== 1) return `${method} takes the name of a channel.`;
    if (method === 'unsubscribe') {
      index.stopListening(connection, channel);
      return undefined;
    }
    if (!connection.channels.has(channel) && channelsOf(connection.principal.user.id) >= channelsMax)
      return `All connections of a user listen to at most ${channelsMax} channels.`;
    const isNew = !connection.channels.has(channel);
    index.listen(connection, channel);
    if (isNew && channel === onlineChannel) onOnline(connection);
    if (isNew && isOnlyOfSecondForm(channel)) onSecondForm(connection);
    return undefined;
  }

  function channelsOf(userId: number): number {
    let count = 0;
    for (const { channels } of index.of(userId)) count += channels.size;
    return count;
  }

  return (connection: Connection, text: string): void => {
    connection.receivedAt = performance.now();
    try {
      for (const record of splitRecords(text)) {
        if (connection.state === 'ended') return;
        if (connection.state === 'open') handle(connection, readRecord(record));
        else acceptHandshake(connection, record);
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      connections.end(connection, { error: error.message });
    }
  };
}
