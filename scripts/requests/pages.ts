import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostilePages } from './hostile.ts';

/** What link previews are made of, on this machine. */
export type Pages = {
  /** The names of the pages and pictures. */
  readonly names: readonly string[];
  /** An address of one of them that was never used before. */
  freshUrl(name: string): string;
  close(): void;
};

/** Starts a server of pages on a free port of this machine. */
export async function startPages(): Promise<Pages> {
  const pages = await hostilePages();
  const names = Object.keys(pages);
  let used = 0;
  const server = createServer((request, response) => {
    const [, number = ''] = request.url?.split('/') ?? [];
    const page = pages[names[Number(number)] ?? ''];
    if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': page.type }).end(page.body);
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    names,
    freshUrl(name) {
      used += 1;
      return `http://127.0.0.1:${port}/${names.indexOf(name)}/${used}`;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
