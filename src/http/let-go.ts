import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Lets go of connections that nobody speaks on, for a server that stops. Node closes those on which something was
 * asked and answered; one that a client opened ahead of its first request, as browsers do, it waits for.
 */
export function createLetGo(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
}
