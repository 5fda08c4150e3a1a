import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { makeWebhook } from 'confab-testing/fixtures.ts';
import { type Answer, before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { assertCount, callersOf, cellsOfEngine, likeAbsent } from './cells.ts';
import { type Caller, inEachForm, makeWorld, type World } from './world.ts';

/** The response to a key, the response to users, and the body that is sent. */
const intents: {
  readonly [operation: string]: { readonly key: number; readonly token: 401 | 403; readonly body?: object };
} = {
  listWebhookEvents: { key: 200, token: 401 },
  getDelivery: { key: 200, token: 401 },
  listAttempts: { key: 200, token: 401 },
  pingWebhook: { key: 201, token: 403 },
  redeliver: { key: 200, token: 403 },
  redeliverMany: { key: 200, token: 403, body: { action: 'webhook_pinged' } },
  rotateWebhookSecret: { key: 200, token: 403, body: { overlap_seconds: 60 } },
};
let world: World;
let now = Date.parse('2026-11-21T08:00:00Z');
let cells = 0;
const there = { id: 0, delivery: 0 };

const server = useServer({}, { clock: { now: () => now }, isQuiet: true });
before(async () => {
  world = inEachForm(
    await makeWorld(server, () => {
      now += 60_000;
    }),
  );
  there.id = await makeWebhook(server);
  there.delivery = (await server.call('POST', `/api/webhooks/${there.id}/ping`)).body.id;
});
const watch = useStoreWatch(server);

async function send(id: string, at: typeof there, caller: Pick<Caller, 'headers'>): Promise<Answer> {
  const operation = operationList.find((known) => known.id === id);
  assert.ok(operation !== undefined, id);
  const path = operation.path.replace('{id}', `${at.id}`).replace('{delivery}', `${at.delivery}`);
  return await server.call(operation.method, path, intents[id]?.body, { as: null, headers: caller.headers });
}

const assertLikeAbsent = likeAbsent();
const isTried = cellsOfEngine();

async function tryCell(id: string, caller: Caller): Promise<void> {
  const intent = intents[id];
  assert.ok(intent !== undefined);
  const expected = { nobody: 401, key: intent.key, token: intent.token }[caller.kind];
  if (!isTried(id, { status: expected, kind: caller.kind })) return;
  watch.hasCommitted();
  const answer = await send(id, there, caller);
  cells += 1;
  assert.equal(answer.status, expected, answer.text);
  if (answer.status < 300) return;
  assert.equal(watch.hasCommitted(), false, 'it was refused and something was written');
  // Other callers do not learn whether such a webhook or delivery exists.
  await assertLikeAbsent(answer, `${id} by ${caller.name}`, () =>
    send(id, { id: 987_654_321, delivery: 987_654_321 }, caller),
  );
}

// Webhooks and deliveries are for API keys: other callers do not even learn whether one exists.
describe('the access matrix of webhooks', () => {
  for (const id of Object.keys(intents))
    test(`of ${id}`, async () => {
      const wrong: string[] = [];
      for (const caller of callersOf(id, world.callers))
        try {
          await tryCell(id, caller);
        } catch (error) {
          wrong.push(`${caller.name}: ${error instanceof Error ? error.message : error}`);
        }
      assert.deepEqual(wrong, []);
    });

  test('is counted', (t) => {
    t.diagnostic(`access matrix of webhooks: ${cells} cells, each with its exact status`);
    const ids = Object.keys(intents);
    const all = ids.flatMap((id) => callersOf(id, world.callers)).length;
    assertCount(cells, { all, operations: ids.length });
  });
});

// A delivery is found under its own webhook alone.
test('a delivery of another webhook is 404', async () => {
  const other = { ...there, id: await makeWebhook(server) };
  const byKey = { headers: { authorization: `Bearer ${server.key}` } };
  for (const id of ['getDelivery', 'listAttempts', 'redeliver'])
    assert.equal((await send(id, other, byKey)).status, 404, id);
});
