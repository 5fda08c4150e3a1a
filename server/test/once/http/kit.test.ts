import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { keptLog } from 'confab-testing/log.ts';
import { exchange } from 'confab-testing/network/raw.ts';
import { servePages } from 'confab-testing/pages.ts';
import { startTestServer, useServer } from 'confab-testing/server.ts';
import { findKits } from '../../../src/http/kit/installed.ts';
import { bindKit } from '../../../src/http/kit/kit.ts';

const [kit, newer] = findKits('21');
assert.ok(kit !== undefined && newer?.pdfFolder !== undefined, 'the kits are development dependencies');
const { folder, version } = kit;
const { pdfFolder } = newer;

/** The names that are the same in each version. */
const fixedNames = ['weavy.js', 'weavy.esm.js', 'weavy.esm.bundle.js'] as const;
/** The editor of version 32, which a page with a bundler asks its server for. */
const hashed = 'es/editor-DBob3WMN.js';
const [forADay, forGood] = ['public, max-age=86400', 'public, max-age=31536000, immutable'] as const;

type Head = { readonly status: number; readonly headers: { get(name: string): string | null } };

/** What says how a file may be used and kept. */
function termsOf({ status, headers }: Head) {
  return [status, headers.get('content-type'), headers.get('cache-control'), headers.get('etag')];
}

// A bundled kit loads its editor, its translations and its PDF viewer from its Confab server.
describe('the files of the kit', () => {
  const server = useServer({ CONFAB_CORS_ORIGINS: 'https://app.example.com', CONFAB_KIT: '21' });
  const file = (path: string, headers: Record<string, string> = {}) =>
    server.call('GET', `/uikit-web/${path}`, undefined, { as: null, headers });

  test('are what the kit asks for, open to pages of every origin', async () => {
    for (const path of ['es/editor.js', 'es/pdfjs.js', 'es/locales/sv-SE.js', 'weavy.esm.js']) {
      for (const origin of ['https://app.example.com', 'https://other.example']) {
        const { status, headers, text } = await file(path, { origin });
        assert.equal(status, 200, path);
        assert.equal(text, readFileSync(join(folder, path), 'utf8'));
        assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
        assert.equal(headers.get('access-control-allow-origin'), '*');
        assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
      }
    }
    const legacy = await file('es/@codemirror/legacy-modes/mode/perl.js');
    assert.equal(legacy.status, 200);
  });

  test('are kept for a year only under an address with the version', async () => {
    const [plain, versioned] = [await file('es/editor.js'), await file(`${version}/es/editor.js`)];
    assert.equal(plain.headers.get('cache-control'), 'public, max-age=86400');
    assert.equal(versioned.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(versioned.text, plain.text);
    assert.equal((await file('20.0.0/es/editor.js')).status, 404);
    const tag = plain.headers.get('etag') ?? '';
    const again = await file('es/editor.js', { 'if-none-match': `W/${tag}` });
    assert.deepEqual([again.status, again.text], [304, '']);
  });

  test('are those of both versions, each under its own', async () => {
    for (const { version: one, folder: place } of [kit, newer])
      for (const name of fixedNames) {
        const { text, ...answer } = await file(`${one}/${name}`);
        const expected = readFileSync(join(place, name), 'utf8');
        assert.ok(text === expected, `${one}/${name}`);
        const tag = `"${one}-${Buffer.byteLength(expected)}"`;
        assert.deepEqual(termsOf(answer), [200, 'text/javascript; charset=utf-8', forGood, tag]);
      }
    assert.equal((await file(`${version}/${hashed}`)).status, 404);
    assert.equal((await file(`${newer.version}/es/editor.js`)).status, 404);
  });

  test('have of version 32 a name with a hash, under which they never change', async () => {
    const answer = await file(hashed);
    assert.equal(answer.text, readFileSync(join(newer.folder, hashed), 'utf8'));
    assert.equal(answer.headers.get('cache-control'), forGood);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal((await file(`${newer.version}/${hashed}`)).text, answer.text);
    // Without its version a name without a hash means another file once the kit is updated.
    assert.equal((await file('es/editor.js')).headers.get('cache-control'), forADay);
  });

  test('can be asked for without being sent', async () => {
    for (const path of [hashed, `${version}/es/editor.js`, 'weavy.js']) {
      const [head, whole] = [
        await server.call('HEAD', `/uikit-web/${path}`, undefined, { as: null }),
        await file(path),
      ];
      assert.deepEqual(termsOf(head), termsOf(whole));
      assert.deepEqual([head.status, head.text], [200, '']);
    }
  });

  test('are sent compressed, by the same bytes each time', async () => {
    const sent = await Promise.all(
      [1, 2].map(async () => {
        const head = 'GET /uikit-web/es/react/index.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
        return await exchange(server.url, `${head}Accept-Encoding: gzip\r\n\r\n`);
      }),
    );
    for (const { headers, body } of sent) {
      assert.equal(headers.get('content-encoding'), 'gzip');
      assert.match(headers.get('etag') ?? '', /^W\/"/);
      assert.equal(
        gunzipSync(Buffer.from(body, 'latin1')).toString(),
        readFileSync(join(folder, 'es/react/index.js'), 'utf8'),
      );
    }
  });

  test('are these alone: no path leads out of their folder', async () => {
    for (const path of [
      '',
      '.',
      'types/index.d.ts',
      `${newer.version}/../pdfjs/pdf.worker.min.mjs`,
      `${newer.version}/..%2fcustom-elements.json`,
      `${version}/..%2f..%2fpackage.json`,
      '../package.json',
      '..%2fpackage.json',
      '%2e%2e/package.json',
      'es/../../package.json',
      'es%2f..%2f..%2fpackage.json',
      '..\\package.json',
      '%00',
      `/${folder}/weavy.esm.js`,
      'es/absent.js',
    ]) {
      const { status, headers, body } = await exchange(
        server.url,
        `GET /uikit-web/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      assert.equal(status, 404, path);
      assert.match(headers.get('content-type') ?? '', /problem\+json/);
      assert.match(body, /"code":"not_found"/);
    }
    const { status, headers } = await server.call('POST', '/uikit-web/es/editor.js', undefined, { as: null });
    assert.equal(status, 405);
    assert.match(headers.get('allow') ?? '', /GET/);
  });

  test('are loaded by embed.js under the address with the version', async () => {
    const { status, headers, text } = await server.call('GET', '/embed.js', undefined, { as: null });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.match(headers.get('etag') ?? '', /^"[\w-]{43}"$/);
    assert.ok(text.includes(`'uikit-web/${version}/weavy.esm.js'`));
  });
});

// Version 32 loads the parts of its PDF viewer from the root of its server.
describe('the parts of the PDF viewer', () => {
  const server = useServer({ CONFAB_CORS_ORIGINS: 'https://app.example.com' });

  test('have their types, and are open to pages of every origin', async () => {
    for (const [path, type] of [
      ['pdf.worker.min.mjs?v=32.2.0', 'text/javascript; charset=utf-8'],
      ['cmaps/Adobe-Japan1-UCS2.bcmap', 'application/octet-stream'],
      ['fonts/LiberationSans-Regular.ttf', 'font/ttf'],
      ['fonts/FoxitSymbol.pfb', 'application/octet-stream'],
      ['iccs/CGATS001Compat-v2-micro.icc', 'application/vnd.iccprofile'],
      ['wasm/openjpeg.wasm', 'application/wasm'],
    ] as const) {
      const origin = 'https://other.example';
      const answer = await fetch(`${server.url}/pdfjs/${path}`, { headers: { origin } });
      const name = path.replace(/\?.*/, '');
      const bytes = readFileSync(join(pdfFolder, name));
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes, path);
      assert.equal(answer.headers.get('content-type'), type);
      assert.equal(answer.headers.get('cache-control'), forADay);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
      const mayCompile = /'wasm-unsafe-eval'/.test(answer.headers.get('content-security-policy') ?? '');
      assert.equal(mayCompile, name.endsWith('.mjs'), `${name}: only the worker compiles`);
      const head = await fetch(`${server.url}/pdfjs/${path}`, { method: 'HEAD', headers: { origin } });
      assert.deepEqual(termsOf(head), termsOf(answer));
    }
  });

  test('are sent compressed', async () => {
    for (const path of ['pdf.worker.min.mjs', 'wasm/openjpeg.wasm']) {
      const { headers, body } = await exchange(
        server.url,
        `GET /pdfjs/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: gzip\r\n\r\n`,
      );
      assert.equal(headers.get('content-encoding'), 'gzip');
      assert.equal(headers.get('vary'), 'accept-encoding');
      assert.deepEqual(gunzipSync(Buffer.from(body, 'latin1')), readFileSync(join(pdfFolder, path)));
    }
  });

  test('are these alone', async () => {
    for (const path of [
      '',
      'cmaps',
      'absent.mjs',
      '../build/weavy.js',
      '..%2fbuild%2fweavy.js',
      'weavy.js',
    ]) {
      const { status, headers } = await exchange(
        server.url,
        `GET /pdfjs/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      assert.equal(status, 404, path);
      assert.match(headers.get('content-type') ?? '', /problem\+json/);
    }
  });
});

// Pages that name no version get the newest, unless the operator decides otherwise.
describe('a server whose operator selected no version', () => {
  const server = useServer();
  const get = (path: string) => server.call('GET', path, undefined, { as: null });

  test('has the files of 32 without a version, and the others as well', async () => {
    for (const name of fixedNames) {
      const { text, headers } = await get(`/uikit-web/${name}`);
      assert.ok(text === readFileSync(join(newer.folder, name), 'utf8'), name);
      assert.equal(headers.get('cache-control'), forADay);
    }
    for (const path of ['es/editor.js', 'es/locales/sv-SE.js', `${version}/weavy.esm.js`]) {
      const own = readFileSync(join(folder, path.replace(`${version}/`, '')), 'utf8');
      assert.equal((await get(`/uikit-web/${path}`)).text, own);
    }
    assert.equal((await get(`/uikit-web/${hashed}`)).status, 200);
  });

  test('loads it by embed.js', async () => {
    assert.ok((await get('/embed.js')).text.includes(`'uikit-web/${newer.version}/weavy.esm.js'`));
  });
});

// Without development dependencies the server runs, and the pages that need them report what is missing.
describe('a server without the kit', () => {
  test('logs it once, and answers 404 with what to do', async (t) => {
    const lines: string[] = [];
    const log = {
      debug() {},
      info() {},
      error() {},
      warn: (_: object, line: string) => void lines.push(line),
    };
    const url = await servePages(t, log, (http) => bindKit(http, { kits: [], log }));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /npm ci without --omit=dev/);
    const answer = await fetch(`${url}/uikit-web/es/editor.js`);
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    const { detail } = (await answer.json()) as { detail: string };
    assert.match(detail, /npm ci without --omit=dev/);
    assert.equal((await fetch(`${url}/pdfjs/pdf.worker.min.mjs`)).status, 404);
    assert.equal((await fetch(`${url}/embed.js`)).status, 200);
  });
});

// Only the visitor's console shows what a browser blocks, so the server logs it for the operator.
describe('a page of an origin that is not allowed', () => {
  test('is logged once, with the setting', async (t) => {
    const lines: { origin?: string; msg: string }[] = [];
    const server = await startTestServer(
      { CONFAB_CORS_ORIGINS: 'https://app.example.com', CONFAB_LOG_LEVEL: 'warn' },
      { logTo: keptLog(lines) },
    );
    t.after(() => server.close());
    const call = (method: string, path: string, origin: string) =>
      server.call(method, path, undefined, { as: null, headers: { origin } });
    for (const origin of [
      'https://app.example.com',
      server.url,
      'https://one.example',
      'https://two.example',
    ])
      for (const path of ['/version', '/api/user', '/api/apps/x', '/uikit-web/es/editor.js'])
        for (const method of ['GET', 'OPTIONS']) await call(method, path, origin);
    const refused = lines.filter(({ msg }) => msg.includes('CONFAB_CORS_ORIGINS'));
    assert.deepEqual(
      refused.map(({ origin }) => origin),
      ['https://one.example', 'https://two.example'],
    );
    for (let number = 0; number < 200; number += 1)
      await call('GET', '/version', `https://${number}.example`);
    assert.equal(lines.filter(({ msg }) => msg.includes('CONFAB_CORS_ORIGINS')).length, 100);
  });
});
