import assert from 'node:assert/strict';
import * as signalR7 from 'signalr-7';
import * as signalR10 from 'signalr-10';
import { poll } from '../poll.ts';
import type { TestServer } from '../server.ts';

/** The tested versions of the client library. */
export const signalRs = { '7': signalR7, '10': signalR10 } as const;
/** One of them. */
export type SignalRVersion = keyof typeof signalRs;

/** The transports of a connection. */
export type Carrier = 'WebSockets' | 'ServerSentEvents' | 'LongPolling';

/** What a client received, as `[channel, argument]` in the order of arrival. */
export type Received = [string, any];

/** A connected client that records what it receives. */
export type Live = {
  readonly connection: signalR7.HubConnection | signalR10.HubConnection;
  readonly received: Received[];
  /** How often it reconnected, and whether it is permanently closed and why. */
  readonly state: { reconnects: number; closed: boolean; error: Error | undefined };
  subscribe(...channels: readonly string[]): Promise<void>;
  unsubscribe(...channels: readonly string[]): Promise<void>;
  /** The ids of the events received on a channel. */
  ids(channel?: string): number[];
  /** Waits for a matching argument on the channel and returns it. */
  waitFor(channel: string, fits?: (argument: any) => boolean): Promise<any>;
  stop(): Promise<void>;
};

/** The options of a client. */
export type LiveOptions = {
  readonly version?: SignalRVersion;
  readonly carrier?: Carrier;
  /** The pauses before it reconnects, in milliseconds. */
  readonly retries?: readonly number[];
  /** What each of its requests has besides. */
  readonly headers?: { readonly [name: string]: string };
  /** Whether it opens its socket without negotiating. */
  readonly skipsNegotiation?: boolean;
};

/** Connects the real client library as the user of a token. */
export async function connectLive(
  server: Pick<TestServer, 'url'>,
  token: string,
  {
    version = '10',
    carrier = 'WebSockets',
    retries,
    headers = {},
    skipsNegotiation = false,
  }: LiveOptions = {},
): Promise<Live> {
  const library = signalRs[version];
  const builder = new library.HubConnectionBuilder()
    .withUrl(`${server.url}/hubs/rtm`, {
      accessTokenFactory: () => token,
      transport: library.HttpTransportType[carrier],
      headers,
      skipNegotiation: skipsNegotiation,
      // Its warning about cookies does not fail a test.
      logger: library.LogLevel.None,
    })
    .configureLogging(library.LogLevel.None);
  if (retries !== undefined) builder.withAutomaticReconnect([...retries]);
  const connection = builder.build();
  const received: Received[] = [];
  const state: Live['state'] = { reconnects: 0, closed: false, error: undefined };
  const known = new Set<string>();
  connection.onreconnected(() => {
    state.reconnects += 1;
  });
  connection.onclose((error) => {
    state.closed = true;
    state.error = error;
  });
  await connection.start();
  return {
    connection,
    received,
    state,
    async subscribe(...channels) {
      for (const channel of channels) {
        if (!known.has(channel))
          connection.on(channel, (argument: unknown) => void received.push([channel, argument]));
        known.add(channel);
        await connection.invoke('Subscribe', channel);
      }
    },
    async unsubscribe(...channels) {
      for (const channel of channels) await connection.invoke('Unsubscribe', channel);
    },
    ids: (channel) =>
      received.filter(([name]) => channel === undefined || name === channel).map(([, { id }]) => id),
    async waitFor(channel, fits = () => true) {
      return await poll(
        `something on ${channel}`,
        () => received.find(([name, argument]) => name === channel && fits(argument))?.[1],
      );
    },
    stop: () => connection.stop(),
  };
}

/** Waits until a client is permanently closed and returns the reason. */
export async function closedWith(live: Live): Promise<string> {
  await poll('the end of the connection', () => (live.state.closed ? true : undefined));
  return String(live.state.error?.message ?? '');
}

/**
 * Fails unless a client received only matching arguments on a channel; `mark` sends an event that proves that
 * everything before it has arrived.
 */
export async function assertNothingUntil(
  live: Live,
  mark: () => Promise<void>,
  channel: string,
): Promise<void> {
  const before = live.received.length;
  await mark();
  await poll('the mark', () => (live.received.length > before ? true : undefined));
  assert.deepEqual(
    live.received.slice(before).map(([name]) => name),
    [channel],
  );
}
