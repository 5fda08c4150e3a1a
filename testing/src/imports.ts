import assert from 'node:assert/strict';
import type { Import, ImportState } from 'confab-contract/imports.ts';
import { poll } from './poll.ts';
import type { TestServer } from './server.ts';
import { upload } from './uploads.ts';

/** Uploads an export and tries its import; returns the id of the import. */
export async function tryImport(
  server: TestServer,
  file: string | Uint8Array<ArrayBuffer>,
  options: object = {},
): Promise<number> {
  const blob = await upload(server, { bytes: file, name: 'disqus.xml', type: 'text/xml' });
  const body = { kind: 'disqus', blob_id: blob.id, ...options };
  return (await server.create('/api/imports', body)).id;
}

/** The import once it is in a state. */
export async function reached(server: TestServer, id: number, state: ImportState): Promise<Import> {
  return await poll(`the import to be ${state}`, async () => {
    const { body } = await server.call('GET', `/api/imports/${id}`);
    assert.ok(body.state === state || body.state !== 'failed', body.error);
    return body.state === state ? body : undefined;
  });
}

/** Tries, runs and finishes an import. */
export async function importAll(
  server: TestServer,
  file: string | Uint8Array<ArrayBuffer>,
  options: object = {},
): Promise<Import> {
  const id = await tryImport(server, file, options);
  await reached(server, id, 'ready');
  assert.equal((await server.call('POST', `/api/imports/${id}/run`)).status, 202);
  return await reached(server, id, 'finished');
}

/** Takes an import back. */
export async function takeBack(server: TestServer, id: number): Promise<Import> {
  assert.equal((await server.call('POST', `/api/imports/${id}/undo`)).status, 202);
  return await reached(server, id, 'undone');
}
