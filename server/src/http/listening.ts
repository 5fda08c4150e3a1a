import type { Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net';

/** How many connections the kernel keeps until the server takes them; Linux allows 4096 (`net.core.somaxconn`). */
const backlogMax = 4096;

/** A server that listens. */
export type Listening = {
  readonly address: AddressInfo;
  /** Takes no further connections, closes the idle ones, and resolves when the others have ended. */
  close(): Promise<void>;
};

/** The addresses of `localhost`: browsers try one or the other first. */
const localAddresses = ['127.0.0.1', '::1'] as const;

/** Starts to listen; rejects where the address is in use. At `localhost`, the second address is left out where it is. */
export async function startListening(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const isLocal = host === 'localhost';
  await listen(server, isLocal ? localAddresses[0] : host, port);
  const address = server.address() as AddressInfo;
  const others = isLocal ? await listenBeside(server, address.port) : [];
  return {
    address,
    async close() {
      await Promise.all([server, ...others].map(closed));
    },
  };
}

/** Gives the connections to the second address of `localhost` to the server, where this machine has that. */
async function listenBeside(server: Server, port: number): Promise<NetServer[]> {
  const settings = { allowHalfOpen: true, noDelay: true };
  const beside = createNetServer(settings, (socket) => server.emit('connection', socket));
  try {
    await listen(beside, localAddresses[1], port);
    return [beside];
  } catch {
    return [];
  }
}

function listen(server: NetServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: backlogMax }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closed(server: NetServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
