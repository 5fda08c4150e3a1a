import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { keptLog } from 'confab-testing/log.ts';
import { exchange } from 'confab-testing/network/raw.ts';
import { servePages } from 'confab-testing/pages.ts';
import { startTestServer, useServer } from 'confab-testing/server.ts';
import { bindKit, findKit } from '../../../src/http/kit/kit.ts';

const kit = findKit();
assert.ok(kit !== undefined, 'the reference client is a development dependency');
const { folder, version } = kit;

// A bundled kit loads its editor, its translations and its PDF viewer from its Confab server.
describe('the files of the kit', () => {
  const server = useServer({ CONFAB_CORS_ORIGINS: 'https://app.example.com' });
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
    const url = await servePages(t, log, (http) => bindKit(http, { kit: undefined, log }));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /npm ci without --omit=dev/);
    const answer = await fetch(`${url}/uikit-web/es/editor.js`);
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    const { detail } = (await answer.json()) as { detail: string };
    assert.match(detail, /npm ci without --omit=dev/);
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
