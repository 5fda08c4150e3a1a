import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import {
  CANARY,
  fakeResolver,
  listen,
  openEgress,
  RECEIVER,
  untilClosed,
} from 'confab-testing/network/loopback.ts';
import { patienceMs } from 'confab-testing/poll.ts';
import type { Egress } from '../../../src/net/egress.ts';
import { createWebReader } from '../../../src/net/web-reader.ts';

type Handler = Parameters<typeof createServer>[1];

async function startSite(t: TestContext, handler: Handler) {
  const listening = await listen(t, createServer(handler));
  const reader = createWebReader({ egress: openEgress(t), userAgent: 'Reader/1' });
  const base = `http://${RECEIVER}:${listening.port}`;
  const read = (path: string, { bytesMax = 1024, timeoutMs = patienceMs } = {}) =>
    reader.read(new URL(path, base), { accept: 'text/*', bytesMax, signal: AbortSignal.timeout(timeoutMs) });
  return { ...listening, base, read };
}

/** A document is read unchanged, through redirects, and never beyond its limits of size and time. */
describe('web reader', () => {
  it('sends a GET with its user agent and accepts no compression', async (t) => {
    let seen: unknown;
    const { read } = await startSite(t, (request, response) => {
      const { accept, 'accept-encoding': encoding, 'user-agent': agent } = request.headers;
      seen = [request.method, request.url, accept, encoding, agent];
      response.setHeader('content-type', 'Text/HTML; Charset="ISO-8859-1"').end('hello');
    });
    const document = await read('/a?b=c#d');
    assert.deepEqual(seen, ['GET', '/a?b=c', 'text/*', 'identity', 'Reader/1']);
    assert.deepEqual(
      [document?.mediaType, document?.charset, document?.bytes.toString(), document?.url.hash],
      ['text/html', 'iso-8859-1', 'hello', ''],
    );
  });

  for (const status of [301, 302, 303, 307, 308])
    it(`follows ${status} and returns the final address`, async (t) => {
      const { base, read } = await startSite(t, ({ url }, response) => {
        if (url === '/start') response.writeHead(status, { location: 'to/end?x#y' }).end();
        else response.end('end');
      });
      assert.equal((await read('/start'))?.url.href, `${base}/to/end?x`);
    });

  it('gives up on a redirect loop after five redirects', async (t) => {
    let asked = 0;
    const { read } = await startSite(t, (_, response) => {
      asked += 1;
      response.writeHead(302, { location: '/' }).end();
    });
    assert.equal(await read('/'), undefined);
    assert.equal(asked, 6);
  });

  for (const [name, status, headers] of [
    ['a redirect to nowhere', 302, {}],
    ['a redirect that cannot be read', 302, { location: 'http://' }],
    ['an error', 503, {}],
    ['no change', 304, {}],
    ['a compressed body', 200, { 'content-encoding': 'br' }],
  ] as const)
    it(`returns nothing for ${name}`, async (t) => {
      const { read } = await startSite(t, (_, response) => response.writeHead(status, { ...headers }).end());
      assert.equal(await read('/'), undefined);
    });

  it('checks a name again at each redirect', async (t) => {
    const site = await listen(
      t,
      createServer(({ url }, response) => {
        response.setHeader('connection', 'close');
        if (url === '/start') response.writeHead(302, { location: '/end' }).end();
        else response.end('end');
      }),
    );
    const canary = await listen(
      t,
      createServer((_, response) => response.end('inside')),
      { host: CANARY, port: site.port },
    );
    const read = (egress: Egress) =>
      createWebReader({ egress, userAgent: 'Reader/1' }).read(
        new URL(`http://rebind.example:${site.port}/start`),
        { accept: 'text/*', bytesMax: 1024, signal: AbortSignal.timeout(patienceMs) },
      );
    const steady = openEgress(t, { resolver: fakeResolver({ 'rebind.example': [[RECEIVER]] }) });
    assert.equal((await read(steady))?.bytes.toString(), 'end');
    const resolver = fakeResolver({ 'rebind.example': [[RECEIVER], [CANARY]] });
    assert.equal(await read(openEgress(t, { resolver })), undefined);
    assert.deepEqual(resolver.asked, ['rebind.example', 'rebind.example']);
    assert.equal(canary.connections.length, 0);
  });

  it('keeps no more than its limit and cuts the connection', async (t) => {
    const { read, connections } = await startSite(t, (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    assert.equal((await read('/', { bytesMax: 1000 }))?.bytes.length, 1000);
    await untilClosed(connections[0]);
  });

  for (const [name, handler] of Object.entries({
    'a server that never answers': () => undefined,
    'a body that never ends': (_, response) => response.writeHead(200).write('x'),
    'a chain of slow redirects': (_, response) => {
      setImmediate(() => response.writeHead(302, { location: '/' }).flushHeaders());
    },
  } satisfies Record<string, Handler>))
    it(`gives up on ${name} when its time is over`, async (t) => {
      const { read } = await startSite(t, handler);
      const startedAt = performance.now();
      assert.equal(await read('/', { timeoutMs: 300 }), undefined);
      const ms = performance.now() - startedAt;
      assert.ok(ms > 250, `${ms} ms`);
    });
});
