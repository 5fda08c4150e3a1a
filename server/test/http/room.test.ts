import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, describe, test } from 'node:test';
import { operations } from 'confab-contract/index.ts';
import { Problem } from 'confab-contract/problem.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import { sendUpload } from 'confab-testing/uploads.ts';
import { createRoom, freeBytesOf } from '../../src/http/limits/room.ts';

describe('a disk that fills up', () => {
  test('takes no files when too little is free, and nothing new when half of that is gone', async () => {
    const folder = tmpdir();
    // The free space of a shared disk changes, so it is read right before the room looks at it.
    async function refused(part: number, hasStore = true): Promise<string[]> {
      const room = createRoom({ folder, freeBytesMin: (await freeBytesOf(folder)) * part, hasStore });
      await room.look();
      const { createBlob, createAppComment, deleteComment, listAppComments } = operations;
      return [createBlob, createAppComment, deleteComment, listAppComments].flatMap((operation) => {
        try {
          room.check(operation);
          return [];
        } catch (error) {
          assert.ok(error instanceof Problem && error.code === 'storage_unavailable');
          return [operation.id];
        }
      });
    }
    assert.deepEqual(await refused(0.7), []);
    assert.deepEqual(await refused(1.5), ['createBlob']);
    assert.deepEqual(await refused(4), ['createBlob', 'createAppComment']);
    assert.deepEqual(await refused(4, false), ['createBlob']);
  });

  test('lets a server go on to delete', async () => {
    const server = await startTestServer({ CONFAB_DISK_FREE_MIB: '1000000000' });
    after(() => server.close());
    const app = await makeApp(server);
    assertProblem(await sendUpload(server), 503, 'storage_unavailable');
    const refused = await server.call('POST', `/api/apps/${app.id}/comments`, { text: 'more' });
    // The disk of the data folder says nothing about the database of another machine.
    if (engine === 'sqlite') assertProblem(refused, 503, 'storage_unavailable');
    else assert.equal(refused.status, 201);
    assert.equal((await server.call('POST', `/api/apps/${app.id}/trash`)).status, 200);
  });
});
