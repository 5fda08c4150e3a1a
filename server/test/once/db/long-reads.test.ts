import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Problem } from 'confab-contract/problem.ts';
import { type Cluster, startCluster } from 'confab-testing/stores/postgres.ts';
import { wayTo } from 'confab-testing/stores/round-trips.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { Db } from '../../../src/db/db.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { query } from '../../../src/db/statement.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

const pauseMs = 300;
const pause = query()((q) =>
  q.selectNoFrom(sql<string>`cast(pg_sleep(${sql.lit(pauseMs / 1000)}) as text)`.as('pause')),
);
/** The time that the statement may take, in milliseconds. */
const timeout = query()((q) =>
  q.selectNoFrom(
    sql<number>`(select cast(setting as integer) from pg_settings where name = 'statement_timeout')`.as('ms'),
  ),
);
const runningMsMax = 2000;
/** A statement that takes longer than a long read may. */
const slow = query()((q) =>
  q.selectNoFrom(sql<string>`cast(pg_sleep(${sql.lit((runningMsMax + 1000) / 1000)}) as text)`.as('slow')),
);
const long = { operation: 'listApps', caller: 1, isForList: true };
/** How each of some reads of one turn ends: the code of its problem, or that it has an answer. */
async function endsOf(reads: readonly Promise<unknown>[]): Promise<string[]> {
  return (await Promise.allSettled(reads)).map((end) => {
    if (end.status === 'fulfilled') return 'answered';
    return end.reason instanceof Problem ? end.reason.code : String(end.reason);
  });
}

/** A way to a server at a distance, which can be blocked: then nothing more arrives on it, and nobody is told. */
async function blockableWay(url: string) {
  const near = new URL(url);
  near.searchParams.delete('host');
  near.hostname = '127.0.0.1';
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const far = connect(wayTo(url));
    client.pipe(far).pipe(client);
    for (const socket of [client, far]) socket.on('error', () => undefined);
    sockets.push(client, far);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  near.port = String((server.address() as AddressInfo).port);
  return {
    url: near.href,
    block: () => {
      for (const socket of sockets) socket.unpipe();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('a long read of PostgreSQL', () => {
  let cluster: Cluster;
  let url: string;
  let db: Db;
  const openAt = (address: string) =>
    openPostgres({
      url: address,
      isPrepared: true,
      readersMax: 2,
      log: pino({ level: 'silent' }),
      clock: systemClock,
      longReadLimits: { runningMsMax },
    });
  before(async () => {
    cluster = await startCluster();
    url = await cluster.createDatabase(`long_${process.pid}`);
    db = await openAt(url);
  });
  after(async () => {
    await db.close();
    await cluster.stop();
  });

  test('ends at one deadline, however many statements it asks together', async () => {
    const [first, , last] = await db.readLong(
      long,
      async (read) => await Promise.all([read.get(timeout, {}), read.get(pause, {}), read.all(timeout, {})]),
    );
    assert.ok(first !== undefined && first.ms <= runningMsMax);
    assert.ok((last[0]?.ms ?? runningMsMax) <= runningMsMax - pauseMs, `${first.ms}, then ${last[0]?.ms}`);
  });

  test('has taken too long for every statement that was asked together with a slow one', async () => {
    const ends = await db.readLong(long, (read) => endsOf([read.get(slow, {}), read.all(timeout, {})]));
    assert.deepEqual(ends, ['took_too_long', 'took_too_long']);
  });

  test('ends soon after its deadline where nothing arrives any more', async () => {
    const way = await blockableWay(url);
    const far = await openAt(way.url);
    const startedAt = performance.now();
    const reading = far.readLong(long, async (read) => {
      await read.get(timeout, {});
      way.block();
      return await endsOf([read.get(timeout, {}), read.all(timeout, {})]);
    });
    assert.deepEqual(await reading, ['storage_unavailable', 'storage_unavailable']);
    const ms = performance.now() - startedAt;
    assert.ok(ms < 10 * runningMsMax, `${ms} ms`);
    way.close();
    await far.close();
  });

  test('is told that the store was closed meanwhile', async () => {
    const closed = await openAt(url);
    const ends = await closed.readLong(long, async (read) => {
      await closed.close();
      return await endsOf([read.get(timeout, {}), read.all(timeout, {})]);
    });
    assert.deepEqual(ends, ['storage_unavailable', 'storage_unavailable']);
  });
});
