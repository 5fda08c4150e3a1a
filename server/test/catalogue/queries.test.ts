import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import {
  ignoredQueries,
  ownQueries,
  type QueryRow,
  queryRows,
  refusedCursors,
} from 'confab-testing/catalogue/queries.ts';
import { assertEach, makeWorld, pathOf, type World } from 'confab-testing/catalogue/rows.ts';
import { makeApp, makeComment, makeWebhook } from 'confab-testing/fixtures.ts';
import { exchange, requestBytes } from 'confab-testing/network/raw.ts';
import { specifiedOperations } from 'confab-testing/operations.ts';
import { processorMs } from 'confab-testing/processor-time.ts';
import { before, startTestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

let world: World;
let rows = 0;
const server = useServer();
before(async () => {
  world = await makeWorld(server);
  await server.call('PUT', `/api/apps/${world.app}/members/${world.user}`);
  for (const text of ['one', 'two', 'three']) await makeComment(server, world.app, { text });
  const trashed = await makeComment(server, world.app, { text: 'trashed' });
  await server.call('POST', `/api/comments/${trashed.id}/trash`);
  const hidden = await makeApp(server, { name: 'trashed' });
  await server.call('POST', `/api/apps/${hidden.id}/trash`);
  await makeWebhook(server);
});
const watch = useStoreWatch(server);

/** The query is sent unchanged, so that no client corrects it. */
async function send(path: string) {
  const answer = await exchange(
    server.url,
    requestBytes({
      method: 'GET',
      target: path,
      headers: [`Authorization: Bearer ${server.key}`, 'Connection: close'],
    }),
  );
  // The bytes are UTF-8; the socket was read byte by byte.
  return { ...answer, body: JSON.parse(Buffer.from(answer.body, 'latin1').toString('utf8')) };
}

const lists = specifiedOperations.filter(
  ({ id }) => operationList.find((known) => known.id === id)?.list !== undefined,
);

// Lists ignore invalid queries: malformed values count as absent, and no query shows more than the caller may see.
describe('a query', () => {
  for (const { id } of lists)
    test(`of ${id}`, async () => {
      const path = pathOf(world, id);
      const { body: plain } = await send(path);
      const empty = { ...plain, data: [], start: 0, end: 0 };
      watch.hasChanged();
      rows += await assertEach<QueryRow>(
        [...queryRows, ...ownQueries],
        ({ query }) => query.slice(0, 60),
        async ({ query, same }) => {
          const started = processorMs();
          const answer = await send(`${path}?${query}`);
          const costMs = processorMs() - started;
          if (answer.status === 200 && same === 'as none') assert.deepEqual(answer.body, plain);
          if (answer.status === 200 && same === 'as empty') assert.deepEqual(answer.body, empty);
          if (answer.status === 200 && same === 'as unfound')
            assert.deepEqual(answer.body, { ...empty, count: 0 });
          assert.ok(costMs < 1000, `took ${costMs} ms`);
          return { expected: 200, answer };
        },
      );
      assert.equal(watch.hasChanged(), false);
    });

  for (const { id } of lists)
    test(`with a cursor of no list is refused by ${id}`, async () => {
      // An operation with its own `after` parameter reads a number, and ignores an invalid one like any other.
      const hasOwn = operationList.find((known) => known.id === id)?.query?.properties['after'] !== undefined;
      rows += await assertEach(
        refusedCursors,
        (query) => query.slice(0, 60),
        async (query) => ({
          expected: hasOwn ? 200 : 400,
          answer: await send(`${pathOf(world, id)}?${query}`),
        }),
      );
    });

  test('of an operation that is not a list is ignored', async () => {
    for (const { query } of ignoredQueries) {
      const { status } = await send(`/api/apps/${world.app}?${query.replaceAll('trashed', 't')}`);
      assert.equal(status, 200, query.slice(0, 60));
    }
    rows += ignoredQueries.length;
  });

  test('never becomes a part of SQL', async () => {
    const statements: string[] = [];
    const other = await startTestServer({}, { onStatement: (sql) => statements.push(sql) });
    try {
      await other.call('GET', '/api/apps');
      const marker = 'zzinjected';
      for (const name of ['q', 'tag', 'order_by', 'top', 'skip', 'trashed', 'type', 'expand', 'contextual'])
        await other.call('GET', `/api/apps?${name}=${marker}`);
      assert.ok(statements.length > 10);
      assert.deepEqual(
        statements.filter((sql) => sql.includes(marker)),
        [],
      );
    } finally {
      await other.close();
    }
  });

  test('is in as many rows as were tested', (t) => {
    assert.equal(lists.length, 6);
    assertRowCount(t, { of: 'queries', rows, least: { sqlite: 1500, postgres: 600 } });
  });
});
