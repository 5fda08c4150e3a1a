import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { type Site, startSite } from 'confab-testing/network/site.ts';
import { poll } from 'confab-testing/poll.ts';
import { processorMs } from 'confab-testing/processor-time.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';

type CountedSite = Site & { readonly asked: readonly string[] };

/** A web server that counts its requests; `answer` gives the response to a path. */
async function startCounted(
  host: string,
  answer: (path: string) => { location?: string; body?: string },
): Promise<CountedSite> {
  const asked: string[] = [];
  const site = await startSite((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const { location, body = '<title>inside</title>' } = answer(path);
    if (location === undefined) response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    else response.writeHead(302, { location }).end();
  }, host);
  return { ...site, asked };
}

type Body = string | Buffer;

/** A web server of pages; the response to one with `held` waits for that call. */
async function startPages(
  page: (path: string) => { type: string; body: Body; held?: (() => void)[] },
): Promise<Site> {
  return await startSite((request, response) => {
    const { type, body, held } = page(request.url ?? '');
    const answer = () => void response.writeHead(200, { 'content-type': type }).end(body);
    if (held === undefined) answer();
    else held.push(answer);
  }, '127.0.0.2');
}

// 127.0.0.2 represents the public web, because the operator of the test permits it; 127.0.0.9 every internal address.
let site: CountedSite;
let inside: CountedSite;
let open: TestServer;
let closed: TestServer;

before(async () => {
  inside = await startCounted('127.0.0.9', () => ({}));
  site = await startCounted('127.0.0.2', (path) => {
    const hops = /^\/hops\/(\d+)$/.exec(path)?.[1];
    if (hops !== undefined)
      return hops === '0' ? { body: '<title>arrived</title>' } : { location: `/hops/${Number(hops) - 1}` };
    if (path === '/inwards') return { location: `${inside.url}/secret` };
    if (path === '/script') return { location: 'javascript:alert(1)' };
    if (path === '/file') return { location: 'file:///etc/passwd' };
    if (path === '/password') return { location: `http://ada:secret@127.0.0.2:${new URL(site.url).port}/` };
    if (path === '/oembed')
      return {
        body: `<title>outside</title><link rel="alternate" type="application/json+oembed" href="${inside.url}/oembed">`,
      };
    return { body: '<title>outside</title>' };
  });
  open = await startTestServer({ CONFAB_EGRESS_ALLOW: '127.0.0.2' });
  closed = await startTestServer({ CONFAB_EGRESS_ALLOW: '' });
});
after(async () => {
  await open.close();
  await closed.close();
  await site.close();
  await inside.close();
});

const embed = (server: TestServer, url: string) => server.call('POST', '/api/embeds', { url });

/** No user can make the server call an internal address, and its responses reveal nothing of what is there. */
describe('the guard of embeds', () => {
  test('permits what the operator permits', async () => {
    assert.equal((await embed(open, `${site.url}/page`)).body.title, 'outside');
  });

  test('refuses every internal address unless it is permitted', async () => {
    const before = site.asked.length;
    assert.equal((await embed(closed, `${site.url}/page`)).status, 400);
    assert.equal(site.asked.length, before);
  });

  const spellings = [
    '127.0.0.9',
    '2130706441',
    '0x7f000009',
    '0x7f.0.0.9',
    '0177.0.0.011',
    '017700000011',
    '127.9',
    '127.0.9',
    '127.0.0.9.',
    '127。0。0。9',
    '%31%32%37.0.0.9',
    '①②⑦.0.0.9',
    '[::ffff:127.0.0.9]',
    '[::ffff:7f00:9]',
    '[0:0:0:0:0:ffff:7f00:0009]',
    '[::127.0.0.9]',
    '[64:ff9b::127.0.0.9]',
    '[2002:7f00:9::]',
  ];
  for (const host of spellings)
    test(`refuses ${host} without connecting`, async () => {
      const port = new URL(inside.url).port;
      assert.equal((await embed(open, `http://${host}:${port}/secret`)).status, 400);
      assert.deepEqual(inside.asked, []);
    });

  const others = [
    'localhost',
    'inside.localhost',
    'metadata.google.internal',
    'intranet',
    '169.254.169.254',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '0',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '[::]',
    '[::1]',
    '[fe80::1]',
    '[fd00::1]',
    '[ff02::1]',
  ];
  test('refuses every other name and address that is not on the public web', async () => {
    for (const host of others) {
      const answer = await embed(open, `http://${host}/`);
      assert.deepEqual([answer.status, answer.body.code], [400, 'embed_failed'], host);
    }
  });

  test('follows five redirects and no sixth', async () => {
    assert.equal((await embed(open, `${site.url}/hops/5`)).body.title, 'arrived');
    const answer = await embed(open, `${site.url}/hops/6`);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, 'embed_failed');
  });

  for (const path of ['/inwards', '/script', '/file', '/password'])
    test(`follows no redirect to an address that it would refuse: ${path}`, async () => {
      assert.equal((await embed(open, site.url + path)).status, 400);
      assert.deepEqual(inside.asked, []);
    });

  test('does not read oEmbed from an internal address either', async () => {
    assert.equal((await embed(open, `${site.url}/oembed`)).body.title, 'outside');
    assert.deepEqual(inside.asked, []);
  });

  test('responds alike to refused, missing and silent addresses', async () => {
    const refused = await embed(open, `${inside.url}/secret`);
    const port = Number(new URL(inside.url).port);
    const shut = await embed(open, `http://127.0.0.2:${port === 65_535 ? port - 1 : port + 1}/`);
    const unknown = await embed(open, 'http://there-is-none.invalid/');
    for (const answer of [shut, unknown])
      assert.deepEqual(
        { ...answer.body, request_id: '', type: '' },
        { ...refused.body, request_id: '', type: '' },
      );
  });
});

/** Whatever a page sends, the answer is an embed of plain text or the one refusal, and it comes soon. */
describe('a hostile page', () => {
  let harmful: Site;
  let body: Body = '';
  let type = 'text/html';
  before(async () => {
    harmful = await startPages(() => ({ type, body }));
  });
  after(() => harmful.close());

  let pages = 0;
  async function embedPage(sent: Body, sentType = 'text/html') {
    [body, type] = [sent, sentType];
    pages += 1;
    const started = processorMs();
    const answer = await embed(open, `${harmful.url}/${pages}`);
    return { ...answer, ms: processorMs() - started };
  }

  // Each of these is quadratic for a parser that looks through what is open at each tag.
  const size = 512 * 1024;
  for (const part of [
    '<b>',
    '<svg>',
    '<p><div>',
    '<table><tr><td>',
    '<title>',
    '<!--',
    '<meta "',
    '<meta name=a content=b>',
    '</p>',
    '&lt;',
  ])
    test(`made only of ${part} delays nothing`, async () => {
      const pageOf = (bytes: number) => `<title>first</title>${part.repeat(bytes / part.length)}`;
      const quarter = await embedPage(pageOf(size / 4));
      const { status, ms } = await embedPage(pageOf(size));
      assert.equal(status, 201);
      // Sixteen times as much where the work grows with the square. Little of either is the work of the parser.
      assert.ok(ms < 8 * quarter.ms + 500, `${ms} ms, and ${quarter.ms} ms for a quarter of it`);
    });

  test('sends bytes that are not text', async () => {
    const noise = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 167 + 13) % 256));
    for (const charset of [
      '',
      '; charset=utf-8',
      '; charset=utf-16',
      '; charset=shift_jis',
      '; charset=iso-2022-kr',
      '; charset=nobody',
    ])
      for (const sent of [
        noise,
        Buffer.concat([Buffer.from('<title>a\0b\x1b[31m'), noise, Buffer.from('</title>')]),
      ]) {
        const { status, text } = await embedPage(sent, `text/html${charset}`);
        assert.ok(status === 201 || status === 400, `${status}`);
        assert.ok(text.isWellFormed());
        assert.doesNotMatch(JSON.parse(text).title ?? '', /[\p{Cc}]|<[a-z!/?]/iu);
      }
  });

  test('is not read as a page when its type is another', async () => {
    for (const none of [
      'application/octet-stream',
      'text/plain',
      'image/svg+xml',
      'text/xml',
      '',
      'text/html+x',
      'video/mp4',
    ]) {
      const { status } = await embedPage('<title>t</title>', none);
      assert.equal(status, 400, none);
    }
  });

  test('names its provider and cannot create a frame', async () => {
    const oembed = {
      type: 'rich',
      title: 'Rich',
      html: '<script>alert(1)</script>',
      provider_name: '<b>x',
      provider_url: 'javascript:alert(1)',
      author_url: 'data:text/html,x',
      thumbnail_url: 'http://127.0.0.9/x',
      url: 'file:///etc/passwd',
      width: -1,
      height: 1e9,
      cache_age: 'soon',
    };
    const { status, body: made, text } = await embedPage(JSON.stringify(oembed), 'application/json+oembed');
    assert.equal(status, 201);
    assert.deepEqual([made.type, made.is_link, made.html, made.url], ['link', true, undefined, undefined]);
    assert.deepEqual(
      [made.author_url, made.thumbnail_url, made.cache_age],
      [undefined, undefined, undefined],
    );
    assert.equal(made.provider_url, harmful.url);
    assert.doesNotMatch(text, /script|javascript|data:|passwd|<b/);
  });

  for (const json of [
    '[]',
    'null',
    '5',
    '{}',
    '{"type":5}',
    '{"type":"link"}',
    `${'['.repeat(30_000)}`,
    '{"__proto__":{"type":"link"}}',
  ])
    test(`answers ${json.slice(0, 30)} as oEmbed`, async () => {
      assert.equal((await embedPage(json, 'application/json')).status, 400);
    });
});

/** One who names slow addresses has few of them at once, and all together leave room in the server. */
describe('the number of concurrent fetches', () => {
  test('is limited for each caller, who does not delay others, and in total', async () => {
    const held: (() => void)[] = [];
    const startSlow = () =>
      startPages((path) => {
        const page = { type: 'text/html', body: '<title>slow</title>' };
        return path === '/quick' ? page : { ...page, held };
      });
    // Of each site no more is fetched at once than its own share.
    const sites = await Promise.all([startSlow(), startSlow(), startSlow(), startSlow()]);
    try {
      const people = await Promise.all(Array.from({ length: 6 }, () => makeUser(open)));
      const ask = (person: number, path: string) => {
        const url = `${sites[person % sites.length]?.url}${path}`;
        return open.call('POST', '/api/embeds', { url }, { as: people[person]?.token ?? null });
      };
      const first = Array.from({ length: 10 }, (_, n) => ask(0, `/slow-${n}`));
      await poll('four of them', () => held.length === 4 || undefined);
      assert.equal((await ask(1, '/quick')).status, 201);
      assert.equal(held.length, 4);
      const others = people
        .slice(1)
        .flatMap((_, index) => Array.from({ length: 6 }, (_, n) => ask(index + 1, `/${index}-${n}`)));
      await poll('sixteen of them', () => held.length === 16 || undefined);
      let answers: readonly { status: number }[] | undefined;
      void Promise.all([...first, ...others]).then((all) => {
        answers = all;
      });
      let most = 0;
      await poll('all of them', () => {
        most = Math.max(most, held.length);
        held.shift()?.();
        return answers;
      });
      assert.deepEqual([...new Set(answers?.map(({ status }) => status))], [201]);
      assert.equal(most, 16);
    } finally {
      for (const site of sites) await site.close();
    }
  });
});
