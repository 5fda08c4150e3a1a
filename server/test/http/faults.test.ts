import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Problem } from 'confab-contract/problem.ts';
import { freshFolder, key, send, serve } from 'confab-testing/limited-server.ts';
import { poll } from 'confab-testing/poll.ts';
import { storeSettings } from 'confab-testing/stores/databases.ts';
import sharp from 'sharp';
import { configFrom } from '../../src/config/config.ts';
import type { Db } from '../../src/db/db.ts';
import { command, query } from '../../src/db/statement.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLog, openStore } from '../../src/setup/store.ts';

/** A picture of few bytes whose thumbnail has many: one tile of noise, repeated. */
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

// A preview that a full disk prevents is created once there is room; it is not recorded as impossible.
describe('a disk without room for a derived file', () => {
  test('fails only that form, and leaves nothing behind', async () => {
    const folder = freshFolder();
    // Making the store writes more than the limit.
    const maker = await serve(folder);
    maker.child.kill('SIGTERM');
    await once(maker.child, 'exit');
    const limited = await serve(folder, 4_600);
    const picture = await putFile(limited.url, await patterned(2048), 'pattern.png');
    const code = await putFile(limited.url, new Uint8Array(Buffer.alloc(700_000, '<')), 'code.js');
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

// A stop finishes running requests, loses no acknowledged write, and exits with 0.
describe('SIGTERM under load', () => {
  test('finishes the running requests and keeps every acknowledged write', async () => {
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

async function openIn(folder: string): Promise<Db> {
  const settings = { CONFAB_DATA_DIR: folder, CONFAB_LOG_LEVEL: 'silent', ...(await storeSettings(folder)) };
  const config = configFrom(settings);
  return await openStore(config, { log: createLog(config), clock: systemClock });
}

// Write transactions are independent: one that fails does not affect the others.
describe('group commit', () => {
  let db: Db;
  before(async () => {
    db = await openIn(freshFolder());
  });
  after(() => db.close());

  test('rolls back only the failing transaction of a group', async () => {
    const results = await Promise.allSettled(
      ['a', 'b', 'a', 'c'].map((name) => db.write((tx) => tx.insert(addDirectory, { name }))),
    );
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });

  test('rolls back everything a failing transaction did, including its earlier statements', async () => {
    const failing = db.write(async (tx) => {
      await tx.insert(addDirectory, { name: 'half' });
      throw new Problem('validation_failed', 'no');
    });
    await assert.rejects(failing, Problem);
    // The name is free, so the first statement was rolled back.
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

  test('is visible to a read that begins after its response', async () => {
    await db.write((tx) => tx.insert(addDirectory, { name: 'seen at once' }));
    const names = (await db.read.all(namesOfDirectories, {})).map(({ name }) => name);
    assert.ok(names.includes('seen at once'));
  });

  test('refuses writes after it was closed', async () => {
    const closed = await openIn(freshFolder());
    await closed.close();
    await assert.rejects(
      closed.write((tx) => tx.insert(addDirectory, { name: 'late' })),
      /takes no writes/,
    );
  });
});
