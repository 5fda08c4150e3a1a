import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { encoded, picture } from 'confab-testing/drawings.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { settingsFor, startBucket, type TestBucket } from 'confab-testing/network/bucket.ts';
import { type FaultyBucket, startFaultyBucket } from 'confab-testing/network/faulty-bucket.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { codeOf, sendUpload, type UploadFields, upload } from 'confab-testing/uploads.ts';

let bucket: TestBucket;
let front: FaultyBucket;
let server: TestServer;
let app: number;
const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
let now = Date.parse('2026-11-21T07:42:00.000Z');
const logged: string[] = [];
before(async () => {
  bucket = await startBucket();
  front = await startFaultyBucket(bucket.url);
  server = await startTestServer(
    { ...settingsFor(front.url), CONFAB_LOG_LEVEL: 'warn' },
    { folder, isQuiet: true, clock: { now: () => now }, logTo: { write: (line) => void logged.push(line) } },
  );
  app = (await makeApp(server, { type: 'files' })).id;
});
after(async () => {
  await server.close();
  front.close();
  await bucket.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  front.treat = () => 'pass';
});

let files = 0;

/** Makes a file and answers what is told of it. */
async function make(fields: UploadFields = {}) {
  const { id, name } = await upload(server, fields);
  files += 1;
  return await server.create(`/api/apps/${app}/files`, {
    blob_id: id,
    name: `${files}-${name}`,
  });
}

/** The name of the object that the bytes behind an address are kept under. */
function objectOf(address: string): string {
  const [key = ''] = /[0-9a-f]{32}/.exec(address) ?? [];
  return `${key.slice(0, 2)}/${key}`;
}

/** What this machine holds of blobs: only what is under way. */
function unfinished(): string[] {
  return readdirSync(join(folder, 'blobs', 'tmp'));
}

async function readiness() {
  const response = await fetch(`${server.url}/readyz`, {
    headers: { authorization: `Bearer ${server.key}` },
  });
  return {
    status: response.status,
    bucket: ((await response.json()) as { checks: { bucket: object } }).checks.bucket,
  };
}

// What is uploaded is an object of the bucket with exactly its bytes, sent once and under its digest.
describe('an upload to a bucket', () => {
  test('is one object, signed with its SHA-256, and leaves nothing on this machine', async () => {
    const bytes = Uint8Array.from(randomBytes(2_000_003));
    const names = bucket.names();
    const { download_url } = await make({ bytes, name: 'data.bin' });
    const made = bucket.names().filter((name) => !names.includes(name));
    assert.deepEqual(made, [objectOf(download_url)]);
    assert.deepEqual(Uint8Array.from(readFileSync(bucket.pathOf(made[0] ?? ''))), bytes);
    assert.deepEqual(unfinished(), []);
    const put = front.seen.filter(({ method }) => method === 'PUT').at(-1);
    assert.equal(put?.headers['x-amz-content-sha256'], createHash('sha256').update(bytes).digest('hex'));
    assert.equal(put?.headers['content-length'], String(bytes.length));
  });

  test('that is refused never reaches the bucket', async () => {
    const before = front.seen.length;
    const form = new FormData();
    form.set('other', new Blob(['text']), 'a.txt');
    assert.equal((await server.call('POST', '/api/blobs', form)).status, 400);
    assert.equal(front.seen.length, before);
    assert.deepEqual(unfinished(), []);
  });
});

// A bucket that is away costs the files and nothing else, and is used again as soon as it is back.
describe('a bucket that is down', () => {
  test('is 503 for uploads and downloads, while everything else goes on', async () => {
    const file = await make({ bytes: 'kept', name: 'kept.txt' });
    const names = bucket.names();
    await bucket.stop();
    const refused = await sendUpload(server);
    assertProblem(refused, 503, 'storage_unavailable');
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.deepEqual(unfinished(), []);
    const away = await fetch(file.download_url);
    assert.deepEqual([away.status, await codeOf(away)], [503, 'storage_unavailable']);
    assert.equal((await fetch(file.download_url, { method: 'HEAD' })).status, 200);
    const other = await makeApp(server, { type: 'comments' });
    const comment = await server.call('POST', `/api/apps/${other.id}/comments`, { text: 'still here' });
    assert.equal(comment.status, 201);
    now += 60_000;
    assert.deepEqual(await readiness(), { status: 200, bucket: { ok: true, is_answering: false } });

    await bucket.listen();
    assert.equal(await (await fetch(file.download_url)).text(), 'kept');
    assert.equal((await sendUpload(server)).status, 201);
    assert.equal(bucket.names().length, names.length + 1);
    now += 60_000;
    assert.deepEqual(await readiness(), { status: 200, bucket: { ok: true, is_answering: true } });
  });

  test('is logged with the reason and without secrets', () => {
    const text = logged.join('');
    assert.match(text, /"what":"put".*the bucket failed/);
    assert.doesNotMatch(text, /"secretAccessKey"|Authorization|Signature=/i);
  });

  test('is probed at most once in ten seconds by health checks', async () => {
    now += 60_000;
    const before = front.seen.length;
    for (let i = 0; i < 5; i += 1) await readiness();
    assert.equal(front.seen.length, before + 1);
  });
});

/** Treats the next request of a method in a way and lets all others pass. */
function spoilOnce(method: string, treatment: 'break' | 'fail'): void {
  let isSpoiled = false;
  front.treat = (seen) => {
    if (isSpoiled || seen.method !== method) return 'pass';
    isSpoiled = true;
    return treatment;
  };
}

// One fault is got over without anybody noticing; a fault that stays is told as what it is.
describe('a bucket with faults', () => {
  for (const treatment of ['break', 'fail'] as const)
    for (const method of ['PUT', 'GET'] as const)
      test(`that fails once (${treatment}) at a ${method} is tried again`, async () => {
        spoilOnce(method, treatment);
        const { download_url } = await make({ bytes: 'twice', name: 'a.txt' });
        assert.equal(await (await fetch(download_url)).text(), 'twice');
      });

  for (const treatment of ['break', 'fail'] as const)
    test(`that always fails (${treatment}) is 503, in both directions`, async () => {
      const { download_url } = await make({ bytes: 'text', name: 'a.txt' });
      const names = bucket.names();
      front.treat = () => treatment;
      assertProblem(await sendUpload(server), 503, 'storage_unavailable');
      assert.equal((await fetch(download_url)).status, 503);
      assert.deepEqual(bucket.names(), names);
      assert.deepEqual(unfinished(), []);
    });

  test('that breaks a download off breaks it off for the reader as well', async () => {
    const { download_url } = await make({ bytes: new Uint8Array(1_000_000), name: 'a.bin' });
    front.treat = () => ({ cutAfter: 300_000 });
    const response = await fetch(download_url);
    assert.equal(response.status, 200);
    await assert.rejects(response.arrayBuffer());
    front.treat = () => 'pass';
    assert.equal((await (await fetch(download_url)).arrayBuffer()).byteLength, 1_000_000);
  });

  test('that returns fewer bytes than were uploaded is 503, not a shorter file', async () => {
    const { download_url } = await make({ bytes: 'all of it', name: 'a.txt' });
    writeFileSync(bucket.pathOf(objectOf(download_url)), 'all');
    assert.equal((await fetch(download_url)).status, 503);
  });

  test('stores no partial file: the preview is created when it responds again', async () => {
    const file = await make({ bytes: await encoded(picture(900, 900).png()), name: 'a.png' });
    const names = bucket.names();
    front.treat = ({ method }) => (method === 'GET' ? { cutAfter: 20 } : 'pass');
    assert.equal((await fetch(file.preview_url)).status, 503);
    front.treat = ({ method }) => (method === 'PUT' ? 'fail' : 'pass');
    assert.equal((await fetch(file.preview_url)).status, 503);
    assert.deepEqual(bucket.names(), names);
    assert.deepEqual(unfinished(), []);
    front.treat = () => 'pass';
    assert.equal((await fetch(file.preview_url)).status, 200);
    assert.deepEqual(
      bucket.names().filter((name) => !names.includes(name)),
      [`${objectOf(file.preview_url)}.preview`],
    );
  });

  test('that cannot remove is tried again until it can', async () => {
    const { id } = await upload(server, { bytes: 'in vain', name: 'a.txt' });
    const names = bucket.names();
    front.treat = ({ method }) => (method === 'DELETE' ? 'fail' : 'pass');
    const removals = () => front.seen.filter(({ method }) => method === 'DELETE').length;
    const before = removals();
    now += 26 * 3_600_000;
    await server.close();
    server = await startTestServer(settingsFor(front.url), {
      folder,
      isQuiet: true,
      clock: { now: () => now },
    });
    await poll('a removal', () => removals() > before || undefined);
    assert.deepEqual(bucket.names(), names);
    front.treat = () => 'pass';
    await poll('the object to go', () => bucket.names().length < names.length || undefined);
    assert.equal((await server.call('GET', `/api/blobs/${id}`)).status, 404);
  });
});
