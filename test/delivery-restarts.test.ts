import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { movableClock } from './support/clock.ts';
import { engine, storeSettings } from './support/databases.ts';
import { makeApp } from './support/fixtures.ts';
import { poll } from './support/poll.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { freshUid, startTestServer } from './support/server.ts';
import { watchStore, writeStore } from './support/store-watch.ts';
import { attemptsOf, completenessFaults, register, settled } from './support/webhooks.ts';

let receiver: Receiver;
let folder: string;
before(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'confab-restart-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
after(() => receiver.close());

const second = 1000;

/** The webhooks that somebody holds a lease of. */
function leases(): unknown[] {
  const watch = watchStore(folder);
  try {
    return watch.rows('select id, lease, leased_until from webhooks where lease is not null');
  } finally {
    watch.close();
  }
}

/** A server in a process of its own on the folder, so that it can be killed; answers where it listens. */
async function startProcess(): Promise<{ url: string; key: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ['src/cli.ts', 'serve'], {
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
  const found = await poll('the address and the first key', () => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    const first = /wys_\w+/.exec(said)?.[0];
    return url === undefined || first === undefined ? undefined : { url, key: first };
  });
  return { ...found, child };
}

// What was not delivered when a server ended, however it ended, is delivered by the next one on the folder.
describe('deliveries over a restart', () => {
  test('go on with the next server, under the same guid and with the same bytes', async () => {
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
    const next = await startTestServer({}, { folder, clock });
    try {
      const delivery = await settled(next, id, 'delivered');
      assert.equal(delivery.guid, guid);
      assert.equal(attemptsOf(next, delivery.id).length, 2);
      const [one, other] = receiver.ledger(path);
      assert.deepEqual(other?.body, one?.body);
      assert.deepEqual(completenessFaults(next), []);
    } finally {
      await next.close();
    }
  });

  test('go again when the process was killed while the receiver had the request', async () => {
    const path = `/${freshUid('killed')}`;
    receiver.answer(path, 'hang', { status: 200 });
    const killed = await startProcess();
    const send = async (way: string, body: object) => {
      const response = await fetch(killed.url + way, {
        method: 'POST',
        headers: { authorization: `Bearer ${killed.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 201, await response.text());
    };
    await send('/api/webhooks', { payload_url: receiver.url + path, triggers: ['apps'] });
    await send('/api/apps', { uid: 'killed', type: 'comments' });
    await receiver.received(path, 1);
    killed.child.kill('SIGKILL');
    await poll('the process to end', () => killed.child.signalCode ?? undefined);
    assert.equal(leases().length, 1);
    // Where there may be other nodes, this one cannot know that the lease is of one that is dead.
    if (engine === 'postgres') writeStore(folder, 'update webhooks set leased_until = 0');
    const next = await startTestServer({}, { folder });
    try {
      const startedAt = performance.now();
      const [one, other] = await receiver.received(path, 2);
      // At once, not when the lease has run out.
      assert.ok(performance.now() - startedAt < 2 * second);
      assert.equal(other?.headers['webhook-id'], one?.headers['webhook-id']);
      assert.deepEqual(other?.body, one?.body);
      const delivery = await settled(next, 1, 'delivered');
      assert.equal(attemptsOf(next, delivery.id).length, 1);
      assert.deepEqual(completenessFaults(next), []);
    } finally {
      await next.close();
    }
  });

  test('are given up by a stop that waited five seconds for them, and go again', async () => {
    const path = `/${freshUid('stopped')}`;
    receiver.answer(path, 'trickle', { status: 200 });
    const first = await startTestServer({}, { folder });
    const { id } = await register(first, { payload_url: receiver.url + path, triggers: ['apps'] });
    await makeApp(first);
    await receiver.received(path, 1);
    const stoppedAt = performance.now();
    await first.close();
    const tookMs = performance.now() - stoppedAt;
    assert.ok(tookMs > 4 * second && tookMs < 8 * second, String(tookMs));
    assert.deepEqual(leases(), []);
    const next = await startTestServer({}, { folder });
    try {
      const delivery = await settled(next, id, 'delivered');
      assert.equal(attemptsOf(next, delivery.id).length, 1);
      assert.equal(receiver.ledger(path).length, 2);
    } finally {
      await next.close();
    }
  });

  test('end an attempt that runs, and record it, before the server stops', async () => {
    const path = `/${freshUid('drained')}`;
    const gate = Promise.withResolvers<void>();
    receiver.answer(path, { status: 200, after: gate.promise });
    const first = await startTestServer({}, { folder });
    const { id } = await register(first, { payload_url: receiver.url + path, triggers: ['apps'] });
    await makeApp(first);
    await receiver.received(path, 1);
    const closed = first.close();
    await poll('the stop to wait for deliveries', () =>
      first.running.waitingFor() === 'webhook deliveries' ? true : undefined,
    );
    gate.resolve();
    await closed;
    const watch = watchStore(folder);
    try {
      assert.deepEqual(
        watch
          .rows(`select status, attempts, due_at from deliveries where webhook_id = ${id}`)
          .map((row) => ({ ...row })),
        [{ status: 'delivered', attempts: 1, due_at: null }],
      );
    } finally {
      watch.close();
    }
  });

  test('end as failed when the operator has closed the address since', async () => {
    const path = `/${freshUid('closed')}`;
    receiver.answer(path, { status: 500 });
    const clock = movableClock();
    const first = await startTestServer({}, { folder, clock });
    const { id } = await register(first, { payload_url: receiver.url + path, triggers: ['apps'] });
    await makeApp(first);
    await settled(first, id, 'retrying');
    await first.close();
    clock.move(6 * second);
    const next = await startTestServer({ CONFAB_EGRESS_ALLOW: '' }, { folder, clock });
    try {
      const delivery = await settled(next, id, 'failed');
      assert.equal(delivery.status_code, undefined);
      assert.deepEqual(
        attemptsOf(next, delivery.id).map((attempt) => attempt.error),
        ['http_500', 'blocked_address'],
      );
      assert.equal(receiver.ledger(path).length, 1);
    } finally {
      await next.close();
    }
  });
});
