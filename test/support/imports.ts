import assert from 'node:assert/strict';
import type { Import, ImportState } from '../../src/contract/imports.ts';
import { poll } from './poll.ts';
import type { TestServer } from './server.ts';
import { upload } from './uploads.ts';

/**
 * An export of Disqus: `count` comments on a page, each a reply to the one before, by `authors` authors in turn. Their
 * ids begin with `first`.
 */
export function disqusExport(
  count: number,
  { page = 'a.example/page', authors = 1, text = 'Words', first = 1 } = {},
): string {
  const post = (
    _: unknown,
    index: number,
  ) => `<post dsq:id="${first + index}"><message>${text} ${index + 1}</message>
    <createdAt>2013-10-10T19:20:29Z</createdAt><author><name>Author ${index % authors}</name></author>
    <thread dsq:id="1"/>${index === 0 ? '' : `<parent dsq:id="${first + index - 1}"/>`}</post>`;
  return `<disqus xmlns="http://disqus.com" xmlns:dsq="http://disqus.com/disqus-internals">
    <thread dsq:id="1"><link>https://${page}</link></thread>
    ${Array.from({ length: count }, post).join('\n')}</disqus>`;
}

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
