import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { memoryMbOf } from 'confab-testing/harness/process-usage.ts';
import { type Cluster, startCluster } from 'confab-testing/stores/postgres.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { Db, Read } from '../../../src/db/db.ts';
import { keptStatementsMax } from '../../../src/db/kept-statements.ts';
import { list } from '../../../src/db/list.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { openSqlite } from '../../../src/db/sqlite/sqlite.ts';
import { query } from '../../../src/db/statement.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { LastUsed } from '../../../src/kernel/last-used.ts';

const shapes = Array.from({ length: 3 * keptStatementsMax }, (_, index) => index);
/** Columns that make the text of a statement, and what an engine keeps of it, about as large as those of a search. */
const columns = Array.from({ length: 60 }, (_, index) => index);

/** A list of one row with as many shapes as all lists of a server together. */
const numbered = list()({
  name: 'numbered',
  filters: { shape: [0, ...shapes] },
  orders: { id: [] },
  id: sql<number>`found.id`,
  rows: (q, _value, { shape }) =>
    q
      .selectFrom(
        sql<{ id: number; shape: number }>`(select 1 as id, ${sql.lit(shape)} as shape)`.as('found'),
      )
      .select(['found.id', 'found.shape'])
      .select(columns.map((column) => sql<number>`found.id + ${sql.lit(column)}`.as(`column${column}`))),
});

async function readShape(read: Read, shape: number): Promise<void> {
  const page = numbered.page({ order: 'id', descending: false, settings: { shape } });
  const [row] = await read.all(page, { top: 10, skip: 0, afterId: 0 });
  assert.equal(row?.shape, shape);
}

async function oneByOne(read: Read): Promise<void> {
  for (const shape of shapes) await readShape(read, shape);
}

/** All of them, before the first has an answer. */
async function together(read: Read): Promise<void> {
  await Promise.all(shapes.map((shape) => readShape(read, shape)));
}

const long = { operation: 'listApps', caller: 1, isForList: false };
const log = pino({ level: 'silent' });

describe('what was used last', () => {
  test('is kept, and what was used longest ago is forgotten', () => {
    const recent = new LastUsed<string, number>(2);
    recent.set('one', 1);
    recent.set('two', 2);
    assert.equal(recent.get('one'), 1);
    recent.set('three', 3);
    assert.deepEqual([recent.get('one'), recent.get('two'), recent.get('three')], [1, undefined, 3]);
    assert.equal(
      recent.getOr('three', () => assert.fail('it is kept')),
      3,
    );
    assert.equal(
      recent.getOr('two', () => 4),
      4,
    );
    assert.equal(recent.get('one'), undefined);
  });
});

describe('lists of thousands of shapes leave on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'confab-kept-'));
  const { prepare } = DatabaseSync.prototype;
  const prepared = new Map<DatabaseSync, number>();
  const children: ChildProcess[] = [];
  const noteChild = (made: unknown) => void children.push((made as { process: ChildProcess }).process);
  let db: Db;
  before(() => {
    DatabaseSync.prototype.prepare = function (...given) {
      prepared.set(this, (prepared.get(this) ?? 0) + 1);
      return prepare.apply(this, given);
    };
    subscribe('child_process', noteChild);
    db = openSqlite({ folder, log, clock: systemClock });
  });
  after(async () => {
    await db.close();
    unsubscribe('child_process', noteChild);
    DatabaseSync.prototype.prepare = prepare;
    rmSync(folder, { recursive: true });
  });

  for (const [name, read] of Object.entries({ oneByOne, together }))
    test(`some hundred statements of the server, and answers that are right (${name})`, async () => {
      await read(db.read);
      // The next snapshot is that of a connection with room.
      await new Promise((resolve) => setImmediate(resolve));
      await readShape(db.read, 0);
      const open = [...prepared].filter(([database]) => database.isOpen).map(([, count]) => count);
      assert.ok(open.length === 2 && open.every((count) => count <= keptStatementsMax + 50), String(open));
    });

  test('some hundred statements of the process for long reads', async () => {
    const readShapes = async (some: readonly number[]) => {
      for (const shape of some) await db.readLong(long, (read) => readShape(read, shape));
    };
    await readShapes(shapes.slice(0, keptStatementsMax));
    assert.equal(children.length, 1);
    const pid = children[0]?.pid ?? 0;
    const startMb = memoryMbOf(pid);
    await readShapes(shapes);
    // Each takes 30 kB and more.
    const grownMb = (memoryMbOf(pid) ?? 0) - (startMb ?? 0);
    assert.ok(grownMb < 0.01 * shapes.length, `it has grown by ${grownMb} MB`);
  });
});

describe('lists of thousands of shapes leave on PostgreSQL', () => {
  const countPrepared = query()((q) =>
    q.selectNoFrom(sql<number>`(select count(*) from pg_prepared_statements)`.as('count')),
  );
  let cluster: Cluster;
  let db: Db;
  before(async () => {
    cluster = await startCluster();
    const url = await cluster.createDatabase(`kept_${process.pid}`);
    db = await openPostgres({ url, isPrepared: true, readersMax: 1, log, clock: systemClock });
  });
  after(async () => {
    await db.close();
    await cluster.stop();
  });

  async function assertFew(read: Read): Promise<void> {
    const count = (await read.get(countPrepared, {}))?.count ?? 0;
    assert.ok(count > 1 && count <= keptStatementsMax, `${count} statements are prepared`);
  }

  for (const [name, readAll] of Object.entries({ oneByOne, together }))
    test(`some hundred statements of each connection, and answers that are right (${name})`, async () => {
      await readAll(db.read);
      // Those whose names were given up are prepared again.
      await readAll(db.read);
      await assertFew(db.read);
      await db.write(async (tx) => {
        await readAll(tx);
        await assertFew(tx);
      });
    });

  test('some hundred statements of a connection for long reads', async () => {
    // A part at a time, because a long read has a deadline.
    for (let from = 0; from < shapes.length; from += 50)
      await db.readLong(long, async (read) => {
        for (const shape of shapes.slice(from, from + 50)) await readShape(read, shape);
      });
    const count = await db.readLong(long, (read) => read.get(countPrepared, {}));
    assert.ok(count !== undefined && count.count <= keptStatementsMax, JSON.stringify(count));
  });
});
