import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { configFrom } from '../../src/config.ts';
import { openSqlite } from '../../src/db/sqlite.ts';
import { command, query } from '../../src/db/statement.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLog } from '../../src/main.ts';
import { freshFolder } from '../support/limited-server.ts';

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
});
