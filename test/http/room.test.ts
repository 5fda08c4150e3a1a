import assert from 'node:assert/strict';
import { statfsSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { engine } from '../support/databases.ts';
import { makeApp } from '../support/fixtures.ts';
import { assertProblem } from '../support/problem.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sendUpload } from '../support/uploads.ts';

/** A server that should have `mib` free on its disk. */
async function startWithFree(mib: number): Promise<TestServer> {
  const server = await startTestServer({ CONFAB_DISK_FREE_MIB: String(Math.floor(mib)) });
  after(() => server.close());
  return server;
}

describe('a disk that fills up', () => {
  test('takes no files when too little is free', async () => {
    const { bavail, bsize } = statfsSync('.');
    const server = await startWithFree((bavail * bsize * 1.5) / 1024 / 1024);
    const app = await makeApp(server);
    assertProblem(await sendUpload(server), 503, 'storage_unavailable');
    await server.create(`/api/apps/${app.id}/comments`, { text: 'there is room for this' });
  });

  test('takes nothing new when half of that is gone, but deletes', async () => {
    const server = await startWithFree(1_000_000_000);
    const app = await makeApp(server);
    assertProblem(await sendUpload(server), 503, 'storage_unavailable');
    const refused = await server.call('POST', `/api/apps/${app.id}/comments`, { text: 'more' });
    // The disk of the data folder says nothing about the database of another machine.
    if (engine === 'sqlite') assertProblem(refused, 503, 'storage_unavailable');
    else assert.equal(refused.status, 201);
    assert.equal((await server.call('POST', `/api/apps/${app.id}/trash`)).status, 200);
  });
});
