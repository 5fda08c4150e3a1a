import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '../../kernel/log.ts';
import { networkOf } from './client-address.ts';
import type { ClientLimits } from './client-limits.ts';
import { createUnread, type UnreadAnswer } from './unread.ts';

/**
 * The connections of the server, and the limits for clients that keep them waiting.
 *
 * A connection *waits* while it has no running request: it is idle, or its next request is still incomplete. Otherwise it
 * has *answers*, each with the number of bytes written for it. Node limits the time of headers and whole requests. This
 * module limits unread answers, waiting connections, and clients that delay a stop. A connection that became a WebSocket
 * belongs to its handler.
 */

/** An answer that is being made or sent. */
type RunningAnswer = { readonly response: ServerResponse; unread: UnreadAnswer | undefined };

/** The connections of one address, by the name under which it is counted, and how many of them wait. */
type Address = { readonly name: string; readonly connections: Set<Connection>; waiting: number };

type Connection = {
  readonly socket: Socket;
  readonly address: Address;
  /** In the order of their requests. */
  readonly answers: RunningAnswer[];
  /** Which of all waits this is, counted from the start of the server; undefined while it does not wait. */
  wait: number | undefined;
};

/** Manages the connections of `server`. */
export function createSockets(server: Server, { limits, log }: { limits: ClientLimits; log: Log }) {
  const connections = new Map<Socket, Connection>();
  const addresses = new Map<string, Address>();
  const unread = createUnread({ limits, cut });
  let waits = 0;
  let isStopping = false;

  function cut(socket: Socket, why: string): void {
    log.info({ address: socket.remoteAddress, why }, 'a connection was cut');
    socket.destroy();
  }

  function open(socket: Socket): void {
    const name = networkOf(socket.remoteAddress ?? '');
    const address = addresses.get(name) ?? { name, connections: new Set(), waiting: 0 };
    addresses.set(name, address);
    const connection: Connection = { socket, address, answers: [], wait: undefined };
    address.connections.add(connection);
    connections.set(socket, connection);
    beginWaiting(connection);
    socket.once('close', () => forget(socket));
  }

  function forget(socket: Socket): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    endWaiting(connection);
    const { address } = connection;
    address.connections.delete(connection);
    if (address.connections.size === 0) addresses.delete(address.name);
    for (const answer of connection.answers) if (answer.unread !== undefined) unread.remove(answer.unread);
  }

  /** Counts a waiting connection. If its address has too many, the one that waits longest is closed. */
  function beginWaiting(connection: Connection): void {
    const { address } = connection;
    waits += 1;
    connection.wait = waits;
    address.waiting += 1;
    if (address.waiting <= limits.waitingPerAddressMax) return;
    const longest = longestWaiting(address);
    if (longest === undefined) return;
    endWaiting(longest);
    cut(longest.socket, 'too many connections of one address wait');
  }

  function endWaiting(connection: Connection): void {
    if (connection.wait === undefined) return;
    connection.wait = undefined;
    connection.address.waiting -= 1;
  }

  function beginAnswer(socket: Socket, response: ServerResponse): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    endWaiting(connection);
    const { answers } = connection;
    const answer: RunningAnswer = { response, unread: undefined };
    answers.push(answer);
    response.on('close', () => {
      if (answer.unread !== undefined) unread.remove(answer.unread);
      answers.splice(answers.indexOf(answer), 1);
      if (answers.length === 0 && connections.has(socket)) beginWaiting(connection);
    });
  }

  /** Closes a connection without progress for its time limit, if it waits for the client. */
  function cutIfHeldUp(socket: Socket): void {
    const answers = connections.get(socket)?.answers;
    if (answers === undefined) return;
    if (socket.writableLength > 0) cut(socket, 'the client does not read');
    else if (answers.length === 0) socket.destroy();
    else if (isStopping && answers.every(({ response: { req } }) => !req.complete && isReadUp(req)))
      cut(socket, 'the client does not send the rest of a request');
  }

  server.on('connection', open);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    beginAnswer(request.socket, response);
  });
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => forget(socket as Socket));
  // Node updates this time with each byte received or sent, also within one large write.
  server.on('timeout', cutIfHeldUp);

  return {
    /** Counts the body of a response to a user, or to an API key (`undefined`). Call it before sending. */
    count(response: ServerResponse, { userId, bytes }: { userId: number | undefined; bytes: number }): void {
      const { socket } = response.req;
      const answer = connections.get(socket)?.answers.find((running) => running.response === response);
      if (answer === undefined) return;
      answer.unread = { socket, userId, bytes, isRead: false };
      unread.add(answer.unread);
    },

    /** Whether a response is being sent on a connection, so that nothing else may be written to it. */
    isAnswering: (socket: Socket): boolean =>
      connections.get(socket)?.answers.some(({ response }) => response.headersSent) === true,

    /**
     * Closes idle connections. A stopping server calls it until it is closed. From the first call on, clients with a
     * partly sent request or a partly read response lose their connection after `stalledMs` without a byte. Node would
     * wait for these, and for connections that were never used.
     */
    closeIdle(): void {
      server.closeIdleConnections();
      for (const [socket, { answers }] of connections)
        if (answers.length === 0 && socket.bytesRead === 0) socket.destroy();
      if (isStopping) return;
      isStopping = true;
      server.timeout = limits.stalledMs;
      for (const socket of connections.keys()) socket.setTimeout(limits.stalledMs);
    },
  };
}

/**
 * The connection of an address that waits longest. Looked for only where an address has too many, because whatever keeps
 * them in order would be changed twice by each request.
 */
function longestWaiting({ connections }: Address): Connection | undefined {
  let longest: Connection | undefined;
  for (const connection of connections)
    if (connection.wait !== undefined && connection.wait < (longest?.wait ?? Infinity)) longest = connection;
  return longest;
}

/** Whether the server has read all received bytes of a request and waits for the client to send more. */
function isReadUp(request: IncomingMessage): boolean {
  return request.readableLength === 0;
}
