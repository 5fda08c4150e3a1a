import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A receiver that is not bound to HTTP and can treat each request in any way. */
export type RawReceiver = {
  readonly port: number;
  /** Every socket that was accepted. */
  readonly sockets: readonly Socket[];
  /** How many requests began to arrive. */
  requests(): number;
  close(): Promise<void>;
};

/**
 * Starts one on loopback that calls `behave` with the first bytes of each connection, or at once where `server` itself
 * speaks TLS.
 */
export async function startRawReceiver(
  behave: (socket: Socket, request: number) => void,
  server: Server = createServer(),
): Promise<RawReceiver> {
  const sockets: Socket[] = [];
  let requests = 0;
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    // The client resets sockets in many tests, which does not count as a failure of the server.
    socket.on('error', () => undefined);
    socket.once('data', () => {
      requests += 1;
      behave(socket, requests);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    requests: () => requests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Writes the same bytes every few turns while the socket is open. */
export function repeat(socket: Socket, bytes: string | Buffer): void {
  const again = (): void => {
    if (!socket.destroyed) socket.write(bytes, () => setImmediate(() => setImmediate(again)));
  };
  again();
}
