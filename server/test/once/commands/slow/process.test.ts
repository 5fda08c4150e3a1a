import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runCommand, startServe } from 'confab-testing/command.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { halfRequest } from 'confab-testing/network/raw.ts';
import { png } from 'confab-testing/pictures.ts';
import { poll } from 'confab-testing/poll.ts';

const root = mkdtempSync(join(tmpdir(), 'confab-process-'));
after(() => rmSync(root, { recursive: true, force: true }));

function expectOneLine(stderr: string, pattern: RegExp): void {
  assert.match(stderr, pattern);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

// An address that stands for all addresses is one that nobody can call, so it is in no link.
describe('listening on every address', () => {
  test('without a public address warns, and makes links for this machine', async (t) => {
    const server = await startServe(join(root, 'everywhere'), ['--host', '0.0.0.0']);
    t.after(() => server.child.kill('SIGKILL'));
    assert.match(server.url, /^http:\/\/localhost:\d+$/);
    assert.match(await uploadedUrl(server), /^http:\/\/localhost:\d+\//);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    assert.match(
      server.said.stderr,
      /CONFAB_PUBLIC_URL is not set: links in answers work on this machine alone/,
    );
  });

  test('with a public address makes links to that, whatever the Host of a request says', async (t) => {
    const args = ['--host', '0.0.0.0', '--public-url', 'https://confab.example'];
    const server = await startServe(join(root, 'public'), args);
    t.after(() => server.child.kill('SIGKILL'));
    assert.match(await uploadedUrl(server), /^https:\/\/confab\.example\//);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    assert.doesNotMatch(server.said.stderr, /CONFAB_PUBLIC_URL/);
  });
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

// Browsers try one address of localhost or the other first.
describe('listening on localhost', () => {
  test('answers at each of its addresses, and stops', async (t) => {
    const server = await startServe(join(root, 'localhost'), ['--host', 'localhost']);
    t.after(() => server.child.kill('SIGKILL'));
    const { port } = new URL(server.url);
    for (const host of hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1'])
      assert.equal((await fetch(`http://${host}:${port}/healthz`)).status, 200, host);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
  });
});

/** Where the thumbnail of an upload is, as the answer says. */
async function uploadedUrl(server: { url: string; said: { stdout: string } }): Promise<string> {
  const key = /wys_\w{38}/.exec(server.said.stdout)?.[0] ?? '';
  const form = new FormData();
  form.set('blob', new Blob([png(1, 1)]), 'a.png');
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${server.url}/api/blobs`, { method: 'POST', headers, body: form });
  return ((await answer.json()) as { thumbnail_url: string }).thumbnail_url;
}

// A mistake of the operator is told in one line that says what to mend, with the exit code for its kind.
describe('a command that fails', () => {
  test('names an invalid setting', async () => {
    const { code, stderr, stdout } = await runCommand(['serve', '--port', 'many']);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    expectOneLine(stderr, /^confab: --port must be a whole number, 0 to 65535$/m);
  });

  test('names the nearest setting for one that is unknown', async () => {
    const { code, stderr } = await runCommand(['serve'], { CONFAB_DATADIR: '/nowhere' });
    assert.equal(code, 2);
    expectOneLine(stderr, /CONFAB_DATADIR is no setting of Confab; did you mean CONFAB_DATA_DIR\?/);
  });

  test('refuses unknown commands and flags', async () => {
    const command = await runCommand(['sreve']);
    assert.equal(command.code, 2);
    assert.match(command.stderr, /unknown command 'sreve'/);
    const flag = await runCommand(['serve', '--prot', '1']);
    assert.equal(flag.code, 2);
    assert.match(flag.stderr, /unknown option '--prot'/);
  });

  test('reports that a port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await poll('the port', () => other.address() ?? undefined);
    const { port } = other.address() as { port: number };
    const { code, stderr } = await runCommand([
      'serve',
      '--data-dir',
      join(root, 'port'),
      '--port',
      `${port}`,
    ]);
    other.close();
    assert.equal(code, 1);
    expectOneLine(stderr, new RegExp(`^confab: 127\\.0\\.0\\.1:${port} is taken by another program$`, 'm'));
  });

  test('reports that a data folder is not a folder', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    const noFolder = await runCommand(['serve', '--data-dir', file, '--port', '0']);
    assert.equal(noFolder.code, 1);
    expectOneLine(noFolder.stderr, /the data folder/);
  });
});

// A request that is being answered when the server is told to stop is answered, within limits that always end it.
describe('stopping', () => {
  const start = async (name: string, args: readonly string[] = []) => {
    const server = await startServe(join(root, name), args);
    const key = /wys_\w{38}/.exec(server.said.stdout)?.[0] ?? '';
    return { server, ...(await halfRequest(server.url, key)) };
  };

  test('waits for the running request', async () => {
    const { server, socket, answer } = await start('drain');
    server.child.kill('SIGTERM');
    await poll('the log line', () => (server.said.stderr.includes('"stopping"') ? true : undefined));
    socket.write('"type":"comments"}');
    assert.equal(await server.ended, 0);
    assert.match(answer(), /HTTP\/1\.1 201 /);
  });

  test('gives up at the deadline and reports what it waited for', async () => {
    const { server, socket } = await start('deadline', ['--stop-seconds', '1']);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 1);
    assert.match(server.said.stderr, /"waiting_for":"running requests".*stopping took too long/);
    socket.destroy();
  });

  test('ends at once on a second signal a second later', async () => {
    const { server, socket } = await start('impatient', ['--stop-seconds', '60']);
    server.child.kill('SIGTERM');
    await poll('the log line', () => (server.said.stderr.includes('"stopping"') ? true : undefined));
    // Signals of the first second count as one.
    await poll('the end', () => {
      server.child.kill('SIGTERM');
      return server.child.exitCode ?? undefined;
    });
    assert.equal(await server.ended, 143);
    socket.destroy();
  });
});

// A suite removes the folder of a server when it fails, and the log of the server with it.
test('a suite reports the last lines of the log of a server that does not start', async () => {
  const starting = startConfab({ folder: join(root, 'suite'), settings: { CONFAB_EVENT_DAYS: 'seldom' } });
  await assert.rejects(starting, /^Error: the server ended with 2:\n {2}.*CONFAB_EVENT_DAYS/);
});
