import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import { writeStore } from 'confab-testing/stores/store-watch.ts';
import { sql } from 'kysely';
import type { Db, LongRead } from '../../../src/db/db.ts';
import { type LongReadLimits, LongReads } from '../../../src/db/long-reads.ts';
import { query } from '../../../src/db/statement.ts';
import { listAppComments } from '../../../src/features/comments/list.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { Input } from '../../../src/kernel/input.ts';
import type { Log } from '../../../src/kernel/log.ts';
import { visitor } from '../../../src/kernel/principal.ts';

/** Counts 64 billion rows, which takes any engine longer than a test. */
const slow = query()((q) =>
  q.selectNoFrom(
    sql<number>`(with recursive n (i) as (select 1 union all select i + 1 from n where i < 4000)
      select count(*) from n as a, n as b, n as c)`.as('count'),
  ),
);

const asked: LongRead = { operation: 'test', caller: 1, isForList: true };
/** How many long reads run concurrently. */
const placesMax = engine === 'sqlite' ? 1 : 2;

/** A server whose long reads first run the slow statement while `isSlow`, and its log. */
async function startSlowServer(t: { after(end: () => Promise<void>): void }, longReadLimits: LongReadLimits) {
  const state = { isSlow: false };
  const logged: string[] = [];
  const slowed = (db: Db): Db => ({
    ...db,
    readLong: (of, work) =>
      db.readLong(of, async (read) => {
        if (state.isSlow) await read.get(slow, {});
        return await work(read);
      }),
  });
  const server = await startTestServer(
    { CONFAB_LOG_LEVEL: 'warn' },
    { wrapDb: slowed, longReadLimits, logTo: { write: (line: string) => void logged.push(line) } },
  );
  t.after(() => server.close());
  const app = await makeApp(server, { type: 'comments' });
  await makeComment(server, app.id, { text: 'needle' });
  return { server, state, logged, list: `/api/apps/${app.id}/comments` };
}

/** The ids of the processes that this one started for long reads. */
function readerProcesses(): number[] {
  const isChild = (pid: string) => {
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return (
        Number(parent) === process.pid &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reader-process')
      );
    } catch {
      // The process has ended in the meantime.
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChild(name))
    .map(Number);
}

/** Ends the process or the connection that runs a long read. */
function breakReader(server: TestServer): void {
  if (engine === 'sqlite') for (const pid of readerProcesses()) process.kill(pid, 'SIGKILL');
  else
    writeStore(
      server.folder,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%as a, n as b%' and pid <> pg_backend_pid()`,
    );
}

// Searches, tags and deep pages run separately from all other requests, and have a deadline.
describe('a list that takes long', () => {
  test('and an export that does are the same problem', async (t) => {
    const { server, state } = await startSlowServer(t, { runningMsMax: 1500 });
    const { uid } = await makeUser(server);
    state.isSlow = true;
    assertProblem(await server.call('GET', `/api/users/${uid}/export`), 503, 'took_too_long');
  });

  test('ends at its deadline with 503, and the next one succeeds', async (t) => {
    // Two other requests are answered before the deadline, also on a busy machine.
    const { server, state, logged, list } = await startSlowServer(t, { runningMsMax: 5000 });
    const { token, id, uid } = await makeUser(server);
    await server.call('PUT', `${list.replace('comments', 'members')}/${uid}`, { access: 'read' });
    state.isSlow = true;
    let isAnswered = false;
    const long = server.call('GET', `${list}?q=needle`, undefined, { as: token }).finally(() => {
      isAnswered = true;
    });
    assert.equal((await server.call('GET', list)).body.count, 1);
    await makeComment(server, list.split('/')[3] as string, { text: 'meanwhile' });
    assert.equal(isAnswered, false);

    const refused = await long;
    assertProblem(refused, 503, 'took_too_long');
    assert.equal(refused.headers.get('retry-after'), '5');
    const line = logged.map((text) => JSON.parse(text)).find(({ operation }) => operation !== undefined);
    assert.deepEqual(
      [line.level, line.operation, line.user, line.code],
      [40, 'listAppComments', id, 'took_too_long'],
    );
    assert.ok(line.ms >= 4900 && !logged.join('').includes('needle'));

    state.isSlow = false;
    const found = await server.call('GET', `${list}?q=needle`);
    assert.deepEqual([found.status, found.body.count], [200, 1]);
  });

  test('takes the turn of an address where another caller would cost no more than a request', async (t) => {
    const { server } = await startSlowServer(t, {});
    const { id } = await makeApp(server, { access: 'write', visitors: 'read' });
    const turns: LongRead['caller'][] = [];
    const db: Db = {
      ...server.running.db,
      readLong(of) {
        turns.push(of.caller);
        return Promise.reject(new Error('as far as it is needed'));
      },
    };
    const callers = [
      visitor,
      { ...visitor, user: { ...visitor.user, id: 7, way: 'guest' } },
      { ...visitor, user: { ...visitor.user, id: 8, way: 'email' } },
    ];
    for (const clientAddress of ['203.0.113.7', undefined])
      for (const principal of callers) {
        const call = {
          principal,
          params: { app: { id } },
          query: {},
          list: { q: 'needle' },
          body: Input.of(undefined),
        };
        const raw = { clientAddress };
        const answering = listAppComments.answer(
          { ...call, raw } as never,
          { db, clock: systemClock } as never,
        );
        await assert.rejects(answering, /as far as/);
      }
    assert.deepEqual(turns, ['203.0.113.7', '203.0.113.7', 8, 0, 7, 8]);
  });

  for (const [longPath, quickPath] of [
    ['/comments?q=needle', '/comments'],
    ['/comments?tag=t', '/comments?order_by=created_at'],
    ['/comments?skip=1001', '/comments?skip=1000'],
    ['/members?order_by=name', '/members?order_by=id'],
    ['/members?trashed=null', '/members?trashed=false'],
    ['/../../users?suspended=true', '/../../users?order_by=name'],
    ['/../../users/autocomplete?q=a', '/../../users/autocomplete'],
  ])
    test(`is one at ${longPath}, and is refused when too many wait`, async (t) => {
      const { server, logged, list } = await startSlowServer(t, { waitingMax: 0 });
      const { db } = server.running;
      const { promise: end, resolve: endAll } = Promise.withResolvers<void>();
      const running = Array.from({ length: placesMax }, () => db.readLong(asked, () => end));
      const app = list.replace('/comments', '');
      const refused = await server.call('GET', `${app}${longPath}`);
      assertProblem(refused, 503, 'too_busy');
      assert.equal(refused.headers.get('retry-after'), '5');
      assert.equal(logged.filter((text) => text.includes('"too_busy"')).length, 1);
      assert.equal((await server.call('GET', `${app}${quickPath}`)).status, 200);
      endAll();
      await Promise.all(running);
    });

  test('has every comment that was acknowledged before it', async (t) => {
    const { server, list } = await startSlowServer(t, {});
    for (let n = 2; n < 12; n += 1) {
      await makeComment(server, list.split('/')[3] as string, { text: 'needle' });
      assert.equal((await server.call('GET', `${list}?q=needle&count_only=true`)).body.count, n);
    }
  });

  test('fails with 503 when its reader breaks, and the next one succeeds', async (t) => {
    const { server, state, list } = await startSlowServer(t, { runningMsMax: 60_000 });
    await server.call('GET', `${list}?q=needle`);
    state.isSlow = true;
    const long = server.call('GET', `${list}?q=needle`);
    let isOver = false;
    void long.finally(() => {
      isOver = true;
    });
    await poll('the read to be broken off', () => {
      if (!isOver) breakReader(server);
      return isOver || undefined;
    });
    assertProblem(await long, 503, 'storage_unavailable');
    state.isSlow = false;
    assert.equal((await server.call('GET', `${list}?q=needle`)).body.count, 1);
  });

  test('does not delay closing the store', async (t) => {
    const { server } = await startSlowServer(t, { runningMsMax: 3000 });
    const running = server.running.db.readLong(asked, (read) => read.get(slow, {}));
    const cut = assert.rejects(running, { code: engine === 'sqlite' ? 'shutting_down' : 'took_too_long' });
    await server.running.close();
    await cut;
    await assert.rejects(
      server.running.db.readLong(asked, async () => 1),
      { code: 'shutting_down' },
    );
    if (engine === 'sqlite')
      await poll('the process to end', () => readerProcesses().length === 0 || undefined);
  });
});

type Held = { readonly name: string; end(): void };

/** A queue with one place, whose reads end when the test ends them. */
function queueOf(limits: LongReadLimits) {
  const order: Held[] = [];
  const warned: object[] = [];
  const log = { warn: (fields: object) => void warned.push(fields) } as unknown as Log;
  const queue = new LongReads({
    begin: () => ({ read: {} as never, end: () => undefined }),
    runningMax: 1,
    log,
    limits,
  });
  const ask = (caller: number, name = '') =>
    queue.run({ ...asked, caller }, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      order.push({ name, end: resolve });
      await promise;
    });
  return { queue, ask, order, warned };
}

// The queue is bounded in total and per caller, and serves callers in turn.
describe('the queue of long reads', () => {
  test('serves callers in turn', async () => {
    const { ask, order } = queueOf({});
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => ask(name.charCodeAt(0), name));
    for (let n = 0; n < all.length; n += 1) (await poll('the next to run', () => order[n])).end();
    await Promise.all(all);
    assert.deepEqual(
      order.map(({ name }) => name),
      ['a1', 'a2', 'b1', 'c1', 'a3', 'b2'],
    );
  });

  test('refuses requests beyond a caller’s share, beyond the total, or that waited too long', async () => {
    const { ask, order, warned } = queueOf({ waitingMax: 3, waitingOfCallerMax: 2, waitingMsMax: 50 });
    const first = ask(1);
    const waiting = [ask(1), ask(1)].map((each) => assert.rejects(each, { code: 'too_busy' }));
    await assert.rejects(ask(1), { code: 'too_busy' });
    assert.deepEqual(warned.length, 1);
    waiting.push(assert.rejects(ask(2), { code: 'too_busy' }));
    await assert.rejects(ask(3), { code: 'too_busy' });
    assert.deepEqual(warned.length, 2);
    await Promise.all(waiting);
    assert.equal(warned.length, 5);
    order[0]?.end();
    await first;
    const next = ask(1);
    (await poll('the next to run', () => order[1])).end();
    await next;
  });

  test('refuses waiting requests when it is closed', async () => {
    const { queue, ask, order } = queueOf({});
    const first = ask(1);
    const waiting = assert.rejects(ask(2), { code: 'shutting_down' });
    queue.close();
    await waiting;
    await assert.rejects(ask(3), { code: 'shutting_down' });
    order[0]?.end();
    await first;
  });
});
