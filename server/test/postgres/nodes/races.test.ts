import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runHistories } from 'confab-testing/nodes/histories.ts';
import type { Sender } from 'confab-testing/nodes/node.ts';
import { runRaces } from 'confab-testing/nodes/races.ts';
import { isLinearizable, type Operation } from 'confab-testing/nodes/wing-gong.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import type { TestServer } from 'confab-testing/server.ts';
import { databaseOf } from 'confab-testing/stores/databases.ts';
import pg from 'pg';

const seed = 4;
let nodes: Nodes;
let client: pg.Client;
before(async () => {
  nodes = await startNodes();
  client = new pg.Client(databaseOf(nodes.folder));
  await client.connect();
});
after(async () => {
  await client.end();
  await nodes.close();
});

function senderOf(server: TestServer): Sender {
  const call = (...[method, path, body, as = server.key]: Parameters<Sender['must']>) =>
    server.call(method, path, body, { as });
  return {
    async send(...request) {
      const { status, body = {} } = await call(...request);
      return { status, body };
    },
    async must(...request) {
      const answer = await call(...request);
      assert.ok(answer.status < 300, answer.text);
      return answer.body;
    },
  };
}

// Concurrent requests on two nodes have the effect of some sequence of them: `npx node proof/nodes.ts` tries far more.
describe('races over nodes', () => {
  test('create one object for a uid, and counts that equal the rows', async () => {
    const pair = [senderOf(nodes.a), senderOf(nodes.b)] as const;
    const rows = async <R extends object>(sql: string, values?: unknown[]) =>
      (await client.query(sql, values)).rows as R[];
    const results = await runRaces(pair, { seed, rounds: 12, rows });
    assert.deepEqual(
      results.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`)),
      [],
    );
    assert.deepEqual(
      results.map(({ rounds }) => rounds),
      [12, 12, 12, 12, 12, 12],
    );
  });

  test('of writers and readers of one name have an order that explains all results', async () => {
    const pair = [senderOf(nodes.a), senderOf(nodes.b)] as const;
    const options = { seed, count: 20, isFirstEnough: false };
    const { histories, violations } = await runHistories(pair, options);
    assert.deepEqual([histories, violations], [20, []]);
  });
});

function operation(kind: 'read' | 'write', value: string, calledAt: number, answeredAt: number): Operation {
  return { kind, value, calledAt, answeredAt };
}

// The checker accepts a history exactly when some order explains it.
describe('the checker of histories', () => {
  const explained: { [what: string]: Operation[] } = {
    'a read beside a write sees the value before it': [
      operation('write', 'a', 0, 10),
      operation('read', 'initial', 1, 9),
    ],
    'two reads beside a write see it come': [
      operation('write', 'a', 0, 10),
      operation('read', 'initial', 1, 2),
      operation('read', 'a', 3, 4),
    ],
    'a write without an answer comes late': [
      operation('write', 'a', 0, Infinity),
      operation('read', 'initial', 5, 6),
      operation('read', 'a', 7, 8),
    ],
    'a write without an answer never comes': [
      operation('write', 'a', 0, Infinity),
      operation('read', 'initial', 5, 6),
    ],
    'writes beside each other end either way': [
      operation('write', 'a', 0, 10),
      operation('write', 'b', 0, 10),
      operation('read', 'a', 11, 12),
    ],
  };
  for (const [what, history] of Object.entries(explained))
    test(`explains that ${what}`, () => assert.equal(isLinearizable(history, 'initial'), true));

  const unexplained: { [what: string]: Operation[] } = {
    'a read after a write sees the value before it': [
      operation('write', 'a', 0, 1),
      operation('read', 'initial', 2, 3),
    ],
    'two reads beside a write see it go again': [
      operation('write', 'a', 0, 10),
      operation('read', 'a', 1, 2),
      operation('read', 'initial', 3, 4),
    ],
    'a value is read that nobody wrote': [operation('read', 'b', 0, 1)],
    'two readers see two writes in different orders': [
      operation('write', 'a', 0, 10),
      operation('write', 'b', 0, 10),
      operation('read', 'a', 1, 2),
      operation('read', 'b', 3, 4),
      operation('read', 'a', 5, 6),
    ],
  };
  for (const [what, history] of Object.entries(unexplained))
    test(`does not explain that ${what}`, () => assert.equal(isLinearizable(history, 'initial'), false));
});
