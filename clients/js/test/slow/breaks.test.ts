import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { makeApp } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { use, useServer } from 'confab-testing/server.ts';
import { createClient } from '../../index.js';
import { startBreakingProxy } from '../breaking-proxy.ts';

const requestCount = 200;
const dropCount = 60;
const readerCount = 25;
const writerCount = 50;
/** Attempts enough that no request runs out of them. */
const attempts = 50;

// Connections break at any byte: in a request, before its response, in the middle of it.
describe('over connections that break', () => {
  const server = useServer();
  const proxy = use(() => startBreakingProxy(server.url, 6000));
  const streamProxy = use(() => startBreakingProxy(server.url, 4000));
  after(() => Promise.all([proxy.close(), streamProxy.close()]));

  test('a create request makes one comment, however often it is sent', async () => {
    const app = await makeApp(server);
    const client = createClient({ url: proxy.url, token: server.key, attempts });
    const texts = Array.from({ length: requestCount }, (_, number) => `comment ${number}`);
    const waiting = [...texts];
    const write = async () => {
      for (let text = waiting.pop(); text !== undefined; text = waiting.pop())
        assert.equal((await client.createAppComment(app.id, { text })).text, text);
    };
    await Promise.all(Array.from({ length: writerCount }, write));
    const written: unknown[] = [];
    const direct = createClient({ url: server.url, token: server.key });
    for await (const { text } of direct.listAppComments(app.id, { top: 100 })) written.push(text);
    assert.deepEqual(written.toSorted(), texts.toSorted());
    assert.ok(proxy.cuts() > requestCount / 10, `only ${proxy.cuts()} connections were cut`);
  });

  test('the stream of events shows each once', async (context) => {
    const app = await makeApp(server);
    const client = createClient({ url: streamProxy.url, token: server.key });
    const ending = new AbortController();
    const readers: number[][] = Array.from({ length: readerCount }, () => []);
    const reading = readers.map(async (seen) => {
      for await (const event of client.events({ signal: ending.signal }))
        if (event.action === 'comment_created') seen.push((event.comment as { id: number }).id);
    });
    const made: number[] = [];
    const write = async () => {
      made.push((await server.create(`/api/apps/${app.id}/comments`, { text: 'news' })).id);
    };
    try {
      // The first event that a reader sees shows that it listens: from there on none may be missing.
      await poll('readers that listen', async () => {
        await write();
        return readers.every(({ length }) => length > 0) || undefined;
      });
      do {
        await write();
        const last = made.at(-1);
        await poll('the last event', () => readers.every((seen) => seen.at(-1) === last) || undefined);
      } while (streamProxy.cuts() < dropCount);
    } finally {
      ending.abort();
    }
    await Promise.all(reading);
    for (const seen of readers) assert.deepEqual(seen, made.slice(made.indexOf(seen[0] ?? 0)));
    context.diagnostic(`${streamProxy.cuts()} cuts, ${readerCount} readers, ${made.length} events`);
  });
});
