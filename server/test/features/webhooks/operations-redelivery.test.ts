import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Delivery } from 'confab-contract/deliveries.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { assertDeliveriesWhole } from 'confab-testing/delivery-invariant.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { type Reply, useReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { deliveriesOf, makeHook, nudge, settled } from 'confab-testing/webhooks.ts';

const clock = movableClock();
// First, so that it is also closed first and no attempt is left hanging.
const receiver = useReceiver();
const server = useServer({}, { clock });
const watch = useStoreWatch(server);

const works = { status: 200 };
const fails = { status: 500 };

/** Registers a webhook whose receiver responds in this way. */
const hook = (replies: readonly Reply[], fields: object = {}) =>
  makeHook(server, receiver, { replies, ...fields });

type Redelivered = { readonly redelivered: number; readonly next?: number };

const redeliver = async (id: number, deliveryId: number) =>
  await server.call('POST', `/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`);

/** The actions of the events about a webhook or one of its deliveries. */
function told(entityType: string, entityId: number): unknown[] {
  return watch
    .rows(
      `select action from events where entity_type = '${entityType}' and entity_id = ${entityId} order by id`,
    )
    .map(({ action }) => action);
}

// A ping reaches its own webhook, whatever that is told of otherwise, and nobody else.
describe('a ping', () => {
  test('is delivered to a webhook without a matching trigger', async () => {
    const { id, path } = await hook([works], { triggers: ['polls'], secret: 'a secret' });
    const other = await hook([works], { triggers: ['apps', 'comments', 'members'] });
    const answer = await server.call('POST', `/api/webhooks/${id}/ping`);
    assert.equal(answer.status, 201);
    assert.deepEqual([answer.body.status, answer.body.action], ['pending', 'webhook_pinged']);
    const [request] = await receiver.received(path, 1);
    const payload = JSON.parse(request?.body.toString() ?? '');
    assert.deepEqual([payload.type, payload.webhook.id], ['webhook.pinged', id]);
    assert.deepEqual(payload, answer.body.payload);
    assert.equal(request?.headers['x-weavy-trigger'], 'webhooks');
    assert.ok(request?.headers['webhook-signature']);
    const delivery = await settled(server, id, 'delivered');
    assert.equal(delivery.guid, answer.body.guid);
    assert.equal((await server.read(`/api/webhooks/${id}/deliveries?count_only=true`)).count, 1);
    assert.deepEqual(await deliveriesOf(server, other.id), []);
    assert.deepEqual(told('webhook', id), ['webhook_created', 'webhook_pinged']);
  });

  test('waits while the webhook is disabled', async () => {
    const { id, path } = await hook([works], { enabled: false });
    assert.equal((await server.call('POST', `/api/webhooks/${id}/ping`)).status, 201);
    const waiting = (await deliveriesOf(server, id))[0];
    assert.deepEqual([waiting?.status, waiting?.next_attempt_at], ['pending', undefined]);
    assert.equal(receiver.ledger(path).length, 0);
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: true });
    await settled(server, id, 'delivered');
  });

  test('of an unknown webhook is 404', async () => {
    assertProblem(await server.call('POST', '/api/webhooks/987654321/ping'), 404, 'not_found');
  });
});

// A delivery that is sent again is the same row, guid, number and body, with a new schedule; its attempts go on.
describe('sending a delivery again', () => {
  test('sends the same body once more', async () => {
    const { id, path } = await hook([works, fails, works]);
    await makeComment(server, (await makeApp(server)).id);
    const first = await settled(server, id, 'delivered');
    const answer = await redeliver(id, first.id);
    assert.equal(answer.status, 200);
    assert.deepEqual(
      [answer.body.id, answer.body.guid, answer.body.status],
      [first.id, first.guid, 'pending'],
    );
    assert.deepEqual([answer.body.sequence, answer.body.attempts], [1, 1]);
    // Its schedule begins anew: what fails now is tried again as after a first attempt.
    const failed = await settled(server, id, 'retrying', 2);
    const pause = Date.parse(failed.next_attempt_at ?? '') - Date.parse(failed.delivered_at ?? '');
    assert.ok(pause >= 5000 && pause < 7000, `${pause}`);
    clock.move(7000);
    await nudge(server);
    const last = await settled(server, id, 'delivered', 3);
    assert.deepEqual([last.id, last.sequence], [first.id, 1]);
    const requests = receiver.ledger(path);
    assert.deepEqual(
      requests.map(({ headers }) => [
        headers['x-weavy-attempt'],
        headers['x-weavy-sequence'],
        headers['webhook-id'],
      ]),
      ['1', '2', '3'].map((number) => [number, '1', first.guid]),
    );
    assert.equal(new Set(requests.map(({ body }) => body.toString())).size, 1);
    assert.deepEqual(told('delivery', first.id), ['delivery_redelivered']);
    assert.equal((await server.read(`/api/webhooks/${id}/deliveries`)).count, 1);
  });

  test('sends one that waits for its next attempt at once, and keeps its schedule when repeated', async () => {
    const { id, path } = await hook([fails, works]);
    await makeComment(server, (await makeApp(server)).id);
    const waiting = await settled(server, id, 'retrying');
    assert.equal((await redeliver(id, waiting.id)).body.status, 'pending');
    await settled(server, id, 'delivered', 2);
    // When the attempt would have been that was planned before, there is none.
    clock.move(10 * 60_000);
    await nudge(server);
    const other = await hook([works]);
    await server.call('POST', `/api/webhooks/${other.id}/ping`);
    await settled(server, other.id, 'delivered');
    assert.equal(receiver.ledger(path).length, 2);
  });

  test('many times at once sends it once', async () => {
    const { id, path } = await hook([works]);
    await makeComment(server, (await makeApp(server)).id);
    const { id: deliveryId } = await settled(server, id, 'delivered');
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    const answers = await Promise.all(Array.from({ length: 32 }, () => redeliver(id, deliveryId)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.deepEqual(told('delivery', deliveryId), ['delivery_redelivered']);
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: true });
    const last = await settled(server, id, 'delivered', 2);
    assert.equal(last.attempts, 2);
    assert.equal(receiver.ledger(path).length, 2);
  });

  test('during an attempt leaves it to that attempt, unless it fails', async () => {
    for (const [reply, count] of [
      [works, 2],
      [fails, 3],
    ] as const) {
      const gate = Promise.withResolvers<void>();
      const { id, path } = await hook([fails, { ...reply, after: gate.promise }, works]);
      await makeComment(server, (await makeApp(server)).id);
      const { id: deliveryId } = await settled(server, id, 'retrying');
      clock.move(7000);
      await nudge(server);
      await receiver.received(path, 2);
      assert.equal((await redeliver(id, deliveryId)).body.status, 'pending');
      gate.resolve();
      await settled(server, id, 'delivered', count);
      assert.equal(receiver.ledger(path).length, count);
    }
  });

  test('works for a failed delivery', async () => {
    const { id } = await hook([{ status: 410 }, works]);
    await makeComment(server, (await makeApp(server)).id);
    const { id: deliveryId } = await settled(server, id, 'failed');
    assert.equal((await redeliver(id, deliveryId)).body.status, 'pending');
    await settled(server, id, 'delivered', 2);
  });
});

/** Waits until everything is delivered that a webhook was told; answers that, the oldest first. */
async function allDelivered(id: number): Promise<Delivery[]> {
  return await poll('all to be delivered', async () => {
    const deliveries = await deliveriesOf(server, id);
    return deliveries.every(({ status }) => status === 'delivered') ? deliveries.toReversed() : undefined;
  });
}

/** Tells a webhook of some comments, a second apart, and waits until all are delivered; the oldest first. */
async function makePast(id: number, count: number): Promise<Delivery[]> {
  const app = await makeApp(server);
  for (let made = 0; made < count; made += 1) {
    clock.move(1000);
    await makeComment(server, app.id);
  }
  return await allDelivered(id);
}

// What a filter matches is sent again, the oldest first, in parts that hold up nobody.
describe('sending many deliveries again', () => {
  test('moves exactly the matching deliveries', async () => {
    const { id, path } = await hook([works]);
    const past = await makePast(id, 4);
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    const again = async (filter: object) => {
      const { status, body, text } = await server.call('POST', `/api/webhooks/${id}/redeliver`, filter);
      assert.equal(status, 200, text);
      return body;
    };
    const waiting = async () =>
      (await deliveriesOf(server, id)).filter(({ status }) => status === 'pending').map((each) => each.id);
    assert.deepEqual(await again({ status: 'failed' }), { redelivered: 0 });
    assert.deepEqual(await again({ event_id: past[0]?.event_id }), { redelivered: 1 });
    assert.deepEqual(await waiting(), [past[0]?.id]);
    assert.deepEqual(await again({ since: past[2]?.created_at }), { redelivered: 2 });
    assert.deepEqual(await waiting(), [past[3]?.id, past[2]?.id, past[0]?.id]);
    // What waits to be sent at once anyway is not counted again.
    assert.deepEqual(await again({ action: 'comment_created' }), { redelivered: 1 });
    assert.deepEqual(await again({ action: 'comment_created' }), { redelivered: 0 });
    assert.deepEqual(told('webhook', id).slice(-3), Array(3).fill('deliveries_redelivered'));
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: true });
    const requests = await receiver.received(path, 8);
    assert.equal(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, 4);
  });

  test('works part by part, and leaves nothing out', async () => {
    const { id, path } = await hook([works]);
    const past = await makePast(id, 7);
    const answers: Redelivered[] = [];
    let after: number | undefined = 0;
    while (after !== undefined) {
      const part: object = { action: 'comment_created', limit: 3, after };
      const { body }: { body: Redelivered } = await server.call(
        'POST',
        `/api/webhooks/${id}/redeliver`,
        part,
      );
      answers.push(body);
      after = body.next;
    }
    assert.deepEqual(
      answers.map(({ redelivered }) => redelivered),
      [3, 3, 1],
    );
    assert.equal(answers[0]?.next, past[2]?.id);
    const requests = await receiver.received(path, 14);
    const counts = Map.groupBy(requests, ({ headers }) => headers['webhook-id']);
    assert.deepEqual(new Set([...counts.values()].map((each) => each.length)), new Set([2]));
    await allDelivered(id);
  });

  test('requires a filter', async () => {
    const { id } = await hook([works], { enabled: false });
    const send = async (body: unknown) => await server.call('POST', `/api/webhooks/${id}/redeliver`, body);
    assertProblem(await send({}), 422, 'validation_failed', '');
    assertProblem(await send({ after: 5, limit: 10 }), 422, 'validation_failed', '');
    assertProblem(await send({ status: 'lost' }), 422, 'validation_failed', '/status');
    assertProblem(await send({ since: 'yesterday' }), 422, 'validation_failed', '/since');
    assertProblem(await send({ limit: 1001, status: 'failed' }), 422, 'validation_failed', '/limit');
    assertProblem(await send({ status: 5 }), 400, 'wrong_type');
    const path = '/api/webhooks/987654321/redeliver';
    assertProblem(await server.call('POST', path, {}), 404, 'not_found');
  });

  test('leaves the deliveries of other webhooks alone', async () => {
    const [one, other] = [await hook([works]), await hook([works])];
    await makeComment(server, (await makeApp(server)).id);
    for (const { id } of [one, other]) await settled(server, id, 'delivered');
    await server.call('POST', `/api/webhooks/${one.id}/redeliver`, { status: 'delivered' });
    await settled(server, one.id, 'delivered', 2);
    assert.equal((await settled(server, other.id, 'delivered')).attempts, 1);
  });
});

// A receiver that was given up for the moment is asked at once when somebody wants to know.
describe('a webhook whose breaker is open', () => {
  test('shows the reason, and is probed when it is pinged', async () => {
    const { id, path } = await hook([...Array(4).fill(fails), works]);
    const app = await makeApp(server);
    for (let count = 0; count < 4; count += 1) await makeComment(server, app.id);
    const shown = async () => (await server.read(`/api/webhooks/${id}`)).breaker;
    const open = await poll('the breaker to open', async () => {
      const breaker = await shown();
      return breaker.state === 'open' ? breaker : undefined;
    });
    assert.deepEqual(Object.keys(open), ['state', 'reason', 'next_probe_at', 'opened_at']);
    const [waiting] = await deliveriesOf(server, id);
    assert.ok((waiting?.next_attempt_at ?? '') >= open.next_probe_at);
    const before = receiver.ledger(path).length;
    assert.equal((await server.call('POST', `/api/webhooks/${id}/ping`)).status, 201);
    await receiver.received(path, before + 1);
    await poll('the breaker to close', async () => (await shown()).state === 'closed' || undefined);
    assert.deepEqual(told('webhook', id), [
      'webhook_created',
      'webhook_paused',
      'webhook_pinged',
      'webhook_resumed',
    ]);
    clock.move(10 * 60_000);
    await nudge(server);
    await allDelivered(id);
  });
});

test('the store is consistent after all of this', () => assertDeliveriesWhole(server, { now: clock.now() }));
