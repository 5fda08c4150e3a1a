import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { listening, watch } from 'confab-testing/command.ts';
import { emptyPng } from 'confab-testing/harness/empty-png.ts';
import { npmNetwork, registryFault } from 'confab-testing/network/npm-network.ts';
import { poll } from 'confab-testing/poll.ts';
import { root } from 'confab-tools/places.ts';
import { publint } from 'publint';

const run = promisify(execFile);
// With a space, as a home folder may have.
const folder = mkdtempSync(join(tmpdir(), 'confab package-'));
/** What is packed and installed here. */
const names = ['confab-server', 'confab-client', 'confab-conformance'];
/** What the manifest of the server exports to the other workspaces, which a package has no files for (decision 0161). */
const ofWorkspaces = ['exports../src/*', 'exports../generate/*'];

const modules = join(folder, 'global/lib/node_modules');
const confab = join(folder, 'global/bin/confab');
after(() => rmSync(folder, { recursive: true, force: true }));

/** The environment of a new user: a home without files, and no variable of this run but the program path. */
const clean = { HOME: join(folder, 'home'), PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

function tarballOf(name: string): string {
  const [file] = globSync(`${name}-*.tgz`, { cwd: folder });
  assert.ok(file !== undefined, `npm pack made a file for ${name}`);
  return join(folder, file);
}

before(async () => {
  mkdirSync(clean.HOME);
  const network = npmNetwork(process.env);
  const fault = await registryFault({ ...clean, ...network }, clean.HOME);
  if (fault !== undefined) throw new Error(fault);
  const packed = ['pack', ...names.flatMap((name) => ['-w', name]), '--pack-destination', folder];
  await run('npm', packed, { cwd: root });
  const installed = ['install', '--global', '--prefix', join(folder, 'global')];
  await run('npm', [...installed, ...names.map(tarballOf)], {
    cwd: folder,
    env: {
      ...clean,
      ...network,
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    },
  });
});

function bytesBelow(place: string): number {
  return globSync('**', { cwd: place }).reduce((sum, name) => sum + lstatSync(join(place, name)).size, 0);
}

// What is published is what others can import.
describe('the packages', () => {
  for (const name of names)
    test(`${name} has nothing that publint objects to`, async () => {
      const tarball = readFileSync(tarballOf(name));
      const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
      assert.deepEqual(
        messages.filter(({ path }) => !ofWorkspaces.includes(path.join('.'))),
        [],
      );
    });

  test('have one version, which is that of the checkout', () => {
    const versions = ['.', 'server', 'clients/js', 'elements', 'conformance'].map(
      (place) => JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8')).version,
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

// The installed program is other files than the sources: each of its processes and pages has to start from them.
describe('the installed confab', () => {
  const place = join(folder, 'place');
  let server: Awaited<ReturnType<typeof listening>>;
  let key: string;
  before(async () => {
    mkdirSync(place);
    server = await listening(
      watch(spawn(confab, ['serve', '--demo'], { cwd: place, env: { ...clean, CONFAB_PORT: '0' } })),
    );
    key = /wys_\w{38}/.exec(server.said.stdout)?.[0] ?? '';
  });
  after(() => void server.child.kill('SIGKILL'));

  const call = async (path: string, { as = key, body }: { as?: string; body?: object | FormData } = {}) => {
    const isForm = body instanceof FormData;
    return await fetch(server.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${as}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
  };

  test('has the version of the checkout', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { version: told }: any = await (await call('/healthz')).json();
    assert.equal(told, version);
  });

  test('makes a key with which a comment is made, and finds it in the process for long reads', async () => {
    const { stdout } = await run(confab, ['key', 'create', 'second'], { cwd: place, env: clean });
    assert.match(stdout, /^wys_\w{38}\n$/);
    assert.equal((await call('/api/apps', { body: { uid: 'page', type: 'comments' } })).status, 201);
    const comment = { as: stdout.trim(), body: { text: 'A **quagga**' } };
    assert.equal((await call('/api/apps/page/comments', comment)).status, 201);
    const { count }: any = await (await call('/api/comments?q=quagga')).json();
    assert.equal(count, 1);
  });

  test('makes a thumbnail in the process for pictures', async () => {
    const body = new FormData();
    body.set('blob', new Blob([await emptyPng(9, 9)]), 'a.png');
    const { thumbnail_url: address }: any = await (await call('/api/blobs', { body })).json();
    assert.equal((await fetch(address)).status, 200);
  });

  test('renders a long text in the thread for that', async () => {
    const text = 'quoll\n\n'.repeat(1000);
    const created = await call('/api/apps/page/comments', { body: { text } });
    const { html }: any = await created.json();
    assert.equal(html.match(/<p>quoll<\/p>/g)?.length, 1000);
  });

  test('reads an export in the thread for that', async () => {
    const body = new FormData();
    body.set('blob', new Blob([readFileSync(join(root, 'importers/fixtures/disqus.xml'))]), 'disqus.xml');
    const { id: blobId }: any = await (await call('/api/blobs', { body })).json();
    const asked = await call('/api/imports', { body: { kind: 'disqus', blob_id: blobId } });
    const { id }: any = await asked.json();
    await poll('the import to be read', async () => {
      const { state }: any = await (await call(`/api/imports/${id}`)).json();
      assert.notEqual(state, 'failed');
      return state === 'ready' || undefined;
    });
  });

  const pages = [
    '/',
    '/docs',
    '/docs/webhooks',
    '/pages.css',
    '/pages.js',
    '/openapi.json',
    '/embed.js',
    '/demo',
    '/demo/demo.css',
  ];
  const kitFiles = [
    '/uikit-web/weavy.esm.js',
    '/uikit-web/weavy.esm.bundle.js',
    '/uikit-web/es/editor.js',
    '/uikit-web/es/editor-DBob3WMN.js',
    '/pdfjs/pdf.worker.min.mjs',
  ];
  for (const path of [...pages, ...kitFiles])
    test(`has ${path}`, async () => {
      assert.equal((await fetch(server.url + path)).status, 200);
    });

  test('has the licence of the web components beside them', () => {
    for (const version of ['21', '32']) {
      const folder = join(modules, 'confab-server/dist/uikit-web', version);
      assert.match(readFileSync(join(folder, 'LICENSE.md'), 'utf8'), /^MIT License/);
    }
    // The fonts, tables and decoders of the PDF viewer are the work of others, each with terms of its own.
    const pdf = join(modules, 'confab-server/dist/uikit-web/32/dist/pdfjs');
    for (const [part, license] of [
      ['LICENSE', /Apache License/],
      ['cmaps/LICENSE', /Adobe Systems/],
      ['fonts/LICENSE_FOXIT', /PDFium Authors/],
      ['fonts/LICENSE_LIBERATION', /SIL OPEN FONT LICENSE/],
      ['iccs/LICENSE', /CC0 1\.0/],
      ['wasm/LICENSE_JBIG2', /PDFium Authors/],
      ['wasm/LICENSE_OPENJPEG', /BSD License/],
      ['wasm/LICENSE_QCMS', /Marti Maria/],
    ] as const)
      assert.match(readFileSync(join(pdf, part), 'utf8'), license);
    for (const { name } of readdirSync(pdf, { withFileTypes: true }).filter((each) => each.isDirectory()))
      assert.ok(
        readdirSync(join(pdf, name)).some((file) => file.startsWith('LICENSE')),
        name,
      );
  });

  test('ends with 0 on SIGTERM, with nothing to warn of', async () => {
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    assert.ok(existsSync(join(modules, 'confab-server/.compile-cache')), 'the next start is quicker');
    const warnings = server.said.stderr.split('\n').filter((line) => /"level":[456]0/.test(line));
    // On a busy machine statements are slow, which the log says.
    assert.deepEqual(
      warnings.filter((line) => !line.includes('"statement":')),
      [],
    );
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
      assert.match(failed.stderr, /^confab: Node 24\.16 or later is needed, .*\n$/);
    });
});

// Programs of others have nothing but the package.
describe('the installed confab-client', () => {
  test('is imported by its name', async () => {
    const file = join(folder, 'global/lib/verify.mjs');
    writeFileSync(file, "import { verify } from 'confab-client/webhooks';\nconsole.log(typeof verify);\n");
    assert.equal((await run(process.execPath, [file], { env: clean })).stdout, 'function\n');
  });
});

// It is run with npx, beside nothing of ours.
describe('the installed confab-conformance', () => {
  test('lists its checks', async () => {
    const { stdout } = await run(join(folder, 'global/bin/confab-conformance'), ['--list'], { env: clean });
    assert.match(stdout, /^apps\.create$/m);
  });
});

// A machine without systemd has nothing to check the unit with.
if (spawnSync('systemd-analyze', ['--version']).status === 0)
  describe('confab.service', () => {
    test('is a unit without mistakes', async () => {
      const file = join(folder, 'confab.service');
      // What it starts must exist.
      const unit = readFileSync(join(root, 'confab.service'), 'utf8');
      writeFileSync(file, unit.replace('ExecStart=confab ', `ExecStart=${process.execPath} `));
      const { stdout, stderr } = await run('systemd-analyze', ['verify', file]);
      assert.equal(stdout + stderr, '');
    });
  });
