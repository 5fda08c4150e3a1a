import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { checkAnswer } from 'confab-testing/contract-check.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { blobSettings } from 'confab-testing/network/bucket.ts';
import { exchange } from 'confab-testing/network/raw.ts';
import {
  bmp,
  gif,
  jpeg,
  jpegOfTurns,
  jpegTurned,
  jpegTurnedLate,
  png,
  webpExtended,
  webpLossless,
  webpLossy,
} from 'confab-testing/pictures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { type BlobBody, codeOf, keptFiles, loseFile, sendUpload, upload } from 'confab-testing/uploads.ts';

const limit = 50 * 1024 * 1024;
const server = useServer(blobSettings());
const watch = useStoreWatch(server);

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

// An upload is returned unchanged, with correct facts.
describe('an upload', () => {
  test('is stored in one file with exactly its bytes', async () => {
    const bytes = Uint8Array.from(randomBytes(3_000_001));
    const before = keptFiles(server.folder);
    const blob = await upload(server, { bytes, name: 'data.bin', type: 'text/html' });
    assert.deepEqual(blob, {
      id: blob.id,
      name: 'data.bin',
      media_type: 'application/octet-stream',
      size: bytes.length,
    });
    const made = keptFiles(server.folder).filter((file) => !before.includes(file));
    assert.equal(made.length, 1);
    assert.match(made[0] ?? '', /^([0-9a-f]{2})\/\1[0-9a-f]{30}$/);
    const body = await server.read(`/api/blobs/${blob.id}`);
    assert.deepEqual(body, blob);
  });

  test('of no bytes is an upload', async () => {
    const blob = await upload(server, { bytes: '', name: 'empty.dat' });
    assert.equal(blob.size, 0);
    assert.equal(blob.media_type, 'application/octet-stream');
  });

  test('of the same bytes under the same name is another one', async () => {
    const [first, second] = [await upload(server), await upload(server)];
    assert.notEqual(first.id, second.id);
  });

  test('belongs to its uploader: other users get 404, an API key sees it', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const { id } = await upload(ada);
    assert.equal((await ada.call('GET', `/api/blobs/${id}`)).status, 200);
    assert.equal((await server.call('GET', `/api/blobs/${id}`)).status, 200);
    const hidden = await bob.call('GET', `/api/blobs/${id}`);
    const absent = await bob.call('GET', '/api/blobs/999999');
    assertProblem(hidden, 404, 'not_found');
    assert.equal(hidden.body.detail, absent.body.detail);
  });

  test('without a credential is refused', async () => {
    const { status } = await sendUpload(server.as(null));
    assert.equal(status, 401);
  });
});

const names: readonly [sent: string, kept: string][] = [
  ['../../x', 'x'],
  ['..\\x', 'x'],
  ['/etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\plan.docx', 'plan.docx'],
  ['nul\0byte.txt', 'nulbyte.txt'],
  ['tab\there.txt', 'tabhere.txt'],
  [`${'n'.repeat(300)}.jpeg`, `${'n'.repeat(175)}.jpeg`],
  [`${'🇩🇪'.repeat(100)}.jpeg`, `${'🇩🇪'.repeat(87)}.jpeg`],
  ['👨‍👩‍👧 می‌خواهم\u3164.txt', '👨‍👩‍👧 می‌خواهم.txt'],
  ['', 'file'],
  ['..', 'file'],
  ['\u200d\u202e', 'file'],
  ['.htaccess', '.htaccess'],
  ['con', 'con'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['🎉 party.txt', '🎉 party.txt'],
  ['%2e%2e%2fx', '%2e%2e%2fx'],
  ['cafe\u0301.txt', 'café.txt'],
];

// Whatever a sender calls a file, the name is one segment that shows what it is, and nothing is stored under it.
describe('the name of an upload', () => {
  for (const [sent, kept] of names)
    test(`${JSON.stringify(sent.slice(0, 40))} becomes ${JSON.stringify(kept.slice(0, 40))}`, async () => {
      const { name } = await upload(server, { name: sent });
      assert.equal(name, kept);
    });

  test('with a line break cannot make a header', async () => {
    const blob = await upload(server, { name: 'a\r\nX-Made: yes.txt' });
    const { download_url } = await fileOf(blob);
    const { headers } = await fetch(download_url);
    assert.equal(headers.get('x-made'), null);
    assert.match(
      headers.get('content-disposition') ?? '',
      /^attachment; filename="[^"\r\n]+"; filename\*=UTF-8''\S+$/,
    );
  });

  test('is sent in ASCII and in full, and comes back unchanged', async () => {
    const { download_url } = await fileOf(await upload(server, { name: "Ünï (1) 'a' 50%; b.txt" }));
    const { headers } = await fetch(download_url);
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="_n_ (1) 'a' 50_; b.txt"; filename*=UTF-8''%C3%9Cn%C3%AF%20%281%29%20%27a%27%2050%25%3B%20b.txt`,
    );
  });
});

let filesApp: string | undefined;

/** Puts an upload into a files app, since only what is used has an address. */
async function fileOf(blob: BlobBody): Promise<{ id: number; download_url: string; preview_format: string }> {
  if (filesApp === undefined) {
    await server.call('POST', '/api/apps', { uid: 'files-of-blobs', type: 'files' });
    filesApp = 'files-of-blobs';
  }
  const body = { blob_id: blob.id, replace: true };
  const answer = await server.call('POST', `/api/apps/${filesApp}/files`, body);
  assert.ok(answer.status === 201 || answer.status === 200, answer.text);
  return answer.body;
}

const html = '<!doctype html><script>alert(1)</script>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const octets = 'application/octet-stream';

/** What is sent, what its type is found to be, and whether a browser may show it. */
const types: readonly [
  what: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  name: string,
  type: string,
  inline: boolean,
][] = [
  ['HTML called a PNG', html, 'a.png', octets, false],
  ['HTML', html, 'a.html', 'text/plain', false],
  ['HTML without an extension', html, 'page', 'text/plain', false],
  ['XHTML', `<?xml version="1.0"?>${html}`, 'a.xhtml', 'text/plain', false],
  ['SVG', svg, 'a.svg', octets, false],
  ['SVG with a declaration', `<?xml version="1.0"?>${svg}`, 'a.svg', octets, false],
  ['SVG called a PNG', svg, 'b.png', octets, false],
  [
    'SVG with an external entity',
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg}`,
    'e.svg',
    octets,
    false,
  ],
  ['a script called a PNG', 'alert(1)', 'c.png', octets, false],
  ['a script', 'alert(1)', 'a.js', 'text/plain', false],
  ['PDF called a PNG', '%PDF-1.7\n', 'd.png', 'application/pdf', false],
  ['PDF', '%PDF-1.7\n', 'a.pdf', 'application/pdf', false],
  [
    'ZIP called a PNG',
    new Uint8Array([0x50, 0x4b, 5, 6, ...new Array(18).fill(0)]),
    'e.png',
    'application/zip',
    false,
  ],
  ['PNG', png(2, 3), 'a.png', 'image/png', true],
  ['PNG called HTML', png(2, 3), 'b.html', 'image/png', true],
  [
    'GIF with a script behind it',
    Uint8Array.from([...gif(1, 1), ...Buffer.from(html)]),
    'polyglot.html',
    'image/gif',
    true,
  ],
  ['text', 'ünï', 'a.txt', 'text/plain', false],
  ['JSON', '{"a":1}', 'a.json', 'application/json', false],
  ['CSV', 'a,b\n1,2\n', 'a.csv', 'text/csv', false],
  ['text that is not UTF-8', new Uint8Array([0x61, 0xff, 0xfe, 0x62]), 'b.txt', octets, false],
  ['text with NUL', new Uint8Array([0x61, 0, 0x62]), 'c.txt', octets, false],
  [
    'text cut inside a character by the sample',
    `${'a'.repeat(64 * 1024 - 1)}ünï`,
    'long.txt',
    'text/plain',
    false,
  ],
];

// The bytes decide what a file is. Only pictures, films and sound that run nothing are shown by a browser itself.
describe('the type of an upload', () => {
  for (const [what, bytes, name, type, inline] of types)
    test(`${what} is ${type}${inline ? ', shown' : ', saved'}`, async () => {
      const blob = await upload(server, { bytes, name, type: 'image/png' });
      assert.equal(blob.media_type, type);
      const { download_url } = await fileOf(blob);
      const { headers, status } = await fetch(download_url);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), type.startsWith('text/') ? `${type}; charset=utf-8` : type);
      assert.equal(headers.get('content-disposition')?.split(';')[0], inline ? 'inline' : 'attachment');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    });

  test('an SVG has no preview', async () => {
    const { preview_format } = await fileOf(await upload(server, { bytes: svg, name: 'icon.svg' }));
    assert.equal(preview_format, 'none');
  });
});

const pictures: readonly [
  what: string,
  bytes: Uint8Array<ArrayBuffer>,
  width: number,
  height: number,
  isShrunk?: false,
][] = [
  ['PNG', png(640, 480), 640, 480],
  ['PNG larger than memory', png(50_000, 50_000), 50_000, 50_000, false],
  ['PNG of few pixels on a long side', png(700_000, 70), 700_000, 70, false],
  ['PNG of the longest side', png(16_384, 3051), 16_384, 3051],
  ['PNG of the highest side', png(1, 16_384), 1, 16_384],
  ['PNG that is one pixel too high', png(1, 16_385), 1, 16_385, false],
  ['GIF', gif(320, 200), 320, 200],
  ['GIF of the widest screen', gif(65_535, 2), 65_535, 2, false],
  ['BMP', bmp(800, 600), 800, 600, false],
  ['BMP from top to bottom', bmp(800, -600), 800, 600, false],
  ['WebP, extended', webpExtended(300, 5), 300, 5],
  ['WebP, extended as far as it goes', webpExtended(16_777_216, 5), 16_777_216, 5, false],
  ['WebP, lossless', webpLossless(16_384, 7), 16_384, 7],
  ['WebP, lossy', webpLossy(320, 240), 320, 240],
  ['JPEG', jpeg(1024, 768), 1024, 768],
  ['JPEG, progressive', jpeg(1024, 768, { marker: 0xc2 }), 1024, 768],
  ['JPEG behind 300 KB of preview', jpeg(4000, 3000, { preview: 300_000 }), 4000, 3000],
  ['JPEG to be turned, little-endian', jpegTurned(4000, 3000, 6, 'II'), 3000, 4000],
  ['JPEG to be turned, big-endian', jpegTurned(4000, 3000, 8, 'MM'), 3000, 4000],
  ['JPEG with two orientations, of which the first counts', jpegOfTurns(400, 300, [6, 1]), 300, 400],
  ['JPEG with two orientations, the other way round', jpegOfTurns(400, 300, [1, 6]), 400, 300],
  ['JPEG turned by its last of 1000 entries', jpegTurnedLate(400, 300, 1000), 300, 400],
  ['JPEG turned by an entry that is not read', jpegTurnedLate(400, 300, 1001), 400, 300],
  ['JPEG upside down', jpegTurned(4000, 3000, 3, 'MM'), 4000, 3000],
];

// Width and height are what a viewer shows, read from the headers alone. What is too large to be decoded has no thumbnail.
describe('the size of a picture', () => {
  for (const [what, bytes, width, height, isShrunk = true] of pictures)
    test(`${what} is ${width} × ${height}`, async () => {
      const blob = await upload(server, { bytes, name: 'picture.png' });
      assert.deepEqual([blob.width, blob.height], [width, height]);
      assert.equal(blob.thumbnail_url?.startsWith(`${server.url}/thumbnails/`) ?? false, isShrunk);
    });

  test('is absent where the headers break off', async () => {
    const blob = await upload(server, { bytes: jpeg(1024, 768).slice(0, 24), name: 'cut.jpg' });
    assert.equal(blob.media_type, 'image/jpeg');
    assert.equal(blob.width, undefined);
  });
});

function form(parts: string, boundary = 'xx'): { type: string; body: string } {
  return { type: `multipart/form-data; boundary=${boundary}`, body: parts };
}
const part = (headers: string, content = 'hello') => `--xx\r\n${headers}\r\n\r\n${content}\r\n`;
const blobPart = part('Content-Disposition: form-data; name="blob"; filename="a.txt"');
const end = '--xx--\r\n';

const forms: readonly [what: string, form: { type: string; body: string }, status: number][] = [
  ['one part', form(blobPart + end), 201],
  ['one part with an epilogue', form(`${blobPart + end}bye`), 201],
  ['no part', form(end), 400],
  ['no bytes', form(''), 400],
  ['two files', form(blobPart + blobPart + end), 400],
  ['a thousand parts', form(blobPart.repeat(1000) + end), 400],
  [
    'a field beside the file',
    form(`${blobPart}${part('Content-Disposition: form-data; name="note"')}${end}`),
    400,
  ],
  [
    'a field before the file',
    form(`${part('Content-Disposition: form-data; name="note"')}${blobPart}${end}`),
    400,
  ],
  [
    'a part of another name',
    form(part('Content-Disposition: form-data; name="file"; filename="a.txt"') + end),
    400,
  ],
  ['a field called blob', form(part('Content-Disposition: form-data; name="blob"') + end), 400],
  ['a part without a name', form(part('Content-Type: text/plain') + end), 400],
  [
    'a nested form',
    form(
      part(
        'Content-Disposition: form-data; name="blob"; filename="a"\r\nContent-Type: multipart/mixed; boundary=yy',
      ) + end,
    ),
    400,
  ],
  [
    'headers of 10 KiB',
    form(
      part(`Content-Disposition: form-data; name="blob"; filename="a.txt"\r\nX-Long: ${'a'.repeat(10_240)}`) +
        end,
    ),
    400,
  ],
  ['headers that never end', form(`--xx\r\nContent-Disposition: form-data; ${'a'.repeat(20_000)}`), 400],
  ['a form without its end', form(blobPart), 400],
  ['a file without its end', form(blobPart.slice(0, -4)), 400],
  ['a type without a boundary', { type: 'multipart/form-data', body: blobPart + end }, 400],
  ['another boundary', form(blobPart + end, 'yy'), 400],
  ['JSON', { type: 'application/json', body: '{"blob":"hello"}' }, 415],
  ['a bare file', { type: 'text/plain', body: 'hello' }, 415],
  [
    'a type that only begins like a form',
    { type: 'multipart/form-data-x; boundary=xx', body: blobPart + end },
    415,
  ],
];

// A form is one file or it is refused; what is refused leaves neither a row nor a file behind.
describe('a form', () => {
  for (const [what, { type, body }, status] of forms)
    test(`of ${what} is answered ${status}`, async () => {
      const rows = watch.count('blobs');
      const files = keptFiles(server.folder);
      const answer = await exchange(
        server.url,
        `POST /api/blobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nContent-Type: ${type}\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      );
      assert.equal(answer.status, status, answer.text);
      checkAnswer(
        { method: 'POST', path: '/api/blobs' },
        { status, headers: answer.headers, body: JSON.parse(answer.body) },
      );
      const kept = status === 201 ? 1 : 0;
      assert.equal(watch.count('blobs'), rows + kept);
      assert.equal(keptFiles(server.folder).length, files.length + kept);
    });

  test('that is compressed is refused', async () => {
    const { status } = await sendUpload(server, {}, { headers: { 'content-encoding': 'gzip' } });
    assert.equal(status, 415);
  });

  test('that is refused leaves the connection fit for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = blobPart + blobPart + end;
    const refused = await send(agent, 'POST', '/api/blobs', body);
    assert.equal(refused.status, 400);
    const next = await send(agent, 'GET', '/api/apps?count_only=true');
    assert.equal(next.status, 200);
    assert.ok(next.isReused);
    agent.destroy();
  });
});

async function send(agent: Agent, method: string, path: string, body?: string) {
  let sent: ClientRequest | undefined;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${server.key}`,
      ...(body === undefined ? {} : { 'content-type': 'multipart/form-data; boundary=xx' }),
    };
    sent = request(server.url + path, { agent, method, headers }, resolve).on('error', reject);
    sent.end(body);
  });
  await text(answer);
  return { status: answer.statusCode, isReused: sent?.reusedSocket === true };
}

// The limit is exact, holds whether or not a length is announced, and a broken upload leaves nothing.
describe('the limit of an upload', () => {
  test('is 50 MiB to the byte', async () => {
    const bytes = new Uint8Array(limit);
    assert.equal((await upload(server, { bytes, name: 'full.bin' })).size, limit);
  });

  test('one byte more is refused and leaves nothing', async () => {
    const rows = watch.count('blobs');
    const files = keptFiles(server.folder);
    const answer = await sendUpload(server, { bytes: new Uint8Array(limit + 1), name: 'over.bin' });
    assertProblem(answer, 413, 'body_too_large');
    assert.equal(watch.count('blobs'), rows);
    assert.deepEqual(keptFiles(server.folder), files);
  });

  test('a length beyond it is refused, and the answer reaches a sender that reads only at the end', async () => {
    const body = Buffer.alloc(limit + 8_000_000);
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) }).pause();
    socket.write(
      `POST /api/blobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n` +
        `Content-Type: multipart/form-data; boundary=xx\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.write(body, (error) => (error ? reject(error) : resolve()));
    });
    assert.match(await text(socket), /^HTTP\/1\.1 413 .*"code":"body_too_large"/s);
  });

  test('holds for a body without a length', async () => {
    const files = keptFiles(server.folder);
    const piece = Buffer.alloc(1_000_000);
    async function* endless() {
      yield Buffer.from(`--xx\r\nContent-Disposition: form-data; name="blob"; filename="a"\r\n\r\n`);
      for (let i = 0; i < 53; i += 1) yield piece;
      yield Buffer.from('\r\n--xx--\r\n');
    }
    const response = await fetch(`${server.url}/api/blobs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.key}`,
        'content-type': 'multipart/form-data; boundary=xx',
      },
      body: ReadableStream.from(endless()),
      duplex: 'half',
    } as RequestInit);
    assert.equal(response.status, 413);
    assert.deepEqual(keptFiles(server.folder), files);
  });

  test('a sender that goes away leaves nothing', async () => {
    const rows = watch.count('blobs');
    const files = keptFiles(server.folder);
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      `POST /api/blobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n` +
        'Content-Type: multipart/form-data; boundary=xx\r\nContent-Length: 1000000\r\n\r\n' +
        `--xx\r\nContent-Disposition: form-data; name="blob"; filename="a.txt"\r\n\r\n${'a'.repeat(300_000)}`,
    );
    await poll('the upload to begin', () => keptFiles(server.folder).length > files.length || undefined);
    socket.destroy();
    await poll('its file to go', () => keptFiles(server.folder).length === files.length || undefined);
    assert.equal(watch.count('blobs'), rows);
  });
});

// A download is the uploaded bytes, whole or the requested range (RFC 9110 section 14).
describe('a download', () => {
  const bytes = Uint8Array.from(randomBytes(100_000));
  let address = '';
  before(async () => {
    address = (await fileOf(await upload(server, { bytes, name: 'random.bin' }))).download_url;
  });

  test('needs no credential and is byte for byte what was uploaded', async () => {
    const response = await fetch(address);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-length'), '100000');
    assert.equal(response.headers.get('accept-ranges'), 'bytes');
    assert.match(response.headers.get('cache-control') ?? '', /^private\b/);
    assert.equal(sha256(new Uint8Array(await response.arrayBuffer())), sha256(bytes));
  });

  test('of the largest upload is whole', async () => {
    const large = Uint8Array.from(randomBytes(limit));
    const { download_url } = await fileOf(await upload(server, { bytes: large, name: 'large.bin' }));
    assert.equal(sha256(new Uint8Array(await (await fetch(download_url)).arrayBuffer())), sha256(large));
  });

  const ranges: readonly [range: string, status: number, start: number, end: number][] = [
    ['bytes=0-0', 206, 0, 0],
    ['bytes=10-19', 206, 10, 19],
    ['bytes=99990-', 206, 99_990, 99_999],
    ['bytes=-5', 206, 99_995, 99_999],
    ['bytes=-200000', 206, 0, 99_999],
    ['bytes=99999-500000', 206, 99_999, 99_999],
    ['bytes=5-1', 200, 0, 99_999],
    ['bytes=0-1,5-6', 200, 0, 99_999],
    ['bytes=-', 200, 0, 99_999],
    ['bytes=a-b', 200, 0, 99_999],
    ['lines=0-1', 200, 0, 99_999],
  ];
  for (const [range, status, start, last] of ranges)
    test(`of ${range} is bytes ${start} to ${last} with ${status}`, async () => {
      const response = await fetch(address, { headers: { range } });
      assert.equal(response.status, status);
      const contentRange = status === 206 ? `bytes ${start}-${last}/100000` : null;
      assert.equal(response.headers.get('content-range'), contentRange);
      assert.equal(sha256(await response.bytes()), sha256(bytes.slice(start, last + 1)));
    });

  for (const range of ['bytes=100000-', 'bytes=100000-100001', 'bytes=-0'])
    test(`of ${range} is 416 and says how much there is`, async () => {
      const response = await fetch(address, { headers: { range } });
      assert.equal(response.status, 416);
      assert.equal(response.headers.get('content-range'), 'bytes */100000');
      assert.equal(await codeOf(response), 'range_not_satisfiable');
    });

  test('by HEAD has the headers alone', async () => {
    const response = await fetch(address, { method: 'HEAD' });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-length'), '100000');
    assert.equal((await response.arrayBuffer()).byteLength, 0);
  });

  test('that the caller already has is 304', async () => {
    const tag = (await fetch(address, { method: 'HEAD' })).headers.get('etag') ?? '';
    assert.match(tag, /^"[0-9a-f]{32}"$/);
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const response = await fetch(address, { headers: { 'if-none-match': sent } });
      assert.equal(response.status, 304, sent);
    }
    assert.equal((await fetch(address, { headers: { 'if-none-match': '"other"' } })).status, 200);
  });

  test('resumes from a range only while the bytes are the same', async () => {
    const tag = (await fetch(address, { method: 'HEAD' })).headers.get('etag') ?? '';
    const same = await fetch(address, { headers: { range: 'bytes=0-9', 'if-range': tag } });
    const other = await fetch(address, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } });
    assert.deepEqual([same.status, other.status], [206, 200]);
    await Promise.all([same.arrayBuffer(), other.arrayBuffer()]);
  });

  test('of a picture is saved when the address asks for it', async () => {
    const { download_url } = await fileOf(await upload(server, { bytes: png(1, 1), name: 'one.png' }));
    const shown = await fetch(download_url);
    const saved = await fetch(`${download_url}&d=1`);
    assert.match(shown.headers.get('content-disposition') ?? '', /^inline/);
    assert.match(saved.headers.get('content-disposition') ?? '', /^attachment/);
  });

  test('by another method is 405', async () => {
    const response = await fetch(address, { method: 'DELETE' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS');
  });

  test('of a file that is gone is 404', async () => {
    const { download_url } = await fileOf(await upload(server, { name: 'lost.txt' }));
    const key = new URL(download_url).pathname.split('/')[2] ?? '';
    loseFile(server.folder, key);
    const response = await fetch(download_url);
    assert.equal(response.status, 404);
    assert.equal(await codeOf(response), 'not_found');
  });
});

// An address cannot be forged or changed: it opens one file under one name until it expires.
describe('the address of a file', () => {
  let address: URL;
  before(async () => {
    address = new URL((await fileOf(await upload(server, { name: 'signed.txt' }))).download_url);
  });

  function bent(bend: (url: URL) => void): URL {
    const url = new URL(address);
    bend(url);
    return url;
  }

  const bends: readonly [what: string, bend: (url: URL) => void][] = [
    ['without a signature', (url) => url.searchParams.delete('signature')],
    ['without an end', (url) => url.searchParams.delete('expires')],
    ['with a later end', (url) => url.searchParams.set('expires', '9999999999')],
    ['with another signature', (url) => url.searchParams.set('signature', 'A'.repeat(43))],
    ['with a signature that is cut', (url) => url.searchParams.set('signature', 'A')],
    ['with another name', (url) => (url.pathname = url.pathname.replace('signed.txt', 'signed.html'))],
    ['with another key', (url) => (url.pathname = url.pathname.replace(/[0-9a-f]{32}/, '0'.repeat(32)))],
    ['with a key that leads elsewhere', (url) => (url.pathname = '/blobs/..%2f..%2fconfab.db/signed.txt')],
  ];
  for (const [what, bend] of bends)
    test(`${what} opens nothing`, async () => {
      const response = await fetch(bent(bend));
      assert.equal(response.status, 404);
      assert.equal(await codeOf(response), 'not_found');
    });

  test('is the same each time, so that browsers keep their copy', async () => {
    const blob = await upload(server, { bytes: png(3, 3), name: 'same.png' });
    const body = await server.read(`/api/blobs/${blob.id}`);
    assert.equal(body.thumbnail_url, blob.thumbnail_url);
  });
});
