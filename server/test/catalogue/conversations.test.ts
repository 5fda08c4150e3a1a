import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import { unreadableTexts } from 'confab-testing/catalogue/json-texts.ts';
import { ignoredQueries, queryRows } from 'confab-testing/catalogue/queries.ts';
import { badRefs } from 'confab-testing/catalogue/refs.ts';
import { assertEach } from 'confab-testing/catalogue/rows.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { sendAsIs } from './sending.ts';

let token: string;
let conversation: number;
let rows = 0;
const server = useServer();
before(async () => {
  const [ada, bob] = [await makeUser(server), await makeUser(server)];
  token = ada.token;
  const made = await server.call('POST', '/api/conversations', { members: [bob.id] }, { as: token });
  conversation = made.body.id;
});
const onOne = operationList.filter(({ path, tag }) => tag === 'Conversations' && path.includes('{id}'));

function send(method: string, target: string, body?: string | Buffer) {
  const request = { method, target, ...(body === undefined ? {} : { body }) };
  return sendAsIs({ url: server.url, credential: token }, request);
}

// A path that names nothing is 404 on every verb.
describe('a bad reference to a conversation', () => {
  for (const { id, method, path } of onOne)
    test(`of ${id}`, async () => {
      rows += await assertEach(
        badRefs('id', conversation),
        (text) => text.slice(0, 40),
        async (text) => ({ expected: 404, answer: await send(method, path.replace('{id}', text)) }),
      );
    });
});

// Lists ignore invalid queries, and so does the badge.
describe('a query of conversations', () => {
  for (const path of ['/api/conversations', '/api/conversations/badge'])
    test(`of ${path}`, async () => {
      rows += await assertEach(
        path.endsWith('badge') ? ignoredQueries : queryRows,
        ({ query }) => query.slice(0, 60),
        async ({ query }) => ({ expected: 200, answer: await send('GET', `${path}?${query}`) }),
      );
    });

  test('with the parameters of conversations', async () => {
    const filters = ['unread', 'type', 'member', 'contextual'];
    const values = ['', 'x', '%00', '%ff', '-1', '99999999999999999999', "'", '%22', 'a'.repeat(2000)];
    const queries = filters.flatMap((name) => values.map((value) => `${name}=${value}`));
    rows += await assertEach(
      queries,
      (query) => query.slice(0, 60),
      async (query) => ({ expected: 200, answer: await send('GET', `/api/conversations?${query}`) }),
    );
  });
});

// A malformed body is 400 where the operation declares 400, and ignored where it takes no body.
describe('an unreadable body about conversations', () => {
  test('of createConversation', async () => {
    rows += await assertEach(
      unreadableTexts,
      (text) => JSON.stringify(text.toString()).slice(0, 60),
      async (text) => ({ expected: 400, answer: await send('POST', '/api/conversations', text) }),
    );
  });

  test('of everything on one', async () => {
    rows += await assertEach(
      onOne,
      ({ id }) => id,
      async ({ method, path }) => ({
        expected: 200,
        answer: await send(method, path.replace('{id}', String(conversation)), '{"a":'),
      }),
    );
  });

  test('is in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'conversations', rows, least: { sqlite: 500, postgres: 100 } });
  });
});
