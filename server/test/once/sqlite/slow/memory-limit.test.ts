import assert from 'node:assert/strict';
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { encoded, picture } from 'confab-testing/drawings.ts';
import { useFolders } from 'confab-testing/folders.ts';
import { Client, uploadOf } from 'confab-testing/harness/client.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { inParallel } from 'confab-testing/harness/parallel.ts';
import { poll } from 'confab-testing/poll.ts';
import { FormData } from 'undici';

const freshFolder = useFolders();
const groups = '/sys/fs/cgroup/memory';
const mebibyte = 1024 * 1024;
const path = '/api/apps/small/comments';
const cannot = 'the memory of a process is limited by root with the first version of control groups';

function textOf(number: number): string {
  return `comment ${number} about **memory** ${'and words '.repeat(20)}`;
}

/** Whether this process may limit the memory of others: root with the first version of control groups. */
function canLimit(): boolean {
  try {
    accessSync(join(groups, 'memory.limit_in_bytes'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A group with a limit of memory in mebibytes: what starts a server in it, and how often the system has killed one of it. */
function groupOf(megabytes: number, t: TestContext) {
  const group = join(groups, `confab-${process.pid}-${megabytes}`);
  mkdirSync(group);
  t.after(async () => poll('the end of the group', () => isRemoved(group) || undefined));
  const limit = (to: number) => {
    try {
      writeFileSync(join(group, 'memory.limit_in_bytes'), String(to * mebibyte));
    } catch (error) {
      // So much cannot be freed: the limit stays a little above it, and the next that is taken ends the server.
      if (!(error instanceof Error && 'code' in error && error.code === 'EBUSY')) throw error;
    }
  };
  limit(megabytes);
  return {
    under: ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', group],
    limit,
    kills: () =>
      Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(group, 'memory.oom_control'), 'utf8'))?.[1]),
  };
}

function isRemoved(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch {
    return false;
  }
}

// Operators give a container as much memory as they think it needs.
describe('a limit of memory', () => {
  test('of 288 MiB is enough for comments, files, pictures, lists and searches', async (t) => {
    if (!canLimit()) return t.diagnostic(cannot);
    const group = groupOf(288, t);
    await using server = await startConfab({ folder: freshFolder(), under: group.under });
    await using client = new Client(server);
    await client.must('PUT', '/api/apps/small', { type: 'comments' });
    await inParallel({ count: 1500, atOnce: 50 }, (number) => client.create(path, { text: textOf(number) }));
    await inParallel({ count: 40, atOnce: 4 }, () =>
      client.must('GET', `${path}?top=100&q=memory&count=true`),
    );
    await inParallel({ count: 200, atOnce: 50 }, () => client.must('GET', `${path}?top=100`));
    for (let number = 0; number < 4; number += 1)
      await client.create('/api/blobs', uploadOf(`${number}.txt`, 'x'.repeat(40 * mebibyte)));
    const bytes = await encoded(picture(6000, 4000).jpeg());
    const shown = await inParallel({ count: 4, atOnce: 4 }, async (number) => {
      const form = new FormData();
      form.set('blob', new Blob([bytes], { type: 'image/jpeg' }), `${number}.jpg`);
      const blob = await client.must('POST', '/api/blobs', form);
      return await fetch(String(blob['thumbnail_url'])).then(({ status }) => status);
    });
    assert.deepEqual(shown, [200, 200, 200, 200]);
    assert.equal(group.kills(), 0);
    await server.stop();
  });

  test('that a server reaches ends it, and nothing acknowledged is lost', async (t) => {
    if (!canLimit()) return t.diagnostic(cannot);
    const group = groupOf(512, t);
    const folder = freshFolder();
    const acknowledged: number[] = [];
    await using killed = await startConfab({ folder, under: group.under });
    await using client = new Client(killed);
    await client.must('PUT', '/api/apps/small', { type: 'comments' });
    const writing = Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        for (let answer = await post(); answer !== undefined; answer = await post())
          acknowledged.push(Number(answer.body['id']));
        function post() {
          return client.send('POST', path, { text: textOf(writer) });
        }
      }),
    );
    await poll('some comments', () => acknowledged.length > 500 || undefined);
    let isGone = false;
    const gone = writing.then(() => {
      isGone = true;
    });
    let megabytes = 256;
    await poll('the end of a server without memory', () => {
      megabytes -= 4;
      group.limit(Math.max(megabytes, 4));
      return isGone || undefined;
    });
    await gone;
    assert.ok(group.kills() > 0);

    await using server = await startConfab({ folder, key: killed.key, name: 'after' });
    await using reader = new Client(server);
    for (const id of acknowledged) await reader.must('GET', `/api/comments/${id}`);
    await server.stop();
  });
});
