import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { listening, type Started, startNpm, startServe } from 'confab-testing/command.ts';
import { halfRequest } from 'confab-testing/network/raw.ts';
import { poll } from 'confab-testing/poll.ts';

const root = mkdtempSync(join(tmpdir(), 'confab-npm-'));
const started: Started[] = [];
after(() => {
  // Whatever a failed test has left, with the processes that its npm started.
  for (const { child } of started) if (child.pid !== undefined) endGroup(child.pid);
  rmSync(root, { recursive: true });
});

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
  }
}

function folderOf(name: string): string {
  return join(root, name);
}

async function start(
  program: 'npm' | 'npx',
  args: readonly string[],
  { folder, settings = {} }: { folder: string; settings?: Record<string, string> },
) {
  const one = await startNpm(program, args, { CONFAB_DATA_DIR: folder, CONFAB_PORT: '0', ...settings });
  started.push(one);
  const server = await listening(one);
  return { ...server, key: /wys_\w{38}/.exec(server.said.stdout)?.[0] ?? '' };
}

/** The exit code of npm, once all that it started has let go of its output as well. */
async function endOf({ ended }: Started): Promise<number | string> {
  let how: number | string | undefined;
  void ended.then((code) => {
    how = code;
  });
  return await poll('everything to end', () => how);
}

function isServed(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('close', () => socket.destroy());
    socket.unref();
  });
}

function headersOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}

/** Makes an app that must be there when another server opens the folder. */
async function makeApp({ url, key }: { url: string; key: string }): Promise<void> {
  const body = JSON.stringify({ uid: 'kept', type: 'comments' });
  const made = await fetch(`${url}/api/apps`, { method: 'POST', headers: headersOf(key), body });
  assert.equal(made.status, 201);
}

async function expectWhole(folder: string, key: string): Promise<void> {
  const next = await startServe(folder);
  const kept = await fetch(`${next.url}/api/apps/kept`, { headers: headersOf(key) });
  assert.equal(kept.status, 200);
  next.child.kill('SIGTERM');
  assert.equal(await next.ended, 0);
}

// A supervisor signals the process that it started, which is npm: the server ends with it, and in good order.
describe('npm start', () => {
  for (const [name, args, settings] of [
    ['with the shell of npm', ['start'], {}],
    ['with bash', ['start'], { npm_config_script_shell: 'bash' }],
    ['of the demo', ['start', '--', '--demo'], {}],
  ] as const)
    test(`${name} ends with 0 when npm alone gets SIGTERM`, async () => {
      const folder = folderOf(name);
      const server = await start('npm', args, { folder, settings });
      await makeApp(server);
      server.child.kill('SIGTERM');
      assert.equal(await endOf(server), 0);
      assert.equal(await isServed(server.url), false);
      await expectWhole(folder, server.key);
    });

  test('finishes the running request when a terminal signals both npm and the server', async () => {
    const server = await start('npm', ['start'], { folder: folderOf('terminal') });
    const { socket, answer } = await halfRequest(server.url, server.key);
    process.kill(-(server.child.pid ?? 0), 'SIGINT');
    await poll('the log line', () => (server.said.stderr.includes('"stopping"') ? true : undefined));
    socket.write('"type":"comments"}');
    assert.equal(await endOf(server), 0);
    assert.match(answer(), /HTTP\/1\.1 201 /);
  });

  test('stops by itself when npm is killed', async () => {
    const server = await start('npm', ['start'], { folder: folderOf('killed') });
    await makeApp(server);
    server.child.kill('SIGKILL');
    assert.equal(await endOf(server), 'SIGKILL');
    assert.match(server.said.stderr, /"parent_ended":\d+,"msg":"stopping"/);
    assert.equal(await isServed(server.url), false);
    await expectWhole(folderOf('killed'), server.key);
  });
});

// The memory of a server depends on a flag that Node takes only from its command line.
describe('server/bin/confab', () => {
  test('gives Node its flags, also through a link as npm creates it', () => {
    const link = join(root, 'confab');
    symlinkSync(resolve(import.meta.dirname, '../../../../bin/confab'), link);
    const show = 'data:text/javascript,console.log(process.execArgv.join())';
    const env = { PATH: process.env.PATH, NODE_OPTIONS: `--import=${show}` };
    const said = execFileSync(link, ['--version'], { encoding: 'utf8', env });
    assert.match(said, /^--max-semi-space-size=8,--no-allocation-site-pretenuring,--expose-gc\n[0-9.]+\n$/);
  });
});

// npx starts its commands in a shell of its own, which does not pass signals on.
describe('npx confab serve', () => {
  test('stops when npx alone gets SIGTERM', async () => {
    const server = await start('npx', ['confab', 'serve'], { folder: folderOf('npx') });
    await makeApp(server);
    server.child.kill('SIGTERM');
    await endOf(server);
    assert.equal(await isServed(server.url), false);
    await expectWhole(folderOf('npx'), server.key);
  });
});
