import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeApp } from 'confab-testing/fixtures.ts';
import { createGate } from 'confab-testing/network/gate.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { freshUid, type TestServer } from 'confab-testing/server.ts';

const gate = createGate();
let nodes: Nodes;
before(async () => {
  nodes = await startNodes({ b: { wrapDb: gate.wrapDb } });
});
after(() => nodes.close());

const send = (node: TestServer, key: string, path: string, body: unknown) =>
  node.call('POST', path, body, { as: nodes.a.key, headers: { 'idempotency-key': key } });

// A retry that reaches another node has no second effect, and gets the response of the first request.
describe('retries over nodes', () => {
  test('get what the other node has kept', async () => {
    const { id } = await makeApp(nodes.a);
    const first = await send(nodes.a, 'kept', `/api/apps/${id}/comments`, { text: 'once' });
    const retry = await send(nodes.b, 'kept', `/api/apps/${id}/comments`, { text: 'once' });
    assert.deepEqual([retry.status, retry.text], [201, first.text]);
    assert.equal(retry.headers.get('idempotent-replayed'), 'true');
  });

  for (const [what, pathOf, body] of [
    ['a comment, which could be made twice', (app: number) => `/api/apps/${app}/comments`, { text: 'once' }],
    ['an app, whose uid is then taken', () => '/api/apps', { uid: freshUid('raced'), type: 'comments' }],
  ] as const)
    test(`that run at the same time make ${what}, once`, async () => {
      const { id } = await makeApp(nodes.a);
      const key = freshUid('raced');
      gate.close();
      // The request has already looked for a kept response, and found none.
      const second = send(nodes.b, key, pathOf(id), body);
      await gate.holds(1);
      const first = await send(nodes.a, key, pathOf(id), body);
      gate.open();
      const late = await second;
      assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null]);
      assert.deepEqual([late.status, late.headers.get('idempotent-replayed')], [201, 'true']);
      assert.equal(late.text, first.text);
      const list = await nodes.a.call('GET', `/api/apps/${id}/comments?count_only=true`);
      assert.equal(list.body.count, 'text' in body ? 1 : 0);
    });

  test('that race make one comment of each key', async () => {
    const { id } = await makeApp(nodes.a);
    const path = `/api/apps/${id}/comments`;
    const keys = Array.from({ length: 40 }, () => freshUid('race'));
    const pairs = await Promise.all(
      keys.map((key) => Promise.all([nodes.a, nodes.b].map((node) => send(node, key, path, { text: key })))),
    );
    for (const [one, other] of pairs) {
      assert.deepEqual([one?.status, other?.status], [201, 201]);
      assert.equal(one?.text, other?.text);
    }
    const { count } = (await nodes.b.call('GET', `${path}?count_only=true`)).body;
    assert.equal(count, 40);
  });
});
