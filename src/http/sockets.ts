import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '../kernel/log.ts';
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

type Connection = {
  readonly address: string;
  /** The running answers, with the bytes written for each. */
  readonly answers: Map<ServerResponse, UnreadAnswer | undefined>;
};

/** Manages the connections of `server`. */
export function createSockets(server: Server, { limits, log }: { limits: ClientLimits; log: Log }) {
  const connections = new Map<Socket, Connection>();
  const waiting = new Map<string, Set<Socket>>();
  const unread = createUnread({ limits, cut });
  let isStopping = false;

  function cut(socket: Socket, why: string): void {
    log.info({ address: socket.remoteAddress, why }, 'a connection was cut');
    socket.destroy();
  }

  /** Counts a waiting connection. If one address has too many, the one that waits longest is closed. */
  function beginWaiting(socket: Socket, { address }: Connection): void {
    const all = waiting.get(address) ?? new Set();
    waiting.set(address, all.add(socket));
    if (all.size <= limits.waitingPerAddressMax) return;
    const [longest] = all;
    if (longest === undefined) return;
    all.delete(longest);
    cut(longest, 'too many connections of one address wait');
  }

  function endWaiting(socket: Socket, { address }: Connection): void {
    const all = waiting.get(address);
    all?.delete(socket);
    if (all?.size === 0) waiting.delete(address);
  }

  function forget(socket: Socket): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    endWaiting(socket, connection);
    for (const answer of connection.answers.values()) if (answer !== undefined) unread.remove(answer);
  }

  function beginAnswer(socket: Socket, response: ServerResponse): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    if (connection.answers.size === 0) endWaiting(socket, connection);
    connection.answers.set(response, undefined);
    response.once('close', () => {
      const answer = connection.answers.get(response);
      if (answer !== undefined) unread.remove(answer);
      connection.answers.delete(response);
      if (connection.answers.size === 0 && connections.has(socket)) beginWaiting(socket, connection);
    });
  }

  /** Closes a connection without progress for its time limit, if it waits for the client. */
  function cutIfHeldUp(socket: Socket): void {
    const answers = connections.get(socket)?.answers;
    if (answers === undefined) return;
    if (socket.writableLength > 0) cut(socket, 'the client does not read');
    else if (answers.size === 0) socket.destroy();
    else if (isStopping && [...answers.keys()].every(({ req }) => !req.complete && isReadUp(req)))
      cut(socket, 'the client does not send the rest of a request');
  }

  server.on('connection', (socket: Socket) => {
    const connection = { address: networkOf(socket.remoteAddress ?? ''), answers: new Map() };
    connections.set(socket, connection);
    beginWaiting(socket, connection);
    socket.once('close', () => forget(socket));
  });
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
      const connection = connections.get(socket);
      if (connection === undefined || !connection.answers.has(response)) return;
      const answer = { socket, userId, bytes };
      connection.answers.set(response, answer);
      unread.add(answer);
    },

    /** Whether a response is being sent on a connection, so that nothing else may be written to it. */
    isAnswering: (socket: Socket): boolean =>
      [...(connections.get(socket)?.answers.keys() ?? [])].some(({ headersSent }) => headersSent),

    /**
     * Closes idle connections. A stopping server calls it until it is closed. From the first call on, clients with a
     * partly sent request or a partly read response lose their connection after `stalledMs` without a byte. Node would
     * wait for these, and for connections that were never used.
     */
    closeIdle(): void {
      server.closeIdleConnections();
      for (const [socket, { answers }] of connections)
        if (answers.size === 0 && socket.bytesRead === 0) socket.destroy();
      if (isStopping) return;
      isStopping = true;
      server.timeout = limits.stalledMs;
      for (const socket of connections.keys()) socket.setTimeout(limits.stalledMs);
    },
  };
}

/** Whether the server has read all received bytes of a request and waits for the client to send more. */
function isReadUp(request: IncomingMessage): boolean {
  return request.readableLength === 0;
}
