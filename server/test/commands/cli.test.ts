import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listening, runCommand, startCommand, startServe } from 'confab-testing/command.ts';
import { poll } from 'confab-testing/poll.ts';
import { emptyStoreSettings, engine } from 'confab-testing/stores/databases.ts';

const root = mkdtempSync(join(tmpdir(), 'confab-cli-'));
after(() => rmSync(root, { recursive: true, force: true }));

function expectOneLine(stderr: string, pattern: RegExp): void {
  assert.match(stderr, pattern);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

async function statusWith(url: string, key: string): Promise<number> {
  return (await fetch(`${url}/api/apps`, { headers: { authorization: `Bearer ${key}` } })).status;
}

// Whoever starts a new store gets its address and a key that works, the key only once; a signal ends it well.
describe('confab serve', () => {
  test('prints the address and the first key to stdout and its log to stderr', async () => {
    const folder = join(root, 'first');
    const first = await startServe(folder);
    const key = /^API key: (wys_\w{38})$/m.exec(first.said.stdout)?.[1] ?? '';
    assert.equal(await statusWith(first.url, key), 200);
    first.child.kill('SIGTERM');
    assert.equal(await first.ended, 0);
    const lines = first.said.stderr.split('\n').filter((line) => line.startsWith('{'));
    assert.ok(lines.map((line) => JSON.parse(line).msg).includes('request'));
    assert.ok(!first.said.stderr.includes(key));

    const second = await startServe(folder);
    assert.doesNotMatch(second.said.stdout, /wys_/);
    assert.equal(await statusWith(second.url, key), 200);
    second.child.kill('SIGINT');
    assert.equal(await second.ended, 0);
  });

  test('says on each start which pages open themselves, and what waits on them', async () => {
    const folder = join(root, 'pages');
    const flags = ['--pages-visitors', 'write', '--sign-in', 'guest', '--cors-origins', 'https://a.example'];
    const said: string[] = [];
    for (let start = 0; start < 2; start += 1) {
      const server = await startServe(folder, flags);
      server.child.kill('SIGTERM');
      await server.ended;
      said.push(server.said.stdout);
    }
    const line = /pages of https:\/\/a\.example\. Approval of new pages: newcomers/;
    assert.match(said[0] ?? '', line);
    assert.match(said[1] ?? '', line);
  });

  test('takes flags before variables', async () => {
    const started = await startCommand(['serve', '--data-dir', join(root, 'flags'), '--port', '0'], {
      CONFAB_DATA_DIR: join(root, 'variables'),
      CONFAB_LOG_LEVEL: 'silent',
    });
    await listening(started);
    started.child.kill('SIGTERM');
    assert.equal(await started.ended, 0);
    assert.ok(readdirSync(join(root, 'flags')).includes('blobs'));
    assert.ok(!readdirSync(root).includes('variables'));
    assert.equal(started.said.stderr, '(ended with 0)');
  });
});

// A link to the console is printed beside a running server, and works once.
describe('confab console', () => {
  test('prints a link, and with --json when it ends', async () => {
    const folder = join(root, 'console');
    const server = await startServe(folder);
    const settings = { CONFAB_DATA_DIR: folder, CONFAB_PUBLIC_URL: server.url };
    const plain = await runCommand(['console', '--data-dir', folder], settings);
    assert.equal(plain.code, 0);
    expectOneLine(plain.stderr, /once, for 15 minutes/);
    const [, link = ''] = plain.stdout.trim().split('/console#link=');
    assert.match(link, /^wyl_\w{38}$/);
    const begin = () =>
      fetch(`${server.url}/console/session`, {
        method: 'POST',
        headers: { authorization: `Bearer ${link}` },
      });
    assert.equal((await begin()).status, 201);
    assert.equal((await begin()).status, 401);
    const { stdout } = await runCommand(['console', '--data-dir', folder, '--json'], settings);
    const { url, expires_at } = JSON.parse(stdout);
    assert.ok(url.startsWith(`${server.url}/console#link=wyl_`));
    assert.ok(Date.parse(expires_at) > Date.now());
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
  });

  test('leads to the server that runs, whose port only its own command knows', async (t) => {
    const folder = join(root, 'console-of-running');
    const linkOf = async (at: string, settings = {}) => {
      const { stdout } = await runCommand(['console', '--data-dir', at, '--json'], settings);
      return new URL(JSON.parse(stdout).url).origin;
    };
    const server = await startServe(folder);
    t.after(() => server.child.kill('SIGKILL'));
    assert.equal(await linkOf(folder), server.url);
    const publicUrl = 'https://comments.example.com';
    assert.equal(await linkOf(folder, { CONFAB_PUBLIC_URL: publicUrl }), publicUrl);
    const left = readFileSync(join(folder, 'server.address'));

    // What was copied with the folder is about another server.
    const copy = join(root, 'console-of-copy');
    assert.equal((await runCommand(['key', 'create', '--data-dir', copy])).code, 0);
    writeFileSync(join(copy, 'server.address'), left);
    assert.equal(await linkOf(copy), 'http://127.0.0.1:8080');

    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    assert.ok(!readdirSync(folder).includes('server.address'));
    assert.equal(await linkOf(folder), 'http://127.0.0.1:8080');
    const { stderr } = await runCommand(['console', '--data-dir', folder]);
    assert.equal(/No server runs on this data folder/.test(stderr), engine === 'sqlite');

    // A server that was killed leaves its address, where nobody answers.
    for (const text of [left, '{"url":', 'null']) {
      writeFileSync(join(folder, 'server.address'), text);
      assert.equal(await linkOf(folder), 'http://127.0.0.1:8080', String(text));
    }
  });
});

// Keys are made, listed and revoked beside a running server, which heeds them at once; a secret is shown once.
describe('confab key', () => {
  const folder = join(root, 'keys');
  let server: Awaited<ReturnType<typeof startServe>>;
  before(async () => {
    server = await startServe(folder);
  });
  after(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  });

  test('creates a key that works until it is revoked', async () => {
    const made = await runCommand(['key', 'create', 'import job', '--data-dir', folder]);
    assert.equal(made.code, 0);
    const key = made.stdout.trimEnd();
    assert.match(key, /^wys_\w{38}$/);
    assert.equal(await statusWith(server.url, key), 200);

    const list = await runCommand(['key', 'list', '--data-dir', folder]);
    const line = list.stdout.split('\n').find((each) => each.includes('import job')) ?? '';
    assert.ok(line.includes(`…${key.slice(-4)}`));
    const json = JSON.parse((await runCommand(['key', 'list', '--json', '--data-dir', folder])).stdout);
    const { hint, scopes, revoked_at } = json.find(({ name }: { name: string }) => name === 'import job');
    assert.deepEqual([hint, scopes, revoked_at], [key.slice(-4), ['all'], null]);
    assert.ok(!list.stdout.includes(key));

    const id = line.split(' ')[0] ?? '';
    assert.equal((await runCommand(['key', 'revoke', id, '--data-dir', folder])).code, 0);
    assert.equal(await statusWith(server.url, key), 401);
    assert.match(
      (await runCommand(['key', 'list', '--data-dir', folder])).stdout,
      /import job.* never +20\S+Z$/m,
    );
    const again = await runCommand(['key', 'revoke', id, '--data-dir', folder]);
    assert.equal(again.code, 1);
    expectOneLine(again.stderr, /there is no key \d+ that could be revoked/);
  });

  test('limits a key to scopes and a time, and lists both with its last use', async () => {
    const flags = ['--scope', 'read', '--scope', 'apps', '--expires', '2099-12-31', '--data-dir', folder];
    const made = await runCommand(['key', 'create', 'limited', ...flags]);
    assert.equal(made.code, 0, made.stderr);
    assert.equal(await statusWith(server.url, made.stdout.trimEnd()), 200);
    const line = async () =>
      (await runCommand(['key', 'list', '--data-dir', folder])).stdout
        .split('\n')
        .find((each) => each.includes('limited'));
    await poll('the last use', async () =>
      (await line())?.match(/ read,apps +20\S+Z +20\S+Z /) != null ? true : undefined,
    );
    assert.match((await line()) ?? '', / 2100-01-01T00:00:00\.000Z$/);
    const short = await runCommand(['key', 'create', 'short', '--expires', '90d', '--data-dir', folder]);
    assert.equal(short.code, 0, short.stderr);
    assert.match(
      (await runCommand(['key', 'list', '--data-dir', folder])).stdout,
      /short +….{4} +all +20\S+Z +never +20/,
    );
    for (const wrong of [
      ['--scope', 'admin'],
      ['--expires', '2001-01-01'],
      ['--expires', 'soon'],
      ['--expires', '0d'],
    ]) {
      const { code, stderr } = await runCommand(['key', 'create', 'x', ...wrong, '--data-dir', folder]);
      assert.equal(code, 2, wrong.join(' '));
      assert.match(stderr, /It is (one of read, apps|a day to come)/);
    }
  });

  test('does not create a store', async () => {
    const settings = { CONFAB_DATA_DIR: join(root, 'nothing'), ...(await emptyStoreSettings()) };
    const { code, stderr } = await runCommand(['key', 'list'], settings);
    assert.equal(code, 1);
    expectOneLine(stderr, /there is no store in the (data folder|database)/);
    assert.ok(!readdirSync(root).includes('nothing'));
  });
});
