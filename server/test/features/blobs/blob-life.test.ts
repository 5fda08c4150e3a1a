import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeApp } from 'confab-testing/fixtures.ts';
import { keptLog } from 'confab-testing/log.ts';
import { blobSettings } from 'confab-testing/network/bucket.ts';
import { bmp, gif, jpegTurned, png, webpExtended } from 'confab-testing/pictures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { processorMs } from 'confab-testing/processor-time.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { watchStore } from 'confab-testing/stores/store-watch.ts';
import { codeOf, keptFiles, upload } from 'confab-testing/uploads.ts';
import fc from 'fast-check';
import { detectMediaType } from '../../../src/features/media/media-type.ts';
import { readPictureSize } from '../../../src/features/media/picture-size.ts';

const hourMs = 3_600_000;

// An upload that nothing uses is gone after a day, with its file; what is used stays, and so does its address for a day.
describe('the life of an upload', () => {
  const began = Date.parse('2026-11-21T07:42:00.000Z');
  let now = began;
  const server = useServer(blobSettings(), { clock: { now: () => now } });

  test('ends after a day unless it is used', async () => {
    const app = await makeApp(server, { type: 'files' });
    const used = await upload(server, { name: 'used.txt' });
    const unused = await upload(server, { name: 'unused.txt' });
    const { body: file } = await server.call('POST', `/api/apps/${app.id}/files`, { blob_id: used.id });
    now = began + 24 * hourMs - 1;
    assert.equal((await server.call('GET', `/api/blobs/${unused.id}`)).status, 200);
    now = began + 24 * hourMs;
    assert.equal((await server.call('GET', `/api/blobs/${unused.id}`)).status, 404);
    assert.equal((await server.call('GET', `/api/blobs/${used.id}`)).status, 200);
    const late = await server.call('POST', `/api/apps/${app.id}/files`, { blob_id: unused.id });
    assertProblem(late, 422, 'validation_failed', '/blob_id');
    assert.equal((await fetch(file.download_url)).status, 200);
  });

  test('ends with its row and its file at the next sweep, which also clears unfinished files', async () => {
    const { folder } = server;
    assert.equal(keptFiles(folder).length, 2);
    await server.restart(() => {
      mkdirSync(join(folder, 'blobs', 'tmp'), { recursive: true });
      const half = join(folder, 'blobs', 'tmp', '0123');
      writeFileSync(half, 'half of an upload');
      utimesSync(half, 0, 0);
      now = began + 25 * hourMs;
    });
    await poll('the sweep', () => keptFiles(folder).length === 1 || undefined);
    const watch = watchStore(folder);
    await poll('the row to go', () => watch.count('blobs') === 1 || undefined);
    assert.deepEqual(watch.rows('select name, expires_at from blobs'), [
      { name: 'used.txt', expires_at: null },
    ]);
    watch.close();
  });

  test('an address made yesterday has expired, a fresh one works, across restarts', async () => {
    const body = await server.read('/api/files');
    const address = body.data[0].download_url;
    assert.equal((await fetch(address)).status, 200);
    const expires = Number(new URL(address).searchParams.get('expires')) * 1000;
    assert.ok(expires - now >= 24 * hourMs && expires - now <= 30 * hourMs);
    await server.restart();
    const moved = address.replace(/^http:\/\/[^/]+/, server.url);
    assert.equal((await fetch(moved)).status, 200);
    now = expires;
    const expired = await fetch(moved);
    assert.equal(expired.status, 403);
    assert.equal(await codeOf(expired), 'link_expired');
    const again = (await server.read('/api/files')).data[0].download_url;
    assert.equal((await fetch(again)).status, 200);
  });
});

// A user who lost access keeps known addresses, so an operator can shorten their life; and names of files do not appear
// in the log.
describe('the signed addresses of a file', () => {
  const minuteMs = 60_000;
  const lines: { readonly request_id?: string; readonly path?: string }[] = [];
  let now = Date.parse('2026-11-21T07:42:00.000Z');
  const server = useServer(
    { ...blobSettings(), CONFAB_LOG_LEVEL: 'debug' },
    {
      clock: { now: () => now },
      logTo: keptLog(lines),
    },
  );
  let file: number;
  before(async () => {
    const app = await makeApp(server, { type: 'files' });
    const { id } = await upload(server, { bytes: png(9, 9), name: 'dismissal of Ada.png' });
    file = (await server.call('POST', `/api/apps/${app.id}/files`, { blob_id: id })).body.id;
  });
  const addresses = async (): Promise<string[]> => {
    const body = await server.read(`/api/files/${file}`);
    return [body.download_url, body.thumbnail_url, body.preview_url];
  };

  test('work for as long as configured, and are the same meanwhile', async () => {
    const [old = ''] = await addresses();
    await server.restart(undefined, { CONFAB_FILE_LINK_MINUTES: '60' });
    const first = await addresses();
    for (const address of first) {
      const leftMs = Number(new URL(address).searchParams.get('expires')) * 1000 - now;
      assert.ok(leftMs > 60 * minuteMs && leftMs <= 75 * minuteMs, `${leftMs} ms`);
    }
    now += 2 * minuteMs;
    assert.deepEqual(await addresses(), first);
    const download = first[0] ?? '';
    assert.equal((await fetch(download)).status, 200);
    now += 75 * minuteMs;
    const late = await fetch(download);
    assert.deepEqual([late.status, await codeOf(late)], [403, 'link_expired']);
    // Made for a day, before the operator thought otherwise.
    const outdated = await fetch(old.replace(/^http:\/\/[^/]+/, server.url));
    assert.deepEqual([outdated.status, await codeOf(outdated)], [403, 'link_expired']);
  });

  test('are logged without the name of the file', async () => {
    for (const [index, address] of (await addresses()).entries())
      await (await fetch(address, { headers: { 'x-request-id': `named-${index}` } })).arrayBuffer();
    for (const [index, folder] of ['blobs', 'thumbnails', 'previews'].entries()) {
      const path = await poll(
        'the line in the log',
        () => lines.find(({ request_id }) => request_id === `named-${index}`)?.path,
      );
      assert.match(path, new RegExp(`^/${folder}/[0-9a-f]{32}/:name$`));
    }
    assert.equal(JSON.stringify(lines).includes('dismissal'), false);
  });
});

// Bytes of any kind are judged without failing: what is no picture has no size, what is nothing known is octets.
describe('bytes that lie', () => {
  const samples = [png(9, 9), gif(9, 9), bmp(9, 9), webpExtended(9, 9), jpegTurned(9, 9, 6, 'II')];
  const pictureTypes = ['image/png', 'image/gif', 'image/bmp', 'image/webp', 'image/jpeg'];
  const bentSample = fc
    .record({
      sample: fc.constantFrom(...samples),
      flips: fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 12 }),
      length: fc.nat(90),
      tail: fc.uint8Array({ maxLength: 64 }),
    })
    .map(({ sample, flips, length, tail }) => {
      const bytes = Uint8Array.from([...sample, ...tail]);
      for (const [at, value] of flips) if (at < bytes.length) bytes[at] = value;
      return bytes.slice(0, length);
    });

  test('never break the reader of sizes', () => {
    fc.assert(
      fc.property(bentSample, fc.constantFrom(...pictureTypes), (bytes, type) => {
        const size = readPictureSize(bytes, type);
        assert.ok(size === undefined || (size.width > 0 && size.height > 0));
      }),
      { numRuns: 5000 },
    );
  });

  test('never break the finder of types', async () => {
    await fc.assert(
      fc.asyncProperty(bentSample, async (bytes) => {
        assert.match(await detectMediaType(bytes, 'a.txt'), /^[a-z]+\/[a-z0-9.+-]+$/);
      }),
      { numRuns: 500 },
    );
  });

  test('half a megabyte of JPEG markers is read quickly', () => {
    const bytes = new Uint8Array(512 * 1024).fill(0xff);
    bytes[1] = 0xd8;
    const started = processorMs();
    assert.equal(readPictureSize(bytes, 'image/jpeg'), undefined);
    assert.ok(processorMs() - started < 250);
  });
});
