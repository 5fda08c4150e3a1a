import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { servePages } from 'confab-testing/pages.ts';
import { poll } from 'confab-testing/poll.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

// A stream that nobody reads keeps a file or a subscription open.
describe('a response that is a stream', () => {
  for (const [when, isLate] of [
    ['before it is answered', false],
    ['before the first bytes', true],
  ] as const)
    test(`ends where its client hangs up ${when}`, async (t) => {
      const body = new PassThrough();
      const asked = Promise.withResolvers<void>();
      const url = await servePages(t, log, (http) =>
        http.page('/stream', async (_params, { response }) => {
          const left = once(response, 'close');
          asked.resolve();
          if (!isLate) await left;
          return { status: 200, headers: { 'content-type': 'text/plain' }, body };
        }),
      );
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
      await asked.promise;
      socket.destroy();
      assert.ok(await poll('the end of the stream', () => body.destroyed || undefined));
    });

  test('is a 500 where it fails before its first bytes, and breaks off afterwards', async (t) => {
    const failingAfter = (parts: string[]) =>
      new Readable({
        read() {
          const part = parts.shift();
          if (part === undefined) this.destroy(new Error('the disk is gone'));
          else this.push(part);
        },
      });
    const url = await servePages(t, log, (http) => {
      const headers = { etag: '"a"' };
      http.page('/early', async () => ({ status: 200, headers, body: failingAfter([]) }));
      http.page('/late', async () => ({ status: 200, headers, body: failingAfter(['some']) }));
    });
    const refused = await fetch(`${url}/early`);
    assert.deepEqual([refused.status, refused.headers.get('etag')], [500, null]);
    await assert.rejects(async () => await (await fetch(`${url}/late`)).text());
  });
});
