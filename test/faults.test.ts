import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import { configFrom } from '../src/config.ts';
import { openSqlite } from '../src/db/sqlite.ts';
import { command, query } from '../src/db/statement.ts';
import { makeSecret } from '../src/features/credentials/secret-text.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { Problem } from '../src/kernel/problem.ts';
import { createLog } from '../src/main.ts';
import { poll } from './support/poll.ts';

const key = makeSecret('key');
const folders: string[] = [];
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
  folders.push(folder);
  return folder;
}

type Process = { readonly child: ChildProcess; readonly url: string };

/** Starts `confab serve` on a folder as a process of its own, under a limit of `blocks` 512-byte blocks for each file if given. */
async function serve(folder: string, blocks?: number): Promise<Process> {
  const limit = blocks === undefined ? '' : `ulimit -f ${blocks};`;
  const child = spawn('sh', ['-c', `${limit} exec "$0" src/cli.ts serve`, process.execPath], {
    env: {
      PATH: process.env['PATH'],
      CONFAB_DATA_DIR: folder,
      CONFAB_PORT: '0',
      CONFAB_API_KEY: key,
      CONFAB_LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listens on (\S+)/.exec(line)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error('the server ended before it listened');
}

async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: any }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

// When the disk takes no more, writes are refused with 503, reads go on, and nothing acknowledged is gone afterwards.
describe('a disk that takes no more', () => {
  test('costs no acknowledged write and no read', async () => {
    const folder = freshFolder();
    const limited = await serve(folder, 4_000);
    await send(limited.url, 'PUT', '/api/apps/fault', { type: 'comments' });
    const text = 'a line of a comment that takes some room '.repeat(1_000);
    const acknowledged: number[] = [];
    const refusal = await poll('the first refused write', async () => {
      const { status, body } = await send(limited.url, 'POST', '/api/apps/fault/comments', { text });
      if (status === 201) acknowledged.push(body.id);
      return status === 201 ? undefined : { status, body };
    });
    assert.equal(refusal.status, 503);
    assert.equal(refusal.body.code, 'storage_unavailable');
    assert.ok(acknowledged.length > 0);
    assert.equal((await send(limited.url, 'GET', `/api/comments/${acknowledged.at(-1)}`)).status, 200);
    assert.equal((await send(limited.url, 'GET', '/readyz')).status, 503);
    assert.equal((await send(limited.url, 'GET', '/healthz')).status, 200);
    limited.child.kill('SIGKILL');
    await once(limited.child, 'exit');

    const free = await serve(folder);
    for (const id of acknowledged)
      assert.equal((await send(free.url, 'GET', `/api/comments/${id}`)).status, 200);
    assert.equal(
      (await send(free.url, 'POST', '/api/apps/fault/comments', { text: 'room again' })).status,
      201,
    );
    assert.equal((await send(free.url, 'GET', '/readyz')).status, 200);
    free.child.kill('SIGTERM');
    assert.deepEqual(await once(free.child, 'exit'), [0, null]);
  });
});

/** A picture of few bytes whose smaller form has many: one tile of noise, again and again. */
async function patterned(side: number): Promise<Uint8Array<ArrayBuffer>> {
  const tile = Buffer.from(Array.from({ length: 48 * 48 * 3 }, (_, i) => (i * 7919 * ((i % 251) + 1)) >> 3));
  const input = await sharp(tile, { raw: { width: 48, height: 48, channels: 3 } })
    .png()
    .toBuffer();
  const background = { width: side, height: side, channels: 3, background: '#123' } as const;
  const made = sharp({ create: background }).composite([{ input, tile: true }]);
  return new Uint8Array(await made.png({ compressionLevel: 9 }).toBuffer());
}

async function putFile(url: string, bytes: Uint8Array<ArrayBuffer>, name: string): Promise<any> {
  const form = new FormData();
  form.set('blob', new Blob([bytes]), name);
  const headers = { authorization: `Bearer ${key}` };
  const blob: any = await (await fetch(`${url}/api/blobs`, { method: 'POST', headers, body: form })).json();
  await send(url, 'PUT', '/api/apps/faults', { type: 'files' });
  const { status, body } = await send(url, 'POST', '/api/apps/faults/files', { blob_id: blob.id });
  assert.equal(status, 201);
  return body;
}

// What cannot be kept for want of room is made again once there is room; it is never taken for what cannot be made.
describe('a disk without room for what is made of a file', () => {
  test('costs that form alone, and leaves nothing', async () => {
    const folder = freshFolder();
    const limited = await serve(folder, 3_000);
    const picture = await putFile(limited.url, await patterned(2048), 'pattern.png');
    const code = await putFile(limited.url, new Uint8Array(Buffer.alloc(500_000, '<')), 'code.js');
    const [preview, fragment] = [picture.preview_url, code.preview_url];
    for (const address of [preview, fragment, preview]) {
      const refusal = await fetch(address);
      assert.equal(refusal.status, 503, address);
      assert.equal(((await refusal.json()) as { code: string }).code, 'storage_unavailable');
    }
    assert.deepEqual(readdirSync(join(folder, 'blobs', 'tmp')), []);
    for (const address of [picture.thumbnail_url, picture.download_url, code.download_url])
      assert.equal((await fetch(address)).status, 200);
    limited.child.kill('SIGTERM');
    assert.deepEqual(await once(limited.child, 'exit'), [0, null]);

    const free = await serve(folder);
    for (const { id } of [picture, code]) {
      const { body } = await send(free.url, 'GET', `/api/files/${id}`);
      assert.equal((await fetch(body.preview_url)).status, 200);
    }
    free.child.kill('SIGKILL');
    await once(free.child, 'exit');
  });
});

// A stop ends what is running, loses nothing that was acknowledged, and exits with 0.
describe('SIGTERM under load', () => {
  test('answers the requests that are running and keeps every acknowledged write', async () => {
    const folder = freshFolder();
    const first = await serve(folder);
    await send(first.url, 'PUT', '/api/apps/stopping', { type: 'comments' });
    const acknowledged: number[] = [];
    let isStopping = false;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      while (!isStopping) {
        const answer = await send(first.url, 'POST', '/api/apps/stopping/comments', {
          text: `${client}`,
        }).catch(() => undefined);
        if (answer?.status === 201) acknowledged.push(answer.body.id);
        else if (answer === undefined || answer.status === 503) break;
      }
    });
    await poll('some writes', () => (acknowledged.length > 100 ? true : undefined));
    first.child.kill('SIGTERM');
    const [code] = await once(first.child, 'exit');
    isStopping = true;
    await Promise.all(clients);
    assert.equal(code, 0);

    const second = await serve(folder);
    const { body } = await send(second.url, 'GET', '/api/apps/stopping/comments?count_only=true');
    assert.ok(body.count >= acknowledged.length, `${body.count} kept of ${acknowledged.length} acknowledged`);
    const last = Math.max(...acknowledged);
    assert.equal((await send(second.url, 'GET', `/api/comments/${last}`)).status, 200);
    second.child.kill('SIGTERM');
    await once(second.child, 'exit');
  });
});

const addDirectory = command<{ name: string }>()((q, value) =>
  q.insertInto('directories').values({ name: value('name'), created_at: 0 }),
);

const namesOfDirectories = query()((q) => q.selectFrom('directories').select('name').orderBy('id'));

// A write transaction stands alone: one that fails takes nothing with it, and one that dawdles is refused.
describe('group commit', () => {
  const own = mkdtempSync(join(tmpdir(), 'confab-test-'));
  const log = createLog(configFrom({ CONFAB_LOG_LEVEL: 'silent' }));
  const db = openSqlite({ folder: own, log, clock: systemClock });
  after(async () => {
    await db.close();
    rmSync(own, { recursive: true });
  });

  test('rolls back alone what fails among others', async () => {
    const results = await Promise.allSettled(
      ['a', 'b', 'a', 'c'].map((name) => db.write((tx) => tx.insert(addDirectory, { name }))),
    );
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });

  test('rolls back everything a failing transaction did, its earlier statements too', async () => {
    const failing = db.write(async (tx) => {
      await tx.insert(addDirectory, { name: 'half' });
      throw new Problem('validation_failed', 'no');
    });
    await assert.rejects(failing, Problem);
    // The name is free again, so the first statement left nothing.
    assert.ok(await db.write((tx) => tx.insert(addDirectory, { name: 'half' })));
  });

  test('keeps the others of its group when a transaction fails after it has written', async () => {
    const names = ['one', 'two', 'three', 'four'];
    const results = await Promise.allSettled(
      names.map((name) =>
        db.write(async (tx) => {
          const id = await tx.insert(addDirectory, { name: `group ${name}` });
          if (name === 'two') throw new Problem('validation_failed', 'no');
          return id;
        }),
      ),
    );
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    const ids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.equal(new Set(ids).size, 3);
    const found = (await db.read.all(namesOfDirectories, {})).map(({ name }) => name);
    assert.deepEqual(
      found.filter((name) => name.startsWith('group ')),
      ['group one', 'group three', 'group four'],
    );
  });

  test('is seen by a read that begins in the turn of its commit', async () => {
    // In a turn of its own, where the write comes first and the read beside it holds a snapshot while it commits.
    await new Promise((resolve) => setImmediate(resolve));
    const [seen, beside] = await Promise.all([
      db
        .write((tx) => tx.insert(addDirectory, { name: 'seen at once' }))
        .then(() => db.read.all(namesOfDirectories, {})),
      db.read.all(namesOfDirectories, {}),
    ]);
    assert.equal(seen.length, beside.length + 1);
  });

  test('refuses a transaction that awaits anything but the store', async () => {
    const dawdling = db.write(async (tx) => {
      await tx.insert(addDirectory, { name: 'dawdler' });
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    });
    await assert.rejects(dawdling, /awaited something that is not the store/);
    assert.ok(await db.write((tx) => tx.insert(addDirectory, { name: 'dawdler' })));
  });

  test('refuses writes after it was closed', async () => {
    const other = mkdtempSync(join(tmpdir(), 'confab-test-'));
    const closed = openSqlite({ folder: other, log, clock: systemClock });
    await closed.close();
    await assert.rejects(
      closed.write((tx) => tx.insert(addDirectory, { name: 'late' })),
      /takes no writes/,
    );
    rmSync(other, { recursive: true });
  });
});
