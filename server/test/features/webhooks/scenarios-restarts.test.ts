import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Problem } from 'confab-contract/problem.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { assertDeliveriesWhole } from 'confab-testing/delivery-invariant.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { startReceiver, useReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, startTestServer, type TestServer } from 'confab-testing/server.ts';
import { databaseOf, engine, storeSettings } from 'confab-testing/stores/databases.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';
import { attemptsOf, register, settled } from 'confab-testing/webhooks.ts';
import type { Db } from '../../../src/db/db.ts';
import { leaseMs } from '../../../src/features/webhooks/sending/lanes.ts';

const second = 1000;
let folder: string;
const receiver = useReceiver();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'confab-restart-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The leased webhooks. */
function leases(): unknown[] {
  return readStore(folder, 'select id, lease, leased_until from webhooks where lease is not null');
}

/** A server in a process of its own on the folder. */
type Killable = { readonly url: string; readonly key: string; readonly child: ChildProcess };

/** Starts one: one that can be killed, or with `killAt` one that kills itself at a statement of that number. */
async function startProcess(killAt?: { count: number; beginning?: string }, known = ''): Promise<Killable> {
  const program =
    killAt === undefined
      ? ['server/src/cli.ts', 'serve']
      : [
          'testing/src/killed-server.ts',
          String(killAt.count),
          ...(killAt.beginning === undefined ? [] : [killAt.beginning]),
        ];
  const child = spawn(process.execPath, program, {
    env: {
      ...process.env,
      CONFAB_DATA_DIR: folder,
      CONFAB_PORT: '0',
      CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
      CONFAB_LOG_LEVEL: 'silent',
      ...(await storeSettings(folder)),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const found = await poll('the address and the key', () => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    const key = /wys_\w+/.exec(said)?.[0] ?? (known === '' ? undefined : known);
    return url === undefined || key === undefined ? undefined : { url, key };
  });
  return { ...found, child };
}

async function send({ url, key }: Killable, path: string, body: object): Promise<number> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 201, await response.text());
  return response.status;
}

async function ended({ child }: Killable): Promise<void> {
  await poll('the process to end', () => child.signalCode ?? undefined);
}

/** Where there may be other nodes, the lease of a dead node cannot be told from that of a live one. */
function releaseDead(): void {
  if (engine === 'postgres')
    writeStore(folder, 'update webhooks set leased_until = 0 where lease is not null');
}

/** Starts the next server on the folder, for the length of `work`; the core invariant holds at the end. */
async function next(
  work: (server: TestServer) => Promise<void>,
  ...[settings, parts]: Parameters<typeof startTestServer>
): Promise<void> {
  const server = await startTestServer(settings, { ...parts, folder });
  try {
    await work(server);
    assertDeliveriesWhole(server, { receiver });
  } finally {
    await server.close();
  }
}

// What was committed is delivered, however the server ended; what was not committed is not.
describe('a server that is killed', () => {
  test('1: kill -9 between app commit and first attempt', async () => {
    const path = `/${freshUid('before')}`;
    receiver.answer(path, 'hang', { status: 200 });
    const killed = await startProcess();
    const payload_url = receiver.url + path;
    await send(killed, '/api/webhooks', { payload_url, triggers: ['apps'], ordered: true });
    await send(killed, '/api/apps', { uid: 'first', type: 'comments' });
    await receiver.received(path, 1);
    // It waits behind the first one, so nothing of it was sent when the process ends.
    await send(killed, '/api/apps', { uid: 'second', type: 'comments' });
    killed.child.kill('SIGKILL');
    await ended(killed);
    releaseDead();
    await next(async (server) => {
      await settled(server, 1, 'delivered');
      const uids = receiver.ledger(path).map(({ body }) => JSON.parse(body.toString()).app.uid);
      assert.deepEqual(uids, ['first', 'first', 'second']);
    });
  });

  test('2: kill -9 after the receiver got the request, before completion is stored', async () => {
    const path = `/${freshUid('killed')}`;
    receiver.answer(path, 'hang', { status: 200 });
    const killed = await startProcess();
    await send(killed, '/api/webhooks', { payload_url: receiver.url + path, triggers: ['apps'] });
    await send(killed, '/api/apps', { uid: 'killed', type: 'comments' });
    await receiver.received(path, 1);
    killed.child.kill('SIGKILL');
    await ended(killed);
    assert.equal(leases().length, 1);
    releaseDead();
    await next(async (server) => {
      const startedAt = performance.now();
      const [one, other] = await receiver.received(path, 2);
      // At once, not when the lease has run out.
      assert.ok(performance.now() - startedAt < leaseMs / 2);
      assert.equal(other?.headers['webhook-id'], one?.headers['webhook-id']);
      assert.equal(other?.headers['x-weavy-sequence'], one?.headers['x-weavy-sequence']);
      assert.deepEqual(other?.body, one?.body);
      const delivery = await settled(server, 1, 'delivered');
      assert.equal(attemptsOf(server, delivery.id).length, 1);
    });
  });

  test('3: kill -9 in mid-transaction', async () => {
    const path = `/${freshUid('middle')}`;
    const killed = await startProcess({ count: 3, beginning: '^insert into "events"' });
    await send(killed, '/api/webhooks', { payload_url: receiver.url + path, triggers: ['comments'] });
    await send(killed, '/api/apps', { uid: 'app', type: 'comments' });
    await assert.rejects(send(killed, '/api/apps/app/comments', { text: 'never' }));
    await ended(killed);
    releaseDead();
    await next(async (server) => {
      assert.deepEqual(readStore(folder, `select id from entries`), []);
      assert.deepEqual(readStore(folder, `select id from events where action = 'comment_created'`), []);
      await server.call('POST', '/api/apps/app/comments', { text: 'then' });
      await settled(server, 1, 'delivered');
      const texts = receiver.ledger(path).map(({ body }) => JSON.parse(body.toString()).comment.text);
      assert.deepEqual(texts, ['then']);
    });
  });

  test('4: kill -9 in a loop (random points, seeded) while comments are posted', async () => {
    const path = `/${freshUid('loop')}`;
    const acknowledged: string[] = [];
    let seed = 20_261_121;
    let key = '';
    const kills = 3;
    for (let round = 0; round < kills; round += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      const killed = await startProcess({ count: 40 + (seed % 100) }, key);
      key = killed.key;
      if (round === 0) {
        await send(killed, '/api/webhooks', { payload_url: receiver.url + path, triggers: ['comments'] });
        await send(killed, '/api/apps', { uid: 'app', type: 'comments' });
      }
      let isUp = true;
      for (let number = 0; isUp; number += 1) {
        const text = `comment ${round} ${number}`;
        isUp = await send(killed, '/api/apps/app/comments', { text }).then(
          () => acknowledged.push(text) > 0,
          () => false,
        );
      }
      await ended(killed);
      releaseDead();
    }
    await next(async () => {
      await poll('all to be delivered', () =>
        readStore(folder, `select id from deliveries where status <> 'delivered'`).length === 0
          ? true
          : undefined,
      );
      const seen = Map.groupBy(receiver.ledger(path), ({ headers }) => headers['webhook-id']);
      const texts = [...seen.values()].map(([one]) => JSON.parse(one?.body.toString() ?? '').comment.text);
      assert.deepEqual(
        acknowledged.filter((text) => !texts.includes(text)),
        [],
      );
      for (const requests of seen.values()) {
        // Sent again only what was under way at a kill.
        assert.ok(requests.length <= 1 + kills);
        assert.equal(new Set(requests.map(({ body }) => body.toString())).size, 1);
      }
      const repeated = [...seen.values()].filter((requests) => requests.length > 1).length;
      assert.ok(repeated <= kills * 40, String(repeated));
      assert.ok(acknowledged.length > 10, String(acknowledged.length));
    });
  });
});

// A stop waits for what is under way, gives up what does not end, and leaves no lease behind.
describe('a server that is stopped', () => {
  test('7: SIGTERM with 20 in flight', async () => {
    const receivers = await Promise.all(Array.from({ length: 5 }, () => startReceiver()));
    const gate = Promise.withResolvers<void>();
    const first = await startTestServer({}, { folder });
    for (const one of receivers)
      for (const path of ['/a', '/b', '/c', '/d']) {
        one.answer(path, path === '/d' ? 'trickle' : { status: 200, after: gate.promise }, { status: 200 });
        await register(first, { payload_url: one.url + path, triggers: ['apps'] });
      }
    await makeApp(first);
    for (const one of receivers)
      await poll('four requests', () => (one.all().length === 4 ? true : undefined));
    const stoppedAt = performance.now();
    const closed = first.close();
    await poll('the stop to wait for deliveries', () =>
      first.running.waitingFor() === 'webhook deliveries' ? true : undefined,
    );
    gate.resolve();
    await closed;
    const tookMs = performance.now() - stoppedAt;
    assert.ok(tookMs > 4 * second && tookMs < 30 * second, String(tookMs));
    assert.deepEqual(leases(), []);
    const statuses = readStore(folder, 'select status, count(*) as n from deliveries group by 1 order by 1');
    assert.deepEqual(
      statuses.map(({ status, n }) => [status, Number(n)]),
      [
        ['delivered', 15],
        ['pending', 5],
      ],
    );
    await next(async () => {
      for (const one of receivers) assert.equal((await one.received('/d', 2)).length, 2);
      await poll('all to be delivered', () =>
        readStore(folder, `select id from deliveries where status <> 'delivered'`).length === 0
          ? true
          : undefined,
      );
    });
    for (const one of receivers) await one.close();
  });

  test('7: the next server continues, with the same guid and the same bytes', async () => {
    const path = `/${freshUid('restart')}`;
    receiver.answer(path, { status: 500 }, { status: 200 });
    const clock = movableClock();
    const first = await startTestServer({}, { folder, clock });
    const { id } = await register(first, { payload_url: receiver.url + path, triggers: ['apps'] });
    await makeApp(first);
    const { guid } = await settled(first, id, 'retrying');
    await first.close();
    assert.deepEqual(leases(), []);
    clock.move(6 * second);
    await next(
      async (server) => {
        const delivery = await settled(server, id, 'delivered');
        assert.equal(delivery.guid, guid);
        assert.equal(attemptsOf(server, delivery.id).length, 2);
        const [one, other] = receiver.ledger(path);
        assert.deepEqual(other?.body, one?.body);
      },
      {},
      { clock },
    );
  });

  test('40: the operator closes the address while retries are pending', async () => {
    const path = `/${freshUid('closed')}`;
    receiver.answer(path, { status: 500 });
    const clock = movableClock();
    const first = await startTestServer({}, { folder, clock });
    const { id } = await register(first, { payload_url: receiver.url + path, triggers: ['apps'] });
    await makeApp(first);
    await settled(first, id, 'retrying');
    await first.close();
    clock.move(6 * second);
    await next(
      async (server) => {
        const delivery = await settled(server, id, 'failed');
        assert.equal(delivery.status_code, undefined);
        assert.deepEqual(
          attemptsOf(server, delivery.id).map((attempt) => attempt.error),
          ['http_500', 'blocked_address'],
        );
        assert.equal(receiver.ledger(path).length, 1);
      },
      { CONFAB_EGRESS_ALLOW: '' },
      { clock },
    );
  });
});

// A store that is away for a while loses no status: what became of attempts is recorded when it is back.
describe('a store that fails', () => {
  /** The store, whose writes fail while `isAway` returns true. */
  function failing(db: Db, isAway: () => boolean): Db {
    const away = () => Promise.reject(new Problem('storage_unavailable', 'The store is away.'));
    const write: Db['write'] = (work, kind) => (isAway() ? away() : db.write(work, kind));
    return new Proxy(db, {
      get(target, name) {
        const value: unknown = name === 'write' ? write : Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  test('9: serialization failure or pool exhaustion on completion', async () => {
    const path = `/${freshUid('away')}`;
    const gate = Promise.withResolvers<void>();
    receiver.answer(path, { status: 200, after: gate.promise });
    let refused = 0;
    let isAway = false;
    const wrapDb = (db: Db): Db =>
      failing(db, () => {
        if (isAway) refused += 1;
        return isAway;
      });
    await next(
      async (server) => {
        const { id } = await register(server, { payload_url: receiver.url + path, triggers: ['apps'] });
        await makeApp(server);
        await receiver.received(path, 1);
        isAway = true;
        gate.resolve();
        await poll('the recorder to be refused twice', () => (refused >= 2 ? true : undefined));
        isAway = false;
        const delivery = await settled(server, id, 'delivered');
        assert.equal(attemptsOf(server, delivery.id).length, 1);
        assert.equal(receiver.ledger(path).length, 1);
      },
      {},
      { wrapDb },
    );
  });

  test('8: database restarted or connection cut during send', async () => {
    const path = `/${freshUid('cut')}`;
    const gate = Promise.withResolvers<void>();
    receiver.answer(path, { status: 200, after: gate.promise }, { status: 200 });
    await next(async (server) => {
      const { id } = await register(server, { payload_url: receiver.url + path, triggers: ['apps'] });
      await makeApp(server);
      await receiver.received(path, 1);
      cut();
      gate.resolve();
      await settled(server, id, 'delivered');
      await poll('the server to be itself again', async () => {
        const response = await fetch(`${server.url}/readyz`);
        return response.status === 200 ? true : undefined;
      });
      await makeApp(server);
      await receiver.received(path, 2);
      await settled(server, id, 'delivered');
      assert.equal(receiver.ledger(path).length, 2);
    });
  });

  /** Ends every connection of the server to its database; a file has none that could be cut. */
  function cut(): void {
    if (engine === 'sqlite') return;
    const name = new URL(databaseOf(folder) ?? '').pathname.slice(1);
    readStore(
      folder,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    );
  }
});
