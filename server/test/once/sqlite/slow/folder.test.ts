import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runCommand, startServe } from 'confab-testing/command.ts';
import { encoded, picture } from 'confab-testing/drawings.ts';
import { startTestServer } from 'confab-testing/server.ts';

// The store in a data folder is opened by one server at a time, and never repaired in silence.
describe('a data folder', () => {
  test('is refused to a second server while the first one runs, and free after it stopped', async () => {
    const first = await startTestServer();
    await assert.rejects(
      startTestServer({}, { folder: first.folder }),
      /another Confab server is running on the data folder/,
    );
    assert.equal((await first.call('GET', '/api/apps')).status, 200);
    const { folder } = first;
    await first.running.close();
    const second = await startTestServer({}, { folder });
    assert.equal((await second.call('GET', '/api/apps')).status, 200);
    await second.close();
    rmSync(folder, { recursive: true });
  });

  test('that is in use is reported in one line', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    const { code, stderr } = await runCommand(['serve', '--data-dir', server.folder, '--port', '0']);
    assert.equal(code, 1);
    assert.match(stderr, /^.*another Confab server is running on the data folder.*\n$/);
  });

  test('with a damaged store is refused with the reason', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
    writeFileSync(
      join(folder, 'confab.db'),
      'this is no database at all, but it is long enough to be read as one',
    );
    await assert.rejects(startTestServer({}, { folder }), /not a database/);
    rmSync(folder, { recursive: true });
  });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** The modes of everything below a folder, by kind and path. */
function modesIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [`${entry.isDirectory() ? 'folder' : 'file'} ${path.slice(folder.length + 1)}`, modeOf(path)];
    }),
  );
}

function expectPrivate(folder: string, names: readonly string[]): void {
  const modes = modesIn(folder);
  for (const name of names) assert.ok(modes.has(name), `${name} is among ${[...modes.keys()].join(', ')}`);
  for (const [name, mode] of modes) assert.equal(mode, name.startsWith('folder') ? '700' : '600', name);
  assert.equal(modeOf(folder), '700');
}

// Whoever reads the folder reads everything, so only the user of the server can open what the program creates.
describe('what the program creates', () => {
  test('is accessible only to its user: folders, the files of SQLite, uploads, pictures, keys', async (t) => {
    const folder = join(mkdtempSync(join(tmpdir(), 'confab-modes-')), 'data');
    const server = await startServe(folder);
    t.after(() => server.child.kill('SIGKILL'));
    const key = /wys_\w{38}/.exec(server.said.stdout)?.[0] ?? '';
    const headers = { authorization: `Bearer ${key}` };
    const json = { ...headers, 'content-type': 'application/json' };
    const form = new FormData();
    form.set('blob', new Blob([await encoded(picture(400, 300).png())]), 'a.png');
    const blob = await fetch(`${server.url}/api/blobs`, { method: 'POST', headers, body: form });
    const { thumbnail_url: thumbnail } = (await blob.json()) as { thumbnail_url: string };
    assert.equal((await fetch(new URL(thumbnail, server.url))).status, 200);
    const hook = { payload_url: 'https://example.com/', triggers: ['apps'], secret: 'sealed' };
    const made = await fetch(`${server.url}/api/webhooks`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(hook),
    });
    assert.equal(made.status, 201);
    expectPrivate(folder, [
      'file confab.db',
      'file confab.db-wal',
      'file confab.db-shm',
      'file secrets.key',
      'file server.address',
      'file server.lock',
      'folder blobs/tmp',
    ]);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    assert.doesNotMatch(server.said.stderr, /can open the data folder/);
    rmSync(folder, { recursive: true });
  });

  test('is so when a command creates it', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'confab-modes-')), 'data');
    assert.equal((await runCommand(['key', 'create', '--data-dir', folder])).code, 0);
    expectPrivate(folder, ['file confab.db']);
    rmSync(folder, { recursive: true });
  });

  test('causes a warning in a folder that others can open, whose mode stays unchanged', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-modes-'));
    chmodSync(folder, 0o755);
    const server = await startServe(folder);
    t.after(() => server.child.kill('SIGKILL'));
    assert.equal(modeOf(folder), '755');
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    assert.match(
      server.said.stderr,
      /"mode":"755","msg":"every user of this machine can open the data folder/,
    );
    rmSync(folder, { recursive: true });
  });
});

// A folder that is mistyped is not made by a command that only looks or changes.
describe('a missing data folder', () => {
  for (const command of [
    ['key', 'list'],
    ['key', 'revoke', '1'],
    ['doctor'],
    ['webhook', 'list'],
    ['webhook', 'ping', '1'],
    ['webhook', 'redeliver', '1'],
    ['secrets', 'status'],
    ['secrets', 'rotate'],
    ['secrets', 'replace-lost'],
    ['move', '--to', join(tmpdir(), 'confab-moved-nowhere')],
  ])
    test(`is reported in one line by ${command.join(' ')}, with 1`, async () => {
      const folder = join(tmpdir(), `confab-nowhere-${process.pid}`);
      const { code, stdout, stderr } = await runCommand([...command, '--data-dir', folder]);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^confab: there is no store in .*confab-nowhere-\d+\n$/);
      assert.equal(existsSync(folder), false);
    });
});
