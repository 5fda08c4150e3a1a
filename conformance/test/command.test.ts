import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { poll } from 'confab-testing/poll.ts';
import type { Plant } from './plants.ts';
import { startWrongServer, wrongKey } from './wrong-server.ts';

const program = resolve(import.meta.dirname, '../bin/confab-conformance.js');
const folder = mkdtempSync(join(tmpdir(), 'confab-conformance-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Said = { stdout: string; stderr: string };

function start(
  args: readonly string[],
  environment: Record<string, string> = {},
): { child: ChildProcess; said: Said } {
  const said = { stdout: '', stderr: '' };
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...environment },
  });
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  return { child, said };
}

async function command(
  args: readonly string[],
  environment?: Record<string, string>,
): Promise<Said & { code: number }> {
  const { child, said } = start(args, environment);
  const [code] = await once(child, 'close');
  return { ...said, code };
}

/** Runs the command against a wrong server, and returns what the server then has. */
async function against(args: readonly string[], ...plants: Plant[]) {
  const server = await startWrongServer(...plants);
  try {
    const ran = await command(['--url', server.url, '--key', wrongKey, '--patience', '0.3', ...args]);
    const { apps, webhooks, users } = server.state;
    return {
      ...ran,
      left: apps.length + webhooks.filter(({ isDeleted }) => !isDeleted).length,
      users: users.length,
    };
  } finally {
    await server.close();
  }
}

/** Calls `use` with the address of a server that answers like this. */
async function withServer(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

// What a pipeline sees of the kit are its exit code and its output.
describe('the command confab-conformance', () => {
  test('ends with 0 and prints TAP for a server that conforms', async () => {
    const { code, stdout, stderr } = await against(['--only', 'webhooks,members']);
    assert.equal(stderr, '');
    assert.equal(code, 0, stdout);
    const lines = stdout.trim().split('\n');
    assert.equal(lines[0], 'TAP version 14');
    const count = Number(/^1\.\.(\d+)$/.exec(lines[1] ?? '')?.[1]);
    assert.equal(lines.filter((line) => /^ok \d+ - (webhooks|members)\.\S+$/.test(line)).length, count);
    assert.match(lines.at(-1) ?? '', /^# \d+ passed, 0 failed, 0 skipped in [\d.]+ s$/);
  });

  test('ends with 1 and gives a finding its sentence, its request and the answer', async () => {
    const files = { json: join(folder, 'report.json'), html: join(folder, 'report.html') };
    const wanted = ['--only', 'webhooks', '--json', files.json, '--html', files.html];
    const { code, stdout } = await against(wanted, 'deleteIs200');
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^not ok \d+ - webhooks\.delete\n {2}---\n {2}message: "the status is 200, not 204"\n {2}sentence: "\| Delete webhook \|/m,
    );
    const report = JSON.parse(readFileSync(files.json, 'utf8'));
    const found = report.results.filter(({ outcome }: { outcome: string }) => outcome === 'failed');
    assert.deepEqual([found.length, found[0].id, found[0].exchange.status], [1, 'webhooks.delete', 200]);
    const page = readFileSync(files.html, 'utf8');
    assert.match(page, /<strong class="failed">1 failed<\/strong>/);
    assert.match(page, /DELETE \/api\/webhooks\/\d+/);
    for (const text of [stdout, JSON.stringify(report), page])
      assert.ok(!text.includes(wrongKey), 'no key is shown');
  });

  test('has removed everything after a finding', async () => {
    const { left, users } = await against(['--only', 'apps,webhooks'], 'createdIs200', 'enabledIgnored');
    assert.deepEqual({ left, users }, { left: 0, users: 1 });
  });

  test('says what it cannot remove', async () => {
    const { stdout, left } = await against(['--only', 'apps.create'], 'appsCannotBeRemoved');
    assert.equal(left, 1);
    assert.match(stdout, /^# not removed: DELETE \/api\/apps\/\d+$/m);
  });

  test('removes everything when it is interrupted, and ends with 2', async () => {
    const server = await startWrongServer();
    try {
      const { child, said } = start(['--url', server.url, '--key', wrongKey]);
      const closed = once(child, 'close');
      await poll('many checks to be done', () => said.stdout.split('\n').length > 150 || undefined);
      assert.ok(server.state.apps.length > 0, 'there is something to remove');
      child.kill('SIGINT');
      assert.deepEqual(await closed, [2, null]);
      assert.match(said.stdout, /^Bail out! the run was told to stop$/m);
      assert.deepEqual(
        [server.state.apps, server.state.webhooks.filter(({ isDeleted }) => !isDeleted)],
        [[], []],
      );
    } finally {
      await server.close();
    }
  });

  test('ends with 2 when it cannot run', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const nowhere = ['--url', `http://127.0.0.1:${port}`, '--key', 'x'];
    const server = await startWrongServer();
    try {
      const here = ['--url', server.url, '--key', wrongKey];
      for (const [args, message] of [
        [[], /--url is needed/],
        [['--url', server.url], /--key is needed/],
        [['--no-such-option'], /Unknown option '--no-such-option'/],
        [nowhere, /no answer \(ECONNREFUSED\)/],
        [[...here.slice(0, 2), '--key', 'another'], /does not accept the key/],
        [[...here, '--only', 'nothing'], /there is no area or check "nothing"/],
        [[...here, '--post', 'first'], /--post is "first": it must be a number/],
        [[...here, '--only', 'auth.altered', '--json', join(folder, 'no/such/folder')], /ENOENT/],
      ] as const) {
        const { code, stderr } = await command(args);
        assert.equal(code, 2, stderr);
        assert.match(stderr, message);
      }
    } finally {
      await server.close();
    }
  });

  test('ends with 2 when the server stops to answer', async () => {
    // It answers what begins a run, and nothing after that.
    let answered = 0;
    await withServer(
      (request, response) => {
        answered += 1;
        if (answered === 1) response.setHeader('content-type', 'application/json').end('{}');
        else request.destroy();
      },
      async (url) => {
        const { code, stdout } = await command(['--url', url, '--key', 'x']);
        assert.equal(code, 2);
        assert.match(stdout, /^Bail out! 5 requests in a row had no answer/m);
        assert.match(stdout, /^# not removed|^# 0 passed/m);
      },
    );
  });

  test('waits no longer for an answer than it is told to', async () => {
    await withServer(
      () => undefined,
      async (url) => {
        const { code, stderr } = await command(['--url', url, '--key', 'x', '--timeout', '0.05']);
        assert.equal(code, 2);
        assert.match(stderr, /no answer \(none within 50 ms\)/);
      },
    );
  });

  test('reads no more of an answer than it has to', async () => {
    await withServer(
      (request, response) => {
        if (request.url?.includes('top=1') === true) response.end('{}');
        else response.end('x'.repeat(9 * 1024 * 1024));
      },
      async (url) => {
        const { code, stdout } = await command(['--url', url, '--key', 'x', '--only', 'auth.altered']);
        assert.equal(code, 1);
        assert.match(stdout, /the answer is longer than 8388608 bytes/);
      },
    );
  });

  test('takes the key from the environment', async () => {
    const server = await startWrongServer();
    try {
      const { code } = await command(['--url', server.url, '--only', 'auth.scheme'], {
        CONFORMANCE_KEY: wrongKey,
      });
      assert.equal(code, 0);
    } finally {
      await server.close();
    }
  });

  test('leaves the decisions out when it is told to', async () => {
    const { stdout } = await against(['--only', 'webhooks', '--specification-only'], 'patchNeedsBoth');
    assert.match(stdout, /^ok \d+ - webhooks\.update$/m);
    assert.ok(!stdout.includes('webhooks.update.part'));
    assert.match(stdout, /, 0 failed,/);
  });

  test('skips what it has no credential for, with the reason', async () => {
    const { code, stdout } = await against(['--only', 'access,members'], 'noTokensAreMade');
    assert.match(
      stdout,
      /^ok \d+ - access\.none\.get # SKIP there is no access token: give one with --second-token/m,
    );
    assert.match(stdout, /^# 0 passed, 0 failed, \d+ skipped/m);
    assert.equal(code, 0);
  });

  test('works with the tokens, the post and the file that it is given', async () => {
    const server = await startWrongServer('noTokensAreMade', 'noPostsAreMade');
    try {
      const { state } = server;
      const app = { id: 7, uid: 'given', access: 'none', members: new Map(), isTrashed: false };
      for (const [uid, token] of [
        ['ada', 'token-a'],
        ['ben', 'token-b'],
      ] as const) {
        const user = { id: state.nextId(), uid, isBot: false };
        state.users.push(user);
        state.tokens.set(token, user);
      }
      state.posts.push({ id: 8, app });
      state.files.push({ id: 9, app });
      const given = ['--token', 'token-a', '--second-token', 'token-b', '--post', '8', '--file', '9'];
      const { stdout } = await command([
        '--url',
        server.url,
        '--key',
        wrongKey,
        '--only',
        'access,comments',
        ...given,
      ]);
      assert.match(stdout, /, 0 failed, 2 skipped/);
      assert.match(stdout, /access\.reader\.createPostComment # SKIP whose app it is in is not known/);
    } finally {
      await server.close();
    }
  });

  test('lists its checks with their sentences, and explains its options', async () => {
    const { code, stdout } = await command(['--list']);
    assert.equal(code, 0);
    assert.match(stdout, /^apps\.create\.unique\n {2}Specification \(2\.1\): \| uid \| string \| Unique;/m);
    assert.match((await command(['--help'])).stdout, /^usage: confab-conformance /);
  });
});
