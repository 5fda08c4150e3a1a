import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { problems } from 'confab-contract/problem.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { exchange } from 'confab-testing/network/raw.ts';
import { startTestServer, useServer } from 'confab-testing/server.ts';
import { guideNames } from '../../../src/http/docs/guides.ts';
import { html, prose } from '../../../src/http/pages/html.ts';

const server = useServer({
  CONFAB_CORS_ORIGINS: 'https://app.example.com',
  CONFAB_TRUSTED_PROXIES: '127.0.0.1',
});

const page = async (path: string) => {
  const answer = await server.call('GET', path, undefined, { as: null });
  assert.equal(answer.status, 200, path);
  return answer;
};

const groups = [...new Set(operationList.map(({ tag }) => tag.toLowerCase()))];
const docs = [
  '/docs',
  ...guideNames.map((name) => `/docs/${name}`),
  ...['basics', ...groups, 'objects'].map((group) => `/docs/reference/${group}`),
];
const paths = ['/', ...docs, '/problems', ...Object.keys(problems).map((code) => `/problems/${code}`)];

// Every page works from the server alone: nothing is loaded from elsewhere, only one script runs, and each link leads
// somewhere.
describe('the pages', () => {
  test('load the style sheet, the script and pictures of the server and nothing else', async () => {
    for (const path of paths) {
      const { headers, text } = await page(path);
      assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8/);
      const policy = headers.get('content-security-policy') ?? '';
      assert.equal(
        policy,
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      const scripts = text.match(/<script[^>]*>[^<]*/g);
      assert.deepEqual(scripts, ['<script src="/pages.js" type="module">'], path);
      const unsafe = /<style|<img src="(?![\w-]+\.png")|<iframe|<[^>]*\s(style|on[a-z]+)=|"javascript:/i.exec(
        text,
      );
      assert.equal(unsafe, null, path);
      const loaded = [...text.matchAll(/<link [^>]*href="([^"]*)"/g)].map((match) => match[1]);
      assert.deepEqual(loaded, ['/favicon.svg', '/pages.css'], path);
    }
    const { headers, text } = await page('/pages.css');
    assert.match(headers.get('content-type') ?? '', /^text\/css/);
    assert.doesNotMatch(text, /url\(|@import/);
    const script = await page('/pages.js');
    assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/);
    assert.doesNotMatch(script.text, /innerHTML|Storage|cookie|https?:/);
  });

  test('have no dead link', async () => {
    const known = new Map<string, string>();
    for (const path of paths) known.set(path, (await page(path)).text);
    let links = 0;
    for (const [path, text] of known)
      for (const [, href = ''] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
        if (href.startsWith('https://')) continue;
        const [target, fragment] = href.split('#');
        const at = target === '' || target === undefined ? path : target;
        if (!known.has(at)) known.set(at, (await page(at)).text);
        if (fragment !== undefined)
          assert.ok(known.get(at)?.includes(`id="${fragment}"`), `${path} has a link to ${href}`);
        links += 1;
      }
    assert.ok(links > operationList.length);
  });
});

// Pages that are the same for every visitor are rendered once, and sent only to clients without a current copy.
describe('a page that the client already has', () => {
  const all = [
    ...paths,
    '/pages.css',
    '/pages.js',
    '/favicon.svg',
    '/favicon.ico',
    '/llms.txt',
    '/openapi.json',
  ];

  test('is not sent again', async () => {
    for (const path of all) {
      const first = await page(path);
      const tag = first.headers.get('etag') ?? '';
      assert.match(tag, /^"[\w-]{43}"$/, path);
      assert.equal(first.headers.get('content-length'), String(Buffer.byteLength(first.text)));
      for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await server.call('GET', path, undefined, {
          as: null,
          headers: { 'if-none-match': sent },
        });
        assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag], path);
      }
      const other = await server.call('GET', path, undefined, {
        as: null,
        headers: { 'if-none-match': '"other"' },
      });
      assert.deepEqual([other.status, other.text], [200, first.text], path);
    }
  });

  test('is also at the path where existing clients look for the document of the interface', async () => {
    const { status, headers } = await server.call('GET', '/api/openapi.json', undefined, { as: null });
    assert.equal(status, 301);
    const target = new URL(headers.get('location') ?? '', `${server.url}/below/api/openapi.json`);
    assert.equal(target.pathname, '/below/openapi.json');
    const followed = await fetch(`${server.url}/api/openapi.json`);
    assert.equal(((await followed.json()) as { openapi: string }).openapi, '3.1.0');
  });
});

// The reference contains everything that a caller of an operation needs.
describe('the reference', () => {
  /** The section about an operation on the page of its group. */
  async function article(id: string): Promise<string> {
    const tag = operationList.find((operation) => operation.id === id)?.tag.toLowerCase();
    const { text } = await page(`/docs/reference/${tag}`);
    return text.split(`<h2 id="${id}">`)[1]?.split(/<h2|<\/main>/)[0] ?? '';
  }

  test('describes every operation with its method, path, responses and a request to paste', async () => {
    for (const operation of operationList) {
      const text = await article(operation.id);
      assert.ok(text.includes(`>${operation.method}</span> <span>${operation.path}</span>`), operation.id);
      for (const status of [...Object.keys(operation.success), ...operation.errors])
        assert.ok(text.includes(`<td>${status}</td>`), `${operation.id} ${status}`);
      const verb = operation.method === 'GET' ? '' : `-X ${operation.method} `;
      assert.ok(text.includes(`curl ${verb}${server.url}/`), operation.id);
    }
  });

  test('shows requests that work unchanged', async () => {
    const body =
      /-d '(.*?)'\n<\/code>/s.exec(await article('createApp'))?.[1]?.replaceAll('&quot;', '"') ?? '';
    assert.equal((await server.call('POST', '/api/apps', body)).status, 201);
  });

  test('describes the limits of a field and how to clear it', async () => {
    const text = await article('updateApp');
    assert.match(text, /<code>name<\/code><\/td>\n<td>string, at most 256 characters, or null</);
    assert.match(text, /\/problems\/manage_forbidden/);
  });
});

// The `type` of an error is the address of a page that explains it.
describe('the pages of problems', () => {
  test('are where errors point to', async () => {
    const refused = await server.call('POST', '/api/apps', { uid: '1', type: 'comments' });
    assert.equal(refused.status, 422);
    const { text } = await page(new URL(refused.body.type).pathname);
    assert.match(text, /<code>validation_failed<\/code> with the status 422/);
    assert.match(text, /What to do/);
  });

  test('exist only for known codes', async () => {
    for (const code of ['nothing', '__proto__', 'constructor', '%3Cscript%3E'])
      assert.equal((await server.call('GET', `/problems/${code}`, undefined, { as: null })).status, 404);
  });
});

// Existing clients request the version of the API from a page of another origin, with custom headers.
describe('/version', () => {
  test('is the version existing clients expect, as plain text', async () => {
    const { headers, text } = await page('/version');
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    assert.equal(text, '21.1.2');
  });

  test('can be requested from an allowed origin', async () => {
    const preflight = await fetch(`${server.url}/version`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-requested-with,x-weavy-source',
      },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://app.example.com');
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /x-weavy-source/);
  });

  test('is what the operator configured', async (t) => {
    const other = await startTestServer({ CONFAB_CLIENT_VERSION: '22.2.1' });
    t.after(() => other.close());
    assert.equal((await other.call('GET', '/version', undefined, { as: null })).text, '22.2.1');
  });

  /** The answer to a client with these headers `X-Weavy-Source`, and by what it varies. */
  async function versionFor(...sources: string[]): Promise<readonly [string, string]> {
    const sent = sources.map((source) => `X-Weavy-Source: ${source}\r\n`).join('');
    const { status, headers, body } = await exchange(
      server.url,
      `GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${sent}\r\n`,
    );
    assert.equal(status, 200);
    return [body, headers.get('vary') ?? ''];
  }

  test('is the own version of a web component that Confab works with', async () => {
    for (const [source, expected] of [
      ['@weavy/uikit-web@20.0.0', '20.0.0'],
      ['@weavy/uikit-web@21.0.0', '21.0.0'],
      ['@weavy/uikit-react@21.1.2', '21.1.2'],
    ] as const)
      assert.deepEqual(await versionFor(source), [expected, 'Origin, X-Weavy-Source']);
  });

  test('is the configured one for all others', async () => {
    for (const sources of [
      ['@weavy/uikit-web@27.1.1'],
      ['@weavy/uikit-web@22.2.1'],
      ['@weavy/uikit-web@19.1.2'],
      ['@weavy/uikit-web@20.7.0'],
      ['@weavy/uikit-web@21.99.0'],
      ['@weavy/uikit-web@2030.1.1'],
      ['@weavy/uikit-web@20'],
      ['@weavy/uikit-web@20.0'],
      ['@weavy/uikit-web@020.0.0'],
      ['@weavy/uikit-web@20.0.0-beta.1'],
      ['@weavy/uikit-web@20.0.0, x'],
      ['@weavy/uikit-web@20.0.0<script>'],
      ['@weavy/uikit-web'],
      ['@other/uikit-web@20.0.0'],
      ['x @weavy/uikit-web@20.0.0'],
      ['__proto__'],
      [''],
      ['@weavy/uikit-web@20.0.0', '@weavy/uikit-web@20.0.0'],
      ['@weavy/uikit-web@20.0.0', ''],
      [],
    ])
      assert.deepEqual(await versionFor(...sources), ['21.1.2', 'Origin, X-Weavy-Source'], `${sources}`);
  });
});

// The development server of the web components asks it until the text is this.
describe('/status', () => {
  test('is Ok, as plain text', async () => {
    const { headers, text } = await page('/status');
    assert.equal(text, 'Ok');
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    const head = await server.call('HEAD', '/status', undefined, { as: null });
    assert.deepEqual([head.status, head.text], [200, '']);
  });
});

// Text that reaches a page is never interpreted as markup.
describe('the template of pages', () => {
  test('escapes inserted values, between tags and inside attributes', () => {
    const hostile = `<img src=x onerror="a('b')">&`;
    const { text } = html`<p title="${hostile}">${hostile}${prose(`\`${hostile}\``)}</p>`;
    const safe = '&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;';
    assert.equal(text, `<p title="${safe}">${safe}<code>${safe}</code></p>`);
  });
});

/** The addresses of this server that a page links to or loads. */
function addressesIn(text: string, path: string): string[] {
  const found = [...text.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, sent = '']) => sent);
  const addresses = found.map((sent) => new URL(sent.replaceAll('&amp;', '&'), server.url + path));
  return addresses
    .filter(({ origin }) => origin === server.url)
    .map(({ pathname, search }) => pathname + search);
}

// What a cache keeps is the same for all who are given it, and says by what it is not.
describe('an answer that a cache may keep', () => {
  test('has nothing of the client who was first, and varies by the origin if its fields do', async () => {
    const { uid, id } = await makeApp(server, { access: 'read', visitors: 'read' });
    const comment = await makeComment(server, id);
    const left = [
      ...['/', '/docs', '/console', '/embed.js', '/elements.js', '/openapi.json', '/problems', '/version'],
      ...[`/pages/${uid}`, `/pages/${uid}?after=${comment.id}`, `/pages/${uid}/feed.atom`],
      ...[`/api/apps/${uid}/comments`, `/api/comments/${comment.id}`, `/api/apps/${uid}`, '/api/sign-in'],
    ];
    const seen = new Set(left);
    const kept: string[] = [];
    const unkept: string[] = [];
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const answers = [undefined, 'https://app.example.com', 'https://other.example.com'].map(
        async (origin) => {
          const headers = {
            'accept-encoding': 'identity',
            'x-forwarded-for': '198.51.100.7',
            ...(origin === undefined ? {} : { origin }),
          };
          const answer = await fetch(server.url + path, { headers, redirect: 'manual' });
          return { answer, text: await answer.text() };
        },
      );
      const [first, ...others] = await Promise.all(answers);
      assert.ok(first !== undefined);
      if (first.answer.headers.get('content-type')?.startsWith('text/html') === true)
        for (const next of addressesIn(first.text, path)) {
          if (!seen.has(next)) left.push(next);
          seen.add(next);
        }
      const control = first.answer.headers.get('cache-control') ?? '';
      if (/no-store|private/.test(control)) {
        unkept.push(`${path}: ${first.answer.status} ${control}`);
        continue;
      }
      kept.push(path);
      const headersOf = ({ answer: { headers } }: typeof first) =>
        [...headers].filter(([name]) => !/^(?:date|x-request-id|age)$/.test(name));
      for (const name of ['ratelimit', 'ratelimit-policy', 'set-cookie'])
        assert.equal(first.answer.headers.get(name), null, `${path} has ${name}`);
      const variesByOrigin = /\borigin\b/i.test(first.answer.headers.get('vary') ?? '');
      for (const other of others) {
        assert.equal(other.text, first.text, path);
        if (!variesByOrigin) assert.deepEqual(headersOf(other), headersOf(first), path);
      }
    }
    for (const path of [
      `/pages/${uid}`,
      `/pages/${uid}/feed.atom`,
      '/elements.js',
      `/api/apps/${uid}/comments`,
    ])
      assert.ok(kept.includes(path), unkept.join('\n'));
    assert.ok(kept.length > 40, String(kept.length));
  });
});

// Who mistypes an address reads where to go on; programs get the problem that the interface describes.
describe('a wrong address', () => {
  const html = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const open = (path: string, accept = html) => fetch(server.url + path, { headers: { accept } });

  test('is a page for browsers, which leads to the console and the documentation', async () => {
    for (const path of ['/nowhere', '/docs//', '/docs/nowhere', '/problems/nowhere', '/apix']) {
      const answer = await open(path);
      const text = await answer.text();
      assert.equal(answer.status, 404, path);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8', path);
      assert.equal(answer.headers.get('cache-control'), 'no-store', path);
      assert.equal(answer.headers.get('vary'), 'Origin, accept', path);
      assert.ok(text.includes(`<code>${path}</code>`), path);
      assert.match(text, /href="\/console">Console<.*href="\/docs">Documentation</s);
      assert.doesNotMatch(text, /href="\/demo"/);
    }
    assert.match(await (await open('/<b>x</b>')).text(), /&lt;b&gt;x|%3Cb%3Ex/);
  });

  test('with a slash too many leads to the page that is meant', async () => {
    for (const path of ['/console', '/docs']) {
      const answer = await fetch(`${server.url}${path}/`, { headers: { accept: html }, redirect: 'manual' });
      assert.deepEqual([answer.status, answer.headers.get('location')], [308, path]);
    }
  });

  test('is a problem for programs, in the API and for other methods', async () => {
    for (const [path, accept] of [
      ['/docs/', '*/*'],
      ['/nowhere', 'application/json'],
      ['/nowhere', 'application/json, text/html'],
      ['/nowhere', 'text/html-like'],
      ['/api/apps/999', html],
      ['/api/x', html],
      ['/api/status/%00', html],
    ] as const) {
      const answer = await open(path, accept);
      assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8', path);
    }
    const posted = await fetch(`${server.url}/nowhere`, { method: 'POST', headers: { accept: html } });
    assert.equal(((await posted.json()) as { code: string }).code, 'not_found');
  });
});

describe('the start page and the icon', () => {
  test('lead to the console and the documentation, and are kept by browsers', async () => {
    assert.match((await page('/')).text, /href="\/console">Console<.*href="\/docs">Documentation</s);
    for (const path of ['/favicon.svg', '/favicon.ico']) {
      const { headers, text } = await page(path);
      assert.equal(headers.get('content-type'), 'image/svg+xml');
      assert.equal(headers.get('cache-control'), 'public, max-age=86400');
      assert.match(text, /^<svg /);
    }
  });
});
