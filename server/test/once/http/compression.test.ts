import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

type Received = { readonly headers: Headers; readonly body: Buffer };

/** The bytes of a response as they are sent. */
async function receive(path: string, headers: Record<string, string>): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  request(
    server.url + path,
    { headers: { authorization: `Bearer ${server.key}`, ...headers } },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          headers: new Headers(response.headers as Record<string, string>),
          body: Buffer.concat(chunks),
        }),
      );
    },
  )
    .on('error', reject)
    .end();
  return await promise;
}

const long = '/api/apps/long/comments';

// Text of a kilobyte or more is compressed for clients that accept it, and sent unchanged to all others.
describe('compression', () => {
  test('of JSON is in the coding that a client wants most, for clients that accept one', async () => {
    await server.call('PUT', '/api/apps/long', { type: 'comments', access: 'write' });
    await server.create(long, { text: 'words '.repeat(1000) });
    const plain = await receive(long, {});
    assert.equal(plain.headers.get('content-encoding'), null);
    for (const [accepted, coding, unpack] of [
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0.5, gzip', 'gzip', gunzipSync],
      ['*, br;q=0', 'gzip', gunzipSync],
      ['GZIP, deflate', 'gzip', gunzipSync],
      ['deflate, gzip; q=1', 'gzip', gunzipSync],
      ['br', 'br', brotliDecompressSync],
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br, gzip;q=0.5', 'br', brotliDecompressSync],
      ['*', 'br', brotliDecompressSync],
    ] as const) {
      const { headers, body } = await receive(long, { 'accept-encoding': accepted });
      assert.equal(headers.get('content-encoding'), coding, accepted);
      assert.equal(headers.get('vary'), 'accept-encoding');
      assert.equal(headers.get('content-length'), String(body.length));
      assert.ok(body.length < plain.body.length / 10);
      assert.deepEqual(unpack(body), plain.body);
    }
    for (const accepted of ['identity', 'br;q=0', 'gzip;q=0', 'gzip;q=0, br;q=0, *', 'deflate', '']) {
      const { headers, body } = await receive(long, { 'accept-encoding': accepted });
      assert.equal(headers.get('content-encoding'), null, accepted);
      assert.deepEqual(body, plain.body);
    }
  });

  test('leaves short responses and refusals as they are', async () => {
    for (const path of ['/api/apps/long', '/api/apps/absent', '/version']) {
      const { headers, body } = await receive(path, { 'accept-encoding': 'gzip' });
      assert.ok(body.length < 1024);
      assert.equal(headers.get('content-encoding'), null, path);
    }
  });

  test('of pages is in the smallest coding, with a weak tag that is current for every coding', async () => {
    const plain = await receive('/openapi.json', {});
    const tag = plain.headers.get('etag') ?? '';
    for (const [accepted, coding, unpack] of [
      ['gzip, deflate', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
    ] as const) {
      const { headers, body } = await receive('/openapi.json', { 'accept-encoding': accepted });
      assert.equal(headers.get('content-encoding'), coding);
      assert.equal(headers.get('etag'), `W/${tag}`);
      assert.match(headers.get('vary') ?? '', /accept-encoding/);
      assert.deepEqual(unpack(body), plain.body);
      const again = await receive('/openapi.json', {
        'accept-encoding': accepted,
        'if-none-match': `W/${tag}`,
      });
      assert.equal(again.body.length, 0);
    }
  });

  test('leaves streams alone', async () => {
    const { headers } = await receive('/uikit-web/weavy.esm.js', {});
    assert.equal(headers.get('content-encoding'), null);
    const stream = await fetch(`${server.url}/api/events/stream`, {
      headers: { authorization: `Bearer ${server.key}`, 'accept-encoding': 'gzip' },
    });
    assert.match(stream.headers.get('content-type') ?? '', /text\/event-stream/);
    assert.equal(stream.headers.get('content-encoding'), null);
    await stream.body?.cancel();
  });
});
