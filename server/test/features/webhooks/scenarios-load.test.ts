import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { day, second, useDeliveryWorld } from 'confab-testing/delivery-world.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { type Receiver, startReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { processorMs } from 'confab-testing/processor-time.ts';
import { freshUid, use } from 'confab-testing/server.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';
import { attemptsOf, deliveriesOf, register, settled } from 'confab-testing/webhooks.ts';
import { createRetention } from '../../../src/features/webhooks/deliveries/retention.ts';
import { slotsPerHostMax } from '../../../src/workers/sender-slots.ts';

const works = { status: 200 };

let others: Receiver[] = [];
// First, so that no attempt is left hanging.
afterEach(async () => {
  for (const other of others) await other.close();
  others = [];
});
const world = useDeliveryWorld();
const server = use(async () => world.server);

async function otherReceiver(): Promise<Receiver> {
  const other = await startReceiver();
  others.push(other);
  return other;
}

function count(sql: string): number {
  return Number(readStore(server.folder, sql)[0]?.n);
}

/** Gives a webhook a backlog of so many deliveries behind the server's back: of one event each, like the newest that made an app. */
function backlog(webhookId: number, length: number): void {
  const at = world.clock.now();
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${length})`;
  const from = count('select max(id) as n from events');
  writeStore(
    server.folder,
    `${numbers} insert into events (action, actor_id, app_id, entity_type, entity_id, payload, created_at)
      select action, actor_id, app_id, entity_type, entity_id, payload, ${at} from events, numbers
        where id = (select max(id) from events where action = 'app_created')`,
  );
  writeStore(
    server.folder,
    `insert into deliveries (webhook_id, event_id, guid, action, trigger, status, due_at, created_at)
      select ${webhookId}, id, 'backlog-' || id, action, 'apps', 'pending', ${at}, ${at} from events where id > ${from}`,
  );
  writeStore(
    server.folder,
    `insert into tallies (parent_type, parent_id, kind, app_id, live, trashed, is_hidden)
      values ('webhook', ${webhookId}, 'delivery', 0, ${length}, 0, 0)`,
  );
  writeStore(server.folder, `update webhooks set due_at = ${at} where id = ${webhookId}`);
}

// A receiver delays only its own deliveries, however long its queue is and however it behaves.
describe('several receivers at once', () => {
  test('52: 10 k backlog with one dead endpoint', async () => {
    const dead = await otherReceiver();
    dead.answer('/', 'hang');
    const { id } = await register(server, { payload_url: `${dead.url}/`, triggers: ['apps'] });
    backlog(id, 10_000);
    await world.pass(0);
    await dead.received('/', 1);
    const app = await makeApp(server);
    const healthy = await world.hook([works], { triggers: ['comments'] });
    const latencies: number[] = [];
    for (let index = 1; index <= 20; index += 1) {
      await makeComment(server, app.uid);
      const answeredAt = performance.now();
      const request = (await world.receiver.received(healthy.path, index))[index - 1];
      latencies.push((request?.at ?? Number.POSITIVE_INFINITY) - answeredAt);
    }
    // The dead endpoint takes ten seconds of each that waits for it.
    assert.ok(Math.max(...latencies) < 5 * second, latencies.map(Math.round).join(' '));
    assert.equal(dead.ledger('/').length, 1);
  });

  test('53: 40 endpoints, half slow', async () => {
    // Five hosts of each kind, four webhooks a host.
    const [slow, fast] = await Promise.all(
      ['slow', 'fast'].map(async (kind) => {
        const hosts = await Promise.all(Array.from({ length: 5 }, otherReceiver));
        for (const host of hosts)
          for (const path of ['/a', '/b', '/c', '/d']) {
            if (kind === 'slow') host.answer(path, 'hang');
            await register(server, { payload_url: host.url + path, triggers: ['apps'] });
          }
        return hosts;
      }),
    );
    const under = () => [...(slow ?? [])].map((host) => host.all().length);
    const startedAt = performance.now();
    for (let index = 0; index < 3; index += 1) await makeApp(server);
    for (const host of fast ?? []) for (const path of ['/a', '/b', '/c', '/d']) await host.received(path, 3);
    assert.ok(performance.now() - startedAt < 8 * second);
    // What hangs has one request a webhook, and no more than its share of the slots.
    for (const requests of under()) assert.ok(requests <= 4, String(requests));
    assert.ok(under().reduce((sum, n) => sum + n, 0) <= 32);
  });

  test('53: no host and port gets more concurrent requests than its share', async () => {
    const host = await otherReceiver();
    const gate = Promise.withResolvers<void>();
    let under = 0;
    let most = 0;
    const paths = Array.from({ length: 12 }, (_, n) => `/${n}`);
    for (const path of paths) {
      host.decide(path, () => {
        under += 1;
        most = Math.max(most, under);
        const after = gate.promise.then(() => {
          under -= 1;
        });
        return { status: 200, after };
      });
      await register(server, { payload_url: host.url + path, triggers: ['apps'] });
    }
    await makeApp(server);
    // Of unknown webhooks, half of them at once.
    await poll('the first requests', () => (host.all().length >= 4 ? true : undefined));
    await world.comeBy();
    assert.equal(host.all().length, 4);
    gate.resolve();
    for (const path of paths) await host.received(path, 1);
    for (let index = 0; index < 5; index += 1) await makeApp(server);
    for (const path of paths) await host.received(path, 6);
    assert.ok(most <= slotsPerHostMax, String(most));
  });

  test('one that responds gets at most four at a time', async () => {
    const { id, path } = await world.hook([]);
    const gate = Promise.withResolvers<void>();
    world.receiver.answer(path, works, works, works, { status: 200, after: gate.promise });
    for (let index = 0; index < 3; index += 1) {
      await makeApp(server);
      await settled(server, id, 'delivered');
    }
    for (let index = 0; index < 7; index += 1) await makeApp(server);
    await world.receiver.received(path, 3 + 4);
    // Another webhook's delivery, caused later, has come by: the sender has looked at the queue again.
    await world.comeBy();
    assert.equal(world.receiver.ledger(path).length, 3 + 4);
    gate.resolve();
    const all = await world.receiver.received(path, 10);
    assert.equal(new Set(all.map((request) => request.headers['webhook-id'])).size, 10);
    await poll('all to be recorded', async () =>
      (await deliveriesOf(server, id)).every(({ status }) => status === 'delivered') ? true : undefined,
    );
  });
});

// Subscribed webhooks cost the request next to nothing, and an event without subscribers costs nothing.
describe('events and webhooks in numbers', () => {
  test('55: 100 webhooks on one event', async () => {
    const { receiver } = world;
    const app = await makeApp(server);
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        register(server, { payload_url: `${receiver.url}/many/${n}`, triggers: ['comment_created'] }),
      ),
    );
    const started = processorMs();
    await makeComment(server, app.uid);
    const tookMs = processorMs() - started;
    assert.ok(tookMs < second, String(tookMs));
    await poll('all to be delivered', () =>
      count(
        `select count(*) as n from deliveries where action = 'comment_created' and status = 'delivered'`,
      ) >= made.length
        ? true
        : undefined,
    );
    for (const { id } of made) await server.call('DELETE', `/api/webhooks/${id}`);
  });

  test('56: events with no webhook', async () => {
    const rows = () =>
      count('select (select count(*) from deliveries) + (select count(*) from attempts) as n');
    const before = rows();
    const tallies = count(`select count(*) as n from tallies where parent_type = 'webhook'`);
    for (let index = 0; index < 50; index += 1) await makeApp(server);
    assert.equal(rows(), before);
    assert.equal(count(`select count(*) as n from tallies where parent_type = 'webhook'`), tallies);
  });
});

// Deliveries past their retention are removed in small batches alongside other work; younger and waiting ones stay.
describe('the retention of deliveries', () => {
  test('57: retention job under load', async () => {
    const { receiver, clock } = world;
    const { id } = await world.hook([{ status: 200, body: 'an answer' }]);
    const waiting = await world.hook([{ status: 500 }]);
    const removed: boolean[] = [];
    const { db, log } = server.running;
    const retention = createRetention({ db, clock, log, bodyDays: 30, deliveryDays: 90 });
    for (let index = 0; index < 30; index += 1) await makeApp(server);
    await poll('all to be delivered', async () =>
      count(`select count(*) as n from deliveries where webhook_id = ${id} and status = 'delivered'`) === 30
        ? true
        : undefined,
    );
    const bodies = () =>
      count(`select count(*) as n from attempts join deliveries on deliveries.id = delivery_id
        where webhook_id = ${id} and response_body is not null`);
    const kept = () => count(`select count(*) as n from deliveries where webhook_id = ${id}`);
    await retention.sweep();
    assert.deepEqual([bodies(), kept()], [30, 30]);
    const answered = await deliveriesOf(server, id);
    clock.move(31 * day);
    await makeApp(server);
    await settled(server, id, 'delivered');
    await poll('the bodies to go', async () => {
      removed.push(await retention.sweep());
      return bodies() === 1 ? true : undefined;
    });
    // All else of an attempt is still there.
    const [attempt] = attemptsOf(server, answered[0]?.id ?? 0);
    assert.equal(attempt?.response_body, null);
    assert.equal(attempt?.status_code, 200);
    assert.ok((attempt?.request_headers ?? '').includes('webhook-id'));
    clock.move(60 * day);
    await Promise.all([
      retention.sweep(),
      ...Array.from({ length: 10 }, () => makeApp(server)),
      retention.sweep(),
    ]);
    await poll('the deliveries to go', async () => {
      removed.push(await retention.sweep());
      return kept() === 11 ? true : undefined;
    });
    await poll('what waits in vain to go as well', async () => {
      await retention.sweep();
      const old = count(
        `select count(*) as n from deliveries where webhook_id = ${waiting.id} and due_at < ${clock.now() - 90 * day}`,
      );
      return old === 0 ? true : undefined;
    });
    await poll('the last to be delivered', async () =>
      (await deliveriesOf(server, id)).every(({ status }) => status === 'delivered') ? true : undefined,
    );
    const body = await server.read(`/api/webhooks/${id}/deliveries?count_only=true`);
    assert.equal(body.count, 11);
    assert.equal(new Set(receiver.all().map(({ headers }) => headers['webhook-id'])).size > 40, true);
    // The numbers of what is gone are not given again.
    const lastNumber = count(`select max(sequence) as n from deliveries where webhook_id = ${id}`);
    assert.equal(lastNumber, 41);
    // Their events stay, so removed deliveries are indistinguishable from missing ones: see `confab doctor`.
    await server.call('DELETE', `/api/webhooks/${id}`);
    await server.call('DELETE', `/api/webhooks/${waiting.id}`);
  });
});

// Nothing grows with what was delivered: sockets close, and what is kept in memory is that of the moment.
describe('a server that delivers for a long time', () => {
  test('58: soak (short): sockets and lanes are given back', async () => {
    const { receiver } = world;
    const hooks = await Promise.all(Array.from({ length: 10 }, () => world.hook([])));
    const app = await makeApp(server, { uid: freshUid('soak') });
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const early: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        Array.from({ length: 5 }, () =>
          server.call('PATCH', `/api/apps/${app.uid}`, { name: `${round} ${freshUid('n')}` }),
        ),
      );
      if (round < 5) early.push(sockets());
    }
    for (const { path } of hooks) await receiver.received(path, 100);
    await poll('all to be recorded and every lane to be free', () =>
      count(`select count(*) as n from webhooks where lease is not null`) === 0 &&
      count(`select count(*) as n from deliveries where due_at is not null`) === 0
        ? true
        : undefined,
    );
    // Both ends of what is kept open to one host at most.
    const most = Math.max(...early) + 2 * slotsPerHostMax;
    assert.ok(sockets() <= most, `${sockets()} of ${most}`);
  });
});
