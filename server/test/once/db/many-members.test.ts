import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { pino } from 'pino';
import { openSqlite } from '../../../src/db/sqlite/sqlite.ts';
import { compile } from '../../../src/db/statement.ts';
import { upsertMembers } from '../../../src/features/members/members.store.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

// A thousand members are written in one walk of what is sent, not in a walk for each of them.
test('members that are added together are read from one list on SQLite', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'confab-members-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await openSqlite({ folder, log: pino({ level: 'silent' }), clock: systemClock }).close();
  const database = new DatabaseSync(join(folder, 'confab.db'));
  t.after(() => database.close());
  const steps = database.prepare(`explain query plan ${compile(upsertMembers, 'sqlite').sql}`).all();
  assert.deepEqual(
    steps.map(({ detail }) => String(detail).replace(/ INDEX .*/, '')),
    ['SCAN given VIRTUAL TABLE'],
  );
});
