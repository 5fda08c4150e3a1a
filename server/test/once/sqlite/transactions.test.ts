import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { freshFolder } from 'confab-testing/limited-server.ts';
import { configFrom } from '../../../src/config/config.ts';
import { type DeferredWork, deferred } from '../../../src/db/db.ts';
import { openSqlite } from '../../../src/db/sqlite/sqlite.ts';
import { command, query } from '../../../src/db/statement.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createLog } from '../../../src/setup/store.ts';

const addDirectory = command<{ name: string }>()((q, value) =>
  q.insertInto('directories').values({ name: value('name'), created_at: 0 }),
);

const namesOfDirectories = query()((q) => q.selectFrom('directories').select('name').orderBy('id'));

// The one writer of the process waits for nobody: this engine answers at once, so a transaction that waits is found out.
describe('a write transaction', () => {
  const log = createLog(configFrom({ CONFAB_LOG_LEVEL: 'silent' }));
  const db = openSqlite({ folder: freshFolder(), log, clock: systemClock });
  after(() => db.close());

  test('refuses a transaction that awaits anything but the store', async () => {
    const dawdling = db.write(async (tx) => {
      await tx.insert(addDirectory, { name: 'dawdler' });
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    });
    await assert.rejects(dawdling, /awaited something that is not the store/);
    assert.ok(await db.write((tx) => tx.insert(addDirectory, { name: 'dawdler' })));
  });

  test('is visible to a read that begins in the turn of its commit', async () => {
    // In a turn of its own, where the write comes first and the read beside it holds a snapshot while it commits.
    await new Promise((resolve) => setImmediate(resolve));
    const [seen, beside] = await Promise.all([
      db
        .write((tx) => tx.insert(addDirectory, { name: 'seen at once' }))
        .then(() => db.read.all(namesOfDirectories, {})),
      db.read.all(namesOfDirectories, {}),
    ]);
    assert.equal(seen.length, beside.length + 1);
  });

  /** Keeps the processor busy for longer than a turn of the event loop may go on. */
  function work(): void {
    for (const until = performance.now() + 12; performance.now() < until; );
  }

  /** How often the event loop turned until `work` was done. */
  async function turnsOf(work: Promise<unknown>): Promise<number> {
    const done = work.then(() => true);
    for (let turns = 0; ; turns += 1) {
      const turned = new Promise<false>((resolve) => setImmediate(() => resolve(false)));
      if (await Promise.race([done, turned])) return turns;
    }
  }

  test('lets others read between its statements where a turn goes on for long', async () => {
    const before = await db.read.all(namesOfDirectories, {});
    const seen: number[] = [];
    const writing = db.write(async (tx) => {
      for (const n of [1, 2, 3]) {
        await tx.insert(addDirectory, { name: `long ${n}` });
        work();
        // Not awaited, because it is no part of the transaction.
        if (n < 3) void db.read.all(namesOfDirectories, {}).then((rows) => seen.push(rows.length));
      }
    });
    assert.ok((await turnsOf(writing)) > 2);
    const after = await db.read.all(namesOfDirectories, {});
    assert.equal(after.length, before.length + 3);
    assert.deepEqual(seen, [before.length, before.length]);
  });

  test('keeps several that only add in one group over several turns', async () => {
    const groups: number[] = [];
    const noted: DeferredWork<number> = (items) => {
      groups.push(items.length);
      return [];
    };
    const writing = Array.from({ length: 4 }, (_, n) =>
      db.write(async (tx) => {
        await tx.insert(addDirectory, { name: `beside ${n}` });
        work();
        await tx.insert(addDirectory, { name: `beside ${n} too` });
        tx.defer(noted, n);
      }, 'adding'),
    );
    assert.ok((await turnsOf(Promise.all(writing))) > 0);
    assert.deepEqual(groups, [4]);
  });

  test('lets others read between what it has put off where a turn goes on for long', async () => {
    const before = await db.read.all(namesOfDirectories, {});
    const seen: number[] = [];
    const readBeside = () => void db.read.all(namesOfDirectories, {}).then((rows) => seen.push(rows.length));
    const addLater: DeferredWork<string> = (names) => {
      work();
      readBeside();
      return names.map((name) => deferred(addDirectory, { name }));
    };
    const writing = db.write(async (tx) => {
      await tx.insert(addDirectory, { name: 'at once' });
      tx.defer(addLater, 'later');
    });
    assert.ok((await turnsOf(writing)) > 1);
    const after = await db.read.all(namesOfDirectories, {});
    assert.equal(after.length, before.length + 2);
    assert.deepEqual(seen, [before.length]);
  });

  test('still refuses one that awaits anything else after it has paused', async () => {
    const dawdling = db.write(async (tx) => {
      await tx.insert(addDirectory, { name: 'paused' });
      work();
      await tx.insert(addDirectory, { name: 'paused too' });
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    });
    await assert.rejects(dawdling, /awaited something that is not the store/);
  });
});

/** A turn of the event loop in which every waiting statement ran would keep all other requests waiting. */
describe('a read', () => {
  const log = createLog(configFrom({ CONFAB_LOG_LEVEL: 'silent' }));
  const db = openSqlite({ folder: freshFolder(), log, clock: systemClock });
  after(() => db.close());

  test('waits for the next turn of the event loop where this one has gone on for long', async () => {
    await db.read.all(namesOfDirectories, {});
    for (const until = performance.now() + 12; performance.now() < until; );
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    await db.read.all(namesOfDirectories, {});
    assert.ok(hasTurned);
  });
});
