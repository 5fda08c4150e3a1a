import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Cluster, startCluster } from 'confab-testing/stores/postgres.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { Db } from '../../../src/db/db.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { query } from '../../../src/db/statement.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

const settingOfJit = query()((q) => q.selectNoFrom(sql<string>`current_setting('jit')`.as('jit')));

// PostgreSQL compiles nothing for Confab, whatever its server does for others.
describe('the connections of a node to a PostgreSQL that compiles statements', () => {
  let cluster: Cluster;
  let url: string;
  before(async () => {
    cluster = await startCluster();
    url = await cluster.createDatabase(`jit_${process.pid}`);
  });
  after(() => cluster.stop());

  async function withStore(isPrepared: boolean, work: (db: Db) => Promise<void>): Promise<void> {
    const log = pino({ level: 'silent' });
    const db = await openPostgres({ url, isPrepared, readersMax: 2, log, clock: systemClock });
    try {
      await work(db);
    } finally {
      await db.close();
    }
  }
  const long = { operation: 'listApps', caller: 1, isForList: true };

  test('switch that off where they read and where they write', async () => {
    await withStore(true, async (db) => {
      assert.equal((await db.read.get(settingOfJit, {}))?.jit, 'off');
      assert.equal((await db.readLong(long, (read) => read.get(settingOfJit, {})))?.jit, 'off');
      assert.equal((await db.write((tx) => tx.get(settingOfJit, {})))?.jit, 'off');
    });
  });

  test('do so within transactions behind a pooler, and leave nothing behind for other clients', async () => {
    await withStore(false, async (db) => {
      assert.equal((await db.readLong(long, (read) => read.get(settingOfJit, {})))?.jit, 'off');
      assert.equal((await db.write((tx) => tx.get(settingOfJit, {})))?.jit, 'off');
      assert.equal((await db.read.get(settingOfJit, {}))?.jit, 'on');
    });
  });
});
