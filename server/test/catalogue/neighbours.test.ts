import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import { type FieldRow, fieldRows, fieldsOf, textOf, unknownRows } from 'confab-testing/catalogue/fields.ts';
import { unreadableTexts } from 'confab-testing/catalogue/json-texts.ts';
import { queryRows } from 'confab-testing/catalogue/queries.ts';
import { badRefs } from 'confab-testing/catalogue/refs.ts';
import { assertEach } from 'confab-testing/catalogue/rows.ts';
import { makeApp, makeBlob, makeComment, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { neighbours } from '../access/neighbours.ts';
import { sendAsIs } from './sending.ts';

let token: string;
let rows = 0;
const ids: { [thing: string]: number } = {};
const server = useServer();
before(async () => {
  const [app, posts, chat, files] = [
    await makeApp(server, { access: 'write' }),
    await makeApp(server, { access: 'write', type: 'posts' }),
    await makeApp(server, { access: 'write', type: 'chat' }),
    await makeApp(server, { access: 'write', type: 'files' }),
  ];
  token = (await makeUser(server)).token;
  const fields = { options: [{ text: 'yes' }], blobs: [await makeBlob(server)] };
  const comment = await makeComment(server, app.id, fields);
  ids['comment'] = comment.id;
  ids['option'] = comment.options[0]?.id ?? 0;
  ids['posts'] = posts.id;
  ids['post'] = await makePost(server, posts.id);
  ids['file'] = await makeFile(server, files.id);
  ids['chat'] = chat.id;
  ids['message'] = (await server.call('POST', `/api/apps/${chat.id}/messages`, { text: 'x' })).body.id;
  const path = `/api/comments/${comment.id}/reactions`;
  await server.call('POST', path, { content: '👍' }, { as: token });
  ids['reaction'] = (await server.call('GET', path)).body.data[0].id;
  await server.call('POST', `/api/comments/${comment.id}/reports`, { reason: 'spam' }, { as: token });
  ids['report'] = (await server.call('GET', '/api/reports')).body.data[0].id;
});
const operations = operationList.filter(({ id }) => Object.hasOwn(neighbours, id));

/** The paths with a parameter, and the place of that parameter. */
const placeholder = /\{(?:id|app)\}/;

function pathOf({ id, path }: Operation): string {
  return path.replace(placeholder, String(ids[neighbours[id]?.thing ?? '']));
}

async function send(operation: Operation, target: string, body?: string | Buffer) {
  const { id, method, caller } = operation;
  // The key has written everything, and nobody reports what is their own.
  const isUser = caller === 'user' || id.startsWith('report');
  return await sendAsIs(
    { url: server.url, credential: isUser ? token : server.key },
    { method, target, ...(body === undefined ? {} : { body }) },
  );
}

// A path that names nothing is 404 on every verb of these operations as well.
describe('a bad reference', () => {
  for (const operation of operations.filter(({ path }) => placeholder.test(path)))
    test(`in the path of ${operation.id}`, async () => {
      const there = ids[neighbours[operation.id]?.thing ?? ''] ?? 0;
      rows += await assertEach(
        badRefs(Object.values(operation.params)[0], there),
        (text) => text.slice(0, 40),
        async (text) => ({
          expected: 404,
          answer: await send(operation, operation.path.replace(placeholder, text)),
        }),
      );
    });
});

// Lists ignore invalid queries.
describe('a query', () => {
  for (const operation of operations.filter(({ list }) => list !== undefined))
    test(`of ${operation.id}`, async () => {
      const path = pathOf(operation);
      rows += await assertEach(
        queryRows,
        ({ query }) => query.slice(0, 60),
        async ({ query }) => ({ expected: 200, answer: await send(operation, `${path}?${query}`) }),
      );
    });
});

// A malformed body is 400 where the operation declares 400, even if it takes no body.
describe('an unreadable body', () => {
  const [reads, writes] = [
    operations.filter(({ errors }) => !errors.includes(400)),
    operations.filter(({ errors }) => errors.includes(400)),
  ];
  for (const operation of writes)
    test(`of ${operation.id}`, async () => {
      rows += await assertEach(
        unreadableTexts,
        (text) => JSON.stringify(text.toString()).slice(0, 60),
        async (text) => ({ expected: 400, answer: await send(operation, pathOf(operation), text) }),
      );
    });

  test('is ignored where nothing is written', async () => {
    for (const operation of reads) {
      assert.ok(operation.method === 'GET' || operation.path.endsWith('subscribe'), operation.id);
      assert.equal((await send(operation, pathOf(operation), '{"a":')).status, 200, operation.id);
    }
    rows += reads.length;
  });
});

// The fields of a post are checked like those of a comment: for their type first, then for their rules.
describe('the fields of a post, a report and a decision', () => {
  const nameOf = ({ field, name }: FieldRow) => `${field}: ${name}`;
  for (const id of ['createPost', 'updatePost'] as const) {
    const operation = operations.find((known) => known.id === id);
    assert.ok(operation !== undefined);
    const own = [...fieldRows.filter(({ field }) => fieldsOf[id]?.includes(field)), ...unknownRows];
    test(`of ${id}`, async () => {
      const success = id === 'createPost' ? 201 : 200;
      rows += await assertEach(own, nameOf, async ({ field, value, expected }) => {
        const body = `{${JSON.stringify(field)}:${textOf(value)}}`;
        const answer = await send(operation, pathOf(operation), Buffer.from(body));
        if (expected !== 'ok') assert.match(answer.body, new RegExp(`"pointer":"/${field}`));
        return { expected: { ok: success, 'wrong type': 400, 'broken rule': 422 }[expected], answer };
      });
    });
  }

  // What somebody says about a report, and what a moderator decides on one.
  const texts = (field: string): FieldRow[] => [
    ...['x', '', 'x'.repeat(1000), null].map((value) => ({
      field,
      name: `${value}`,
      value,
      expected: 'ok' as const,
    })),
    ...[5, true, {}, ['x']].map((value) => ({
      field,
      name: `${value}`,
      value,
      expected: 'wrong type' as const,
    })),
    ...['x'.repeat(1001), 'a\u0000', '\ud800'].map((value) => ({
      field,
      name: value.slice(0, 9),
      value,
      expected: 'broken rule' as const,
    })),
  ];
  const named = (
    field: string,
    rest: { readonly [E in FieldRow['expected']]: readonly unknown[] },
  ): FieldRow[] =>
    Object.entries(rest).flatMap(([expected, values]) =>
      values.map((value) => ({ field, name: `${value}`, value, expected: expected as FieldRow['expected'] })),
    );
  for (const [id, base, own] of [
    ...['reportComment', 'reportPost', 'reportMessage', 'reportFile'].map(
      (report) =>
        [
          report,
          { reason: 'spam' },
          [
            ...texts('text'),
            ...named('reason', {
              ok: ['spam', 'abuse', 'illegal', 'off_topic', 'other'],
              'wrong type': [5, true, {}, ['spam']],
              'broken rule': ['', 'rule', 'Spam', 'constructor', null],
            }),
          ],
        ] as const,
    ),
    [
      'resolveReport',
      { action: 'keep' },
      [
        ...texts('note'),
        ...named('action', {
          ok: ['keep'],
          'wrong type': [5, true, {}, ['keep']],
          'broken rule': ['', 'delete', 'Keep', 'approve', null],
        }),
      ],
    ] as const,
  ])
    test(`of ${id}`, async () => {
      const operation = operations.find((known) => known.id === id);
      assert.ok(operation !== undefined);
      rows += await assertEach([...own, ...unknownRows], nameOf, async ({ field, value, expected }) => ({
        expected: { ok: 200, 'wrong type': 400, 'broken rule': 422 }[expected],
        answer: await send(operation, pathOf(operation), Buffer.from(textOf({ ...base, [field]: value }))),
      }));
    });

  test('are in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'the neighbours', rows, least: { sqlite: 11_000, postgres: 2000 } });
  });
});
