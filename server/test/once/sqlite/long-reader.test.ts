import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { Problem } from 'confab-contract/problem.ts';
import { poll } from 'confab-testing/poll.ts';
import { sql } from 'kysely';
import { SqliteLongReader } from '../../../src/db/sqlite/long-reads.ts';
import { query } from '../../../src/db/statement.ts';

const folder = mkdtempSync(join(tmpdir(), 'confab-long-reader-'));
after(() => rmSync(folder, { recursive: true }));

/** Less than a process of Node takes to start, in milliseconds. */
const shortMs = 10;

const one = query()((q) => q.selectNoFrom(sql<number>`1`.as('one')));

// A busy machine can take longer to start the process for long reads than a read may take.
describe('the process for long reads', () => {
  test('goes on starting when the read that it is started for is given up', async (t) => {
    const file = join(folder, 'confab.db');
    new DatabaseSync(file).close();
    const log = { info() {}, warn() {}, error() {} } as never;
    const reader = new SqliteLongReader({ file, log, watch: {} });
    t.after(() => reader.close());
    const read = async () => {
      const session = reader.begin(shortMs);
      try {
        return await session.read.get(one, {});
      } catch (error) {
        assert.ok(error instanceof Problem && error.code === 'took_too_long', String(error));
        return undefined;
      } finally {
        await session.end();
      }
    };
    assert.equal(await read(), undefined);
    assert.deepEqual({ ...(await poll('a read in time', read)) }, { one: 1 });
  });
});
