import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Problem } from 'confab-contract/problem.ts';
import { type Cluster, startCluster } from 'confab-testing/stores/postgres.ts';
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

describe('a long read of PostgreSQL', () => {
  let cluster: Cluster;
  let url: string;
  let db: Db;
  const open = () =>
    openPostgres({
      url,
      isPrepared: true,
      readersMax: 2,
      log: pino({ level: 'silent' }),
      clock: systemClock,
      longReadLimits: { runningMsMax },
    });
  before(async () => {
    cluster = await startCluster();
    url = await cluster.createDatabase(`long_${process.pid}`);
    db = await open();
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

  test('is told that the store was closed meanwhile', async () => {
    const closed = await open();
    const ends = await closed.readLong(long, async (read) => {
      await closed.close();
      return await endsOf([read.get(timeout, {}), read.all(timeout, {})]);
    });
    assert.deepEqual(ends, ['storage_unavailable', 'storage_unavailable']);
  });
});
