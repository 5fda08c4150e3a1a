import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { emptyPng } from '../../scripts/harness/empty-png.ts';
import { poll } from '../support/poll.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
// With a space, as a home folder may have.
const folder = mkdtempSync(join(tmpdir(), 'confab package-'));
const modules = join(folder, 'global/lib/node_modules');
const confab = join(folder, 'global/bin/confab');
after(() => rmSync(folder, { recursive: true, force: true }));

/** The environment of a new user: a home without files, and no variable of this run but the program path. */
const clean = { HOME: join(folder, 'home'), PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

/** What npm is set to on this machine, which may reach another registry than the public one. */
function npmSetting(name: string): string {
  return execFileSync('npm', ['config', 'get', name], { cwd: root, encoding: 'utf8' }).trim();
}

function tarballOf(name: string): string {
  const [file] = globSync(`${name}-*.tgz`, { cwd: folder });
  assert.ok(file !== undefined, `npm pack made a file for ${name}`);
  return join(folder, file);
}

before(async () => {
  mkdirSync(clean.HOME);
  const packed = ['pack', '-w', 'confab-server', '-w', 'confab-client', '--pack-destination', folder];
  await run('npm', packed, { cwd: root });
  const installed = ['install', '--global', '--prefix', join(folder, 'global')];
  await run('npm', [...installed, tarballOf('confab-server'), tarballOf('confab-client')], {
    cwd: folder,
    env: {
      ...clean,
      npm_config_registry: npmSetting('registry'),
      npm_config_cache: npmSetting('cache'),
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    },
  });
});

function bytesBelow(place: string): number {
  return globSync('**', { cwd: place }).reduce((sum, name) => sum + lstatSync(join(place, name)).size, 0);
}

// What is published is what others can import, with types that fit.
describe('the packages', () => {
  for (const name of ['confab-server', 'confab-client'])
    test(`${name} has nothing that publint objects to`, async () => {
      const tarball = readFileSync(tarballOf(name));
      const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
      assert.deepEqual(messages, []);
    });

  test('have types where every compiler looks for them', async () => {
    const client = createPackageFromTarballData(readFileSync(tarballOf('confab-client')));
    const checked = await checkPackage(client);
    assert.ok(checked.types !== false, 'there are types');
    // The package has ECMAScript modules alone, which no compiler takes for CommonJS.
    const problems = checked.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM');
    assert.deepEqual(problems, []);
  });

  test('have one version, which is that of the checkout', () => {
    const versions = ['package.json', 'server/package.json', 'client/package.json'].map(
      (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).version,
    );
    assert.equal(new Set(versions).size, 1, versions.join(', '));
  });

  test('say how large they are', (t) => {
    const server = join(modules, 'confab-server');
    const all = bytesBelow(modules);
    const dependencies = bytesBelow(join(server, 'node_modules'));
    const figures = {
      'confab-server.tgz': lstatSync(tarballOf('confab-server')).size,
      'confab-server unpacked': bytesBelow(server) - dependencies,
      'confab-client.tgz': lstatSync(tarballOf('confab-client')).size,
      'everything installed': all,
    };
    for (const [what, bytes] of Object.entries(figures))
      t.diagnostic(`${what}: ${(bytes / 2 ** 20).toFixed(2)} MiB`);
    assert.ok(all > dependencies);
  });
});

/** Starts the installed server in an empty folder, as its user would. */
async function startInstalled() {
  const place = join(folder, 'place');
  mkdirSync(place);
  const child = spawn(confab, ['serve'], { cwd: place, env: { ...clean, CONFAB_PORT: '0' } });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const ended = new Promise<number | string | null>((done) => {
    child.once('close', (code, signal) => done(code ?? signal));
  });
  after(() => void child.kill('SIGKILL'));
  const [, url = '', key = ''] = await poll('the address and the key', () => {
    assert.equal(child.exitCode, null, said.stderr);
    return /listens on (http:\S+)\nAPI key: (wys_\w+)\n/.exec(said.stdout) ?? undefined;
  });
  return { place, child, said, ended, url, key };
}

// The installed program is other files than the sources: each of its processes has to start from them.
describe('the installed confab', () => {
  test('serves, makes keys, pictures and long lists, and ends with 0 on SIGTERM', async () => {
    const { place, child, said, ended, url, key } = await startInstalled();
    const { stdout: second } = await run(confab, ['key', 'create', 'second'], { cwd: place, env: clean });
    assert.match(second, /^wys_\w+\n$/);
    const call = async (as: string, path: string, body?: object): Promise<any> => {
      const answer = await fetch(url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      assert.ok(answer.ok, `${path} answers ${answer.status}`);
      return await answer.json();
    };
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.equal((await call(key, '/healthz')).version, version);
    await call(key, '/api/apps', { uid: 'page', type: 'comments' });
    await call(second.trim(), '/api/apps/page/comments', { text: 'Ready for **review**' });
    // Searches run in a process of their own.
    assert.equal((await call(key, '/api/comments?q=review')).count, 1);
    // So do pictures.
    const form = new FormData();
    form.set('blob', new Blob([await emptyPng(9, 9)]), 'a.png');
    const headers = { authorization: `Bearer ${key}` };
    const blob: any = await (await fetch(`${url}/api/blobs`, { method: 'POST', headers, body: form })).json();
    assert.equal((await fetch(blob.thumbnail_url)).status, 200);
    for (const page of ['/', '/docs', '/pages.css', '/openapi.json'])
      assert.equal((await fetch(url + page)).status, 200, page);
    child.kill('SIGTERM');
    assert.equal(await ended, 0, said.stderr);
    assert.doesNotMatch(said.stderr, /"level":[456]0/);
  });

  // Machines with an older Node are common; one that has none has nothing to run this with.
  const old = ['/usr/bin/node', '/usr/local/bin/node'].find(
    (node) =>
      existsSync(node) &&
      Number.parseInt(execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10) < 24,
  );
  if (old !== undefined)
    test('says what to do under an older Node', async () => {
      const bin = join(folder, 'old');
      mkdirSync(bin);
      symlinkSync(old, join(bin, 'node'));
      const env = { ...clean, PATH: `${bin}:/usr/bin:/bin` };
      const failed: any = await run(confab, ['serve'], { env }).catch((error: unknown) => error);
      assert.equal(failed.code, 1);
      assert.match(failed.stderr, /^confab: Node 24 or later is needed, .*\n$/);
    });
});

describe('the installed confab-client', () => {
  test('is imported by its name', async () => {
    const file = join(folder, 'global/lib/verify.mjs');
    writeFileSync(file, "import { verify } from 'confab-client/webhooks';\nconsole.log(typeof verify);\n");
    assert.equal((await run(process.execPath, [file], { env: clean })).stdout, 'function\n');
  });
});
