import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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

describe('a long read of PostgreSQL', () => {
  let cluster: Cluster;
  let db: Db;
  before(async () => {
    cluster = await startCluster();
    const url = await cluster.createDatabase(`long_${process.pid}`);
    const log = pino({ level: 'silent' });
    const longReadLimits = { runningMsMax };
    db = await openPostgres({
      url,
      isPrepared: true,
      readersMax: 2,
      log,
      clock: systemClock,
      longReadLimits,
    });
  });
  after(async () => {
    await db.close();
    await cluster.stop();
  });

  test('ends at one deadline, however many statements it asks together', async () => {
    const long = { operation: 'listApps', caller: 1, isForList: true };
    const [first, , last] = await db.readLong(
      long,
      async (read) => await Promise.all([read.get(timeout, {}), read.get(pause, {}), read.all(timeout, {})]),
    );
    assert.ok(first !== undefined && first.ms <= runningMsMax);
    assert.ok((last[0]?.ms ?? runningMsMax) <= runningMsMax - pauseMs, `${first.ms}, then ${last[0]?.ms}`);
  });
});
