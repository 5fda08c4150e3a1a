import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that breaks. */
export type BreakingProxy = {
  readonly url: string;
  /** Connections that were cut so far. */
  readonly cuts: () => number;
  close(): Promise<void>;
};

/**
 * Starts a proxy that cuts each connection after a random number of bytes of either direction, up to `bytesMax`: while a
 * request is sent, before its response, or in the middle of it.
 */
export async function startBreakingProxy(target: string, bytesMax: number): Promise<BreakingProxy> {
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    let left = Math.ceil(Math.random() * bytesMax);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', cut).on('close', () => {
        sockets.delete(from);
        cut();
      });
      from.on('data', (bytes: Buffer) => {
        const passed = bytes.subarray(0, left);
        left -= passed.length;
        if (left > 0) to.write(passed);
        else if (passed.length > 0) {
          cuts += 1;
          to.write(passed, cut);
        }
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
