import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Problem } from 'confab-contract/problem.ts';
import { startBucket, type TestBucket } from 'confab-testing/network/bucket.ts';
import { type FaultyBucket, startFaultyBucket } from 'confab-testing/network/faulty-bucket.ts';
import { poll } from 'confab-testing/poll.ts';
import { pino } from 'pino';
import { type BlobBucket, openBlobBucket } from '../../../../src/storage/bucket.ts';

const waitMs = 1000;
const path = mkdtempSync(join(tmpdir(), 'confab-test-'));
let server: TestBucket;
let front: FaultyBucket;
let bucket: BlobBucket;
before(async () => {
  server = await startBucket();
  front = await startFaultyBucket(server.url);
  const settings = {
    bucket: 'confab-test',
    endpoint: front.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    isPathStyle: true,
    publicEndpoint: undefined,
  };
  const parts = { log: pino({ level: 'silent' }), clock: { now: () => 0 }, limits: { waitMs } };
  bucket = await openBlobBucket({ path, unfinishedUntil: Number.POSITIVE_INFINITY }, settings, parts);
});
after(async () => {
  bucket.close();
  front.close();
  await server.close();
  rmSync(path, { recursive: true, force: true });
});
beforeEach(() => {
  front.treat = () => 'pass';
});

async function keep(bytes: Uint8Array): Promise<string> {
  const { key } = await bucket.write(Readable.from([bytes]), { headBytesMax: 1 });
  await bucket.place(key);
  return key;
}

async function read(key: string, range?: { start: number; end: number }): Promise<Readable> {
  const stream = await bucket.read({ key }, range);
  assert.ok(stream !== undefined);
  return stream;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'storage_unavailable';
}

// A bucket that does not answer in time is as good as one that is down: nobody waits without end.
describe('a bucket that is slow', () => {
  test('to begin fails every kind of request in time', async () => {
    const key = await keep(Buffer.from('text'));
    front.treat = () => 'silence';
    const { key: waiting } = await bucket.write(Readable.from(['more']), { headBytesMax: 1 });
    const began = performance.now();
    await assert.rejects(bucket.read({ key }), isUnavailable);
    await assert.rejects(bucket.sizeOf({ key }), isUnavailable);
    await assert.rejects(bucket.remove(key), isUnavailable);
    assert.ok(performance.now() - began < 30 * waitMs);
    await assert.rejects(bucket.place(waiting), isUnavailable);
    await bucket.discard(waiting);
    assert.deepEqual(readdirSync(join(path, 'tmp')), []);
  });

  test('in the middle of an answer fails the reader', async () => {
    const key = await keep(new Uint8Array(1_000_000));
    front.treat = () => ({ stallAfter: 100_000 });
    await assert.rejects(buffer(await read(key)), isUnavailable);
  });

  test('is not confused with a slow reader', async () => {
    const bytes = new Uint8Array(20_000_000).fill(7);
    const stream = await read(await keep(bytes));
    const pieces = stream[Symbol.asyncIterator]();
    let size = (await pieces.next()).value.length;
    const began = performance.now();
    await poll('a reader that takes its time', () => performance.now() - began > 3 * waitMs || undefined);
    for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next())
      size += piece.value.length;
    assert.equal(size, bytes.length);
  });

  test('is released when the reader leaves, before or after its first byte', async () => {
    const key = await keep(new Uint8Array(20_000_000));
    await poll('the end of all requests', () => front.open() === 0 || undefined);
    const [begun, unread] = [await read(key), await read(key)];
    await begun[Symbol.asyncIterator]().next();
    assert.equal(front.open(), 2);
    begun.destroy();
    unread.destroy();
    await poll('the connections to go', () => front.open() === 0 || undefined);
    assert.equal(await bucket.sizeOf({ key }), 20_000_000);
  });
});

// A bucket answers what a folder answers: a part, the whole, or that there is nothing.
describe('a bucket', () => {
  test('distinguishes a missing object from a failure', async () => {
    assert.equal(await bucket.read({ key: 'f'.repeat(32) }), undefined);
    assert.equal(await bucket.sizeOf({ key: 'f'.repeat(32), form: 'preview' }), undefined);
    await bucket.remove('f'.repeat(32));
  });

  test('returns the bytes of a range, including the first and the last one', async () => {
    const key = await keep(Buffer.from('0123456789'));
    for (const [start, end, text] of [
      [0, 0, '0'],
      [9, 9, '9'],
      [3, 5, '345'],
      [0, 9, '0123456789'],
    ] as const)
      assert.equal(String(await buffer(await read(key, { start, end }))), text);
  });

  test('stores nothing derived from a blob that is removed meanwhile', async () => {
    const key = await keep(Buffer.from('short'));
    await bucket.derive(key, 'code', async ({ source, target }) => {
      await source();
      await bucket.remove(key);
      const { writeFile } = await import('node:fs/promises');
      await writeFile(target, 'made');
      return true;
    });
    assert.deepEqual(
      server.names().filter((name) => name.includes(key)),
      [],
    );
    assert.deepEqual(readdirSync(join(path, 'tmp')), []);
  });
});
