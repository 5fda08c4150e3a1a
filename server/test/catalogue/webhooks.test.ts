import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import { type FieldRow, outcomes, textOf, unknownRows } from 'confab-testing/catalogue/fields.ts';
import { notObjects, unreadableTexts } from 'confab-testing/catalogue/json-texts.ts';
import { queryRows, refusedCursors } from 'confab-testing/catalogue/queries.ts';
import { badRefs } from 'confab-testing/catalogue/refs.ts';
import { assertEach, assertInTurn } from 'confab-testing/catalogue/rows.ts';
import { makeWebhook } from 'confab-testing/fixtures.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { sendAsIs } from './sending.ts';

/** The operations under test, each with a body that it accepts if it takes one. */
const accepted: { readonly [operation: string]: object | undefined } = {
  listWebhookEvents: undefined,
  getDelivery: undefined,
  listAttempts: undefined,
  pingWebhook: undefined,
  redeliver: undefined,
  redeliverMany: { status: 'failed' },
  rotateWebhookSecret: {},
};
let rows = 0;
const there = { id: 0, delivery: 0 };
const server = useServer({}, { isQuiet: true });
const watch = useStoreWatch(server);
before(async () => {
  there.id = await makeWebhook(server);
  there.delivery = (await server.call('POST', `/api/webhooks/${there.id}/ping`)).body.id;
});
const operations = operationList.filter(({ id }) => Object.hasOwn(accepted, id));

/** The path of an operation, with another text for one parameter. */
function pathOf({ path }: Operation, name?: string, text?: string): string {
  return path.replaceAll(/\{(id|delivery)\}/g, (_, each: 'id' | 'delivery') =>
    each === name && text !== undefined ? text : String(there[each]),
  );
}

async function send({ method }: Operation, target: string, body?: string | Buffer) {
  return await sendAsIs(
    { url: server.url, credential: server.key },
    { method, target, ...(body === undefined ? {} : { body }) },
  );
}

// A path that names nothing is 404 on every verb and in every position, and changes nothing.
describe('a bad reference', () => {
  const positions = operations.flatMap((operation) =>
    Object.keys(operation.params ?? {}).map((name) => ({ operation, name: name as 'id' | 'delivery' })),
  );
  for (const { operation, name } of positions)
    test(`as ${name} in the path of ${operation.id}`, async () => {
      watch.hasCommitted();
      const body = accepted[operation.id] === undefined ? undefined : JSON.stringify(accepted[operation.id]);
      rows += await assertEach(
        badRefs(operation.params[name], there[name]),
        (text) => text.slice(0, 40),
        async (text) => ({
          expected: 404,
          answer: await send(operation, pathOf(operation, name, text), body),
        }),
      );
      assert.equal(watch.hasCommitted(), false);
    });
});

const ownQueries = [
  'status',
  'status_code',
  'event_id',
  'since',
  'until',
  'after',
  'action',
  'group',
].flatMap((name) =>
  [
    '',
    'x',
    '%00',
    '%ff',
    '-1',
    '0',
    '99999999999999999999',
    'null',
    '1e3',
    "'",
    'constructor',
    '2026-02-30T00:00:00Z',
    '2026-11-21T07:42:00+02:00',
  ].map((value) => ({ query: `${name}=${value}` })),
);

// Lists ignore invalid queries, and so do other operations.
describe('a query', () => {
  const reads = operationList.filter(({ id }) =>
    ['listDeliveries', 'getDelivery', 'listAttempts', 'listWebhookEvents'].includes(id),
  );
  for (const operation of reads)
    test(`of ${operation.id}`, async () => {
      const path = pathOf(operation);
      // Attempts have a cursor like other lists; an invalid one is refused.
      const own = ownQueries.filter(
        ({ query }) => operation.id !== 'listAttempts' || !query.startsWith('after='),
      );
      rows += await assertEach(
        // The catalogue of events is long and not a list: only its own parameters are tried.
        operation.id === 'listWebhookEvents' ? own : [...queryRows, ...own],
        ({ query }) => query.slice(0, 60),
        async ({ query }) => ({ expected: 200, answer: await send(operation, `${path}?${query}`) }),
      );
    });

  test('with a cursor of no list is refused by listAttempts', async () => {
    const operation = reads.find(({ id }) => id === 'listAttempts') as (typeof reads)[number];
    rows += await assertEach(
      refusedCursors,
      (query) => query.slice(0, 60),
      async (query) => ({ expected: 400, answer: await send(operation, `${pathOf(operation)}?${query}`) }),
    );
  });

  test('reports its faults with strict handling', async () => {
    // Checked by hand, because the responses of strict mode are declared for all lists together.
    const ask = async (query: string) =>
      await fetch(`${server.url}/api/webhooks/${there.id}/deliveries?${query}`, {
        headers: { authorization: `Bearer ${server.key}`, prefer: 'handling=strict' },
      });
    for (const query of [
      'status=lost',
      'status_code=9',
      'status_code=x',
      'event_id=0',
      'since=yesterday',
      'until=2026-11-21',
      'since=2026-02-30T00:00:00Z',
      'after=-1',
      'order_by=trigger',
      'expand=attempts',
    ]) {
      const answer = await ask(query);
      assert.equal(answer.status, 400, query);
      assert.equal(((await answer.json()) as { code: string }).code, 'invalid_query', query);
      rows += 1;
    }
    for (const query of ['status=Failed', 'since=2026-11-21T07:42:00+02:00', 'until=2026-11-21t07:42:00.5z'])
      assert.equal((await ask(query)).status, 200, query);
  });
});

// A malformed body is 400 for every write, even if it takes no body, and changes nothing.
describe('an unreadable body', () => {
  for (const operation of operations.filter(({ errors }) => errors.includes(400)))
    test(`of ${operation.id}`, async () => {
      watch.hasCommitted();
      const others = accepted[operation.id] === undefined ? [] : notObjects;
      rows += await assertEach(
        [...unreadableTexts, ...others],
        (text) => JSON.stringify(text.toString()).slice(0, 60),
        async (text) => ({
          expected: 400,
          answer: await send(operation, pathOf(operation), Buffer.from(text)),
        }),
      );
      assert.equal(watch.hasCommitted(), false);
    });
});

const wrongTexts = [5, true, {}, ['x']];
const wrongNumbers = ['1', true, 1.5, {}, [1]];
const wrongTimes = ['', 'x', 'yesterday', '2026-11-21', '2026-11-21T07:42', '2026-02-30T00:00:00Z', '1e3'];

const fields: { readonly [operation: string]: readonly FieldRow[] } = {
  redeliverMany: [
    ...outcomes('status', {
      ok: ['failed', 'delivered', null],
      'wrong type': wrongTexts,
      'broken rule': ['', 'lost', 'Failed', 'constructor'],
    }),
    ...outcomes('status_code', { ok: [500], 'wrong type': wrongNumbers, 'broken rule': [0, 99, 1000, -1] }),
    ...outcomes('event_id', {
      ok: [1, 2 ** 53 - 1],
      'wrong type': wrongNumbers,
      'broken rule': [0, -1, 2 ** 53],
    }),
    ...outcomes('action', {
      ok: ['x', 'comment_created', '😀'],
      'wrong type': wrongTexts,
      'broken rule': ['a\u0000', '\ud800'],
    }),
    ...outcomes('since', {
      ok: ['2026-11-21T07:42:00Z', '2026-11-21T07:42:00.123456+02:00'],
      'wrong type': wrongTexts,
      'broken rule': wrongTimes,
    }),
    ...outcomes('until', {
      ok: ['2026-11-21T07:42:00Z'],
      'wrong type': wrongTexts,
      'broken rule': wrongTimes,
    }),
    ...outcomes('after', { ok: [0, 5], 'wrong type': wrongNumbers, 'broken rule': [-1, 2 ** 53] }),
    ...outcomes('limit', { ok: [1, 1000], 'wrong type': wrongNumbers, 'broken rule': [0, -1, 1001] }),
    ...unknownRows,
  ],
  rotateWebhookSecret: [
    ...outcomes('secret', { 'wrong type': wrongTexts, 'broken rule': ['', 'x'.repeat(257), 'a\u0000'] }),
    ...outcomes('overlap_seconds', { ok: [0, 60], 'wrong type': wrongNumbers, 'broken rule': [-1, 2 ** 53] }),
    ...unknownRows.filter(({ name }) => name !== 'a\u0000b'),
  ],
};

// Each field is checked for its type first and then for its rules, and a refused request changes nothing.
describe('the fields of a body', () => {
  for (const [id, own] of Object.entries(fields))
    test(`of ${id}`, async () => {
      const operation = operations.find((known) => known.id === id);
      assert.ok(operation !== undefined, id);
      rows += await assertInTurn(
        own,
        ({ field, name }) => `${field}: ${name}`,
        async ({ field, value, expected }) => {
          watch.hasCommitted();
          const body = textOf({ ...accepted[id], [field]: value });
          const answer = await send(operation, pathOf(operation), Buffer.from(body));
          if (expected !== 'ok') {
            assert.match(answer.body, new RegExp(`"pointer":"/${field}`));
            assert.equal(watch.hasCommitted(), false);
          }
          // Null counts as absent, so no criterion remains.
          const isLeftOut = field === 'status' && value === null;
          return {
            expected: isLeftOut ? 422 : { ok: 200, 'wrong type': 400, 'broken rule': 422 }[expected],
            answer,
          };
        },
      );
    });

  test('are in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'webhooks', rows, least: { sqlite: 2000, postgres: 500 } });
  });
});
