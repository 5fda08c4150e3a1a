import { lookup } from 'node:dns/promises';
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

/** Starts to listen; rejects where the address is in use. `localhost` is served at each of its addresses. */
export async function startListening(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  await listen(server, host, port);
  const address = server.address() as AddressInfo;
  const others = host === 'localhost' ? await listenBeside(server, address) : [];
  return {
    address,
    async close() {
      await Promise.all([server, ...others].map(closed));
    },
  };
}

/** Gives the connections to the other addresses of `localhost` to the server, as far as this machine has them. */
async function listenBeside(server: Server, { address, port }: AddressInfo): Promise<NetServer[]> {
  const found = (await lookup('localhost', { all: true })).filter((other) => other.address !== address);
  const settings = { allowHalfOpen: true, noDelay: true };
  const listening = found.map(async (other) => {
    const beside = createNetServer(settings, (socket) => server.emit('connection', socket));
    await listen(beside, other.address, port);
    return beside;
  });
  const settled = await Promise.allSettled(listening);
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
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
