import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { Problem } from 'confab-contract/problem.ts';
import { freshFolder } from 'confab-testing/limited-server.ts';
import { poll } from 'confab-testing/poll.ts';
import { configFrom } from '../../../src/config/config.ts';
import { Checkpoints } from '../../../src/db/sqlite/checkpoints.ts';
import { sqliteCode } from '../../../src/db/sqlite/file-lock.ts';
import { openSqlite } from '../../../src/db/sqlite/sqlite.ts';
import { command } from '../../../src/db/statement.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createLog } from '../../../src/setup/store.ts';

/** More than is copied back at a time. */
const manyPages = 3000;
/** More than is copied back after a commit. */
const manyAtOnce = 300;
const sqliteNotADatabase = 26;

const addDirectory = command<{ name: string }>()((q, value) =>
  q.insertInto('directories').values({ name: value('name'), created_at: 0 }),
);

/** A file with rows of a page each, whose log is copied back by a thread that opens `threadFile`. */
function open({ threadFile }: { readonly threadFile?: string } = {}) {
  const file = join(freshFolder(), 'confab.db');
  const writer = new DatabaseSync(file);
  writer.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0; create table pages (id integer primary key, bytes blob)',
  );
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const checkpoints = new Checkpoints({ file: threadFile ?? file, writer, renew() {}, onError });
  const look = writer.prepare('pragma wal_checkpoint(noop)');
  const insert = writer.prepare('insert into pages (bytes) values (zeroblob(4000))');
  after(() => checkpoints.close(() => writer.close()));
  return {
    ...{ file, errors },
    /** Writes so many pages, in a transaction for each ten or as many as are given. */
    write(pages: number, { together = 10 } = {}): void {
      for (let written = 0; written < pages; written += together) {
        writer.exec('begin immediate');
        for (let n = 0; n < together; n += 1) insert.run();
        writer.exec('commit');
        checkpoints.afterTransaction();
      }
    },
    /** How many pages the log has, and how many of these were copied back. */
    log: () => Number(look.get()?.log),
    copied: () => Number(look.get()?.checkpointed),
  };
}

type Store = ReturnType<typeof open>;

/** Goes on to write until the log has started again. */
async function startedAgain(store: Store): Promise<void> {
  await poll('a log that has started again', async () => {
    store.write(10);
    return store.log() < manyPages ? true : undefined;
  });
}

// A log that is never copied back as a whole never starts again, and the next reader has to go through all of it.
describe('the log of a store that is written to without a pause', () => {
  test('is copied back by a thread, and starts again', async () => {
    const store = open();
    store.write(manyPages);
    assert.ok(store.log() >= manyPages, 'the thread has no turn of the event loop to say that it has copied');
    await startedAgain(store);
    assert.deepEqual(store.errors, []);
  });

  test('starts again when whoever reads from it has ended', async () => {
    const store = open();
    store.write(10);
    const reader = new DatabaseSync(store.file, { readOnly: true });
    after(() => reader.close());
    reader.exec('begin');
    reader.prepare('select count(*) from pages').get();
    store.write(manyPages);
    await poll('a copy of what the reader does not need', async () => store.copied() > 0 || undefined);
    assert.ok(store.log() >= manyPages);
    reader.exec('commit');
    // It is tried again when a thousand pages more are in it.
    store.write(manyPages);
    await startedAgain(store);
    assert.deepEqual(store.errors, []);
  });

  test('starts again where each change writes more than is copied after a commit', async () => {
    const store = open();
    store.write(manyPages, { together: manyAtOnce });
    await poll('a log that has started again', async () => {
      store.write(manyAtOnce, { together: manyAtOnce });
      return store.log() < manyPages ? true : undefined;
    });
    assert.deepEqual(store.errors, []);
  });

  test('is tried again where the thread has failed', async () => {
    const threadFile = join(freshFolder(), 'confab.db');
    writeFileSync(threadFile, 'no database '.repeat(1000));
    const store = open({ threadFile });
    await poll('two errors', async () => {
      store.write(1000);
      return store.errors.length >= 2 || undefined;
    });
    assert.equal(sqliteCode(store.errors[0]), sqliteNotADatabase);
  });
});

// A page that the disk has not taken is lost when the log starts again, so nothing may be written after that.
describe('a store whose log cannot be read', () => {
  const folder = freshFolder();
  const log = createLog(configFrom({ CONFAB_LOG_LEVEL: 'silent' }));
  const db = openSqlite({ folder, log, clock: systemClock });
  after(() => db.close());

  test('takes no more writes', async () => {
    const name = 'n'.repeat(1_000_000);
    await db.write(async (tx) => {
      for (let n = 0; n < 10; n += 1) await tx.insert(addDirectory, { name: `${n}${name}` });
    });
    // The thread has not started yet.
    truncateSync(join(folder, 'confab.db-wal'), 100_000);
    const { detail } = await poll('the fault', async () => {
      const health = await db.health();
      return health.ok ? undefined : health;
    });
    assert.match(detail, /restart to find out/);
    await assert.rejects(
      db.write((tx) => tx.insert(addDirectory, { name: 'refused' })),
      (error) => error instanceof Problem && error.code === 'storage_unavailable',
    );
  });
});
