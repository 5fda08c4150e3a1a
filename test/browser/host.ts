import { createReadStream } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findKit } from '../../src/http/demo/demo.ts';

/** A product of somebody else on loopback that puts the reference client into pages without any security policy. */
export type Host = {
  readonly url: string;
  /** A page that is signed in with a token and holds this markup beside the client. */
  page(token: string, server: string, markup: string): string;
  /** What was asked of `/canary`, which nothing but a script or a picture of a text can ask for. */
  readonly canaries: readonly string[];
  close(): Promise<void>;
};

/** A page that says about itself what a preview of a link shows. */
const article = `<!doctype html><html><head><title>Paper</title>
<meta property="og:title" content="On computable numbers">
<meta property="og:description" content="A paper of 1936 with an application to the Entscheidungsproblem.">
<meta property="og:site_name" content="Proceedings"></head><body><p>The paper.</p></body></html>`;

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': type }).end(body);
}

/** Starts the product on a free port. */
export async function startHost(): Promise<Host> {
  const pages = new Map<string, string>();
  const canaries: string[] = [];
  const kit = findKit();
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/kit.js') createReadStream(kit).pipe(response.setHeader('content-type', 'text/javascript'));
    else if (path === '/article') send(response, 'text/html; charset=utf-8', article);
    else if (path.startsWith('/canary')) {
      canaries.push(path);
      send(response, 'text/plain', '');
    } else
      send(response, 'text/html; charset=utf-8', pages.get(path) ?? '<!doctype html><title>empty</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // What uses it is what a test waits for; left alone it holds up nothing.
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    canaries,
    page(token, confab, markup) {
      const path = `/page-${pages.size + 1}`;
      pages.set(
        path,
        `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<style>html, body { height: 100%; margin: 0 } body { display: flex; flex-direction: column }</style>
<script type="module">
import { Weavy } from '/kit.js';
new Weavy({ url: ${JSON.stringify(confab)}, tokenFactory: async () => ${JSON.stringify(token)}, disableEnvironmentImports: true });
</script>${markup}`,
      );
      return url + path;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
