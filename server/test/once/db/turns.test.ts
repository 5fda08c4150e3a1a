import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { poll } from 'confab-testing/poll.ts';
import { type Cluster, startCluster } from 'confab-testing/stores/postgres.ts';
import { sentWhile } from 'confab-testing/stores/sent-statements.ts';
import pg from 'pg';
import { pino } from 'pino';
import type { Db, Tx } from '../../../src/db/db.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { command, insertRow, query } from '../../../src/db/statement.ts';
import { countAdded, countOf } from '../../../src/db/tallies.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

const addDirectory = command<{ name: string }>()((q, value) =>
  q.insertInto('directories').values({ name: value('name'), created_at: 0 }),
);

const directoryNamed = query<{ name: string }>()((q, value) =>
  q.selectFrom('directories').select('id').where('name', '=', value('name')),
);

const addEvent = insertRow('events', [
  'action',
  'actor_id',
  'app_id',
  'user_id',
  'entity_type',
  'entity_id',
  'payload',
  'created_at',
  'is_silent',
]);

const eventById = query<{ id: number }>()((q, value) =>
  q.selectFrom('events').select('payload').where('id', '=', value('id')),
);

async function appendTo(tx: Tx, payload: string): Promise<number> {
  return await tx.insert(addEvent, {
    action: 'app_created',
    actorId: 1,
    appId: null,
    userId: null,
    entityType: 'app',
    entityId: 0,
    payload,
    createdAt: 0,
    isSilent: 1,
  });
}

// Groups of all nodes take turns to write. Those that only add read ahead of theirs, and it is as if they had not.
describe('a group of write transactions that only add, on PostgreSQL', () => {
  let cluster: Cluster;
  let db: Db;
  let other: pg.Client;
  before(async () => {
    cluster = await startCluster();
    const url = await cluster.createDatabase(`turns_${process.pid}`);
    const log = pino({ level: 'silent' });
    db = await openPostgres({ url, isPrepared: true, readersMax: 2, log, clock: systemClock });
    other = new pg.Client(url);
    await other.connect();
  });
  after(async () => {
    await other.end();
    await db.close();
    await cluster.stop();
  });

  /** Runs `write` while another node has its turn, which ends with a change once `write` waits for its own. */
  async function behindAnother(change: string, write: () => Promise<unknown>): Promise<void> {
    await other.query('begin; select id from log_head where id = 1 for update');
    const written = write();
    await poll('the group to wait for its turn', async () => {
      const { rows } = await other.query(
        'select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid',
      );
      return rows.length > 0 || undefined;
    });
    await other.query(`${change}; commit`);
    await written;
  }

  /** Adds a directory unless there is one of the name; notes what it found. */
  const addUnlessFound = (name: string, found: unknown[]) => async (tx: Tx) => {
    const row = await tx.get(directoryNamed, { name });
    found.push(row !== undefined);
    if (row === undefined) await tx.insert(addDirectory, { name: `${name}, added` });
  };

  test('is run again with the lock when another node has changed what it read', async () => {
    const found: unknown[] = [];
    await behindAnother(`insert into directories (name, created_at) values ('north', 0)`, () =>
      db.write(addUnlessFound('north', found), 'adding'),
    );
    assert.deepEqual(found, [false, true]);
    assert.equal(await db.read.get(directoryNamed, { name: 'north, added' }), undefined);
  });

  test('is run once when what it read is still so', async () => {
    const found: unknown[] = [];
    await behindAnother(`insert into directories (name, created_at) values ('elsewhere', 0)`, () =>
      db.write(addUnlessFound('south', found), 'adding'),
    );
    assert.deepEqual(found, [false]);
    assert.ok(await db.read.get(directoryNamed, { name: 'south, added' }));
  });

  test('refuses by what it read only if that is still so when it has its turn', async () => {
    const found: unknown[] = [];
    const refuse = async (tx: Tx) => {
      found.push((await tx.get(directoryNamed, { name: 'west' })) !== undefined);
      if (found.at(-1) === false) throw new Error('there is no west');
    };
    await behindAnother(`insert into directories (name, created_at) values ('west', 0)`, () =>
      db.write(refuse, 'adding'),
    );
    assert.deepEqual(found, [false, true]);
  });

  test('gives events their ids in its turn, and fails alone what fails after that', async () => {
    const names = ['one', 'two', 'three', 'four', 'five'];
    const done = await Promise.allSettled(
      names.map((name) =>
        db.write(async (tx) => {
          await tx.insert(addDirectory, { name });
          const ids = [await appendTo(tx, `${name} first`), await appendTo(tx, `${name} second`)];
          if (name === 'three') throw new Error('refused after it has written');
          return ids;
        }, 'adding'),
      ),
    );
    for (const [index, result] of done.entries()) {
      assert.equal(result.status, names[index] === 'three' ? 'rejected' : 'fulfilled');
      const [first = 0, second = 0] = result.status === 'fulfilled' ? result.value : [];
      if (result.status === 'rejected') continue;
      assert.equal((await db.read.get(eventById, { id: first }))?.payload, `${names[index]} first`);
      assert.equal((await db.read.get(eventById, { id: second }))?.payload, `${names[index]} second`);
      assert.ok(first < second);
    }
    const { rows } = await other.query(`select count(*)::int as count from events`);
    assert.equal(rows[0].count, 8);
  });

  test('fails alone when its connection is lost before the commit, and the next has a new one', async () => {
    const writer = `select pid from pg_stat_activity where datname = current_database() and query like 'insert%'`;
    const lost = db.write(async (tx) => {
      tx.defer(countAdded, { parentType: 'test', parentId: 1, kind: 'item', appId: 0 });
      await tx.insert(addDirectory, { name: 'lost' });
      await other.query(`select pg_terminate_backend(pid) from (${writer}) as each`);
      await poll('its end', async () => (await other.query(writer)).rowCount === 0 || undefined);
      await assert.rejects(tx.get(directoryNamed, { name: 'lost' }));
    }, 'adding');
    await assert.rejects(lost, { code: 'storage_unavailable' });
    await db.write((tx) => tx.insert(addDirectory, { name: 'not lost' }), 'adding');
    assert.equal(await db.read.get(directoryNamed, { name: 'lost' }), undefined);
    assert.equal(await countOf(db.read, { parentType: 'test', parentId: 1, kind: 'item' }, null), 0);
  });

  test('has its ids of events before it inserts them, so nothing of its own waits for an answer', async () => {
    const sent = await sentWhile(async () => {
      const ids = await Promise.all(
        ['a', 'b', 'c'].map((name) =>
          db.write(async (tx) => {
            await tx.insert(addDirectory, { name });
            return await appendTo(tx, name);
          }, 'adding'),
        ),
      );
      for (const [index, id] of ids.entries())
        assert.equal((await db.read.get(eventById, { id }))?.payload, ['a', 'b', 'c'][index]);
    });
    const ofGroup = sent.map(({ text }) => text.replaceAll(/["(].*/g, '').trim());
    assert.deepEqual(ofGroup.slice(0, 6), [
      'begin; set local synchronous_commit = on; set local idle_in_transaction_session_timeout = 5000; set local lock_timeout = 10000; set local jit = off; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off',
      'select id from log_head where id = 1 for update',
      'select nextval',
      'with made as',
      'with made as',
      'commit',
    ]);
  });
});
