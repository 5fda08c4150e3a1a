import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { useServer } from 'confab-testing/server.ts';
import { createClient } from '../index.js';

// It starts again at the same address.
const server = useServer({ CONFAB_PORT: String(await freePort()) });

// A reader who reads the app each time misses nothing, also over breaks and where there is no place.
describe('the changes of an app', () => {
  test('come at the beginning, at each change and after a break, without a credential', async () => {
    const app = await makeApp(server, { access: 'write', visitors: 'read' });
    const ending = new AbortController();
    const client = createClient({ url: server.url });
    const changes = client.changes(app.uid, { signal: ending.signal });
    assert.equal((await changes.next()).done, false);
    await makeComment(server, app.id);
    assert.equal((await changes.next()).done, false);
    await server.restart();
    assert.equal((await changes.next()).done, false);
    await makeComment(server, app.id);
    assert.equal((await changes.next()).done, false);
    ending.abort();
    assert.equal((await changes.next()).done, true);
  });

  test('come with each pause where the server has no place', async () => {
    const asked: string[] = [];
    const client = createClient({
      url: server.url,
      fetch: async (url: any) => {
        asked.push(String(url));
        const body = JSON.stringify({ status: 429, code: 'too_many_connections' });
        return new Response(body, { status: 429, headers: { 'retry-after': '0' } });
      },
    });
    const changes = client.changes('a b');
    for (const _ of [1, 2, 3]) assert.equal((await changes.next()).done, false);
    await changes.return?.();
    assert.deepEqual(new Set(asked), new Set([`${server.url}/api/apps/a%20b/changes`]));
    assert.equal(asked.length, 3);
  });

  test('end with a refusal', async () => {
    const app = await makeApp(server, { access: 'none' });
    const changes = createClient({ url: server.url }).changes(app.id);
    await assert.rejects(changes.next(), { status: 401 });
  });
});
