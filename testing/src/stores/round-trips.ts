import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { poll } from '../poll.ts';

/**
 * Counts on the wire how often a server waits for PostgreSQL during one request.
 *
 * The counter is a proxy before the database. While it counts, it passes on at once whatever the server sends, but keeps
 * back every answer until the database has answered everything that was sent on any connection. Then it hands all
 * answers over together. So whatever the server sends without waiting for an answer is one round trip, on however many
 * connections, and a request needs the same number each time, as if the database were far away.
 */
export type RoundTrips = {
  /** The address of the database by way of the counter. */
  readonly url: string;
  /**
   * The statements of each round trip that the request at this path made before the server finished its response. `send`
   * sends that request. Of one that only reads, the transactions of the writer are left out, which are of other work.
   */
  count(
    request: { readonly path: string; readonly isReading: boolean },
    send: () => Promise<unknown>,
  ): Promise<string[][]>;
  close(): void;
};

/** Statements that a server runs by itself from time to time, or without waiting for them. */
const ofItself =
  /"(leases|nodes|presence|notification_refreshes|redactions)"|"due_at"|pg_notify|^select max\("id"\) as "id" from/;

/** How the writer begins a transaction. */
const changeStart = /^begin; set local synchronous_commit/;
/** How many turns of the event loop the server has to send all that does not wait for an answer. */
const turnsOfSending = 4;
/** After how long a statement without an answer waits for a lock of another that has its answer, in milliseconds. */
const lockedMs = 20;
/** How long nothing is sent before a request is counted, so that what came before it has ended, in milliseconds. */
const silenceMs = 10;

/** One connection of the server, after its messages are put together from the pieces in which they arrive. */
type Line = {
  readonly prepared: Map<string, string>;
  isReady: boolean;
  /** Whether a transaction of the writer is open. */
  isInChange: boolean;
  /** The statements since the last one that asked for an answer. */
  unit: string[];
};

/** Starts a counter before the database at an address. */
export async function startRoundTrips(database: string): Promise<RoundTrips> {
  const sockets = new Set<Socket>();
  const kept: { readonly to: Socket; readonly bytes: Buffer }[] = [];
  let trips: string[][] | undefined;
  let unanswered = 0;
  let isUnderWay = false;
  let quietTurns = 0;
  let sentAt = 0;
  let areChangesLeftOut = false;
  let heardAt = 0;

  const handOver = (): void => {
    isUnderWay = false;
    for (const { to, bytes } of kept.splice(0)) to.write(bytes);
  };
  const waitForSilence = (): void => {
    const now = performance.now();
    if (unanswered === 0) quietTurns += 1;
    const isLocked = unanswered > 0 && now - heardAt > lockedMs;
    if (quietTurns > turnsOfSending || isLocked) handOver();
    else setImmediate(waitForSilence);
  };
  const sent = (statements: readonly string[]): void => {
    unanswered += 1;
    quietTurns = 0;
    sentAt = performance.now();
    heardAt = sentAt;
    if (trips === undefined) return;
    const isFirst = !isUnderWay;
    isUnderWay = true;
    if (isFirst) setImmediate(waitForSilence);
    const counted = statements.filter((text) => !ofItself.test(text));
    if (isFirst || trips.length === 0) trips.push([]);
    trips.at(-1)?.push(...counted);
  };
  const answered = (): void => {
    unanswered -= 1;
    quietTurns = 0;
    heardAt = performance.now();
  };

  const server = createServer((near) => {
    const far = connect(wayTo(database));
    const line: Line = { prepared: new Map(), isReady: false, isInChange: false, unit: [] };
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay(true));
      socket.on('error', () => socket.destroy());
    }
    let unansweredHere = 0;
    near.on('close', () => {
      unanswered -= unansweredHere;
      unansweredHere = 0;
      far.destroy();
    });
    far.on('close', () => near.destroy());
    const ofServer = messages((type, body) => {
      const text = statementOf(line, type, body);
      if (text !== undefined) line.unit.push(text);
      if (type !== 'Q' && type !== 'S') return;
      unansweredHere += 1;
      const unit = line.unit.splice(0);
      line.isInChange ||= changeStart.test(unit[0] ?? '');
      sent(areChangesLeftOut && line.isInChange ? [] : unit);
      if (unit[0] === 'commit' || unit[0] === 'rollback') line.isInChange = false;
    }, 'starts without a type');
    const ofDatabase = messages((type) => {
      if (type !== 'Z') return;
      // The first one ends the beginning of a session.
      if (line.isReady) {
        unansweredHere -= 1;
        answered();
      }
      line.isReady = true;
    });
    near.on('data', (bytes: Buffer) => {
      ofServer(bytes);
      far.write(bytes);
    });
    far.on('data', (bytes: Buffer) => {
      const isBeginning = !line.isReady;
      ofDatabase(bytes);
      if (isUnderWay && !isBeginning) kept.push({ to: near, bytes });
      else near.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    async count({ path, isReading }, send) {
      await poll('the server to be silent', () => {
        const isSilent = !isUnderWay && unanswered === 0 && performance.now() - sentAt >= silenceMs;
        return isSilent || undefined;
      });
      const counting: string[][] = [];
      let made: string[][] | undefined;
      const finish = (message: unknown): void => {
        const { request } = message as { request: IncomingMessage };
        if (request.url === path) made ??= structuredClone(counting);
      };
      subscribe('http.server.response.finish', finish);
      trips = counting;
      areChangesLeftOut = isReading;
      try {
        await send();
      } finally {
        trips = undefined;
        unsubscribe('http.server.response.finish', finish);
      }
      return (made ?? counting).filter((statements) => statements.length > 0);
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Where the database listens: on a socket in a folder, or on a port. */
function wayTo(database: string): { path: string } | { host: string; port: number } {
  const { hostname, port, searchParams } = new URL(database);
  const host = searchParams.get('host') ?? hostname;
  const number = Number(port || 5432);
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${number}` } : { host, port: number };
}

/** Puts the messages of a connection together. The first of a client has a length but no type. */
function messages(
  each: (type: string, body: Buffer) => void,
  start?: 'starts without a type',
): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let headBytes = start === undefined ? 1 : 0;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= headBytes + 4) {
      const end = headBytes + rest.readInt32BE(headBytes);
      if (rest.length < end) return;
      each(headBytes === 0 ? '' : String.fromCharCode(rest[0] ?? 0), rest.subarray(headBytes + 4, end));
      rest = rest.subarray(end);
      headBytes = 1;
    }
  };
}

/** The text of the statement that a message asks to run, if it asks for one. */
function statementOf({ prepared }: Line, type: string, body: Buffer): string | undefined {
  const [first = '', second = ''] = body.toString('latin1').split('\0', 2);
  if (type === 'Q') return first;
  if (type === 'P') prepared.set(first, second);
  return type === 'B' ? (prepared.get(second) ?? '') : undefined;
}
