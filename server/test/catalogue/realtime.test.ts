import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import { unreadableTexts } from 'confab-testing/catalogue/json-texts.ts';
import { ignoredQueries } from 'confab-testing/catalogue/queries.ts';
import { badRefs } from 'confab-testing/catalogue/refs.ts';
import { assertEach } from 'confab-testing/catalogue/rows.ts';
import { makeApp, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { exchange, requestBytes } from 'confab-testing/network/raw.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { sendAsIs } from './sending.ts';

let token: string;
let rows = 0;
const ids: { [operation: string]: number } = {};
const server = useServer({}, { isQuiet: true });
before(async () => {
  const [comments, posts, files, chat] = [
    await makeApp(server, { access: 'write' }),
    await makeApp(server, { access: 'write', type: 'posts' }),
    await makeApp(server, { access: 'write', type: 'files' }),
    await makeApp(server, { access: 'write', type: 'chat' }),
  ];
  const [ada, bob] = [await makeUser(server), await makeUser(server)];
  token = ada.token;
  ids['typeComment'] = comments.id;
  ids['typeMessage'] = chat.id;
  ids['typePost'] = posts.id;
  ids['typeFileComment'] = await makeFile(server, files.id);
  ids['typePostComment'] = await makePost(server, posts.id);
  const conversation = await server.call('POST', '/api/conversations', { members: [bob.id] }, { as: token });
  ids['typeConversation'] = conversation.body.id;
});
const typing = operationList.filter(({ id }) => id.startsWith('type'));

/** The parameter that names the place. */
const place = /\{(?:app|id)\}/;

function send(method: string, target: string, body?: string | Buffer) {
  const request = { method, target, ...(body === undefined ? {} : { body }) };
  return sendAsIs({ url: server.url, credential: token }, request);
}

// A path that names nothing is 404.
describe('a bad reference to a place of typing or to an app that is watched', () => {
  for (const { id, method, path, params } of typing)
    test(`of ${id}`, async () => {
      rows += await assertEach(
        badRefs(params['app'] ?? params['id'], ids[id] ?? 0),
        (text) => text.slice(0, 40),
        async (text) => ({ expected: 404, answer: await send(method, path.replace(place, text)) }),
      );
    });

  test('of watchApp', async () => {
    const { id } = await makeApp(server, { access: 'read' });
    rows += await assertEach(
      badRefs('ref', id),
      (text) => text.slice(0, 40),
      async (text) => ({ expected: 404, answer: await send('GET', `/api/apps/${text}/changes`) }),
    );
  });
});

// A malformed body is 400 where the operation declares 400, and ignored elsewhere.
describe('an unreadable body', () => {
  for (const { id, method, path } of typing)
    test(`of ${id}`, async () => {
      const target = path.replace(place, String(ids[id]));
      assert.equal((await send(method, target, '{}')).status, 204);
      rows += await assertEach(
        unreadableTexts,
        (text) => JSON.stringify(text.toString()).slice(0, 60),
        async (text) => ({ expected: 400, answer: await send(method, target, text) }),
      );
    });

  test('of negotiateConnection, listEvents and unknown connections', async () => {
    const targets: [string, string, number][] = [
      ['POST', '/hubs/rtm/negotiate?negotiateVersion=1', 200],
      ['GET', '/api/events', 200],
      ['GET', '/hubs/rtm?id=x', 404],
      ['DELETE', '/hubs/rtm?id=x', 404],
      ['POST', '/hubs/rtm?id=x', 404],
    ];
    for (const [method, target, expected] of targets)
      rows += await assertEach(
        ['{"a":', '\u001e', '[]'],
        (text) => `${method} ${target} ${text}`,
        async (text) => ({ expected, answer: await send(method, target, text) }),
      );
  });

  test('of sendToConnection is text, of at most the size of any body', async () => {
    assert.equal((await send('POST', '/hubs/rtm?id=x', Buffer.from([0xff, 0xfe]))).status, 400);
    assert.equal((await send('POST', '/hubs/rtm?id=x', 'x'.repeat(1024 * 1024 + 1))).status, 413);
    rows += 2;
  });
});

// The feed ignores invalid queries, and so do the operations that negotiate and open a connection.
describe('a query', () => {
  const numbers = [
    '',
    'x',
    '-1',
    '1.5',
    '1e3',
    '99999999999999999999',
    '%00',
    '%ff',
    "'",
    'null',
    '0',
    '007',
  ];
  test('of listEvents', async () => {
    const own = ['after', 'before', 'entity_id', 'entity_type', 'top', 'AFTER', 'T_o_p'].flatMap((name) =>
      numbers.map((text) => `${name}=${text}`),
    );
    rows += await assertEach(
      [...ignoredQueries.map(({ query }) => query), ...own],
      (query) => query.slice(0, 60),
      async (query) => ({ expected: 200, answer: await send('GET', `/api/events?${query}`) }),
    );
  });

  test('of negotiateConnection', async () => {
    const own = numbers.map((text) => `negotiateVersion=${text}`);
    rows += await assertEach(
      [...ignoredQueries.map(({ query }) => query), ...own],
      (query) => query.slice(0, 60),
      async (query) => ({ expected: 200, answer: await send('POST', `/hubs/rtm/negotiate?${query}`) }),
    );
  });

  test('of a connection names none', async () => {
    const names = [...numbers, 'a'.repeat(5000), '..', '__proto__', 'constructor'];
    for (const method of ['GET', 'POST', 'DELETE'])
      rows += await assertEach(
        [...names.map((name) => `id=${name}`), '', 'id=x&id=y', 'ID=x'],
        (query) => `${method} ${query.slice(0, 60)}`,
        async (query) => ({ expected: 404, answer: await send(method, `/hubs/rtm?${query}`) }),
      );
  });

  test('of streamEvents, and an invalid position as the last event', async () => {
    const tries = [
      ...ignoredQueries.map(({ query }) => ({ query, last: '' })),
      ...numbers.map((text) => ({ query: `after=${text}`, last: '' })),
      ...['x', '-1', '1.5', '0', '99999999999999999999'].map((last) => ({ query: '', last })),
    ];
    rows += await assertEach(
      tries,
      ({ query, last }) => `${query.slice(0, 60)} ${last}`,
      async ({ query, last }) => {
        const headers = [`Authorization: Bearer ${token}`, `Last-Event-ID: ${last}`, 'Connection: close'];
        const request = requestBytes({ method: 'HEAD', target: `/api/events/stream?${query}`, headers });
        return { expected: 200, answer: await exchange(server.url, request) };
      },
    );
    // HEAD shows what GET would return; one stream is opened for real, with every parameter invalid.
    const wrong = { path: '/api/events/stream?after=x&after=-1', last: '1.5' };
    const reader = await readEvents(server, { as: token, ...wrong });
    assert.equal(reader.status, 200);
    await reader.close();
  });

  test('of watchApp is ignored', async () => {
    const { id } = await makeApp(server, { access: 'read', visitors: 'read' });
    for (const credential of [`Authorization: Bearer ${token}`, undefined])
      rows += await assertEach(
        ignoredQueries.map(({ query }) => query),
        (query) => query.slice(0, 60),
        async (query) => {
          const headers = ['Connection: close', ...(credential === undefined ? [] : [credential])];
          const request = requestBytes({
            method: 'HEAD',
            target: `/api/apps/${id}/changes?${query}`,
            headers,
          });
          // It is a credential, and a wrong one where there is no other.
          const expected = query === 'access_token=x' && credential === undefined ? 401 : 200;
          return { expected, answer: await exchange(server.url, request) };
        },
      );
  });

  test('is in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'realtime', rows, least: { sqlite: 800, postgres: 150 } });
  });
});
