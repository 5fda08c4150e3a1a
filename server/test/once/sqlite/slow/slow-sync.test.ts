import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { buildShim, FaultPlan, hasCompiler, shimEnvironment } from 'confab-testing/disk/shim.ts';
import { useFolders } from 'confab-testing/folders.ts';
import { Client } from 'confab-testing/harness/client.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';

const freshFolder = useFolders();
/** More than the 2.5 seconds from which the alert counts. */
const slowMs = 3000;

// A disk may take long to sync, such as one of a cloud that is throttled.
describe('a disk that takes three seconds for a sync', () => {
  test('delays everything by its syncs, and nothing fails or is lost', async (t) => {
    if (!hasCompiler()) {
      t.diagnostic('there is no C compiler, so no sync was delayed');
      return;
    }
    const folder = freshFolder();
    const root = join(folder, 'disk');
    mkdirSync(root);
    const plan = new FaultPlan(join(folder, 'plan'));
    const shim = shimEnvironment(buildShim(folder), { root, fault: join(folder, 'plan') });
    await using server = await startConfab({
      folder,
      settings: { CONFAB_DATA_DIR: join(root, 'data'), CONFAB_LOG_LEVEL: 'warn', ...shim },
    });
    await using client = new Client(server);
    await client.must('PUT', '/api/apps/slow', { type: 'comments' });

    plan.slowSyncs(slowMs);
    const begunAt = performance.now();
    const writes = Array.from({ length: 8 }, async (_, number) => {
      const id = await client.create('/api/apps/slow/comments', { text: `comment ${number}` });
      return { id, ms: performance.now() - begunAt };
    });
    let isWritten = false;
    const writing = Promise.all(writes).finally(() => {
      isWritten = true;
    });
    const waits: number[] = [];
    while (!isWritten) {
      const sentAt = performance.now();
      await client.must('GET', '/api/apps/slow');
      waits.push(performance.now() - sentAt);
    }
    const written = await writing;
    plan.slowSyncs(0);
    // SQLite syncs in the thread that answers, so a read waits as long as a sync, and none fails.
    const slowestMs = Math.max(...waits);
    assert.ok(slowestMs > slowMs / 2 && slowestMs < 3 * slowMs, `the slowest read took ${slowestMs} ms`);
    for (const { ms } of written) assert.ok(ms >= slowMs, `a write took ${ms} ms`);
    for (const { id } of written) await client.must('GET', `/api/comments/${id}`);

    // What the alert ConfabWritesWait looks at.
    const metrics = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    const page = await metrics.text();
    const numberAt = (series: string) =>
      Number(
        page
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    const groups = 'confab_store_group_duration_seconds';
    assert.ok(numberAt(`${groups}_count`) > numberAt(`${groups}_bucket{le="2.5"}`), page.slice(0, 300));
    await server.stop();
  });
});
