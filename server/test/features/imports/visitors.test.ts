import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from 'confab-testing/command.ts';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { importAll } from 'confab-testing/imports.ts';
import { startTestServer, type TestServer, useServer } from 'confab-testing/server.ts';
import { rootUrl } from 'confab-tools/places.ts';

const uid = 'a.example~page';
const wordpress = fileURLToPath(new URL('importers/fixtures/wordpress.xml', rootUrl));

/** What people without a credential may do in an app, and the status of its list for them. */
async function visitorsOf(server: TestServer, app: string): Promise<unknown[]> {
  const { status } = await server.call('GET', `/api/apps/${app}/comments`, undefined, { as: null });
  return [(await server.read(`/api/apps/${app}`)).visitors, status];
}

// A page that was public stays public where new pages are, and one that was hidden stays hidden whatever the setting.
describe('the pages of an import', () => {
  const open = useServer({ CONFAB_PAGES_VISITORS: 'read' });
  const closed = useServer();

  test('are open to visitors where new pages are', async () => {
    await importAll(open, disqusExport(2));
    assert.deepEqual(await visitorsOf(open, uid), ['read', 200]);
    await importAll(closed, disqusExport(2));
    assert.deepEqual(await visitorsOf(closed, uid), [undefined, 401]);
  });

  test('are closed where the source hid them', async () => {
    await importAll(open, readFileSync(wordpress, 'utf8'), { kind: 'wordpress' });
    const hidden = 'garden.example~blog~2020~05~peas';
    assert.equal((await open.read(`/api/apps/${hidden}`)).access, 'none');
    assert.deepEqual(await visitorsOf(open, hidden), [undefined, 401]);
  });

  test('keep their visitors when they are there before', async () => {
    await open.call('PUT', '/api/apps/b.example~page', { type: 'comments', access: 'write' });
    await importAll(open, disqusExport(1, { page: 'b.example/page', first: 100 }));
    assert.deepEqual(await visitorsOf(open, 'b.example~page'), [undefined, 401]);
  });

  test('are opened by the command as by the server', async (t) => {
    const other = await startTestServer();
    t.after(() => other.close());
    const flags = ['--pages-visitors', 'write', '--data-dir', other.folder];
    const disqus = fileURLToPath(new URL('importers/fixtures/disqus.xml', rootUrl));
    assert.equal((await runCommand(['import', 'disqus', disqus, ...flags])).code, 0);
    const page = 'garden.example:23:21:2Fpeas';
    assert.deepEqual(await visitorsOf(other, page), ['write', 200]);
    assert.equal((await other.read(`/api/apps/${page}`)).approval, 'newcomers');
  });
});
