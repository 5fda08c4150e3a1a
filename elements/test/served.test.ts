import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { exchange } from 'confab-testing/network/raw.ts';
import { useServer } from 'confab-testing/server.ts';

const built = join(import.meta.dirname, '../dist');
const parts = readdirSync(join(built, 'elements')).filter((name) => name.endsWith('.js'));
const texts = readdirSync(join(built, 'elements/texts')).map((name) => `/elements/texts/${name}`);

// Pages of every origin load the elements: the script is asked for again soon, its parts are kept for good.
describe('the files of the elements', () => {
  const server = useServer({ CONFAB_CORS_ORIGINS: 'https://app.example.com' });
  const file = (path: string, headers: Record<string, string> = {}) =>
    server.call('GET', path, undefined, { as: null, headers });

  test('are those that the build has made, open to pages of every origin', async () => {
    for (const path of ['/elements.js', ...parts.map((name) => `/elements/${name}`), ...texts])
      for (const origin of ['https://app.example.com', 'https://other.example']) {
        const { status, headers, text } = await file(path, { origin });
        assert.equal(status, 200, path);
        assert.equal(text, readFileSync(join(built, path), 'utf8'));
        assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
        assert.equal(headers.get('access-control-allow-origin'), '*');
        assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
      }
    assert.equal((await file('/elements/other-00000000.js')).status, 404);
  });

  test('come with themes, as style sheets', async () => {
    for (const name of readdirSync(join(built, 'themes'))) {
      const { status, headers, text } = await file(`/elements/themes/${name}`);
      assert.equal(status, 200, name);
      assert.equal(text, readFileSync(join(built, 'themes', name), 'utf8'));
      assert.equal(headers.get('content-type'), 'text/css; charset=utf-8');
    }
  });

  test('are kept: the script for five minutes and with a tag, a part for a year', async () => {
    const entry = await file('/elements.js');
    assert.equal(entry.headers.get('cache-control'), 'public, max-age=300');
    const again = await file('/elements.js', { 'if-none-match': entry.headers.get('etag') ?? '' });
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.equal((await file('/elements/texts/de.js')).headers.get('cache-control'), 'public, max-age=300');
    const part = await file(`/elements/${parts[0]}`);
    assert.equal(part.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  });

  test('are as small as brotli makes them', async () => {
    const head =
      'GET /elements.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: br\r\n\r\n';
    const { headers, body } = await exchange(server.url, head);
    const bytes = Buffer.from(body, 'latin1');
    assert.equal(headers.get('content-encoding'), 'br');
    assert.equal(brotliDecompressSync(bytes).toString(), readFileSync(join(built, 'elements.js'), 'utf8'));
    assert.ok(bytes.length <= 16_300, `${bytes.length} bytes`);
  });

  test('are one script, by whichever address a page loads it', async () => {
    const { text } = await file('/elements.js?v=2');
    assert.equal(text, "export * from './elements.js';");
  });
});
