import { createReadStream } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findKits } from 'confab-server/src/http/kit/installed.ts';

/** What a test serves at a path. */
export type Sent = {
  readonly status?: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A product of somebody else on loopback that puts the reference client into pages without any security policy. */
export type Host = {
  readonly url: string;
  /** Serves what a test puts at a path, and returns its address. */
  serve(path: string, sent: Sent): string;
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

const html = 'text/html; charset=utf-8';
const empty: Sent = { type: html, body: '<!doctype html><title>empty</title>' };

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': type }).end(body);
}

/** Starts the product on a free port. */
export async function startHost(): Promise<Host> {
  const served = new Map<string, Sent>();
  const canaries: string[] = [];
  const kit = `${findKits('21')[0]?.folder}/weavy.esm.bundle.js`;
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/kit.js') createReadStream(kit).pipe(response.setHeader('content-type', 'text/javascript'));
    else if (path === '/article') send(response, html, article);
    else if (path.startsWith('/canary')) {
      canaries.push(path);
      send(response, 'text/plain', '');
    } else {
      const { status = 200, type, body, headers = {} } = served.get(new URL(path, url).pathname) ?? empty;
      response.writeHead(status, { ...headers, 'content-type': type }).end(body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // What uses it is what a test waits for; left alone it holds up nothing.
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const serve: Host['serve'] = (path, sent) => {
    served.set(path, sent);
    return url + path;
  };
  return {
    url,
    canaries,
    serve,
    page(token, confab, markup) {
      return serve(`/page-${served.size + 1}`, {
        type: html,
        body: `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<style>html, body { height: 100%; margin: 0 } body { display: flex; flex-direction: column }</style>
<script type="module">
import { Weavy } from '/kit.js';
new Weavy({ url: ${JSON.stringify(confab)}, tokenFactory: async () => ${JSON.stringify(token)} });
</script>${markup}`,
      });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
