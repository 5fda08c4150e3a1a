import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server. */
export type Site = {
  readonly url: string;
  /** Ends its connections and stops it. */
  close(): Promise<void>;
};

/** Starts a web server on a loopback address and a free port. */
export async function startSite(listener: RequestListener, host = '127.0.0.1'): Promise<Site> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}
