import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { poll } from 'confab-testing/poll.ts';
import { type Cluster, quickSettings, startCluster } from 'confab-testing/stores/postgres.ts';
import pg from 'pg';
import { pino } from 'pino';
import type { Db } from '../../../src/db/db.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { command, query } from '../../../src/db/statement.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

const addDirectory = command<{ name: string }>()((q, value) =>
  q.insertInto('directories').values({ name: value('name'), created_at: 0 }),
);
const directoriesNamed = query<{ name: string }>()((q, value) =>
  q.selectFrom('directories').select('id').where('name', '=', value('name')),
);

// A write is acknowledged when the synchronous standby has it: PostgreSQL reports a commit that nobody waits for any
// more as a success with a warning.
describe('a write with a synchronous standby that does not answer', () => {
  let cluster: Cluster;
  let db: Db;
  let operator: pg.Client;
  before(async () => {
    cluster = await startCluster([...quickSettings, 'synchronous_commit=on']);
    const url = await cluster.createDatabase(`standby_${process.pid}`);
    const log = pino({ level: 'silent' });
    db = await openPostgres({ url, isPrepared: true, readersMax: 2, log, clock: systemClock });
    operator = new pg.Client(url);
    await operator.connect();
  });
  after(async () => {
    await operator.end();
    await db.close();
    await cluster.stop();
  });

  /** Writes a directory, and cancels the wait of its commit if there is one. Returns the code of the problem. */
  async function writeAndCancel(name: string): Promise<string | undefined> {
    let isDone = false;
    const written = db
      .write(async (tx) => await tx.run(addDirectory, { name }))
      .then(
        () => undefined,
        (problem: { code: string }) => problem.code,
      )
      .finally(() => {
        isDone = true;
      });
    await poll('the commit to wait', async () => {
      const { rows } = await operator.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      );
      return rows.length > 0 || isDone ? true : undefined;
    });
    return await written;
  }

  test('fails when an operator cancels its wait, and is not written twice', async () => {
    await operator.query("alter system set synchronous_standby_names = 'nobody'");
    await operator.query('select pg_reload_conf()');
    let written = 0;
    // Commits begin to wait a moment after the setting has changed.
    const code = await poll('a commit that waits', async () => {
      written += 1;
      return await writeAndCancel(`${written}`);
    });
    assert.equal(code, 'storage_unavailable');
    assert.equal((await db.read.all(directoriesNamed, { name: `${written}` })).length, 1);
  });
});
