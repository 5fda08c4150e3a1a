import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Attempt, Delivery } from 'confab-contract/deliveries.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { assertDeliveriesWhole } from 'confab-testing/delivery-invariant.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { type Reply, useReceiver } from 'confab-testing/network/receiver.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { deliveriesOf, makeHook, nudge, settled } from 'confab-testing/webhooks.ts';

const minute = 60_000;

const clock = movableClock();
// First, so that it is also closed first and no attempt is left hanging.
const receiver = useReceiver();
const server = useServer({}, { clock });

/** Registers a webhook whose receiver responds in this way. */
const hook = (replies: readonly Reply[], fields: object = {}) =>
  makeHook(server, receiver, { replies, ...fields });

async function list(id: number, query: string): Promise<{ data: Delivery[]; count: number }> {
  return await server.read(`/api/webhooks/${id}/deliveries?${query}`);
}

const idsOf = ({ data }: { data: Delivery[] }) => data.map(({ id }) => id);

async function attempts(
  id: number,
  deliveryId: number,
  query = '',
): Promise<{ data: Attempt[]; count: number }> {
  const path = `/api/webhooks/${id}/deliveries/${deliveryId}/attempts?${query}`;
  return await server.read(path);
}

// The attempts of a delivery show everything needed to find out why a receiver did not get it.
describe('the attempts of a delivery', () => {
  test('have the request as sent and the response as received', async () => {
    const failing = { status: 500, headers: { 'x-why': 'a bad day' }, body: 'no, nö, 😀' };
    const { id, path } = await hook([failing, { status: 204 }], { secret: 'a secret' });
    await makeComment(server, (await makeApp(server)).id, { text: 'line\u2028separator 😀' });
    const { id: deliveryId } = await settled(server, id, 'retrying');
    clock.move(minute);
    await nudge(server);
    const delivery = await settled(server, id, 'delivered');
    const { data, count } = await attempts(id, deliveryId);
    assert.equal(count, 2);
    const [first, second] = data;
    assert.ok(first !== undefined && second !== undefined);
    const [sent] = receiver.ledger(path);
    assert.equal(first.request.body, sent?.body.toString());
    assert.equal(second.request.body, first.request.body);
    assert.equal(first.request.url, receiver.url + path);
    for (const [name, value] of Object.entries(first.request.headers ?? {}))
      assert.equal(sent?.headers[name.toLowerCase()], value, name);
    assert.ok(Object.keys(first.request.headers ?? {}).includes('webhook-signature'));
    assert.deepEqual([first.number, first.error, first.response?.status_code], [1, 'http_500', 500]);
    assert.equal(first.response?.headers?.['x-why'], 'a bad day');
    assert.equal(first.response?.body, failing.body);
    assert.deepEqual([first.response?.is_truncated, first.response?.is_utf8], [false, true]);
    assert.deepEqual([second.number, second.error, second.response?.status_code], [2, undefined, 204]);
    assert.ok(second.response !== undefined && !('body' in second.response));
    assert.equal(second.started_at, delivery.delivered_at);
    assert.equal(second.duration, delivery.duration);
    assert.ok(Date.parse(second.started_at) - Date.parse(first.started_at) >= minute);
  });

  test('mark what is left out of a response and what is not text', async () => {
    const { id } = await hook([
      { status: 200, body: Buffer.from([0x6e, 0xff, 0x00, 0xfe]) },
      { status: 200, body: 'é'.repeat(20_000) },
      { status: 200, body: Buffer.concat([Buffer.from('x'), Buffer.from('😀'.repeat(5000))]) },
    ]);
    const app = await makeApp(server);
    const answers: (Attempt['response'] | undefined)[] = [];
    for (let index = 0; index < 3; index += 1) {
      await makeComment(server, app.id);
      const { id: deliveryId } = await settled(server, id, 'delivered');
      answers.push((await attempts(id, deliveryId)).data[0]?.response);
    }
    assert.deepEqual(
      answers.map((answer) => [answer?.is_utf8, answer?.is_truncated]),
      [
        [false, false],
        [true, true],
        [true, true],
      ],
    );
    assert.equal(answers[0]?.body, 'n\ufffd\0\ufffd');
    assert.equal(answers[1]?.body, 'é'.repeat(8192));
    // What is cut off in the middle of a character is not the fault of the receiver.
    assert.equal(answers[2]?.body, `x${'😀'.repeat(4095)}`);
  });

  test('have no response when there was none', async () => {
    const { id } = await hook(['reset']);
    await makeComment(server, (await makeApp(server)).id);
    const { id: deliveryId } = await settled(server, id, 'retrying');
    const [first] = (await attempts(id, deliveryId)).data;
    assert.ok(first !== undefined && !('response' in first));
    assert.equal(typeof first.error, 'string');
  });

  test('are paged by their number', async () => {
    const { id } = await hook([{ status: 500 }]);
    await makeComment(server, (await makeApp(server)).id);
    for (let count = 1; count < 3; count += 1) {
      await settled(server, id, 'retrying', count);
      clock.move(10 * minute);
      await nudge(server);
    }
    const { id: deliveryId } = await settled(server, id, 'retrying', 3);
    const numbers = async (query: string) =>
      (await attempts(id, deliveryId, query)).data.map(({ number }) => number);
    assert.deepEqual(await numbers(''), [1, 2, 3]);
    assert.deepEqual(await numbers('order_by=number+desc&top=2'), [3, 2]);
    assert.deepEqual(await numbers('top=2&skip=2'), [3]);
    assert.deepEqual(await numbers('q=anything'), []);
    assert.deepEqual(await attempts(id, deliveryId, 'count_only=true'), { count: 3 });
  });
});

// A list of deliveries shows and counts exactly the requested ones.
describe('the filters of deliveries', () => {
  let id: number;
  let comments: Delivery[];
  before(async () => {
    ({ id } = await hook([{ status: 200 }, { status: 503 }, { status: 200 }, { status: 204 }], {
      triggers: ['comments', 'app_created'],
    }));
    const app = await makeApp(server);
    await settled(server, id, 'delivered');
    for (const status of ['retrying', 'delivered', 'delivered'] as const) {
      clock.move(1000);
      await makeComment(server, app.id);
      await settled(server, id, status);
    }
    comments = (await deliveriesOf(server, id)).filter(({ action }) => action === 'comment_created');
  });

  test('are status, status code, action and event', async () => {
    const [third, second, first] = comments;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const found = async (query: string) => {
      const page = await list(id, query);
      assert.equal(page.count, page.data.length, query);
      return idsOf(page);
    };
    assert.deepEqual(await found('status=retrying'), [first.id]);
    assert.deepEqual(await found('status=delivered&action=comment_created'), [third.id, second.id]);
    assert.deepEqual(await found('status_code=503'), [first.id]);
    assert.deepEqual(await found('status_code=204&status=delivered'), [third.id]);
    assert.deepEqual(await found('status_code=204&status=failed'), []);
    assert.deepEqual(await found(`event_id=${second.event_id}`), [second.id]);
    assert.deepEqual(await found(`event_id=${second.event_id}&action=app_created`), []);
    assert.deepEqual(await found('status=retrying&q=comment'), [first.id]);
    assert.deepEqual(await found('status=retrying&q=comment&expand=payload'), [first.id]);
    assert.deepEqual(await list(id, 'status=delivered&count_only=true'), { count: 3 });
    // Nobody knows this status, and a list forgives that.
    assert.equal((await found('status=lost')).length, 4);
  });

  test('select by the time of the event, from one time and before another', async () => {
    const [third, second, first] = comments;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const found = async (query: string) => idsOf(await list(id, `action=comment_created&${query}`));
    const at = encodeURIComponent(second.created_at);
    assert.deepEqual(await found(`since=${at}`), [third.id, second.id]);
    assert.deepEqual(await found(`until=${at}`), [first.id]);
    assert.deepEqual(await found(`since=${at}&until=${encodeURIComponent(third.created_at)}`), [second.id]);
    const elsewhere = new Date(Date.parse(second.created_at) + 2 * 3_600_000);
    assert.deepEqual(await found(`since=${elsewhere.toISOString().replace('Z', '+02:00')}`), [
      third.id,
      second.id,
    ]);
  });

  test('give one page after the other by the last known id', async () => {
    const all = (await deliveriesOf(server, id)).toReversed().map((each) => each.id);
    const read: number[] = [];
    for (let page = await list(id, 'order_by=id&top=3&after=0'); page.data.length > 0; ) {
      read.push(...idsOf(page));
      page = await list(id, `order_by=id&top=3&after=${read.at(-1)}`);
    }
    assert.deepEqual(read, all);
  });

  for (const [query, isNewestFirst] of [
    ['top=3', true],
    ['top=1&status=delivered', true],
    ['top=3&order_by=id', false],
  ] as const)
    test(`are read to their end by links, with ${query}`, async () => {
      const read: number[] = [];
      let path: string | undefined = `/api/webhooks/${id}/deliveries?${query}`;
      while (path !== undefined) {
        const { text, headers }: { text: string; headers: Headers } = await server.call('GET', path);
        read.push(...(JSON.parse(text) as { data: Delivery[] }).data.map((each) => each.id));
        path = /<https?:\/\/[^/]+([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
      }
      const all = (await deliveriesOf(server, id)).map((each) => each.id);
      const status = query.includes('status') ? idsOf(await list(id, 'status=delivered')) : all;
      assert.deepEqual(read, isNewestFirst ? status : status.toReversed());
      assert.ok(read.length > 1);
    });
});

// A receiver that cannot be called reads what it would have been sent: the same bodies, in the order of their numbers.
describe('the list of deliveries for receivers that pull', () => {
  test('is in the order of sequence numbers, each with its payload', async () => {
    const { id, path } = await hook([{ status: 200 }]);
    const app = await makeApp(server);
    for (let count = 1; count <= 5; count += 1)
      await makeComment(server, app.id, { text: `words ${count} 😀` });
    const sent = await receiver.received(path, 5);
    const bodies = new Map(
      sent.map(({ headers, body }) => [Number(headers['x-weavy-sequence']), body.toString()]),
    );
    const { text } = await server.call(
      'GET',
      `/api/webhooks/${id}/deliveries?order_by=sequence&after=2&top=2&expand=payload`,
    );
    const page = JSON.parse(text) as { data: Delivery[]; count: number };
    assert.equal(page.count, 3);
    assert.deepEqual(
      page.data.map(({ sequence }) => sequence),
      [3, 4],
    );
    for (const number of [3, 4]) assert.ok(text.includes(`"payload":${bodies.get(number)}`), `${number}`);
    assert.ok(!('payload' in ((await list(id, '')).data[0] ?? {})));
    const last = (await list(id, 'order_by=sequence+desc&after=0')).data.map(({ sequence }) => sequence);
    assert.deepEqual(last, [5, 4, 3, 2, 1]);
  });

  test('includes deliveries that were never sent, by id', async () => {
    const { id, path } = await hook(['hang']);
    const app = await makeApp(server);
    for (let count = 0; count < 3; count += 1) await makeComment(server, app.id);
    await receiver.received(path, 1);
    const page = await list(id, 'order_by=id&after=0&expand=payload');
    assert.equal(page.data.length, 3);
    for (const { payload, event_id, guid } of page.data)
      assert.deepEqual([payload?.id, payload?.guid, payload?.action], [event_id, guid, 'comment_created']);
    // Those without a number come before the others, and behind a number there is none of them.
    const unnumbered = (await list(id, 'order_by=sequence')).data.map(({ sequence }) => sequence ?? 0);
    assert.deepEqual(unnumbered, unnumbered.toSorted());
    await server.call('DELETE', `/api/webhooks/${id}`);
  });
});

// A delivery by itself is as in the list, with what is sent.
describe('a delivery', () => {
  test('is shown with the body that is sent', async () => {
    const { id, path } = await hook([{ status: 200 }]);
    await makeComment(server, (await makeApp(server)).id);
    const delivery = await settled(server, id, 'delivered');
    const { text, body } = await server.call('GET', `/api/webhooks/${id}/deliveries/${delivery.id}`);
    const { payload, ...rest } = body;
    assert.deepEqual(rest, delivery);
    assert.ok(text.includes(`"payload":${receiver.ledger(path)[0]?.body.toString()}`));
    assert.deepEqual([delivery.attempts, delivery.sequence, payload.guid], [1, 1, delivery.guid]);
  });

  test('shows when its next attempt is planned, unless sending is off', async () => {
    const { id } = await hook([{ status: 500 }]);
    await makeComment(server, (await makeApp(server)).id);
    const waiting = await settled(server, id, 'retrying');
    const pause = Date.parse(waiting.next_attempt_at ?? '') - Date.parse(waiting.delivered_at ?? '');
    assert.ok(pause >= 5000 && pause < 7000, `${pause}`);
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    const [off] = await deliveriesOf(server, id);
    assert.deepEqual([off?.status, off?.next_attempt_at], ['retrying', undefined]);
  });

  test('is 404 under another webhook and for an unknown id', async () => {
    const { id } = await hook([{ status: 200 }]);
    await makeComment(server, (await makeApp(server)).id);
    const delivery = await settled(server, id, 'delivered');
    const other = await hook([{ status: 200 }]);
    for (const path of [
      `/api/webhooks/${other.id}/deliveries/${delivery.id}`,
      `/api/webhooks/${other.id}/deliveries/${delivery.id}/attempts`,
      `/api/webhooks/987654321/deliveries/${delivery.id}`,
      `/api/webhooks/${id}/deliveries/987654321/attempts`,
    ])
      assertProblem(await server.call('GET', path), 404, 'not_found');
  });
});

// A webhook can be made ordered when it is registered or changed.
test('a webhook is ordered by its setting', async () => {
  const body = { payload_url: `${receiver.url}/ordered`, triggers: ['comments'], ordered: true };
  const { body: made } = await server.call('POST', '/api/webhooks', body);
  assert.equal(made.ordered, true);
  const patch = async (fields: object) =>
    (await server.call('PATCH', `/api/webhooks/${made.id}`, fields)).body;
  assert.equal((await patch({ is_enabled: false })).ordered, true);
  assert.equal((await patch({ ordered: false })).ordered, false);
  assertProblem(
    await server.call('PATCH', `/api/webhooks/${made.id}`, { ordered: null }),
    422,
    'validation_failed',
  );
});

test('the store is consistent after all of this', () => assertDeliveriesWhole(server, { now: clock.now() }));
