import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeApp } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { codeOf, upload } from 'confab-testing/uploads.ts';
import { root } from 'confab-tools/places.ts';
import sharp from 'sharp';
import { configFrom } from '../../../../src/config/config.ts';
import { makeSecret } from '../../../../src/features/credentials/secret-text.ts';
import { createLog } from '../../../../src/setup/store.ts';
import { createPictureMaker } from '../../../../src/workers/picture-maker.ts';

const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
const lines: string[] = [];
let server: TestServer;
let app: number;
let files = 0;
const start = () =>
  startTestServer(
    { CONFAB_LOG_LEVEL: 'info' },
    { folder, isQuiet: true, logTo: { write: (line: string) => void lines.push(line) } },
  );
before(async () => {
  server = await start();
  app = (await makeApp(server, { type: 'files' })).id;
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const said = (text: string): true | undefined => lines.some((line) => line.includes(text)) || undefined;

/** The addresses of a picture that nobody has asked for. */
async function freshPicture(): Promise<{ id: number; thumbnail: string }> {
  files += 1;
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#123' } })
    .png()
    .toBuffer();
  const { id } = await upload(server, { bytes: new Uint8Array(bytes), name: `${files}.png` });
  const { body } = await server.call('POST', `/api/apps/${app}/files`, { blob_id: id });
  return { id: body.id, thumbnail: body.thumbnail_url };
}

/** The processes for pictures that a process has. */
function picturesOf(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, ppid, stat, ...args]) =>
        Number(ppid) === parent &&
        stat?.startsWith('Z') === false &&
        args.join(' ').includes('picture-process'),
    )
    .map(([pid]) => Number(pid));
}

/** The one process for pictures, standing still, so that the next job is in its hands for as long as a test needs. */
async function heldProcess(): Promise<number> {
  assert.equal((await fetch((await freshPicture()).thumbnail)).status, 200);
  const [pid] = picturesOf(process.pid);
  assert.ok(pid !== undefined);
  process.kill(pid, 'SIGSTOP');
  return pid;
}

const unfinished = (): string[] => readdirSync(join(folder, 'blobs', 'tmp'));

// What happens to the process for pictures happens to it alone: a request gets its picture or a clear answer, and
// nothing is left behind.
describe('the process for pictures', () => {
  test('that is killed during a picture is replaced by another, which finishes it', async () => {
    const pid = await heldProcess();
    const picture = await freshPicture();
    lines.length = 0;
    const asked = fetch(picture.thumbnail);
    // To make two things takes the server many more turns than to hand a picture to the process.
    await freshPicture();
    process.kill(pid, 'SIGKILL');
    assert.equal((await asked).status, 200);
    assert.ok(said('a picture is tried once more'));
    assert.notEqual(picturesOf(process.pid)[0], pid);
    assert.deepEqual(unfinished(), []);
  });

  test('that is killed while idle is replaced unnoticed', async () => {
    const pid = await heldProcess();
    process.kill(pid, 'SIGKILL');
    await poll('its end', () => !picturesOf(process.pid).includes(pid) || undefined);
    assert.equal((await fetch((await freshPicture()).thumbnail)).status, 200);
  });

  test('does not keep a server from stopping: waiting requests fail, and the next server makes the picture', async () => {
    await heldProcess();
    const picture = await freshPicture();
    const asked = [fetch(picture.thumbnail), fetch((await freshPicture()).thumbnail)];
    await freshPicture();
    const begun = performance.now();
    await server.close();
    assert.ok(performance.now() - begun < 20_000);
    for (const answer of await Promise.all(asked))
      assert.deepEqual([answer.status, await codeOf(answer)], [503, 'shutting_down']);
    assert.deepEqual(unfinished(), []);
    assert.deepEqual(picturesOf(process.pid), []);
    server = await start();
    const { body } = await server.call('GET', `/api/files/${picture.id}`);
    assert.equal((await fetch(body.thumbnail_url)).status, 200);
  });
});

const log = createLog(configFrom({ CONFAB_LOG_LEVEL: 'silent' }));

// However many pictures come and however long one takes, what waits and what runs has an end.
describe('a maker of pictures', () => {
  const place = mkdtempSync(join(tmpdir(), 'confab-test-'));
  after(() => rmSync(place, { recursive: true, force: true }));
  const file = join(place, 'source.png');
  const source = async () => file;
  const target = join(place, 'target');
  const job = { source, target, sideMax: 100, sourceMax: { pixels: 50_000_000, side: 16_384 } };
  before(async () => {
    await sharp({ create: { width: 3000, height: 3000, channels: 3, background: '#123' } })
      .png()
      .toFile(file);
  });

  test('refuses a picture that takes too long, and continues with the next', async () => {
    const hasty = createPictureMaker({ log, timeLimitMs: 1 });
    assert.equal(await hasty.shrink(job), 'refused');
    assert.equal(existsSync(target), false);
    await hasty.stop();
    const patient = createPictureMaker({ log });
    assert.equal(await patient.shrink(job), 'made');
    await patient.stop();
  });

  test('refuses a picture that takes too much memory, at the first try, and continues with the next', async () => {
    const logged: string[] = [];
    const log = createLog(configFrom({}), { write: (line) => void logged.push(line) });
    const memoryBytesMax = 160 * 1024 * 1024;
    const maker = createPictureMaker({ log, memoryBytesMax });
    // Interlaced, so that all of its pixels are held at once: 147 MB besides what the process takes itself.
    const large = join(place, 'large.png');
    await sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#123' } })
      .png({ progressive: true })
      .toFile(large);
    assert.equal(await maker.shrink({ ...job, source: async () => large }), 'refused');
    assert.deepEqual(
      logged.map((line) => JSON.parse(line).reason),
      ['too large'],
    );
    assert.equal(await maker.shrink(job), 'made');
    await maker.stop();
    const roomy = createPictureMaker({ log });
    assert.equal(await roomy.shrink({ ...job, source: async () => large }), 'made');
    await roomy.stop();
  });

  test('refuses a picture of few pixels on a long side, whatever the store recorded', async () => {
    const maker = createPictureMaker({ log });
    const long = join(place, 'long.png');
    for (const [width, state] of [
      [16_384, 'made'],
      [16_385, 'refused'],
    ] as const) {
      await sharp({ create: { width, height: 1, channels: 3, background: '#123' } })
        .png()
        .toFile(long);
      assert.equal(await maker.shrink({ ...job, source: async () => long }), state);
    }
    await maker.stop();
  });

  test('refuses a picture that crashes two processes, and continues with the next', async () => {
    const maker = createPictureMaker({ log });
    // A job that arrives as null stands for bytes that end the process.
    assert.equal(await maker.shrink(Object.assign({ ...job }, { toJSON: () => null })), 'refused');
    assert.equal(await maker.shrink(job), 'made');
    await maker.stop();
  });

  test('limits the waiting jobs, and fetches each picture when its job starts', async () => {
    const maker = createPictureMaker({ log, waitingMax: 2 });
    rmSync(target, { force: true });
    // Whether the result of the job before was there when a picture was fetched.
    const fetched: boolean[] = [];
    const noted = {
      ...job,
      source: async () => {
        fetched.push(existsSync(target));
        return file;
      },
    };
    const turns = [maker.shrink(noted), maker.shrink(noted)];
    await assert.rejects(maker.shrink(noted), { code: 'too_busy' });
    assert.deepEqual(await Promise.all(turns), ['made', 'made']);
    assert.deepEqual(fetched, [false, true]);
    assert.equal(await maker.shrink(job), 'made');
    await maker.stop();
    await assert.rejects(maker.shrink(job), { code: 'shutting_down' });
  });

  test('fails, and refuses nothing, where the result cannot be stored', async () => {
    const maker = createPictureMaker({ log });
    await assert.rejects(maker.shrink({ ...job, target: join(place, 'none', 'target') }), { code: 'ENOENT' });
    await maker.stop();
  });

  test('ends its process after checking that it begins', async () => {
    const others = picturesOf(process.pid);
    const maker = createPictureMaker({ log });
    await maker.check();
    const left = await poll('its end', () => {
      const running = picturesOf(process.pid);
      return running.length === others.length ? running : undefined;
    });
    assert.deepEqual(left, others);
    await maker.stop();
  });
});

// Where the library for pictures does not load, as on a platform it was not installed for, everything else works.
describe('a server without the library for pictures', () => {
  const copy = mkdtempSync(join(tmpdir(), 'confab-test-'));
  const key = makeSecret('key');
  let child: ChildProcess | undefined;
  let url = '';
  let errors = '';
  before(async () => {
    for (const name of ['src', 'docs', 'openapi.json', 'package.json'])
      cpSync(join(root, 'server', name), join(copy, 'server', name), { recursive: true });
    const modules = join(copy, 'node_modules');
    mkdirSync(modules);
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== 'sharp' && name !== '@img')
        symlinkSync(join(root, 'node_modules', name), join(modules, name));
    // As it is after an installation that left out the binary of the platform.
    mkdirSync(join(modules, 'sharp'));
    writeFileSync(join(modules, 'sharp', 'index.js'), 'throw new Error("Could not load the sharp module");');
    child = spawn(process.execPath, [join(copy, 'server/src/cli.ts'), 'serve'], {
      env: { CONFAB_DATA_DIR: join(copy, 'data'), CONFAB_PORT: '0', CONFAB_API_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (bytes: Buffer) => {
      output += String(bytes);
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      errors += String(bytes);
    });
    url = await poll('its address', () => /listens on (\S+)/.exec(output)?.[1]);
  });
  after(async () => {
    child?.kill('SIGTERM');
    if (child?.exitCode === null) await once(child, 'exit');
    rmSync(copy, { recursive: true, force: true });
  });

  test('logs that at its start', async () => {
    const line = await poll('the line in the log', () =>
      errors.split('\n').find((text) => text.includes('pictures cannot be made smaller')),
    );
    const { level, reason } = JSON.parse(line);
    assert.deepEqual([level, reason], [50, 'Could not load the sharp module']);
  });

  test('returns 503 for a thumbnail but serves the file itself', async () => {
    const headers = { authorization: `Bearer ${key}` };
    const form = new FormData();
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
      .png()
      .toBuffer();
    form.set('blob', new Blob([new Uint8Array(bytes)]), 'a.png');
    const blob: any = await (await fetch(`${url}/api/blobs`, { method: 'POST', headers, body: form })).json();
    for (let i = 0; i < 3; i += 1) {
      const answer = await fetch(blob.thumbnail_url);
      assert.deepEqual([answer.status, await codeOf(answer)], [503, 'storage_unavailable']);
    }
    const bearer = { ...headers, 'content-type': 'application/json' };
    const post = async (path: string, body: object): Promise<any> =>
      await (await fetch(url + path, { method: 'POST', headers: bearer, body: JSON.stringify(body) })).json();
    const made = await post('/api/apps', { uid: 'f', type: 'files' });
    const file = await post(`/api/apps/${made.id}/files`, { blob_id: blob.id });
    assert.equal((await fetch(file.preview_url)).status, 503);
    assert.equal((await fetch(file.download_url)).status, 200);
    assert.equal(errors.split('\n').filter((line) => line.includes('cannot be made smaller')).length, 1);
    assert.deepEqual(readdirSync(join(copy, 'data', 'blobs', 'tmp')), []);
  });
});
