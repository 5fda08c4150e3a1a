import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import type { Db } from '../../src/db/db.ts';
import { createAppChanges } from '../../src/events/app-changes.ts';
import { append } from '../../src/events/events.ts';
import { json } from '../../src/kernel/json.ts';

const server = useServer();

/** The store of the server, whose reads wait until `go` is called. */
function slowed(db: Db): { db: Db; go: () => void; waiting: () => number } {
  const waiting: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => void waiting.push(resolve));
  const read = {
    get: async (...given: Parameters<Db['read']['get']>) => {
      const row = await db.read.get(...given);
      await wait();
      return row;
    },
    all: async (...given: Parameters<Db['read']['all']>) => {
      const rows = await db.read.all(...given);
      await wait();
      return rows;
    },
  } as unknown as Db['read'];
  return {
    db: { ...db, read, onCommit: (...given) => db.onCommit(...given) },
    go: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
    waiting: () => waiting.length,
  };
}

test('who asks after a commit does not make do with what was read before it', async () => {
  const { db, go, waiting } = slowed(server.running.db);
  const changes = createAppChanges({ db });
  const first = changes.catchUp();
  await poll('the log to be read', () => waiting() > 0 || undefined);
  go();
  await first;
  const app = await makeApp(server, { access: 'write' });
  await makeComment(server, app.id, { text: 'first' });
  const early = changes.catchUp();
  // The log has been read, and its reader waits.
  await poll('the log to be read', () => waiting() > 0 || undefined);
  const moment = changes.moment();
  await makeComment(server, app.id, { text: 'second' });
  let isDone = false;
  const late = changes.catchUp()?.then(() => {
    isDone = true;
  });
  go();
  await early;
  assert.equal(isDone, false);
  await poll('the log to be read', () => waiting() > 0 || undefined);
  go();
  await late;
  assert.equal(changes.hasChanged(app.id, moment), true);
  assert.equal(changes.hasChanged(app.id, changes.moment()), false);
});

test('what no app shows changes none', async () => {
  const { db } = server.running;
  const app = await makeApp(server, { access: 'write' });
  const { id } = await makeUser(server);
  const changes = createAppChanges({ db });
  await changes.catchUp();
  const moment = changes.moment();
  await server.create('/api/users', { uid: freshUid('new') });
  await db.write((tx) =>
    append(tx, {
      action: 'notification_created',
      actor: { id, json: json('{}') },
      appId: app.id,
      userId: id,
      at: Date.now() as UnixMs,
      entity: { id: 1, json: json('{}') },
    }),
  );
  await changes.catchUp();
  assert.equal(changes.hasChanged(app.id, moment), false);
  await makeComment(server, app.id);
  await changes.catchUp();
  assert.equal(changes.hasChanged(app.id, moment), true);
});

test('the log is read without a commit that was heard, where that is asked for', async () => {
  const changes = createAppChanges({ db: server.running.db });
  await changes.catchUp();
  assert.equal(changes.catchUp(), undefined);
  changes.recheck();
  assert.notEqual(changes.catchUp(), undefined);
  await changes.catchUp();
});
