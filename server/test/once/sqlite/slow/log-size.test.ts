import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { freshFolder } from 'confab-testing/limited-server.ts';
import { poll } from 'confab-testing/poll.ts';
import { sql } from 'kysely';
import { configFrom } from '../../../../src/config/config.ts';
import { openSqlite } from '../../../../src/db/sqlite/sqlite.ts';
import { command, query } from '../../../../src/db/statement.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { createLog } from '../../../../src/setup/store.ts';

const mib = 1024 * 1024;
/** What the log may take, with what is written while it is copied back. */
const logBytesMax = 128 * mib;
/** Far more than that. */
const writtenMib = 160;
const searchers = 4;

const addDirectory = command<{ name: string }>()((q, value) =>
  q.insertInto('directories').values({ name: value('name'), created_at: 0 }),
);
const dropDirectories = command()((q) => q.deleteFrom('directories'));
/** Takes some tens of milliseconds, and reads from the store first. */
const slowCount = query()((q) =>
  q.selectNoFrom(
    sql<number>`(with recursive counted (n) as (select (select count(*) from settings) union all
      select n + 1 from counted where n < 300000) select max(n) from counted)`.as('n'),
  ),
);
const searched = (caller: number) => ({ operation: 'listApps', caller, isForList: true });

function openStore() {
  const folder = freshFolder();
  const log = createLog(configFrom({ CONFAB_LOG_LEVEL: 'silent' }));
  const db = openSqlite({ folder, log, clock: systemClock });
  after(() => db.close());
  const text = 'n'.repeat(mib);
  let written = 0;
  return {
    db,
    file: join(folder, 'confab.db'),
    logBytes: () => statSync(join(folder, 'confab.db-wal')).size,
    /** Writes a mebibyte, in pages that are used again. */
    async write(): Promise<void> {
      written += 1;
      await db.write(async (tx) => {
        await tx.run(dropDirectories, {});
        await tx.insert(addDirectory, { name: `${written}${text}` });
      });
    },
  };
}

// The log cannot start again while anybody reads from it, and searches of many users follow each other without a gap.
describe('the write-ahead log of a store', () => {
  test('stays short while it is written to and searched without a pause', async () => {
    const { db, write, logBytes } = openStore();
    let isDone = false;
    let searches = 0;
    const searching = Array.from({ length: searchers }, async (_, userId) => {
      while (!isDone) {
        await db.readLong(searched(userId), (read) => read.get(slowCount, {}));
        searches += 1;
      }
    });
    // The process for searches takes a while to start.
    await poll('a search', async () => searches > 0 || undefined, 60_000);
    let longest = 0;
    const before = searches;
    for (let n = 0; n < writtenMib; n += 1) {
      await write();
      longest = Math.max(longest, logBytes());
    }
    isDone = true;
    await Promise.all(searching);
    assert.ok(searches > before, 'nothing was searched while it was written to');
    assert.ok(longest < logBytesMax, `the log grew to ${Math.round(longest / mib)} MiB`);
  });

  test('keeps no search waiting while a program reads for long, and gives back the disk once that has ended', async () => {
    const { db, file, write, logBytes } = openStore();
    await write();
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('begin');
    reader.prepare('select count(*) from directories').get();
    for (let n = 0; n < writtenMib; n += 1) await write();
    assert.ok(logBytes() > logBytesMax, 'the reader did not keep the log from starting again');
    for (let n = 0; n < searchers; n += 1) {
      const found = await db.readLong(searched(n), (read) => read.get(slowCount, {}));
      assert.equal(found?.n, 300_000);
    }
    reader.close();
    await poll('a short log', async () => {
      await write();
      return logBytes() < logBytesMax || undefined;
    });
  });
});
