import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { notificationFaults, settledLog } from 'confab-testing/notifications.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { noticesMax, readWindow } from '../../../src/features/notifications/log-window.ts';

const windowBytesMax = 1024 * 1024;

/** The texts of comments: many short ones, and some of 64 KiB, whose events have 200 kB. */
const texts = [
  ...Array.from({ length: 120 }, (_, number) => `short ${number}`),
  ...Array.from({ length: 8 }, () => 'long '.repeat(12_900)),
  'the last',
];

// A server that was stopped, or writes much, finds many events at once.
describe('a log with many events that notify nobody yet', () => {
  test('is read a megabyte at a time, and each event notifies once, a hundred users in a transaction', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-backlog-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const bob = await filledLog(folder);
    const windows = await windowsOf(folder);
    assert.ok(windows.length > 1, `${windows.length} windows`);
    assert.equal(windows.flat().length, texts.length);
    for (const window of windows) {
      const bytes = window.reduce((sum, each) => sum + each, 0);
      assert.ok(
        bytes <= windowBytesMax || window.length === 1,
        `${window.length} events with ${bytes} bytes`,
      );
    }
    assert.ok((windows[0]?.length ?? 0) > 100);

    const statements: string[] = [];
    const server = await startTestServer({}, { folder, onStatement: (sql) => void statements.push(sql) });
    try {
      await settledLog(server);
      const [told] = readStore(
        folder,
        `select count(*) as n, count(distinct event_id) as events from notifications where user_id = ${bob}`,
      );
      assert.deepEqual([Number(told?.['n']), Number(told?.['events'])], [texts.length, texts.length]);
      const inserts = statements.filter((sql) => /^insert into "notifications"/.test(sql));
      assert.ok(inserts.length > windows.length, `${inserts.length} inserts`);
      assert.deepEqual(notificationFaults(server), []);
    } finally {
      await server.close();
    }
  });
});

/** Creates a comment with each text, all of which mention one user, on a server without workers. Returns the id of the user. */
async function filledLog(folder: string): Promise<number> {
  const server = await startTestServer({}, { folder, isQuiet: true });
  try {
    const ada = await makeUser(server, { name: 'Ada' });
    const bob = await makeUser(server, { name: 'Bob' });
    const app = await makeApp(server, { access: 'write' });
    for (const text of texts) await makeComment(ada, app.id, { text: `[B](@u${bob.id}) ${text}` });
    return bob.id;
  } finally {
    await server.close();
  }
}

/** Reads the log window by window. Returns the bytes of the events in each window that can notify a user. */
async function windowsOf(folder: string): Promise<number[][]> {
  const server = await startTestServer({}, { folder, isQuiet: true });
  try {
    const rows = readStore(folder, 'select id, octet_length(payload) as bytes from events');
    const sizes = new Map(rows.map(({ id, bytes }) => [Number(id), Number(bytes)]));
    const newest = Math.max(...sizes.keys());
    const windows: number[][] = [];
    for (let after = 0, hasMore = true; hasMore; ) {
      const window = await readWindow(server.running.db.read, after, { newest, top: noticesMax });
      windows.push(window.notices.map(({ eventId }) => sizes.get(eventId) ?? 0));
      ({ upto: after, hasMore } = window);
    }
    return windows;
  } finally {
    await server.close();
  }
}
