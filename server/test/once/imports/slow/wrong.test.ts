import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Import } from 'confab-contract/imports.ts';
import { runCommand } from 'confab-testing/command.ts';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { useFolders } from 'confab-testing/folders.ts';
import { reached, tryImport } from 'confab-testing/imports.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { wrongKinds } from 'confab-testing/wrong-exports.ts';

const freshFolder = useFolders();

/** None, some chunks, and many; each costs a thread. `reading-refusals.test.ts` has all sizes. */
const sizesOverHttp = [0, 2 ** 17, 2 ** 20];

/** The import once it has been read. */
async function read(server: TestServer, id: number): Promise<Import> {
  return await poll(`the import ${id} to be read`, async () => {
    const body = await server.read(`/api/imports/${id}`);
    return body.state === 'reading' ? undefined : body;
  });
}

// A wrong file of any kind and size fails with a reason, and whatever is imported after it is not held up.
describe('a wrong file', () => {
  let folder: string;
  let server: TestServer;
  let good = 0;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'confab-wrong-'));
    server = await startTestServer({}, { folder });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function importGood(): Promise<void> {
    good += 1;
    const id = await tryImport(server, disqusExport(2, { page: `good.example/${good}` }));
    await reached(server, id, 'ready');
    await server.call('POST', `/api/imports/${id}/run`);
    await reached(server, id, 'finished');
  }

  for (const [kind, { bytes, says }] of Object.entries(wrongKinds))
    test(`of the kind "${kind}" fails in several sizes, and a good one after it succeeds`, async () => {
      const ids: [number, number][] = [];
      for (const size of sizesOverHttp)
        ids.push([size, await tryImport(server, new Uint8Array(bytes(size)))]);
      for (const [size, id] of ids) {
        const { state, error = '' } = await read(server, id);
        assert.equal(state, 'failed', `${size} bytes`);
        if (size > 1024) assert.match(error, says, `${size} bytes`);
        else assert.notEqual(error, '');
      }
      await importGood();
    });

  test('does not come back after a restart', async () => {
    const bytes = new Uint8Array(wrongKinds['tags']?.bytes(2 ** 20) ?? []);
    const id = await tryImport(server, bytes);
    await server.close();
    server = await startTestServer({}, { folder });
    assert.equal((await read(server, id)).state, 'failed');
    await importGood();
  });
});

// The command says the same in its error, and ends.
describe('confab import', () => {
  const cases = ['tags', 'an export that is cut off', 'a packed file that is cut off', 'noise'];

  test('refuses wrong files of 1 MiB and imports a packed one', async () => {
    const folder = freshFolder();
    const run = async (bytes: Uint8Array) => {
      const path = join(folder, 'disqus.xml.gz');
      writeFileSync(path, bytes);
      return await runCommand(['import', 'disqus', path, '--data-dir', folder]);
    };
    for (const kind of cases) {
      const { bytes, says } = wrongKinds[kind] ?? assert.fail(kind);
      const { code, stderr } = await run(bytes(2 ** 20));
      assert.equal(code, 1, stderr);
      assert.match(stderr, says);
    }
    const { code, stdout } = await run(gzipSync(disqusExport(2)));
    assert.equal(code, 0);
    assert.match(stdout, /^Made: 2 comments/m);
  });
});
