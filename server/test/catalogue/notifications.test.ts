import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import { unreadableTexts } from 'confab-testing/catalogue/json-texts.ts';
import { queryRows } from 'confab-testing/catalogue/queries.ts';
import { badRefs, nearIds } from 'confab-testing/catalogue/refs.ts';
import { assertEach } from 'confab-testing/catalogue/rows.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { sendAsIs } from './sending.ts';

let token: string;
let notification: number;
let rows = 0;
const server = useServer();
before(async () => {
  const bob = await makeUser(server);
  token = bob.token;
  const app = await makeApp(server, { access: 'write' });
  await makeComment(server, app.id, { text: `[x](@u${bob.id})` });
  await settledLog(server);
  notification = (await notificationsOf(server, token))[0]?.id ?? 0;
});
const onOne = operationList.filter(({ path, tag }) => tag === 'Notifications' && path.includes('{id}'));

function send(method: string, target: string, body?: string | Buffer) {
  const request = { method, target, ...(body === undefined ? {} : { body }) };
  return sendAsIs({ url: server.url, credential: token }, request);
}

/** Whether a value of a query is valid text: one with NUL is ignored. */
function isDecodable(text: string): boolean {
  return !text.includes('%00');
}

// A path that names nothing is 404 on every verb, and so is the id up to which notifications are marked.
describe('a bad reference to a notification', () => {
  for (const { id, method, path } of onOne)
    test(`of ${id}`, async () => {
      rows += await assertEach(
        // This segment makes the path of another operation.
        badRefs('id', notification).filter((text) => text !== 'mark'),
        (text) => text.slice(0, 40),
        async (text) => ({ expected: 404, answer: await send(method, path.replace('{id}', text)) }),
      );
    });

  test('of markNotifications', async () => {
    const ids = ['0', '00', '-1', '+1', '1.0', '1e3', '0x1', 'x', 'null', 'true', "'", '%D9%A1'];
    rows += await assertEach(
      [...ids, '9007199254740992', '9'.repeat(400), ...nearIds(notification).filter(isDecodable)],
      (text) => text.slice(0, 40),
      async (text) => ({
        expected: 404,
        answer: await send('PUT', `/api/notifications/mark?id=${text}`),
      }),
    );
    const [first] = await notificationsOf(server, token);
    assert.equal(first?.is_unread, true);
    // An empty value counts as absent, in every query.
    rows += await assertEach(
      ['', '%00', '%ff'],
      (text) => text,
      async (text) => ({ expected: 200, answer: await send('PUT', `/api/notifications/mark?id=${text}`) }),
    );
  });
});

// Lists ignore invalid queries.
describe('a query of notifications', () => {
  for (const path of ['/api/notifications', '/api/users/autocomplete'])
    test(`of ${path}`, async () => {
      rows += await assertEach(
        queryRows,
        ({ query }) => query.slice(0, 60),
        async ({ query }) => ({ expected: 200, answer: await send('GET', `${path}?${query}`) }),
      );
    });

  test('with the parameters of notifications', async () => {
    const values = ['', 'x', '%00', '%ff', '-1', '99999999999999999999', "'", '%22', 'a'.repeat(2000)];
    const queries = ['unread', 'action'].flatMap((name) => values.map((value) => `${name}=${value}`));
    rows += await assertEach(
      queries,
      (query) => query.slice(0, 60),
      async (query) => ({ expected: 200, answer: await send('GET', `/api/notifications?${query}`) }),
    );
  });

  test('with an unknown app is 404, and with invalid numbers is ignored', async () => {
    const apps = { '0': 200, x: 200, '-1': 200, '%00': 200, '987654321': 404, '9007199254740992': 404 };
    rows += await assertEach(
      Object.entries(apps),
      ([id]) => id,
      async ([id, expected]) => ({ expected, answer: await send('GET', `/api/users/autocomplete?id=${id}`) }),
    );
  });
});

// No operation on notifications takes a body, so a malformed one is ignored.
describe('an unreadable body about notifications', () => {
  for (const path of ['/{id}/mark', '/mark'])
    test(`of PUT /api/notifications${path}`, async () => {
      rows += await assertEach(
        unreadableTexts,
        (text) => JSON.stringify(text.toString()).slice(0, 60),
        async (text) => ({
          expected: 200,
          answer: await send('PUT', `/api/notifications${path.replace('{id}', String(notification))}`, text),
        }),
      );
    });

  test('of the others', async () => {
    const path = `/api/notifications/${notification}`;
    for (const [method, at, expected] of [
      ['GET', path, 200],
      ['GET', '/api/notifications', 200],
      ['DELETE', `${path}/mark`, 200],
      ['DELETE', path, 204],
    ] as const)
      assert.equal((await send(method, at, '{"a":')).status, expected, `${method} ${at}`);
    rows += 4;
  });

  test('is in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'notifications', rows, least: { sqlite: 800, postgres: 200 } });
  });
});
