import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site on loopback that answers each path with a page which has the path as its title. */
export type Site = { readonly url: string; readonly close: () => void };

/** Starts a site; its `url` ends with a slash. */
export async function startSite(): Promise<Site> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>${request.url?.slice(1)}</title>`);
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
