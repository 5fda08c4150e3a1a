import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { makeImport } from 'confab-testing/fixtures.ts';
import { reached, tryImport } from 'confab-testing/imports.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';

const comments = '/api/apps/a.example~page/comments?count_only=true';

// An import is stopped wherever it is; what it wrote stays until it is taken back, and the next import is not held up.
describe('stopping an import', () => {
  const server = useServer();
  const stop = async (id: number) => await server.call('POST', `/api/imports/${id}/stop`);

  test('is repeated without a change, appends one event, and leaves one that is over as it is', async () => {
    const id = await tryImport(server, disqusExport(1, { page: 'c.example/page' }));
    await reached(server, id, 'ready');
    await stop(id);
    const again = await stop(id);
    assert.deepEqual([again.status, again.body.state], [200, 'stopped']);
    const body = await server.read('/api/events?top=1000');
    const states = body.data
      .filter(({ import: of }: any) => of?.id === id)
      .map(({ action, import: of }: any) => [action, of.state]);
    assert.deepEqual(states.at(-1), ['import_updated', 'stopped']);
    assert.equal(states.filter(([, state]: string[]) => state === 'stopped').length, 1);
    for (const state of ['finished', 'failed', 'expired', 'undone'] as const)
      assert.equal((await stop(await makeImport(server, state))).body.state, state);
    assertProblem(await stop(await makeImport(server, 'undoing')), 422, 'validation_failed');
    assertProblem(await stop(999_999), 404, 'not_found');
  });

  test('that is being read leaves nothing and frees its file', async () => {
    const id = await tryImport(server, disqusExport(20_000));
    const { status, body } = await stop(id);
    assert.deepEqual([status, body.state, body.error], [200, 'stopped', undefined]);
    assert.notEqual(body.finished_at, undefined);
    const [row] = readStore(server.folder, `select blob_id from import_runs where id = ${id}`);
    assert.equal(row?.blob_id, null);
    const next = await tryImport(server, disqusExport(1, { page: 'b.example/page' }));
    await reached(server, next, 'ready');
    assert.equal((await server.read(`/api/imports/${id}`)).planned, undefined);
  });

  test('that waits to be run ends it', async () => {
    const id = await tryImport(server, disqusExport(2));
    await reached(server, id, 'ready');
    assert.equal((await stop(id)).body.state, 'stopped');
    assertProblem(await server.call('POST', `/api/imports/${id}/run`), 422, 'validation_failed');
    assertProblem(await server.call('POST', `/api/imports/${id}/undo`), 422, 'validation_failed');
  });

  test('that runs keeps what it wrote, which is taken back, and the file can be imported again', async () => {
    const file = disqusExport(5000);
    const id = await tryImport(server, file);
    await reached(server, id, 'ready');
    await server.call('POST', `/api/imports/${id}/run`);
    await poll('some comments', async () => {
      const body = await server.read(`/api/imports/${id}`);
      return body.made.comments > 0 ? body : undefined;
    });
    const { body } = await stop(id);
    assert.equal(body.state, 'stopped');
    assert.ok(body.made.comments < 5000, String(body.made.comments));
    // Another import shows that the loop has gone on.
    await reached(server, await tryImport(server, file), 'ready');
    const count = async () => (await server.read(comments)).count;
    assert.equal(await count(), body.made.comments);
    await server.call('POST', `/api/imports/${id}/undo`);
    const { undone } = await reached(server, id, 'undone');
    assert.equal(undone?.comments, body.made.comments);
    assert.equal((await server.call('GET', comments)).status, 404);
  });

  test('asks for the scopes of an import', async () => {
    const key = await server.running.keys.create('reader', { scopes: ['read'] });
    const id = await makeImport(server, 'ready');
    assertProblem(await server.as(key).call('POST', `/api/imports/${id}/stop`), 403, 'scope_missing');
  });
});
