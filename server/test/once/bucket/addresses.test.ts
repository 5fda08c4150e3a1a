import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encoded, picture } from 'confab-testing/drawings.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { startBucket, type TestBucket } from 'confab-testing/network/bucket.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { type UploadFields, upload } from 'confab-testing/uploads.ts';
import { pino } from 'pino';
import { openBucketClient } from '../../../src/storage/bucket-client.ts';

const hourMs = 3_600_000;
let bucket: TestBucket;
let server: TestServer;
let app: number;
// The bucket has the clock of this machine.
let now = Math.floor(performance.timeOrigin);
before(async () => {
  bucket = await startBucket();
  const settings = { ...bucket.settings, CONFAB_S3_PUBLIC_ENDPOINT: bucket.url };
  server = await startTestServer(settings, { isQuiet: true, clock: { now: () => now } });
  app = (await makeApp(server, { type: 'files' })).id;
});
after(async () => {
  await server.close();
  await bucket.close();
});

let files = 0;
async function make(fields: UploadFields) {
  const { id, name } = await upload(server, fields);
  files += 1;
  return await server.create(`/api/apps/${app}/files`, {
    blob_id: id,
    name: `${files}-${name}`,
  });
}

/** Where an address leads; fails when it answers by itself. */
async function leadsTo(address: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(address, { redirect: 'manual', headers });
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return answer.headers.get('location') ?? '';
}

const shown: readonly [
  what: string,
  name: string,
  type: string,
  bytes: () => Promise<Uint8Array<ArrayBuffer>>,
][] = [
  ['a PNG', 'a.png', 'image/png', () => encoded(picture(60, 40).png())],
  ['a JPEG that calls itself HTML', 'a.html', 'image/jpeg', () => encoded(picture(60, 40).jpeg())],
];

const saved: readonly [what: string, name: string, bytes: string][] = [
  ['HTML', 'a.html', '<script>alert(1)</script>'],
  ['SVG', 'a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['a script', 'a.js', 'alert(1)'],
  ['a PDF', 'a.pdf', '%PDF-1.7\n'],
  ['text', 'a.txt', 'text'],
  ['bytes of no known type', 'a.bin', '\u0000\u0001'],
];

// With an address for browsers, what no browser runs comes from the bucket itself, under the headers Confab says.
describe('the address of the bucket', () => {
  for (const [what, name, type, bytes] of shown)
    test(`serves ${what} as Confab would`, async () => {
      const sent = await bytes();
      const { download_url } = await make({ bytes: sent, name });
      const location = await leadsTo(download_url);
      assert.ok(location.startsWith(`${bucket.url}/`), location);
      const answer = await fetch(location);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), type);
      assert.match(answer.headers.get('content-disposition') ?? '', /^inline; filename="[0-9]+-a\.[a-z]+"/);
      assert.match(answer.headers.get('cache-control') ?? '', /^private\b/);
      assert.deepEqual(await answer.bytes(), sent);
    });

  for (const [what, name, bytes] of saved)
    test(`is never used for ${what}, which comes from Confab with headers that keep it from running`, async () => {
      const { download_url } = await make({ bytes, name });
      const answer = await fetch(download_url, { redirect: 'manual' });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/);
      assert.match(answer.headers.get('content-disposition') ?? '', /^attachment;/);
    });

  test('serves thumbnails and previews of pictures, but not those of text', async () => {
    const file = await make({ bytes: await encoded(picture(60, 40).png()), name: 'a.png' });
    for (const address of [file.thumbnail_url, file.preview_url]) {
      const answer = await fetch(await leadsTo(address));
      assert.equal(answer.headers.get('content-type'), 'image/webp');
      assert.ok((await answer.bytes()).length > 0);
    }
    for (const [name, bytes] of [
      ['a.txt', 'text'],
      ['a.ts', 'code()'],
    ] as const) {
      const { preview_url } = await make({ bytes, name });
      assert.equal((await fetch(preview_url, { redirect: 'manual' })).status, 200);
    }
  });

  test('saves the file with d=1, and serves a range', async () => {
    const sent = await encoded(picture(60, 40).png());
    const { download_url } = await make({ bytes: sent, name: 'ü.png' });
    const kept = await fetch(await leadsTo(`${download_url}&d=1`));
    assert.match(
      kept.headers.get('content-disposition') ?? '',
      /^attachment; .*filename\*=UTF-8''[0-9]+-%C3%BC\.png$/,
    );
    const part = await fetch(download_url, { headers: { range: 'bytes=2-5' } });
    assert.deepEqual([part.status, await part.bytes()], [206, sent.slice(2, 6)]);
  });

  test('is not needed for the headers alone or for a current copy', async () => {
    const { download_url } = await make({ bytes: await encoded(picture(60, 40).png()), name: 'a.png' });
    const head = await fetch(download_url, { method: 'HEAD', redirect: 'manual' });
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'image/png']);
    const headers = { 'if-none-match': head.headers.get('etag') ?? '' };
    assert.equal((await fetch(download_url, { headers, redirect: 'manual' })).status, 304);
  });

  test('is not returned once the file is in the trash', async () => {
    const file = await make({ bytes: await encoded(picture(60, 40).png()), name: 'a.png' });
    await leadsTo(file.download_url);
    assert.equal((await server.call('POST', `/api/files/${file.id}/trash`)).status, 200);
    assert.equal((await fetch(file.download_url, { redirect: 'manual' })).status, 404);
  });

  test('stays the same for a while and is valid for an hour at most', async () => {
    const { download_url } = await make({ bytes: await encoded(picture(60, 40).png()), name: 'a.png' });
    const present = now;
    now = Math.floor(present / hourMs) * hourMs - 2 * hourMs;
    const early = await leadsTo(download_url);
    now += 14 * 60_000;
    assert.equal(await leadsTo(download_url), early);
    now += 60_000;
    assert.notEqual(await leadsTo(download_url), early);
    now = present;
    assert.equal(new URL(early).searchParams.get('X-Amz-Expires'), '3600');
    assert.equal((await fetch(early)).status, 403);
    assert.equal((await fetch(await leadsTo(download_url))).status, 200);
  });

  test('cannot be made to show the bytes as something else', async () => {
    const { download_url } = await make({ bytes: await encoded(picture(60, 40).png()), name: 'a.png' });
    const bent = new URL(await leadsTo(download_url));
    bent.searchParams.set('response-content-type', 'text/html');
    assert.equal((await fetch(bent)).status, 403);
  });

  test('names the bucket in its path or in its host, as configured', async () => {
    const hosts = [];
    for (const isPathStyle of [true, false]) {
      const settings = {
        bucket: 'confab-test',
        endpoint: undefined,
        region: 'eu-north-1',
        credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
        isPathStyle,
        publicEndpoint: 'https://files.example.com',
      };
      const parts = { log: pino({ level: 'silent' }), clock: { now: () => now }, limits: { waitMs: 1000 } };
      const client = await openBucketClient(settings, parts);
      const address = await client.addressOf?.('ab/abc', { mediaType: 'image/png', disposition: 'inline' });
      hosts.push(new URL(address ?? '').host + new URL(address ?? '').pathname);
      client.close();
    }
    assert.deepEqual(hosts, ['files.example.com/confab-test/ab/abc', 'confab-test.files.example.com/ab/abc']);
  });
});
