import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { freshFolder, send, serve } from 'confab-testing/limited-server.ts';
import { poll } from 'confab-testing/poll.ts';

// When the disk takes no more, writes are refused with 503, reads go on, and nothing acknowledged is gone afterwards.
describe('a full disk', () => {
  test('loses no acknowledged write and no read', async () => {
    const folder = freshFolder();
    const limited = await serve(folder, 8_000);
    await send(limited.url, 'PUT', '/api/apps/fault', { type: 'comments' });
    const text = 'a line of a comment that takes some room '.repeat(1_000);
    const acknowledged: number[] = [];
    const refusal = await poll('the first refused write', async () => {
      const { status, body } = await send(limited.url, 'POST', '/api/apps/fault/comments', { text });
      if (status === 201) acknowledged.push(body.id);
      return status === 201 ? undefined : { status, body };
    });
    assert.equal(refusal.status, 503);
    assert.equal(refusal.body.code, 'storage_unavailable');
    assert.ok(acknowledged.length > 0);
    assert.equal((await send(limited.url, 'GET', `/api/comments/${acknowledged.at(-1)}`)).status, 200);
    assert.equal((await send(limited.url, 'GET', '/readyz')).status, 503);
    assert.equal((await send(limited.url, 'GET', '/healthz')).status, 200);
    limited.child.kill('SIGKILL');
    await once(limited.child, 'exit');

    const free = await serve(folder);
    for (const id of acknowledged)
      assert.equal((await send(free.url, 'GET', `/api/comments/${id}`)).status, 200);
    assert.equal(
      (await send(free.url, 'POST', '/api/apps/fault/comments', { text: 'room again' })).status,
      201,
    );
    assert.equal((await send(free.url, 'GET', '/readyz')).status, 200);
    free.child.kill('SIGTERM');
    assert.deepEqual(await once(free.child, 'exit'), [0, null]);
  });
});
