import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import { nearIds, type RefRow, refRows } from 'confab-testing/catalogue/refs.ts';
import { acceptedBody, assertEach, makeWorld, pathOf, type World } from 'confab-testing/catalogue/rows.ts';
import { checkAnswer } from 'confab-testing/contract-check.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { exchange, requestBytes } from 'confab-testing/network/raw.ts';
import { specifiedOperations } from 'confab-testing/operations.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

let world: World;
let rows = 0;
const server = useServer();
before(async () => {
  world = await makeWorld(server);
});
const watch = useStoreWatch(server);

/** Sends a request without normalising its path, and checks the response against the contract. */
async function send(id: string, method: string, target: string) {
  const token = id === 'subscribeApp' || id === 'unsubscribeApp' ? world.token : server.key;
  const body = acceptedBody(world, id);
  const answer = await exchange(
    server.url,
    requestBytes({
      method,
      target,
      headers: [`Authorization: Bearer ${token}`, 'Content-Type: application/json', 'Connection: close'],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  checkAnswer(
    { method, path: target },
    {
      status: answer.status,
      headers: answer.headers,
      body: answer.body === '' ? undefined : JSON.parse(answer.body),
    },
  );
  return answer;
}

function expectedOf(isUpsert: boolean, kind: RefRow['kind']): number {
  if (!isUpsert) return 404;
  // PUT declares no 404 and takes a uid: it creates the app, unless the segment is not a uid.
  return { uid: 201, id: 422, nothing: 422, undecodable: 400 }[kind];
}

const positions = specifiedOperations.flatMap((operation) =>
  [...operation.path.matchAll(/\{([a-z]+)\}/g)].map((match) => ({ operation, name: match[1] ?? '' })),
);
// Last, because it creates the apps that the other rows must not find.
positions.sort((a, b) => Number(a.name === 'uid') - Number(b.name === 'uid'));

// A path that names nothing is 404 on every verb, for whatever reason, and changes nothing.
describe('a bad reference', () => {
  for (const { operation, name } of positions.filter(({ name }) => name === 'id' || name === 'app')) {
    const { id, method } = operation;
    test(`that is nearly the {${name}} of ${id}`, async () => {
      const there = name === 'app' ? world.app : (world.ids[id] ?? 0);
      rows += await assertEach(
        nearIds(there),
        (text) => `${method} ${text}`,
        async (text) => ({
          expected: 404,
          answer: await send(id, method, pathOf(world, id, { [name]: text })),
        }),
      );
      assert.equal(watch.hasChanged(), false);
    });
  }

  for (const { operation, name } of positions) {
    const { id, method } = operation;
    test(`as {${name}} of ${id}`, async () => {
      watch.hasChanged();
      rows += await assertEach(
        refRows,
        ({ text }) => `${method} ${text.slice(0, 40)}`,
        async ({ text, kind }) => ({
          // No path of the API has an empty segment.
          expected: text === '' ? 404 : expectedOf(id === 'upsertApp', kind),
          answer: await send(id, method, pathOf(world, id, { [name]: text })),
        }),
      );
      if (id !== 'upsertApp') assert.equal(watch.hasChanged(), false);
    });
  }

  test('is never a file name, a port or another address', async () => {
    for (const target of [
      '//api/apps',
      '/api//apps',
      '/API/apps',
      '/api/apps/',
      '/api/comments/1/',
      '/api',
      '/api/',
    ])
      assert.equal((await send('', 'GET', target)).status, 404, target);
    rows += 7;
  });

  test('as raw bytes beyond ASCII is refused before routing', async () => {
    const answer = await exchange(
      server.url,
      requestBytes({ method: 'GET', target: '/api/apps/\xc3\xa9', headers: ['Connection: close'] }),
    );
    assert.equal(answer.status, 400);
    assert.match(answer.headers.get('content-type') ?? '', /problem\+json/);
    rows += 1;
  });
});

// The next id names nothing until it is assigned.
describe('an id that does not exist yet', () => {
  test('of an app', async () => {
    const next = (await makeApp(server)).id + 1;
    assert.equal((await server.call('GET', `/api/apps/${next}`)).status, 404);
    assert.equal((await makeApp(server)).id, next);
    assert.equal((await server.call('GET', `/api/apps/${next}`)).status, 200);
  });

  test('of a comment', async () => {
    const next = (await makeComment(server, world.app)).id + 1;
    assert.equal((await server.call('PATCH', `/api/comments/${next}`, { text: 'x' })).status, 404);
    assert.equal((await makeComment(server, world.app)).id, next);
    assert.equal((await server.call('PATCH', `/api/comments/${next}`, { text: 'x' })).status, 200);
  });

  test('of a uid, which is reachable once it is created, in any spelling', async () => {
    for (const { text } of refRows.filter(({ kind }) => kind === 'uid'))
      assert.equal((await send('getApp', 'GET', `/api/apps/${text}`)).status, 200, text);
    rows += 1;
  });

  test('are all rows that were tested', (t) => {
    assertRowCount(t, { of: 'references', rows, least: { sqlite: 2000, postgres: 1000 } });
  });
});
