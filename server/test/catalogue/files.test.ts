import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import { type FieldRow, fieldRows, outcomes, textOf, unknownRows } from 'confab-testing/catalogue/fields.ts';
import { notObjects, unreadableTexts } from 'confab-testing/catalogue/json-texts.ts';
import { queryRows } from 'confab-testing/catalogue/queries.ts';
import { badRefs } from 'confab-testing/catalogue/refs.ts';
import { assertEach, assertInTurn } from 'confab-testing/catalogue/rows.ts';
import { makeApp, makeBlob, makeFile, makeUser } from 'confab-testing/fixtures.ts';
import { before, freshUid, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { sendAsIs } from './sending.ts';

let rows = 0;
const there: { [parameter: string]: number } = {};
const server = useServer({}, { isQuiet: true });
const watch = useStoreWatch(server);
const token = use(() => makeUser(server));
before(async () => {
  there['app'] = (await makeApp(server, { access: 'write', type: 'files' })).id;
  there['id'] = await makeFile(server, there['app']);
  const body = { blob_id: await makeBlob(server), backup: true };
  assert.equal((await server.call('PATCH', `/api/files/${there['id']}`, body)).body.version, 2);
  there['version'] = 1;
});
// Uploads are not JSON; the tests of these operations cover invalid ones.
const operations = operationList.filter(
  ({ id, tag }) => (tag === 'Files' || tag === 'Blobs') && !['createBlob', 'createImportBlob'].includes(id),
);

/** The path of an operation, with `text` for one parameter. */
function pathOf({ id, path }: Operation, parameter = '', text = ''): string {
  const of = id === 'getBlob' ? { ...there, id: there['blob'] } : there;
  return path.replaceAll(/\{([a-z]+)\}/g, (_, name: string) =>
    name === parameter ? text : String(of[name as keyof typeof of]),
  );
}

async function send({ method, caller }: Operation, target: string, body?: string | Buffer) {
  return await sendAsIs(
    { url: server.url, credential: caller === 'user' ? token.token : server.key },
    { method, target, ...(body === undefined ? {} : { body }) },
  );
}

/** A body that every operation with a body accepts. */
const accepted: { readonly [operation: string]: () => Promise<object> } = {
  createFile: async () => ({ blob_id: await makeBlob(server), name: freshUid('file') }),
  updateFile: async () => ({}),
  createExternalBlob: async () => ({
    provider: 'Drive',
    link: 'https://drive.example.com/1',
    name: 'a.gdoc',
  }),
};

// A path that names nothing is 404 on every verb and in every position, and changes nothing.
describe('a bad reference', () => {
  for (const operation of operations)
    for (const parameter of Object.keys(operation.params ?? {}))
      test(`as ${parameter} in the path of ${operation.id}`, async () => {
        const body = await accepted[operation.id]?.();
        watch.hasChanged();
        rows += await assertEach(
          badRefs(operation.params[parameter], there[parameter] ?? 1),
          (text) => text.slice(0, 40),
          async (text) => ({
            expected: 404,
            answer: await send(
              operation,
              pathOf(operation, parameter, text),
              body === undefined ? undefined : JSON.stringify(body),
            ),
          }),
        );
        assert.equal(watch.hasChanged(), false);
      });
});

// Lists ignore invalid queries, and so do the versions, which have no pages.
describe('a query', () => {
  const asked = operations.filter(({ id, list }) => list !== undefined || id === 'listFileVersions');
  for (const operation of asked)
    test(`of ${operation.id}`, async () => {
      rows += await assertEach(
        queryRows,
        ({ query }) => query.slice(0, 60),
        async ({ query }) => ({
          expected: 200,
          answer: await send(operation, `${pathOf(operation)}?${query}`),
        }),
      );
    });
});

// A malformed body is 400 where the operation declares 400, even if it takes no body, and changes nothing.
describe('an unreadable body', () => {
  const [reads, writes] = [
    operations.filter(({ errors }) => !errors.includes(400)),
    operations.filter(({ errors }) => errors.includes(400)),
  ];
  for (const operation of writes)
    test(`of ${operation.id}`, async () => {
      watch.hasChanged();
      const others = accepted[operation.id] === undefined ? [] : notObjects;
      rows += await assertEach(
        [...unreadableTexts, ...others],
        (text) => JSON.stringify(text.toString()).slice(0, 60),
        async (text) => ({
          expected: 400,
          answer: await send(operation, pathOf(operation), Buffer.from(text)),
        }),
      );
      assert.equal(watch.hasChanged(), false);
    });

  test('is ignored where no body is read', async () => {
    there['blob'] = await makeBlob(server);
    for (const operation of reads)
      assert.equal((await send(operation, pathOf(operation), '{"a":')).status, 200, operation.id);
    rows += reads.length;
  });
});

const notTexts = [5, true, {}, ['x']];
const notIntegers = ['1', true, {}, [1], 1.5];
const notBooleans = [1, 'true', [], {}];
const badText = ['a\u0000', '\ud800'];
const addresses = [
  '',
  'x',
  '//a.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  ...badText,
];
const common = fieldRows.filter(({ field }) => field === 'metadata' || field === 'tags');

// A text without visible characters is not a name, and null removes the name.
const name = outcomes('name', {
  ok: [
    'x'.repeat(256),
    '😀'.repeat(256),
    '../../etc/passwd',
    '..\\x',
    'a\r\nX: y',
    'con',
    '.htaccess',
    '%2e%2e%2f',
    '<b>',
  ],
  'wrong type': notTexts,
  'broken rule': ['', ' ', '\u202e', '..', '/', 'x'.repeat(257), ...badText],
});

const fields: { readonly [operation: string]: readonly FieldRow[] } = {
  createFile: [
    ...common,
    ...outcomes('name', { ok: [null] }),
    ...outcomes('blob_id', { 'wrong type': notIntegers, 'broken rule': [0, -1, 987_654_321, null] }),
    ...outcomes('replace', { ok: [true, false, null], 'wrong type': notBooleans }),
  ],
  updateFile: [
    ...common,
    ...name,
    ...outcomes('name', { 'broken rule': [null] }),
    ...outcomes('blob_id', { 'wrong type': notIntegers, 'broken rule': [0, -1, 987_654_321, null] }),
    ...outcomes('backup', { ok: [true, false, null], 'wrong type': notBooleans }),
    ...unknownRows.filter(({ field }) => field !== 'name'),
  ],
  createExternalBlob: [
    ...name,
    ...outcomes('name', { 'broken rule': [null] }),
    ...outcomes('provider', {
      ok: ['x'.repeat(256)],
      'wrong type': notTexts,
      'broken rule': ['', ' ', 'x'.repeat(257), null, ...badText],
    }),
    ...outcomes('link', {
      ok: ['https://a.example/', 'HTTP://A.EXAMPLE', `https://a.example/${'x'.repeat(2030)}`],
      'wrong type': notTexts,
      'broken rule': [...addresses, null, `https://a.example/${'x'.repeat(2031)}`],
    }),
    ...['download', 'embed'].flatMap((field) =>
      outcomes(field, { ok: ['https://a.example/', null], 'wrong type': notTexts, 'broken rule': addresses }),
    ),
    ...outcomes('size', {
      ok: [0, 1, 2 ** 53 - 1, null],
      'wrong type': notIntegers,
      'broken rule': [-1, 2 ** 53],
    }),
    ...['width', 'height'].flatMap((field) =>
      outcomes(field, {
        ok: [1, 1_000_000, null],
        'wrong type': notIntegers,
        'broken rule': [0, -1, 1_000_001],
      }),
    ),
    ...outcomes('media_type', {
      ok: ['image/png', 'Application/VND.x+json', null],
      'wrong type': notTexts,
      'broken rule': ['', 'png', 'a/b; c=d', 'a/b\r\nX: y', `a/${'b'.repeat(127)}`, ...badText],
    }),
    ...outcomes('raw', {
      ok: [null, 'x', 5, true, [], {}, { a: [1, { b: null }] }],
      'broken rule': ['x'.repeat(65_537), ['x'.repeat(65_536)]],
    }),
    ...unknownRows,
  ],
};

const statusOf = { ok: 0, 'wrong type': 400, 'broken rule': 422 } as const;

// A value of the wrong type is 400, one that breaks a rule is 422, and an accepted one makes exactly one change.
describe('the fields', () => {
  for (const [id, values] of Object.entries(fields))
    test(`of ${id}`, async () => {
      const operation = operations.find((known) => known.id === id);
      assert.ok(operation !== undefined);
      const success = Math.max(...Object.keys(operation.success).map(Number));
      rows += await assertInTurn(
        values,
        (row) => `${row.field} ${row.name}`,
        async ({ field, value, expected }) => {
          const body = textOf({ ...(await accepted[id]?.()), [field]: value });
          watch.hasChanged();
          const answer = await send(operation, pathOf(operation), body);
          if (expected !== 'ok')
            assert.equal(watch.hasChanged(), false, 'it was refused and something was changed');
          return { expected: statusOf[expected] || success, answer };
        },
      );
    });

  test('are in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'files and blobs', rows, least: { sqlite: 2000, postgres: 400 } });
  });
});
