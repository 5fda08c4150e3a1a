import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { encoded, picture } from 'confab-testing/drawings.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { blobSettings } from 'confab-testing/network/bucket.ts';
import { bmp, gif, png } from 'confab-testing/pictures.ts';
import { poll } from 'confab-testing/poll.ts';
import { before, startTestServer, useServer } from 'confab-testing/server.ts';
import { codeOf, keptFiles, type UploadFields, upload } from 'confab-testing/uploads.ts';
import sharp from 'sharp';

type Bytes = Uint8Array<ArrayBuffer>;
const hourMs = 3_600_000;
const mebi = 1024 * 1024;
let app: number;
let now = Date.parse('2026-11-21T07:42:00.000Z');
const server = useServer(blobSettings(), { isQuiet: true, clock: { now: () => now } });
before(async () => {
  app = (await makeApp(server, { type: 'files' })).id;
});

let files = 0;

/** Creates a file from bytes under a unique name with the given ending. */
async function make({ name = 'a.txt', ...fields }: UploadFields) {
  const { id } = await upload(server, { ...fields, name });
  files += 1;
  const body = { blob_id: id, name: `${files}-${name}` };
  return await server.create(`/api/apps/${app}/files`, body);
}

async function bytesOf(response: Response): Promise<Bytes> {
  return new Uint8Array(await response.arrayBuffer());
}

/** The stored files derived from a blob, by the ends of their names. */
function derivedOf(address: string): string[] {
  const [key = ''] = /[0-9a-f]{32}/.exec(address) ?? [];
  return keptFiles(server.folder)
    .filter((path) => path.includes(`${key}.`))
    .map((path) => path.slice(path.lastIndexOf('.') + 1));
}

const formats = ['png', 'jpeg', 'gif', 'webp'] as const;

// A picture is shown smaller, as WebP, without anything else that was in its file.
describe('a picture', () => {
  for (const format of formats)
    test(`in ${format} has a thumbnail and a preview`, async () => {
      const bytes = await encoded(picture(3000, 1500).toFormat(format));
      const file = await make({ bytes, name: `a.${format}` });
      assert.deepEqual([file.preview_format, file.width, file.height], ['image', 3000, 1500]);
      for (const [address, width] of [
        [file.thumbnail_url, 512],
        [file.preview_url, 2048],
      ] as const) {
        const response = await fetch(address);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-type'), 'image/webp');
        const shown = await sharp(await bytesOf(response)).metadata();
        assert.deepEqual([shown.format, shown.width, shown.height], ['webp', width, width / 2]);
      }
    });

  test('that is small keeps its size', async () => {
    const file = await make({ bytes: await encoded(picture(40, 30).png()), name: 'a.png' });
    const shown = await sharp(await bytesOf(await fetch(file.thumbnail_url))).metadata();
    assert.deepEqual([shown.width, shown.height], [40, 30]);
  });

  test('is rotated as its camera recorded, and loses its location and all other metadata', async () => {
    const bytes = await encoded(
      picture(400, 200)
        .withExif({ IFD0: { Copyright: 'secret-owner' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
        .withMetadata({ orientation: 6 })
        .jpeg(),
    );
    const file = await make({ bytes, name: 'a.jpg' });
    assert.deepEqual([file.width, file.height], [200, 400]);
    for (const address of [file.thumbnail_url, file.preview_url]) {
      const shown = await bytesOf(await fetch(address));
      const { width, height, exif, icc, xmp, orientation } = await sharp(shown).metadata();
      assert.deepEqual(
        [width, height, exif, icc, xmp, orientation],
        [200, 400, undefined, undefined, undefined, undefined],
      );
      assert.equal(Buffer.from(shown).includes('secret-owner'), false);
    }
  });

  test('that is animated is shown by its first frame', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((colour) => picture(20, 20, colour).png().toBuffer()),
    );
    const bytes = await encoded(sharp(frames, { join: { animated: true } }).gif({ loop: 0 }));
    const file = await make({ bytes, name: 'a.gif' });
    const shown = await bytesOf(await fetch(file.preview_url));
    assert.equal((await sharp(shown).metadata()).pages, undefined);
    const { data, info } = await sharp(shown).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [20, 20]);
    const [red = 0, , blue = 0] = data;
    assert.ok(red > 200 && blue < 60);
  });

  test('of 32 concurrent requests is created once', async () => {
    const file = await make({ bytes: await encoded(picture(600, 600).png()), name: 'a.png' });
    const answers = await Promise.all(Array.from({ length: 32 }, () => fetch(file.thumbnail_url)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const sizes = await Promise.all(answers.map(async (answer) => (await bytesOf(answer)).length));
    assert.equal(new Set(sizes).size, 1);
    assert.deepEqual(derivedOf(file.thumbnail_url), ['thumbnail']);
    assert.deepEqual(readdirSync(join(server.folder, 'blobs', 'tmp')), []);
  });

  test('of an upload has a thumbnail before anything uses it', async () => {
    const blob = await upload(server, { bytes: await encoded(picture(9, 9).png()), name: 'a.png' });
    assert.equal((await fetch(String(blob.thumbnail_url))).status, 200);
  });

  test('that browsers show and that cannot be shrunk is shown unchanged', async () => {
    const bytes = bmp(20, 10);
    const file = await make({ bytes, name: 'a.bmp' });
    assert.deepEqual([file.preview_format, file.thumbnail_url], ['image', undefined]);
    assert.equal(file.preview_url, file.download_url);
    const response = await fetch(file.preview_url);
    assert.equal(response.headers.get('content-type'), 'image/bmp');
    assert.deepEqual(await bytesOf(response), bytes);
  });
});

// Previews support what browsers request: a range, revalidation, or a file to save.
describe('the address of a preview', () => {
  test('serves ranges and revalidates copies', async () => {
    const file = await make({ bytes: await encoded(picture(50, 50).png()), name: 'a.png' });
    for (const address of [file.thumbnail_url, file.preview_url]) {
      const whole = await fetch(address);
      const bytes = await bytesOf(whole);
      const tag = whole.headers.get('etag') ?? '';
      assert.equal(whole.headers.get('content-length'), String(bytes.length));
      assert.equal(whole.headers.get('accept-ranges'), 'bytes');
      const part = await fetch(address, { headers: { range: 'bytes=2-5' } });
      assert.deepEqual([part.status, await bytesOf(part)], [206, bytes.slice(2, 6)]);
      assert.equal(part.headers.get('content-range'), `bytes 2-5/${bytes.length}`);
      assert.equal((await fetch(address, { headers: { 'if-none-match': tag } })).status, 304);
      const beyond = await fetch(address, { headers: { range: `bytes=${bytes.length}-` } });
      assert.deepEqual([beyond.status, await codeOf(beyond)], [416, 'range_not_satisfiable']);
      const head = await fetch(address, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.get('etag')], [200, tag]);
    }
    assert.notEqual(
      (await fetch(file.thumbnail_url)).headers.get('etag'),
      (await fetch(file.preview_url)).headers.get('etag'),
    );
  });

  test('shows the file, or saves it with d=1', async () => {
    const picturePng = await make({ bytes: await encoded(picture(5, 5).png()), name: 'ä.png' });
    const text = await make({ bytes: 'words', name: 'a.txt' });
    for (const address of [picturePng.thumbnail_url, picturePng.preview_url, text.preview_url]) {
      const shown = (await fetch(address)).headers.get('content-disposition') ?? '';
      const saved = (await fetch(`${address}&d=1`)).headers.get('content-disposition') ?? '';
      assert.ok(shown.startsWith('inline;'), shown);
      assert.equal(saved, shown.replace('inline', 'attachment'));
    }
  });

  test('runs nothing', async () => {
    const made = [
      await make({ bytes: await encoded(picture(5, 5).png()), name: 'a.png' }),
      await make({ bytes: 'words', name: 'a.txt' }),
      await make({ bytes: '<script>alert(1)</script>', name: 'a.html' }),
      await make({ bytes: '%PDF-1.7 words', name: 'a.pdf' }),
    ];
    for (const file of made)
      for (const address of [file.thumbnail_url, file.preview_url, file.download_url].filter(Boolean)) {
        const { status, headers } = await fetch(address);
        assert.equal(status, 200);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
        assert.doesNotMatch(headers.get('content-type') ?? '', /html|svg|xml|javascript/);
      }
  });

  test('serves pages of an allowed origin, which may send a credential', async () => {
    const origin = 'https://app.example.com';
    const open = await startTestServer({ CONFAB_CORS_ORIGINS: origin }, { isQuiet: true });
    const { id: blob_id } = await upload(open, { bytes: 'words', name: 'a.txt' });
    const { id } = await makeApp(open, { type: 'files' });
    const { body: file } = await open.call('POST', `/api/apps/${id}/files`, { blob_id });
    const headers = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    };
    const asked = await fetch(file.preview_url, { method: 'OPTIONS', headers });
    assert.equal(asked.status, 204);
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /authorization/);
    const authorization = `Bearer ${open.key}`;
    const answer = await fetch(file.preview_url, { headers: { origin, authorization } });
    assert.deepEqual([answer.status, await answer.text()], [200, 'words']);
    assert.equal(answer.headers.get('access-control-allow-origin'), origin);
    await open.close();
  });

  test('is valid only for that form and only unchanged', async () => {
    const file = await make({ bytes: await encoded(picture(5, 5).png()), name: 'a.png' });
    const other = await make({ bytes: await encoded(picture(6, 6).png()), name: 'a.png' });
    const [thumbnail, preview, original] = [file.thumbnail_url, file.preview_url, file.download_url];
    const wrong: string[] = [
      thumbnail.replace('/thumbnails/', '/previews/'),
      thumbnail.replace('/thumbnails/', '/blobs/'),
      preview.replace('/previews/', '/thumbnails/'),
      original.replace('/blobs/', '/previews/'),
      original.replace('/blobs/', '/thumbnails/'),
      thumbnail.replace('a.png', 'b.png'),
      thumbnail.replace(/expires=\d+/, 'expires=9999999999'),
      thumbnail.replace(/signature=.*/, ''),
      thumbnail.replace(/[0-9a-f]{32}/, /[0-9a-f]{32}/.exec(other.download_url)?.[0] ?? ''),
    ];
    for (const address of wrong) assert.equal((await fetch(address)).status, 404, address);
  });

  test('ends within thirty hours', async () => {
    const file = await make({ bytes: await encoded(picture(5, 5).png()), name: 'a.png' });
    assert.equal((await fetch(file.thumbnail_url)).status, 200);
    now += 30 * hourMs;
    for (const address of [file.thumbnail_url, file.preview_url]) {
      const answer = await fetch(address);
      assert.deepEqual([answer.status, await codeOf(answer)], [403, 'link_expired']);
    }
    const body = await server.read(`/api/files/${file.id}`);
    assert.equal((await fetch(body.thumbnail_url)).status, 200);
  });

  test('stops working with the trash and with the app', async () => {
    const file = await make({ bytes: await encoded(picture(5, 5).png()), name: 'a.png' });
    const statuses = async () => [
      (await fetch(file.thumbnail_url)).status,
      (await fetch(file.preview_url)).status,
    ];
    assert.deepEqual(await statuses(), [200, 200]);
    for (const place of [`files/${file.id}`, `apps/${app}`]) {
      await server.call('POST', `/api/${place}/trash`);
      assert.deepEqual(await statuses(), [404, 404]);
      await server.call('POST', `/api/${place}/restore`);
      assert.deepEqual(await statuses(), [200, 200]);
    }
  });
});

// Text is shown as text and code as a fragment that existing clients put into their page: nothing in it is markup.
describe('the preview of a text', () => {
  test('is its bytes, with any credential', async () => {
    const file = await make({ bytes: '<b>né</b> & so on\r\n', name: 'notes.md' });
    assert.equal(file.preview_format, 'text');
    assert.equal(file.thumbnail_url, undefined);
    for (const headers of [{}, { authorization: `Bearer ${server.key}` }]) {
      const response = await fetch(file.preview_url, { headers });
      assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
      assert.equal(await response.text(), '<b>né</b> & so on\r\n');
    }
  });

  test('of code is written in entities', async () => {
    const file = await make({
      bytes: '<script>alert(1)</script>\n<img src=x onerror="alert(2)"> && \'1\' < 2',
      name: 'page.html',
    });
    assert.equal(file.preview_format, 'code');
    const response = await fetch(file.preview_url);
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(
      await response.text(),
      '<pre><code>&lt;script&gt;alert(1)&lt;/script&gt;\n&lt;img src=x onerror="alert(2)"&gt; &amp;&amp; \'1\' &lt; 2</code></pre>',
    );
    const part = await fetch(file.preview_url, { headers: { range: 'bytes=0-4' } });
    assert.deepEqual([part.status, await part.text()], [206, '<pre>']);
  });

  test('of nothing is empty', async () => {
    const text = await make({ bytes: '', name: 'empty.txt' });
    const code = await make({ bytes: '', name: 'empty.js' });
    assert.equal(await (await fetch(text.preview_url)).text(), '');
    assert.equal(await (await fetch(code.preview_url)).text(), '<pre><code></code></pre>');
  });

  test('ends after a mebibyte, at the end of a character', async () => {
    for (const [character, bytes] of [
      ['a', 1],
      ['é', 2],
      ['€', 3],
      ['😀', 4],
    ] as const)
      for (let before = 0; before < bytes; before += 1) {
        const whole = 'x'.repeat(before) + character.repeat(mebi / bytes + 4);
        const fitting = Math.floor((mebi - before) / bytes);
        const due = 'x'.repeat(before) + character.repeat(fitting);
        const text = await make({ bytes: whole, name: 'long.txt' });
        assert.equal(await (await fetch(text.preview_url)).text(), due);
        const code = await make({ bytes: whole, name: 'long.py' });
        assert.equal(await (await fetch(code.preview_url)).text(), `<pre><code>${due}</code></pre>`);
      }
  });

  test('of bytes that stop being text later is still only text', async () => {
    const bytes = new Uint8Array([...Buffer.alloc(70_000, 'a'), 0xff, 0xfe, 0x3c, 0x62, 0x3e]);
    const file = await make({ bytes, name: 'odd.js' });
    assert.ok((await (await fetch(file.preview_url)).text()).endsWith('\ufffd\ufffd&lt;b&gt;</code></pre>'));
  });
});

// What a browser can show or play itself is shown from its own bytes; the rest has no preview.
describe('other files', () => {
  test('of PDF are their own preview, in ranges', async () => {
    const file = await make({ bytes: '%PDF-1.7 words', name: 'a.pdf' });
    assert.deepEqual([file.preview_format, file.preview_url], ['pdf', file.download_url]);
    const part = await fetch(file.preview_url, { headers: { range: 'bytes=1-3' } });
    assert.deepEqual(
      [part.status, part.headers.get('content-type'), await part.text()],
      [206, 'application/pdf', 'PDF'],
    );
  });

  test('that cannot be shown have none', async () => {
    const odd: UploadFields[] = [
      { bytes: 'PK\x05\x06', name: 'a.zip' },
      { bytes: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', name: 'a.svg' },
      { bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>', name: 'a.png' },
      { bytes: 'words', name: 'a.docx' },
      { bytes: png(50_000, 50_000), name: 'a.png' },
      { bytes: gif(0, 9), name: 'a.gif' },
    ];
    for (const fields of odd) {
      const file = await make(fields);
      assert.deepEqual(
        [file.preview_format, file.preview_url, file.thumbnail_url],
        ['none', undefined, undefined],
        `${fields.name}`,
      );
    }
  });
});

// Files derived from a blob are removed with the blob.
describe('a derived file', () => {
  test('is swept with its blob', async () => {
    const file = await make({ bytes: await encoded(picture(5, 5).png()), name: 'a.png' });
    const code = await make({ bytes: 'let a', name: 'a.js' });
    for (const address of [file.thumbnail_url, file.preview_url, code.preview_url]) await fetch(address);
    assert.deepEqual(derivedOf(file.preview_url).sort(), ['preview', 'thumbnail']);
    assert.deepEqual(derivedOf(code.preview_url), ['code']);
    for (const { id } of [file, code]) await server.call('DELETE', `/api/files/${id}`);
    await server.restart(() => {
      now += 120_000;
    });
    await poll('the sweep', () => {
      const left = [...derivedOf(file.preview_url), ...derivedOf(code.preview_url)];
      return left.length === 0 || undefined;
    });
  });

  test('outlasts a restart', async () => {
    const file = await make({ bytes: await encoded(picture(5, 5).png()), name: 'a.png' });
    const first = await bytesOf(await fetch(file.thumbnail_url));
    await server.restart();
    const body = await server.read(`/api/files/${file.id}`);
    assert.deepEqual(await bytesOf(await fetch(body.thumbnail_url)), first);
  });
});
