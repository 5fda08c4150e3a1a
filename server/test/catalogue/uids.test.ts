import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import { assertEach } from 'confab-testing/catalogue/rows.ts';
import { type UidRow, uidRows } from 'confab-testing/catalogue/uids.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { type Answer, freshUid, startTestServer, type TestServer } from 'confab-testing/server.ts';
import { watchStore } from 'confab-testing/stores/store-watch.ts';

let rows = 0;

/** How each operation takes a uid, in its body or path; `success` is the status for a valid one. */
const takers: readonly {
  readonly name: string;
  readonly success: number;
  readonly send: (server: TestServer, row: UidRow) => Promise<Answer>;
}[] = [
  {
    name: 'createApp',
    success: 201,
    send: (server, { uid }) => server.call('POST', '/api/apps', { uid, type: 'comments' }),
  },
  {
    name: 'updateApp',
    success: 200,
    send: async (server, { uid }) => server.call('PATCH', `/api/apps/${(await makeApp(server)).id}`, { uid }),
  },
  {
    name: 'upsertApp, in the body as in the path',
    success: 201,
    send: (server, row) => {
      const path = fitsPath(row) ? encodeURIComponent(String(row.uid)) : freshUid('put');
      return server.call('PUT', `/api/apps/${path}`, { type: 'comments', uid: row.uid });
    },
  },
  {
    name: 'upsertApp, in the body of one that is there',
    success: 200,
    send: async (server, { uid }) =>
      server.call('PUT', `/api/apps/${(await makeApp(server)).uid}`, { type: 'comments', uid }),
  },
  {
    name: 'upsertApp, in the path',
    success: 201,
    send: (server, { uid }) =>
      server.call('PUT', `/api/apps/${encodeURIComponent(String(uid))}`, { type: 'comments' }),
  },
];

/** Uids that a path cannot express: other types, ill-formed text, and segments that clients normalise. */
function fitsPath({ uid }: UidRow): boolean {
  return typeof uid === 'string' && uid.isWellFormed() && !['', '.', '..'].includes(uid);
}

// Every operation refuses the same uids, and keeps the others byte for byte so that they can be found.
describe('a uid', () => {
  for (const taker of takers)
    test(`given to ${taker.name}`, async () => {
      const server = await startTestServer();
      const watch = watchStore(server.folder);
      const fitting =
        taker.name.endsWith('in the path') && !taker.name.includes('body')
          ? uidRows.filter(fitsPath)
          : uidRows;
      try {
        rows += await assertEach(
          fitting,
          ({ name }) => name,
          async (row) => {
            const answer = await taker.send(server, row);
            if (row.expected !== 'kept') return { expected: row.expected, answer };
            assert.equal(answer.body.uid, row.uid);
            const path = `/api/apps/${encodeURIComponent(String(row.uid))}`;
            const again = await server.call('GET', path);
            assert.deepEqual([again.status, again.body.id], [200, answer.body.id]);
            return { expected: taker.success, answer };
          },
        );
        // Refused requests changed nothing: there is one app for each accepted uid, besides those of the test itself.
        const expected = fitting.filter(({ expected }) => expected === 'kept').length;
        const made = watch.rows(`select uid from apps where uid not like 'app-%'`).length;
        assert.equal(made, expected);
      } finally {
        await server.close();
        watch.close();
      }
    });

  test('that is taken is refused each time, and one that only looks similar is not', async () => {
    const server = await startTestServer();
    try {
      const good = uidRows.filter(({ expected }) => expected === 'kept');
      for (const [pass, status] of [
        ['made', 201],
        ['taken', 422],
      ] as const)
        rows += await assertEach(
          good,
          ({ name }) => `${pass} ${name}`,
          async ({ uid }) => ({
            expected: status,
            answer: await server.call('POST', '/api/apps', { uid, type: 'chat' }),
          }),
        );
      assert.equal((await server.call('GET', '/api/apps?count_only=true')).body.count, good.length);
    } finally {
      await server.close();
    }
  });

  test('is in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'uids', rows, least: { sqlite: 1500, postgres: 400 } });
  });
});
