import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '../kernel/log.ts';
import type { ClientLimits } from './client-limits.ts';
import { createUnread, type UnreadAnswer } from './unread.ts';

/**
 * The connections of the server, and when one is given up because its client keeps it waiting.
 *
 * A connection *waits* while no request on it is being answered: it is idle, or its next request has not arrived far
 * enough to be one. Otherwise it has *answers*, each with the bytes that were handed over for it. Node limits the time
 * of headers and whole requests; the rest is here: answers that nobody reads, connections that wait, and clients that
 * hold up a stop. A connection that became a WebSocket belongs to whoever took it over.
 */

type Connection = {
  readonly address: string;
  /** What is being answered, with the bytes handed over for it. */
  readonly answers: Map<ServerResponse, UnreadAnswer | undefined>;
};

/** Watches over the connections of `server`. */
export function createSockets(server: Server, { limits, log }: { limits: ClientLimits; log: Log }) {
  const connections = new Map<Socket, Connection>();
  const waiting = new Map<string, Set<Socket>>();
  const unread = createUnread({ limits, cut });
  let isStopping = false;

  function cut(socket: Socket, why: string): void {
    log.info({ address: socket.remoteAddress, why }, 'a connection was cut');
    socket.destroy();
  }

  /** Counts a connection among those that wait; of too many from one address, the one that waits longest is cut. */
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

  /** Cuts a connection on which nothing has moved for its time, if it is the client's turn to move. */
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
  // Node moves this time on with each byte that comes or leaves, also within one large write.
  server.on('timeout', cutIfHeldUp);

  return {
    /** Counts the body of an answer that is about to be sent to a user, or to an API key (`undefined`). */
    count(response: ServerResponse, { userId, bytes }: { userId: number | undefined; bytes: number }): void {
      const { socket } = response.req;
      const connection = connections.get(socket);
      if (connection === undefined || !connection.answers.has(response)) return;
      const answer = { socket, userId, bytes };
      connection.answers.set(response, answer);
      unread.add(answer);
    },

    /** Whether an answer has begun to leave on a connection, so that nothing else may be written to it. */
    isAnswering: (socket: Socket): boolean =>
      [...(connections.get(socket)?.answers.keys() ?? [])].some(({ headersSent }) => headersSent),

    /**
     * Ends the connections on which nobody waits for an answer. A server that stops calls it until it is closed: from the
     * first call on, clients that keep a request half sent or an answer half read lose their connection after
     * `stalledMs` without a byte. Node waits for these, and for connections that were opened ahead and never used.
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

/** Whether all that has come of a request was taken, so that its client is the one to send more. */
function isReadUp(request: IncomingMessage): boolean {
  return request.readableLength === 0;
}

/** The address of a client as it is counted: of an IPv6 address the first 64 bits, of which one machine has all. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^.*:/, '');
  const [beginning = ''] = address.split('::');
  return [...beginning.split(':'), '0', '0', '0'].slice(0, 4).join(':');
}
