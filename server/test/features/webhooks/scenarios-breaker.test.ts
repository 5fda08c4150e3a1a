import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  day,
  hour,
  minute,
  second,
  startDeliveryWorld,
  useDeliveryWorld,
} from 'confab-testing/delivery-world.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import type { Received } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { attemptsOf, deliveriesOf, pauseOf, settled } from 'confab-testing/webhooks.ts';
import { retryDelaysMs, scheduleMs } from '../../../src/features/webhooks/sending/retry.ts';

const fails = { status: 500 };
const works = { status: 200 };

const world = useDeliveryWorld();

/** The actions in the log about one webhook, in their order. */
function logOf(id: number): string[] {
  const sql = `select action from events where entity_type = 'webhook' and entity_id = ${id} order by id`;
  return readStore(world.server.folder, sql).map((row) => String(row['action']));
}

/** The uids of the apps in the requests. */
function uidsOf(requests: readonly Received[]): string[] {
  return requests.map(({ body }) => JSON.parse(body.toString()).app.uid);
}

/** Lets a webhook fail until its breaker opens; the first attempt is due. */
async function open(id: number): Promise<void> {
  await poll('the breaker to open', async () => {
    if ((await world.breaker(id)).state === 'open') return true;
    await world.pass(6 * minute);
    return undefined;
  });
}

/** Waits until a webhook has had `count` attempts in all, and all are recorded. */
async function attempted(id: number, count: number): Promise<void> {
  const sql = `select coalesce(sum(attempts), 0) as n from deliveries where webhook_id = ${id}`;
  await poll(`${count} attempts of webhook ${id}`, () =>
    Number(readStore(world.server.folder, sql)[0]?.['n']) >= count ? true : undefined,
  );
}

// One delivery that is refused for ever is given up by the schedule; a receiver that refuses all is paused, and its
// deliveries lose nothing by it.
describe('a receiver that answers 500 for ever', () => {
  test('13: 500 forever for one delivery while others succeed: eleven attempts, then failed', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([]);
    const isPoison = (request: Received) => JSON.parse(request.body.toString()).app.name === 'poison';
    receiver.decide(path, (request) => (isPoison(request) ? fails : works));
    await makeApp(server, { name: 'poison' });
    const deliveryOf = async () =>
      (await deliveriesOf(server, id)).find((one) => one.status !== 'delivered' && one.status !== 'pending');
    let waitedMs = 0;
    for (let number = 1; number <= retryDelaysMs.length; number += 1) {
      const delivery = await poll(`attempt ${number}`, async () => {
        const one = await deliveryOf();
        return one !== undefined && attemptsOf(server, one.id).length === number ? one : undefined;
      });
      assert.equal(delivery.status, 'retrying');
      // Another one gets through, so the receiver is not to blame.
      await makeApp(server);
      await settled(server, id, 'delivered');
      const [row] = readStore(
        server.folder,
        `select due_at - (select started_at + duration_us / 1000 from attempts where delivery_id = ${delivery.id}
          and number = ${number}) as pause from deliveries where id = ${delivery.id}`,
      );
      waitedMs += Number(row?.['pause']);
      await world.pass((retryDelaysMs[number - 1] ?? 0) + 16 * minute);
    }
    const failed = await poll('it to be given up', async () =>
      (await deliveriesOf(server, id)).find((one) => one.status === 'failed'),
    );
    assert.equal(attemptsOf(server, failed.id).length, 11);
    assert.ok(waitedMs >= scheduleMs - 100 && waitedMs <= scheduleMs * 1.1 + minute, String(waitedMs));
    assert.deepEqual(await world.breaker(id), { state: 'closed' });
    await world.pass(10 * day);
    await world.assertSilence(path);
    assert.equal(receiver.ledger(path).filter(isPoison).length, 11);
  });

  test('13: 500 forever for all: the breaker opens after four attempts, and no probe uses up another', async () => {
    const { server, receiver, clock } = world;
    const { id, path } = await world.hook([fails]);
    await makeApp(server);
    for (const [number, ms] of [6 * second, 70 * second, 6 * minute].entries()) {
      await settled(server, id, 'retrying', number + 1);
      assert.deepEqual(await world.breaker(id), { state: 'closed' });
      await world.pass(ms);
    }
    await settled(server, id, 'retrying', 4);
    const breaker = await world.breaker(id);
    assert.equal(breaker.state, 'open');
    assert.equal(breaker.reason, 'http_500');
    assert.ok(Math.abs(Date.parse(breaker.opened_at ?? '') - clock.now()) < 5 * second);
    let pauseMs = Date.parse(breaker.next_probe_at ?? '') - Date.parse(breaker.opened_at ?? '');
    assert.equal(pauseMs, minute);
    // More than the schedule has attempts, at 1, 2, 4 … minutes, up to a day.
    const pauses = [pauseMs];
    for (let probe = 1; probe <= 14; probe += 1) {
      await world.pass(pauseMs - second);
      if (probe < 3) await world.assertSilence(path);
      await world.pass(2 * second);
      await settled(server, id, 'retrying', 4 + probe);
      const { next_probe_at } = await world.breaker(id);
      pauseMs = Date.parse(next_probe_at ?? '') - clock.now();
      pauses.push(pauseMs);
    }
    const expected = pauses.map((_, index) => Math.min(minute * 2 ** index, day));
    for (const [index, pause] of pauses.entries())
      assert.ok(Math.abs(pause - (expected[index] ?? 0)) < 5 * second, `${index}: ${pause}`);
    assert.equal(receiver.ledger(path).length, 18);
    assert.deepEqual(logOf(id), ['webhook_created', 'webhook_paused']);
    const paused = `select payload from events where action = 'webhook_paused' and entity_id = ${id}`;
    const { actor } = JSON.parse(`{${readStore(server.folder, paused)[0]?.['payload']}}`);
    assert.deepEqual([actor.uid, actor.kind, actor.api_key_id], ['system', 'bot', undefined]);
    receiver.answer(path, works);
    await world.pass(day);
    await settled(server, id, 'delivered', 19);
    assert.deepEqual(await world.breaker(id), { state: 'closed' });
    assert.deepEqual(logOf(id), ['webhook_created', 'webhook_paused', 'webhook_resumed']);
  });

  test('13: the attempts of a delivery that was a probe continue by its own schedule', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([fails]);
    await makeApp(server);
    await open(id);
    await attempted(id, 4);
    // A success of another closes the breaker; this one has had four counted attempts and two probes.
    for (const probe of [1, 2]) {
      await world.pass(2 ** probe * minute);
      await attempted(id, 4 + probe);
    }
    const [first] = receiver.ledger(path);
    receiver.decide(path, (request) =>
      request.headers['webhook-id'] === first?.headers['webhook-id'] ? fails : works,
    );
    await makeApp(server);
    await poll('the breaker to close', async () => {
      await world.pass(20 * minute);
      return (await world.breaker(id)).state === 'closed' ? true : undefined;
    });
    const counted = await poll('one more attempt of the first that counts', async () => {
      await world.pass(hour);
      const guid = first?.headers['webhook-id'];
      const sql = `select attempts - schedule_from as counted from deliveries where guid = '${guid}'`;
      const is = Number(readStore(server.folder, sql)[0]?.counted);
      return is > 4 ? is : undefined;
    });
    assert.equal(counted, 5);
  });

  test('13: a delivery that was a probe keeps the pause that it was in when another closes the breaker', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([fails]);
    await makeApp(server);
    await open(id);
    await world.pass(minute);
    await attempted(id, 5);
    const guid = receiver.ledger(path)[0]?.headers['webhook-id'];
    const ofFirst = () => receiver.ledger(path).filter((each) => each.headers['webhook-id'] === guid).length;
    receiver.decide(path, (request) => (request.headers['webhook-id'] === guid ? fails : works));
    await makeApp(server);
    await world.pass(2 * minute);
    await settled(server, id, 'delivered', 1);
    assert.deepEqual(await world.breaker(id), { state: 'closed' });
    // It waits for half an hour since its fourth attempt, of which three minutes are over. What is created now comes later.
    await world.pass(20 * minute);
    await makeApp(server);
    await settled(server, id, 'delivered', 1);
    assert.equal(ofFirst(), 5);
    await world.pass(11 * minute);
    await attempted(id, 8);
    assert.equal(ofFirst(), 6);
  });

  test('a webhook with a new address, or enabled again, probes at once', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([fails]);
    await makeApp(server);
    await open(id);
    const moved = `${path}-moved`;
    await server.call('PATCH', `/api/webhooks/${id}`, { payload_url: receiver.url + moved });
    await settled(server, id, 'delivered');
    assert.equal(receiver.ledger(moved).length, 1);
    assert.deepEqual(await world.breaker(id), { state: 'closed' });
  });

  test('46: a webhook whose address changes during a probe probes the new address at once', async () => {
    const { server, receiver } = world;
    const gate = Promise.withResolvers<void>();
    const { id, path } = await world.hook([fails, fails, fails, fails, { status: 500, after: gate.promise }]);
    await makeApp(server);
    await open(id);
    await world.pass(2 * minute);
    await receiver.received(path, 5);
    const moved = `${path}-moved`;
    await server.call('PATCH', `/api/webhooks/${id}`, { payload_url: receiver.url + moved });
    gate.resolve();
    await settled(server, id, 'delivered', 6);
    assert.equal(receiver.ledger(moved).length, 1);
  });

  test('a webhook is disabled after days of failures only where that is configured', async () => {
    const other = await startDeliveryWorld({ CONFAB_WEBHOOK_DISABLE_DAYS: '5' });
    try {
      const { id } = await other.hook([fails]);
      await makeApp(other.server);
      for (let number = 1; number <= 3; number += 1) {
        await settled(other.server, id, 'retrying', number);
        await other.pass(6 * minute);
      }
      await settled(other.server, id, 'retrying', 4);
      await other.pass(4 * day);
      await settled(other.server, id, 'retrying', 5);
      const isEnabled = async () => (await other.server.read(`/api/webhooks/${id}`)).is_enabled as boolean;
      assert.equal(await isEnabled(), true);
      await other.pass(2 * day);
      await poll('it to be disabled', async () => ((await isEnabled()) ? undefined : true));
      const sql = `select action from events where entity_type = 'webhook' order by id`;
      assert.deepEqual(
        readStore(other.server.folder, sql).map((row) => row['action']),
        ['webhook_created', 'webhook_paused', 'webhook_updated'],
      );
      await other.endScenario();
    } finally {
      await other.close();
    }
  });
});

// A receiver that reports it is gone is not called again soon, and its waiting deliveries are not sent.
describe('a receiver that is gone', () => {
  test('27: 410 fails the delivery, pauses the webhook, and no more is sent', async () => {
    const { server, receiver, clock } = world;
    const { id, path } = await world.hook([{ status: 410 }]);
    await makeApp(server);
    const delivery = await settled(server, id, 'failed');
    assert.equal(delivery.status_code, 410);
    const breaker = await world.breaker(id);
    assert.equal(breaker.state, 'open');
    assert.equal(breaker.reason, 'gone');
    assert.ok(Date.parse(breaker.next_probe_at ?? '') - clock.now() > day - minute);
    await makeApp(server);
    await world.pass(23 * hour);
    await world.assertSilence(path);
    assert.equal(receiver.ledger(path).length, 1);
    // It is probed once a day, and that does not use up the delivery's attempts.
    await world.pass(2 * hour);
    await settled(server, id, 'retrying', 1);
    receiver.answer(path, works);
    await world.pass(25 * hour);
    await settled(server, id, 'delivered', 2);
    assert.deepEqual(
      (await deliveriesOf(server, id)).map(({ status }) => status),
      ['delivered', 'failed'],
    );
  });
});

// What waited for a receiver that was away comes in its order, no more at a time than before, and nothing is missing.
describe('a receiver that comes back', () => {
  test('54: drains its backlog in order, at the limit of its lane', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([fails]);
    await makeApp(server);
    await open(id);
    const made: string[] = [];
    for (let index = 0; index < 40; index += 1) made.push((await makeApp(server)).uid);
    let under = 0;
    let most = 0;
    const before = receiver.ledger(path).length;
    receiver.decide(path, () => {
      under += 1;
      most = Math.max(most, under);
      const answered = Promise.resolve().then(() => {
        under -= 1;
      });
      return { status: 200, after: answered };
    });
    await world.pass(hour);
    await receiver.received(path, before + 41);
    await settled(server, id, 'delivered');
    const requests = receiver.ledger(path).slice(before);
    const firstOf = new Map(requests.map((request, index) => [uidsOf([request])[0], index]));
    // Up to four are on their way at once, so neighbours may overtake each other, and no others.
    for (const [index, uid] of made.entries())
      assert.ok(Math.abs((firstOf.get(uid) ?? -99) - index) <= 4, `${uid} at ${firstOf.get(uid)}`);
    assert.equal(requests.length, 41);
    assert.ok(most <= 4, String(most));
  });

  test('54: drains an ordered backlog one by one in the order of the events', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([fails], { ordered: true });
    const made = [(await makeApp(server)).uid];
    await settled(server, id, 'retrying');
    for (let index = 0; index < 20; index += 1) made.push((await makeApp(server)).uid);
    await open(id);
    const before = receiver.ledger(path);
    // While the first was refused none of the others was sent.
    assert.deepEqual([...new Set(uidsOf(before))], [made[0]]);
    receiver.answer(path, works);
    await world.pass(hour);
    await receiver.received(path, before.length + made.length);
    await poll('all to be delivered', async () =>
      (await deliveriesOf(server, id)).every(({ status }) => status === 'delivered') ? true : undefined,
    );
    const requests = receiver.ledger(path).slice(before.length);
    assert.deepEqual(uidsOf(requests), made);
    assert.deepEqual(
      requests.map(({ headers }) => headers['x-weavy-sequence']),
      made.map((_, index) => String(index + 1)),
    );
  });

  test('54: an ordered webhook gives up a delivery that failed for longer than a whole schedule', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([], { ordered: true });
    const isPoison = (request: Received) => JSON.parse(request.body.toString()).app.name === 'poison';
    receiver.decide(path, (request) => (isPoison(request) ? fails : works));
    await makeApp(server, { name: 'poison' });
    const next = (await makeApp(server)).uid;
    await open(id);
    await poll('the first to be given up', async () => {
      await world.pass(day);
      return (await deliveriesOf(server, id)).some(({ status }) => status === 'failed') ? true : undefined;
    });
    await world.pass(day);
    await settled(server, id, 'delivered');
    assert.equal(uidsOf(receiver.ledger(path)).at(-1), next);
    assert.deepEqual(await world.breaker(id), { state: 'closed' });
  });
});

// Each delivery has a number of its own, given once and without gaps, which every attempt carries.
describe('the numbers of deliveries', () => {
  test('are those of the order in which they were first sent, the same on every attempt', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([works, fails, works]);
    for (let index = 0; index < 3; index += 1) {
      await makeApp(server);
      await receiver.received(path, index + 1);
    }
    await world.pass(6 * second);
    await receiver.received(path, 4);
    await settled(server, id, 'delivered');
    const numbers = receiver.ledger(path).map(({ headers }) => headers['x-weavy-sequence']);
    assert.deepEqual(numbers, ['1', '2', '3', '2']);
    assert.deepEqual(
      (await deliveriesOf(server, id)).map((delivery) => delivery.sequence),
      [3, 2, 1],
    );
  });

  test('are without gaps under load', async () => {
    const { server, receiver } = world;
    const { path } = await world.hook([]);
    let asked = 0;
    receiver.decide(path, () => {
      asked += 1;
      return asked % 7 === 0 ? fails : works;
    });
    await Promise.all(Array.from({ length: 80 }, () => makeApp(server)));
    await poll('all to be delivered', async () => {
      await world.pass(hour);
      const sql = `select id from deliveries where status <> 'delivered'`;
      return readStore(server.folder, sql).length === 0 ? true : undefined;
    });
    const numbers = new Set(receiver.ledger(path).map(({ headers }) => Number(headers['x-weavy-sequence'])));
    assert.deepEqual(
      [...numbers].sort((one, other) => one - other),
      Array.from({ length: 80 }, (_, n) => n + 1),
    );
  });
});

// A receiver that times out rests for a minute, and one that requests a pause gets it.
describe('a receiver that is slow or busy', () => {
  test('28: 429 with Retry-After pauses its whole webhook', async () => {
    const { server, receiver } = world;
    const busy = { status: 429, headers: { 'retry-after': '120' } };
    const { id, path } = await world.hook([busy, works]);
    await makeApp(server);
    await settled(server, id, 'retrying');
    assert.ok(pauseOf(server, id) >= 120 * second);
    await makeApp(server);
    await world.pass(100 * second);
    await world.assertSilence(path);
    await world.pass(21 * second);
    await receiver.received(path, 3);
    await settled(server, id, 'delivered');
  });

  test('28: 504 pauses the receiver for a minute', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([{ status: 504 }, works]);
    await makeApp(server);
    await settled(server, id, 'retrying');
    await makeApp(server);
    await world.pass(50 * second);
    await world.assertSilence(path);
    await world.pass(12 * second);
    await receiver.received(path, 3);
    await settled(server, id, 'delivered');
  });
});
