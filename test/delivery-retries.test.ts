import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { verify } from '@octokit/webhooks-methods';
import type { App } from '../src/contract/apps.ts';
import type { Webhook } from '../src/contract/webhooks.ts';
import { deliveryLagMs } from '../src/features/webhooks/lanes.ts';
import { type MovableClock, movableClock } from './support/clock.ts';
import { makeApp, makeComment } from './support/fixtures.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { freshUid, startTestServer, type TestServer } from './support/server.ts';
import { watchStore } from './support/store-watch.ts';
import {
  attemptsOf,
  completenessFaults,
  deliveriesOf,
  nudge,
  pauseOf,
  register,
  settled,
} from './support/webhooks.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const fails = { status: 500 };
const works = { status: 200 };

let server: TestServer;
let receiver: Receiver;
let clock: MovableClock;
let aside: App;
before(async () => {
  clock = movableClock();
  server = await startTestServer({}, { clock });
  receiver = await startReceiver();
  aside = await makeApp(server);
});
afterEach(async () => {
  const { body } = await server.call('GET', '/api/webhooks?top=100');
  for (const webhook of body.data as Webhook[]) await server.call('DELETE', `/api/webhooks/${webhook.id}`);
});
after(async () => {
  // First, so that no attempt is left hanging.
  await receiver.close();
  await server.close();
});

/** Registers a webhook for apps on a path of its own, which answers like this. */
async function hook(
  replies: Parameters<Receiver['answer']>[1][],
  fields: object = {},
): Promise<{ id: number; path: string }> {
  const path = `/${freshUid('hook')}`;
  receiver.answer(path, ...replies);
  const body = { payload_url: receiver.url + path, triggers: ['apps'], ...fields };
  return { id: (await register(server, body)).id, path };
}

/** Puts the clock forward and lets the sender know. */
async function pass(ms: number): Promise<void> {
  clock.move(ms);
  await nudge(server);
}

/** Fails unless nothing more reaches `path`: another delivery, due later, comes by meanwhile. */
async function assertSilence(path: string): Promise<void> {
  const before = receiver.ledger(path).length;
  const other = await hook([works], { triggers: ['comments'] });
  await makeComment(server, aside.uid);
  await settled(server, other.id, 'delivered');
  assert.equal(receiver.ledger(path).length, before);
}

// A delivery that fails is sent again by the schedule: the same bytes and guid, numbered attempts, never early.
describe('a delivery that fails', () => {
  test('twice and then succeeds has three attempts of the same bytes', async () => {
    const { id, path } = await hook([fails, fails, works], { secret: 'a secret' });
    await makeApp(server);
    const first = await settled(server, id, 'retrying', 1);
    assert.equal(first.status_code, 500);
    const pauses = [pauseOf(server, id)];
    await pass(6 * second);
    await settled(server, id, 'retrying', 2);
    pauses.push(pauseOf(server, id));
    await pass(66 * second);
    const last = await settled(server, id, 'delivered');
    assert.equal(last.status_code, 200);
    assert.equal(last.guid, first.guid);
    assert.ok(pauses[0] !== undefined && pauses[0] >= 5 * second - 5 && pauses[0] < 6 * second + 50);
    assert.ok(pauses[1] !== undefined && pauses[1] >= minute - 5 && pauses[1] < 66 * second + 50);
    const requests = receiver.ledger(path);
    assert.equal(requests.length, 3);
    assert.equal(new Set(requests.map((request) => request.body.toString())).size, 1);
    assert.deepEqual(
      requests.map((request) => [request.headers['webhook-id'], request.headers['x-weavy-attempt']]),
      ['1', '2', '3'].map((number) => [first.guid, number]),
    );
    // The time that is signed is that of the attempt.
    assert.equal(new Set(requests.map((request) => request.headers['webhook-timestamp'])).size, 3);
    const kept = attemptsOf(server, last.id);
    assert.deepEqual(
      kept.map(({ number, status_code, error }) => [number, status_code, error]),
      [
        [1, 500, 'http_500'],
        [2, 500, 'http_500'],
        [3, 200, null],
      ],
    );
  });

  test('is given up after eleven attempts', async () => {
    const { id, path } = await hook([fails]);
    await makeApp(server);
    for (let number = 1; number <= 10; number += 1) {
      await settled(server, id, 'retrying', number);
      await pass(day + 15 * minute);
    }
    await settled(server, id, 'failed', 11);
    await pass(10 * day);
    await assertSilence(path);
    assert.equal(receiver.ledger(path).length, 11);
    assert.equal((await server.call('GET', `/api/webhooks/${id}`)).body.is_enabled, true);
  });

  test('is not sent before its time', async () => {
    const { id, path } = await hook([fails, works]);
    await makeApp(server);
    await settled(server, id, 'retrying');
    await pass(3 * second);
    await assertSilence(path);
    await pass(3 * second);
    await settled(server, id, 'delivered');
    assert.equal(receiver.ledger(path).length, 2);
  });

  test('waits as long as a 429 or 503 asks for, and a day at most', async () => {
    for (const [status, asked, from, to] of [
      [429, '120', 120 * second, 121 * second],
      [503, new Date(clock.now() + hour).toUTCString(), hour - 2 * second, hour],
      [429, '315360000', day, day + second],
      [429, '2', 5 * second, 6 * second],
      [503, 'Sun, 06 Nov 1994 08:49:37 GMT', 5 * second, 6 * second],
      [429, 'soon', 5 * second, 6 * second],
      [500, '120', 5 * second, 6 * second],
    ] as const) {
      const { id } = await hook([{ status, headers: { 'retry-after': asked } }]);
      await makeApp(server);
      await settled(server, id, 'retrying');
      const pause = pauseOf(server, id);
      assert.ok(pause >= from - 50 && pause <= to + 50, `${status} ${asked}: ${pause}`);
    }
  });

  test('with 410 is not sent again', async () => {
    const { id, path } = await hook([{ status: 410 }]);
    await makeApp(server);
    const delivery = await settled(server, id, 'failed');
    assert.equal(delivery.status_code, 410);
    await pass(day);
    await assertSilence(path);
  });

  for (const status of [301, 302, 307, 308])
    test(`with the redirect ${status} is not followed`, async () => {
      const canary = `/${freshUid('canary')}`;
      const { id, path } = await hook([{ status, headers: { location: receiver.url + canary } }, works]);
      await makeApp(server);
      const delivery = await settled(server, id, 'retrying');
      assert.equal(delivery.status_code, status);
      const [attempt] = attemptsOf(server, delivery.id);
      assert.equal(attempt?.error, 'redirect');
      assert.equal(JSON.parse(attempt?.response_headers ?? '{}').location, receiver.url + canary);
      await pass(6 * second);
      await settled(server, id, 'delivered');
      assert.equal(receiver.ledger(path).length, 2);
      assert.deepEqual(receiver.ledger(canary), []);
    });

  test('because nothing listens has no status and goes on', async () => {
    const gone = await startReceiver();
    await gone.close();
    const { id } = await register(server, { payload_url: `${gone.url}/`, triggers: ['apps'] });
    await makeApp(server);
    const delivery = await settled(server, id, 'retrying');
    assert.equal(delivery.status_code, undefined);
    assert.equal(attemptsOf(server, delivery.id)[0]?.error, 'connect_refused');
  });
});

// A change of a webhook holds from the next attempt on; what a delivery says was settled when its event committed.
describe('a webhook that changes between attempts', () => {
  test('sends nothing while disabled and goes on when it is enabled again', async () => {
    const { id, path } = await hook([fails, works]);
    await makeApp(server);
    await settled(server, id, 'retrying');
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    await pass(day);
    await assertSilence(path);
    assert.deepEqual(
      (await deliveriesOf(server, id)).map((delivery) => delivery.status),
      ['retrying'],
    );
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: true });
    await settled(server, id, 'delivered');
    assert.equal(receiver.ledger(path).length, 2);
    assert.deepEqual(completenessFaults(server), []);
  });

  test('is not sent to again once it was deleted, even by an attempt that was running', async () => {
    const gate = Promise.withResolvers<void>();
    const { id, path } = await hook([{ status: 500, after: gate.promise }]);
    await makeApp(server);
    await receiver.received(path, 1);
    assert.equal((await server.call('DELETE', `/api/webhooks/${id}`)).status, 204);
    gate.resolve();
    await pass(day);
    await assertSilence(path);
    const watch = watchStore(server.folder);
    try {
      assert.deepEqual(watch.rows(`select * from deliveries where webhook_id = ${id}`), []);
    } finally {
      watch.close();
    }
  });

  test('disabled during an attempt keeps what came of it and starts no other', async () => {
    const gate = Promise.withResolvers<void>();
    const { id, path } = await hook([{ status: 500, after: gate.promise }, works]);
    await makeApp(server);
    await makeApp(server);
    await receiver.received(path, 1);
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    gate.resolve();
    await pass(day);
    await assertSilence(path);
    const statuses = (await deliveriesOf(server, id)).map((delivery) => delivery.status);
    assert.deepEqual(statuses, ['pending', 'retrying']);
  });

  test('signs with the secret of the moment, and not at all without one', async () => {
    const { id, path } = await hook([fails, fails, fails, works], { secret: 'first' });
    await makeApp(server);
    await settled(server, id, 'retrying', 1);
    await server.call('PATCH', `/api/webhooks/${id}`, { secret: 'second' });
    await pass(6 * second);
    await settled(server, id, 'retrying', 2);
    await server.call('PATCH', `/api/webhooks/${id}`, { secret: null });
    await pass(66 * second);
    await settled(server, id, 'retrying', 3);
    const [first, other, unsigned] = receiver.ledger(path);
    assert.ok(first !== undefined && other !== undefined && unsigned !== undefined);
    assert.equal(
      await verify('first', first.body.toString(), first.headers['x-hub-signature-256'] ?? ''),
      true,
    );
    assert.equal(
      await verify('second', other.body.toString(), other.headers['x-hub-signature-256'] ?? ''),
      true,
    );
    for (const name of ['x-hub-signature-256', 'x-weavy-signature', 'webhook-signature'])
      assert.equal(unsigned.headers[name], undefined);
    assert.deepEqual(other.body, first.body);
    assert.deepEqual(unsigned.body, first.body);
  });

  test('sends the next attempt to its new address, for triggers it had', async () => {
    const { id, path } = await hook([fails]);
    await makeApp(server);
    const { event_id } = await settled(server, id, 'retrying');
    const moved = `${path}/moved`;
    await server.call('PATCH', `/api/webhooks/${id}`, {
      payload_url: receiver.url + moved,
      triggers: ['posts'],
    });
    await makeApp(server);
    await pass(6 * second);
    const delivery = await settled(server, id, 'delivered');
    assert.equal(delivery.event_id, event_id);
    assert.equal(receiver.ledger(path).length, 1);
    assert.equal(receiver.ledger(moved).length, 1);
    assert.equal((await deliveriesOf(server, id)).length, 1);
    assert.deepEqual(completenessFaults(server), []);
  });

  test('sends what the event said, whatever became of the app since', async () => {
    const { id, path } = await hook([fails, works], { triggers: ['app_created'] });
    const app = await makeApp(server, { name: 'before' });
    await settled(server, id, 'retrying');
    await server.call('PATCH', `/api/apps/${app.uid}`, { name: 'after' });
    await server.call('POST', `/api/apps/${app.uid}/trash`);
    await pass(6 * second);
    await settled(server, id, 'delivered');
    const bodies = receiver.ledger(path).map((request) => JSON.parse(request.body.toString()).app.name);
    assert.deepEqual(bodies, ['before', 'before']);
  });
});

// Time may jump: nothing is sent early, durations stay true, and what waits is told to the readiness page.
describe('the clock', () => {
  test('put back by a day delays nothing that is new and keeps durations', async () => {
    clock.move(-day);
    const { id } = await hook([works], { triggers: ['app_created'] });
    await makeApp(server);
    const { duration } = await settled(server, id, 'delivered');
    assert.ok(duration !== undefined && duration > 0 && duration < 5);
    clock.move(day);
  });

  test('shows how late the oldest delivery is, and that none is', async () => {
    const { read } = server.running.db;
    assert.equal(await deliveryLagMs(read, clock), 0);
    const { id, path } = await hook(['hang'], { triggers: ['app_created'] });
    await makeApp(server);
    await receiver.received(path, 1);
    clock.move(minute);
    const late = await deliveryLagMs(read, clock);
    assert.ok(late >= minute && late < minute + 10 * second, String(late));
    await server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    assert.equal(await deliveryLagMs(read, clock), 0);
  });
});
