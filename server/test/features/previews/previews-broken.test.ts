import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encoded, picture } from 'confab-testing/drawings.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { blobSettings } from 'confab-testing/network/bucket.ts';
import { gif, png } from 'confab-testing/pictures.ts';
import { use, useServer } from 'confab-testing/server.ts';
import { keptFiles, type UploadFields, upload } from 'confab-testing/uploads.ts';
import sharp from 'sharp';

const mebi = 1024 * 1024;
const formats = ['png', 'jpeg', 'gif', 'webp'] as const;
let files = 0;
const server = useServer(blobSettings(), { isQuiet: true });
const app = use(() => makeApp(server, { type: 'files' }));

/** Creates a file from bytes under a unique name with the given ending. */
async function make({ name = 'a.txt', ...fields }: UploadFields) {
  const { id } = await upload(server, { ...fields, name });
  files += 1;
  const body = { blob_id: id, name: `${files}-${name}` };
  return await server.create(`/api/apps/${app.id}/files`, body);
}

/** The stored files derived from a blob, by the ends of their names. */
function derivedOf(address: string): string[] {
  const [key = ''] = /[0-9a-f]{32}/.exec(address) ?? [];
  return keptFiles(server.folder)
    .filter((path) => path.includes(`${key}.`))
    .map((path) => path.slice(path.lastIndexOf('.') + 1));
}

/** Pictures whose beginning promises what the rest does not hold. */
async function spoiled(): Promise<[what: string, fields: UploadFields][]> {
  const photo = await encoded(
    sharp({
      create: {
        width: 800,
        height: 600,
        channels: 3,
        background: '#123',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    }).jpeg(),
  );
  const drawing = await encoded(
    sharp({
      create: {
        width: 400,
        height: 300,
        channels: 3,
        background: '#123',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    }).png(),
  );
  const noise = drawing.slice();
  for (let i = 1000; i < 3000; i += 1) noise[i] = (i * 7) % 256;
  // A frame of 4 billion pixels on a screen of a hundred.
  const frame = [0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 2, 0x44, 1, 0, 0x3b];
  return [
    ['a PNG without pixels', { bytes: png(100, 100), name: 'a.png' }],
    ['a PNG that breaks off', { bytes: drawing.slice(0, drawing.length / 2), name: 'a.png' }],
    ['a PNG with other bytes in it', { bytes: noise, name: 'a.png' }],
    ['a JPEG that breaks off', { bytes: photo.slice(0, photo.length / 2), name: 'a.jpg' }],
    ['a GIF without a frame', { bytes: gif(10, 10), name: 'a.gif' }],
    [
      'a GIF with a frame beyond its screen',
      { bytes: new Uint8Array([...gif(10, 10).slice(0, -1), ...frame]), name: 'a.gif' },
    ],
  ];
}

// A decoder tries an unreadable picture once; requests for it get 404, and other requests are served.
describe('an unreadable picture', () => {
  test('is 404, is recorded as refused, and is not tried again', async () => {
    for (const [what, fields] of await spoiled()) {
      const file = await make(fields);
      assert.equal(file.preview_format, 'image', what);
      const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(file.thumbnail_url)));
      assert.deepEqual(
        answers.map(({ status }) => status),
        new Array(8).fill(404),
        what,
      );
      assert.deepEqual(derivedOf(file.thumbnail_url), ['thumbnail'], what);
      assert.equal((await fetch(file.download_url)).status, 200, what);
    }
    const good = await make({ bytes: await encoded(picture(5, 5).png()), name: 'good.png' });
    assert.equal((await fetch(good.thumbnail_url)).status, 200);
  });

  test('with any corrupted byte is shrunk or is 404', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const made = sharp({ create: { width: 90, height: 60, channels: 3, background: '#123', noise } });
    const statuses: number[] = [];
    for (const format of formats) {
      const whole = await encoded(made.clone().toFormat(format));
      for (let seed = 1; seed <= 12; seed += 1) {
        const bytes = whole.slice();
        // Behind the size, which decides whether anything is tried.
        for (let i = 1; i <= 4; i += 1)
          bytes[64 + ((seed * 7919 * i * i) % (bytes.length - 64))] = (seed * 89 * i) % 256;
        const file = await make({ bytes, name: `bent.${format}` });
        if (file.thumbnail_url !== undefined) statuses.push((await fetch(file.thumbnail_url)).status);
      }
    }
    assert.ok(statuses.length > 40);
    assert.deepEqual([...new Set(statuses)].sort(), [200, 404]);
  });

  test('of many pixels in few bytes is shrunk or refused without harm', async () => {
    const bytes = await encoded(picture(7000, 7000).png({ compressionLevel: 9 }));
    assert.ok(bytes.length < mebi);
    const within = await make({ bytes, name: 'bomb.png' });
    assert.equal((await fetch(within.thumbnail_url)).status, 200);
    const beyond = await make({ bytes: await encoded(picture(7100, 7100).png()), name: 'bomb.png' });
    assert.equal(beyond.thumbnail_url, undefined);
    assert.equal((await server.as(null).call('GET', '/api/user')).status, 401);
  });
});
