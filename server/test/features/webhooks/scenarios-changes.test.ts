import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { verify } from '@octokit/webhooks-methods';
import { day, hour, minute, second, useDeliveryWorld } from 'confab-testing/delivery-world.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { use } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { attemptsOf, deliveriesOf, pauseOf, settled } from 'confab-testing/webhooks.ts';
import { deliveryLagMs } from '../../../src/features/webhooks/sending/lanes.ts';

const fails = { status: 500 };
const works = { status: 200 };

const world = useDeliveryWorld();
const server = use(async () => world.server);

// A change of a webhook applies from the next attempt on; the body of a delivery is fixed when its event commits.
describe('a webhook that changes between retries', () => {
  test('42: deleted in mid-retry', async () => {
    const { receiver } = world;
    const gate = Promise.withResolvers<void>();
    const { id, path } = await world.hook([fails, { status: 500, after: gate.promise }]);
    await makeApp(server);
    await settled(server, id, 'retrying');
    await makeApp(server);
    await receiver.received(path, 2);
    assert.equal((await server.call('DELETE', `/api/webhooks/${id}`)).status, 204);
    // One that is under way ends, and what becomes of it harms nothing.
    gate.resolve();
    await world.pass(day);
    await world.assertSilence(path);
    assert.deepEqual(readStore(server.folder, `select * from deliveries where webhook_id = ${id}`), []);
  });

  test('43: disabled in mid-retry', async () => {
    const { receiver } = world;
    const { id, path } = await world.hook([fails, works]);
    await makeApp(server);
    await settled(server, id, 'retrying');
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    // Events during that time are not for it.
    await makeApp(server);
    await world.pass(day);
    await world.assertSilence(path);
    assert.deepEqual(
      (await deliveriesOf(server, id)).map((delivery) => delivery.status),
      ['retrying'],
    );
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: true });
    await settled(server, id, 'delivered');
    assert.equal(receiver.ledger(path).length, 2);
  });

  test('43: disabled during an attempt records its outcome and starts no other', async () => {
    const { receiver } = world;
    const gate = Promise.withResolvers<void>();
    const { id, path } = await world.hook([{ status: 500, after: gate.promise }, works]);
    await makeApp(server);
    await makeApp(server);
    await receiver.received(path, 1);
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    gate.resolve();
    await world.pass(day);
    await world.assertSilence(path);
    const statuses = (await deliveriesOf(server, id)).map((delivery) => delivery.status);
    assert.deepEqual(statuses, ['pending', 'retrying']);
  });

  test('44: secret changed in mid-retry', async () => {
    const { receiver } = world;
    const { id, path } = await world.hook([fails, works], { secret: 'first' });
    await makeApp(server);
    await settled(server, id, 'retrying', 1);
    await server.call('PATCH', `/api/webhooks/${id}`, { secret: 'second' });
    await world.pass(6 * second);
    await settled(server, id, 'delivered', 2);
    const [first, other] = receiver.ledger(path);
    assert.ok(first !== undefined && other !== undefined);
    const isSigned = (secret: string, request: typeof first) =>
      verify(secret, request.body.toString(), request.headers['x-hub-signature-256'] ?? '');
    assert.equal(await isSigned('first', first), true);
    assert.equal(await isSigned('second', other), true);
    assert.deepEqual(other.body, first.body);
  });

  test('45: secret removed', async () => {
    const { receiver } = world;
    const { id, path } = await world.hook([fails, works], { secret: 'first' });
    await makeApp(server);
    await settled(server, id, 'retrying', 1);
    await server.call('PATCH', `/api/webhooks/${id}`, { secret: null });
    await world.pass(6 * second);
    await settled(server, id, 'delivered', 2);
    const [first, other] = receiver.ledger(path);
    for (const name of ['x-hub-signature-256', 'x-weavy-signature', 'webhook-signature']) {
      assert.ok(first?.headers[name] !== undefined);
      assert.equal(other?.headers[name], undefined);
    }
    assert.deepEqual(other?.body, first?.body);
  });

  test('46: URL changed', async () => {
    const { receiver } = world;
    const { id, path } = await world.hook([fails]);
    await makeApp(server);
    await settled(server, id, 'retrying');
    const moved = `${path}/moved`;
    await server.call('PATCH', `/api/webhooks/${id}`, { payload_url: receiver.url + moved });
    await world.pass(6 * second);
    const delivery = await settled(server, id, 'delivered');
    assert.equal(receiver.ledger(path).length, 1);
    assert.equal(receiver.ledger(moved).length, 1);
    assert.deepEqual(
      attemptsOf(server, delivery.id).map(({ request_url }) => request_url),
      [path, moved].map((one) => receiver.url + one),
    );
  });

  test('47: trigger removed after the event', async () => {
    const { receiver } = world;
    const { id, path } = await world.hook([fails, works]);
    await makeApp(server);
    const { event_id } = await settled(server, id, 'retrying');
    await server.call('PATCH', `/api/webhooks/${id}`, { triggers: ['posts'] });
    await makeApp(server);
    await world.pass(6 * second);
    const delivery = await settled(server, id, 'delivered');
    assert.equal(delivery.event_id, event_id);
    assert.equal(receiver.ledger(path).length, 2);
    assert.equal((await deliveriesOf(server, id)).length, 1);
  });

  test('48: comment edited or trashed before delivery', async () => {
    const { receiver } = world;
    const app = await makeApp(server);
    const { id, path } = await world.hook([fails, works], { triggers: ['comment_created'] });
    const comment = await makeComment(server, app.id, { text: 'before' });
    await settled(server, id, 'retrying');
    await server.call('PATCH', `/api/comments/${comment.id}`, { text: 'after' });
    await server.call('POST', `/api/comments/${comment.id}/trash`);
    await world.pass(6 * second);
    await settled(server, id, 'delivered');
    const texts = receiver.ledger(path).map(({ body }) => JSON.parse(body.toString()).comment.text);
    assert.deepEqual(texts, ['before', 'before']);
  });

  test('49: app trashed', async () => {
    const { receiver } = world;
    const { id, path } = await world.hook([fails, works], { triggers: ['app_created'] });
    const app = await makeApp(server, { name: 'before' });
    await settled(server, id, 'retrying');
    await server.call('PATCH', `/api/apps/${app.uid}`, { name: 'after' });
    await server.call('POST', `/api/apps/${app.uid}/trash`);
    await world.pass(6 * second);
    await settled(server, id, 'delivered');
    const names = receiver.ledger(path).map(({ body }) => JSON.parse(body.toString()).app.name);
    assert.deepEqual(names, ['before', 'before']);
  });
});

// The only sender of a store reads deliveries ahead of their attempts; an answered change applies to them as well.
describe('a webhook that changes while deliveries wait', () => {
  /** Two attempts that are held until `release`, with four more deliveries behind them that were read with them. */
  async function heldQueue(fields: object = {}) {
    const { receiver } = world;
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = { status: 200, after: two.promise };
    const { id, path } = await world.hook([{ status: 200, after: one.promise }, held, held, works], fields);
    for (let made = 0; made < 7; made += 1) await makeApp(server);
    one.resolve();
    await receiver.received(path, 3);
    return { id, path, release: () => two.resolve() };
  }

  test('another address', async () => {
    const { receiver } = world;
    const { id, path, release } = await heldQueue();
    const moved = `${path}/moved`;
    await server.call('PATCH', `/api/webhooks/${id}`, { payload_url: receiver.url + moved });
    release();
    const rest = await receiver.received(moved, 4);
    assert.equal(receiver.ledger(path).length, 3);
    const numbers = rest.map(({ headers }) => Number(headers['x-weavy-sequence']));
    assert.deepEqual(numbers.toSorted(), [4, 5, 6, 7]);
  });

  test('another secret', async () => {
    const { receiver } = world;
    const { id, path, release } = await heldQueue({ secret: 'first' });
    const body = { secret: 'second', overlap_seconds: 0 };
    assert.equal((await server.call('POST', `/api/webhooks/${id}/secret/rotate`, body)).status, 200);
    release();
    for (const { body, headers } of (await receiver.received(path, 7)).slice(3))
      assert.equal(await verify('second', body.toString(), headers['x-hub-signature-256'] ?? ''), true);
  });

  test('deleted', async () => {
    const { id, path, release } = await heldQueue();
    assert.equal((await server.call('DELETE', `/api/webhooks/${id}`)).status, 204);
    release();
    await world.assertSilence(path);
    assert.equal(world.receiver.ledger(path).length, 3);
  });
});

// A redelivery moves the one row of a delivery, so that it is never in progress twice and its attempts keep counting.
describe('a delivery that is sent again', () => {
  const again = async (id: number, delivery: number) =>
    await server.call('POST', `/api/webhooks/${id}/deliveries/${delivery}/redeliver`);

  test('50: redelivered while a retry is pending, and twice at once', async () => {
    const { receiver } = world;
    const gate = Promise.withResolvers<void>();
    const { id, path } = await world.hook([fails, { status: 200, after: gate.promise }, works]);
    await makeApp(server);
    const { id: delivery, guid } = await settled(server, id, 'retrying', 1);
    const answers = await Promise.all([again(id, delivery), again(id, delivery), again(id, delivery)]);
    for (const { status, text } of answers) assert.ok(status < 300, text);
    await receiver.received(path, 2);
    await world.comeBy();
    // However often it is requested, it is in progress once.
    assert.equal(receiver.ledger(path).length, 2);
    gate.resolve();
    await settled(server, id, 'delivered', 2);
    await world.pass(hour);
    await world.assertSilence(path);
    assert.deepEqual(
      receiver.ledger(path).map(({ headers }) => [headers['webhook-id'], headers['x-weavy-attempt']]),
      [
        [guid, '1'],
        [guid, '2'],
      ],
    );
  });

  test('50: redelivered during an attempt that fails: it is sent again at once', async () => {
    const { receiver } = world;
    const gate = Promise.withResolvers<void>();
    const { id, path } = await world.hook([fails, { status: 500, after: gate.promise }, works]);
    await makeApp(server);
    const delivery = await settled(server, id, 'retrying', 1);
    await world.pass(6 * second);
    await receiver.received(path, 2);
    await again(id, delivery.id);
    gate.resolve();
    // The clock stands still: the schedule would have had it wait for a minute.
    const { status_code } = await settled(server, id, 'delivered', 3);
    assert.equal(status_code, 200);
  });

  test('50: redelivered after it was given up: the numbers of its attempts continue, and its schedule starts over', async () => {
    const { receiver } = world;
    const { id, path } = await world.hook([{ status: 410 }, fails, works]);
    await makeApp(server);
    const failed = await settled(server, id, 'failed', 1);
    await again(id, failed.id);
    // It probes, because the breaker is open.
    await settled(server, id, 'retrying', 2);
    await again(id, failed.id);
    const delivery = await settled(server, id, 'delivered', 3);
    assert.equal(delivery.guid, failed.guid);
    assert.deepEqual(
      receiver.ledger(path).map(({ headers }) => [headers['x-weavy-attempt'], headers['x-weavy-sequence']]),
      ['1', '2', '3'].map((attempt) => [attempt, '1']),
    );
  });
});

// Time may jump: nothing is sent early, nothing is forgotten, and durations stay true.
describe('the wall clock', () => {
  test('51: +1 day in mid-retry', async () => {
    const { receiver } = world;
    const { id, path } = await world.hook([fails, works]);
    await makeApp(server);
    await settled(server, id, 'retrying');
    await world.pass(day);
    const delivery = await settled(server, id, 'delivered', 2);
    assert.equal(receiver.ledger(path).length, 2);
    for (const { duration_us } of attemptsOf(server, delivery.id)) assert.ok(duration_us > 0);
    // What is signed is the time of the server.
    const sent = Number(receiver.ledger(path)[1]?.headers['webhook-timestamp']);
    assert.ok(Math.abs(sent - world.clock.now() / 1000) < 300);
  });

  test('51: −1 day in mid-retry', async () => {
    const { receiver } = world;
    const { id, path } = await world.hook([fails, works]);
    await makeApp(server);
    await settled(server, id, 'retrying');
    await world.pass(-day);
    try {
      // New ones are not kept waiting by it, and no storm breaks out.
      await makeApp(server);
      const { duration } = await settled(server, id, 'delivered');
      assert.ok(duration !== undefined && duration > 0 && duration < 5);
      await world.assertSilence(path);
      assert.equal(receiver.ledger(path).length, 2);
    } finally {
      await world.pass(day + 6 * second);
    }
    await receiver.received(path, 3);
    await poll('both to be delivered', async () =>
      (await deliveriesOf(server, id)).every(({ status }) => status === 'delivered') ? true : undefined,
    );
  });

  test('51: the delay of the oldest delivery is reported, and its absence too', async () => {
    const { read } = server.running.db;
    const { clock, receiver } = world;
    assert.equal(await deliveryLagMs(read, clock), 0);
    const { id, path } = await world.hook(['hang'], { triggers: ['app_created'] });
    await makeApp(server);
    await receiver.received(path, 1);
    clock.move(minute);
    const late = await deliveryLagMs(read, clock);
    assert.ok(late >= minute && late < minute + 10 * second, String(late));
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    assert.equal(await deliveryLagMs(read, clock), 0);
  });
});

// A receiver may request a pause, up to a day; any other value changes nothing.
describe('the pause that a receiver requests', () => {
  test('28: 429 with Retry-After: 120, HTTP-date, past date, garbage, 10 years', async () => {
    for (const [status, asked, from, to] of [
      [429, '120', 120 * second, 121 * second],
      [503, 'in an hour', hour - 2 * second, hour],
      [429, '315360000', day, day + second],
      [429, '2', 5 * second, 6 * second],
      [503, 'Sun, 06 Nov 1994 08:49:37 GMT', 5 * second, 6 * second],
      [429, 'soon', 5 * second, 6 * second],
      [500, '120', 5 * second, 6 * second],
    ] as const) {
      // The clock goes on between the rows, so a date is made where it is sent.
      const after = asked === 'in an hour' ? new Date(world.clock.now() + hour).toUTCString() : asked;
      const { id } = await world.hook([{ status, headers: { 'retry-after': after } }]);
      await makeApp(server);
      await settled(server, id, 'retrying');
      const pause = pauseOf(server, id);
      assert.ok(pause >= from - 50 && pause <= to + 50, `${status} ${asked}: ${pause}`);
    }
  });
});
