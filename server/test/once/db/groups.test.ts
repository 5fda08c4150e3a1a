import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { freshFolder } from 'confab-testing/limited-server.ts';
import { poll } from 'confab-testing/poll.ts';
import { type Cluster, startCluster } from 'confab-testing/stores/postgres.ts';
import { pino } from 'pino';
import { type Db, type DeferredWork, deferred } from '../../../src/db/db.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { openSqlite } from '../../../src/db/sqlite/sqlite.ts';
import { command, query } from '../../../src/db/statement.ts';
import { changeCount, countAdded, countOf } from '../../../src/db/tallies.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

const addDirectory = command<{ name: string }>()((q, value) =>
  q.insertInto('directories').values({ name: value('name'), created_at: 0 }),
);

const directoryNames = query<{ pattern: string }>()((q, value) =>
  q.selectFrom('directories').select('name').where('name', 'like', value('pattern')).orderBy('name'),
);

const log = pino({ level: 'silent' });
const tally = (parentId: number) => ({ parentType: 'test', parentId, kind: 'item', appId: 0 });

let cluster: Cluster;
const open: { readonly [engine: string]: () => Promise<Db> } = {
  SQLite: async () => openSqlite({ folder: freshFolder(), log, clock: systemClock }),
  async PostgreSQL() {
    cluster = await startCluster();
    const url = await cluster.createDatabase(`groups_${process.pid}`);
    return await openPostgres({ url, isPrepared: true, readersMax: 2, log, clock: systemClock });
  },
};

/** Resolves in a later turn of the event loop. */
function laterTurn(): Promise<true> {
  let looks = 0;
  return poll('a later turn', () => {
    looks += 1;
    return looks > 1 ? true : undefined;
  });
}

// Transactions that wait together share a commit, and nothing else: what one of them meets is its own affair.
for (const engine of Object.keys(open))
  describe(`a group of write transactions on ${engine}`, () => {
    let db: Db;
    before(async () => {
      db = (await open[engine]?.()) as Db;
    });
    after(async () => {
      await db.close();
      if (engine === 'PostgreSQL') await cluster.stop();
    });

    /** The names of the directories that were made and begin so. */
    async function namesOf(prefix: string): Promise<string[]> {
      return (await db.read.all(directoryNames, { pattern: `${prefix}%` })).map(({ name }) => name);
    }

    test('runs the deferred work of adding transactions once', async () => {
      const calls: number[][] = [];
      const add: DeferredWork<number> = (items) => {
        calls.push([...items]);
        return items.map((item) => deferred(addDirectory, { name: `once ${item}` }));
      };
      await Promise.all([1, 2, 3, 4].map((item) => db.write(async (tx) => tx.defer(add, item), 'adding')));
      assert.deepEqual(calls, [[1, 2, 3, 4]]);
      assert.deepEqual(await namesOf('once'), ['once 1', 'once 2', 'once 3', 'once 4']);
    });

    test('skips the deferred work of a transaction that was rolled back', async () => {
      const add: DeferredWork<string> = (names) => names.map((name) => deferred(addDirectory, { name }));
      const done = await Promise.allSettled(
        ['a', 'b', 'c'].map((letter) =>
          db.write(async (tx) => {
            await tx.insert(addDirectory, { name: `left ${letter}` });
            tx.defer(add, `left ${letter} later`);
            if (letter === 'b') throw new Error('refused after it has written');
            return letter;
          }, 'adding'),
        ),
      );
      assert.deepEqual(
        done.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.deepEqual(await namesOf('left'), ['left a', 'left a later', 'left c', 'left c later']);
    });

    test('fails only the transaction whose deferred work fails', async () => {
      const add: DeferredWork<string> = (names) => names.map((name) => deferred(addDirectory, { name }));
      const done = await Promise.allSettled(
        ['end 1', 'end 2', 'end 2', 'end 3'].map((name) =>
          db.write(async (tx) => tx.defer(add, name), 'adding'),
        ),
      );
      assert.deepEqual(
        done.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
      );
      assert.deepEqual(await namesOf('end'), ['end 1', 'end 2', 'end 3']);
    });

    test('fails only the transaction that awaits something that is not the store', async () => {
      const done = await Promise.allSettled(
        ['a', 'b', 'c', 'd'].map((letter) =>
          db.write(async (tx) => {
            await tx.insert(addDirectory, { name: `alone ${letter}` });
            if (letter === 'b') await laterTurn();
            return letter;
          }),
        ),
      );
      const [, guilty] = done;
      // Only an engine that answers at once shows who waits for something else.
      const isSeen = engine === 'SQLite';
      assert.deepEqual(
        done.map(({ status }) => status),
        ['fulfilled', isSeen ? 'rejected' : 'fulfilled', 'fulfilled', 'fulfilled'],
      );
      if (isSeen)
        assert.match(
          String((guilty as PromiseRejectedResult).reason),
          /awaited something that is not the store/,
        );
      const names = ['alone a', ...(isSeen ? [] : ['alone b']), 'alone c', 'alone d'];
      assert.deepEqual(await namesOf('alone'), names);
    });

    test('runs deferred work before a transaction that does more than add', async () => {
      const [, seen] = await Promise.all([
        db.write(async (tx) => tx.defer(countAdded, tally(1)), 'adding'),
        db.write((tx) => countOf(tx, tally(1), false)),
        db.write(async (tx) => tx.defer(countAdded, tally(1)), 'adding'),
      ]);
      assert.equal(seen, 2);
    });

    test('counts concurrent additions in every parent', async () => {
      await db.write((tx) => changeCount(tx, tally(2), { live: 5, trashed: 1 }));
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          db.write(async (tx) => tx.defer(countAdded, tally(2 + (index % 3))), 'adding'),
        ),
      );
      assert.equal(await countOf(db.read, tally(2), false), 25);
      assert.equal(await countOf(db.read, tally(2), true), 1);
      assert.equal(await countOf(db.read, tally(3), null), 20);
      assert.equal(await countOf(db.read, tally(4), null), 20);
    });
  });
