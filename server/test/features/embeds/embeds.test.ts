import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, describe, test } from 'node:test';
import type { Comment } from 'confab-contract/comments.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { startSite } from 'confab-testing/network/site.ts';
import { png } from 'confab-testing/pictures.ts';
import { freshUid, startTestServer, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

type Page = { readonly type?: string; readonly body?: string | Uint8Array; readonly status?: number } & {
  readonly headers?: Record<string, string>;
};

const pages = new Map<string, Page | RequestListener>();

/** How often each path was requested. */
const asked = new Map<string, number>();

const listener: RequestListener = (request, response) => {
  const path = request.url ?? '';
  asked.set(path, (asked.get(path) ?? 0) + 1);
  const page = pages.get(path);
  if (typeof page === 'function') return page(request, response);
  if (page === undefined) return response.writeHead(404).end();
  const headers = { 'content-type': page.type ?? 'text/html; charset=utf-8', ...page.headers };
  response.writeHead(page.status ?? 200, headers).end(page.body ?? '');
};

let now = Date.parse('2026-11-21T08:00:00Z');
const server = useServer({}, { clock: { now: () => now } });
const site = use(() => startSite(listener));
const watch = useStoreWatch(server);
after(async () => {
  await site.close();
});

/** Serves a page at its own path and returns its address. */
function serve(page: Page | RequestListener): string {
  const path = `/${freshUid('page')}`;
  pages.set(path, page);
  return site.url + path;
}

const html = (head: string): Page => ({
  body: `<!doctype html><html><head>${head}</head><body>x</body></html>`,
});

async function embed(url: string, as?: string) {
  return await server.call('POST', '/api/embeds', { url }, as === undefined ? {} : { as });
}

/** An embed has the page's declarations about itself, in the form of the API. */
describe('the content of an embed', () => {
  test('Open Graph', async () => {
    const url = serve(
      html(`<title>Fallback</title>
        <meta property="og:title" content="Caf&eacute; &amp; bar">
        <meta property="og:description" content="  Open
           all day ">
        <meta property="og:site_name" content="The Guide">
        <meta property="og:image" content="/pictures/front.png">
        <meta property="og:image:width" content="640"><meta property="og:image:height" content="480">`),
    );
    const { status, body } = await embed(url);
    assert.equal(status, 201);
    const { id, created_at, created_by_id, ...shown } = body;
    assert.ok(id > 0 && created_by_id === 1);
    assert.equal(created_at, '2026-11-21T08:00:00.000Z');
    assert.deepEqual(shown, {
      original_url: url,
      host: '127.0.0.1',
      is_link: true,
      type: 'link',
      title: 'Café & bar',
      description: 'Open all day',
      provider_name: 'The Guide',
      provider_url: site.url,
      thumbnail_url: `${site.url}/pictures/front.png`,
      thumbnail_width: 640,
      thumbnail_height: 480,
    });
  });

  // A client may put an address between quotes of either kind, or show it as text.
  test('addresses in which nothing can end an attribute or begin a tag, wherever they come from', async () => {
    const hostile = `a"'\`<img src=x onerror=alert(1)>`;
    const encoded = 'a%22%27%60%3Cimg%20src=x%20onerror=alert(1)%3E';
    const answer = {
      type: 'rich',
      author_url: `https://example.com/by/${hostile}?${hostile}#${hostile}`,
      provider_url: `https://example.com/${hostile}`,
      thumbnail_url: `https://example.com/picture?${hostile}`,
    };
    const oembed = serve({ type: 'application/json', body: JSON.stringify(answer) });
    const link = `<link rel="alternate" type="application/json+oembed" href="${oembed}">`;
    const page = serve(html(`<title>t</title>${link}`));
    const { status, body } = await embed(`${page}#"><img src=x onerror='alert(1)'>\`\u0001\u2028x`);
    assert.equal(status, 201);
    assert.deepEqual(
      [body.original_url, body.author_url, body.provider_url, body.thumbnail_url],
      [
        `${page}#%22%3E%3Cimg%20src=x%20onerror=%27alert(1)%27%3E%60%01%E2%80%A8x`,
        `https://example.com/by/${encoded}?${encoded}#${encoded}`,
        `https://example.com/${encoded}`,
        `https://example.com/picture?${encoded}`,
      ],
    );
    const again = await server.read(`/api/embeds/${body.id}`);
    assert.deepEqual(again, body);
  });

  test('facts after 10,000 elements of a page, but not after 30,000', async () => {
    const title = '<title>Late</title>';
    const { status, body } = await embed(serve(html(`${'<br>'.repeat(10_000)}${title}`)));
    assert.deepEqual([status, body.title], [201, 'Late']);
    const late = await embed(serve(html(`${'<br>'.repeat(30_000)}${title}`)));
    assert.deepEqual([late.status, late.body.code], [400, 'embed_failed']);
  });

  test('a Twitter card', async () => {
    const { body } = await embed(
      serve(
        html(`<meta name="twitter:title" content="Card"><meta name="twitter:description" content="Said">
          <meta name="twitter:image" content="https://example.com/card.png">`),
      ),
    );
    assert.deepEqual(
      [body.title, body.description, body.thumbnail_url],
      ['Card', 'Said', 'https://example.com/card.png'],
    );
  });

  test('only a title, which is not that of a drawing', async () => {
    const page = html('<svg><title>An icon</title></svg><title>The page</title><title>Another</title>');
    const { body } = await embed(serve(page));
    assert.equal(body.title, 'The page');
    assert.equal(body.provider_name, '127.0.0.1');
  });

  test('oEmbed, with a photo', async () => {
    const answer = {
      type: 'photo',
      version: '1.0',
      title: 'Harbour',
      author_name: 'Ada',
      author_url: 'https://example.com/ada',
      provider_name: 'Pictures',
      provider_url: 'https://example.com/',
      cache_age: '3600',
      url: 'https://example.com/harbour.jpg',
      width: 1200,
      height: '800',
      html: '<script>alert(1)</script>',
    };
    const oembed = serve({ type: 'application/json; charset=utf-8', body: JSON.stringify(answer) });
    const link = `<link rel="alternate" type="application/json+oembed" href="${new URL(oembed).pathname}">`;
    const { body } = await embed(serve(html(`<title>t</title>${link}`)));
    const { id: _id, created_at: _at, created_by_id: _by, original_url: _url, ...shown } = body;
    assert.deepEqual(shown, {
      host: '127.0.0.1',
      is_link: false,
      type: 'photo',
      version: '1.0',
      title: 'Harbour',
      author_name: 'Ada',
      author_url: 'https://example.com/ada',
      provider_name: 'Pictures',
      provider_url: 'https://example.com/',
      cache_age: 3600,
      thumbnail_url: 'https://example.com/harbour.jpg',
      thumbnail_width: 1200,
      thumbnail_height: 800,
      url: 'https://example.com/harbour.jpg',
      width: 1200,
      height: 800,
    });
  });

  test('a player is a link: its markup is not passed on', async () => {
    const answer = { type: 'video', title: 'Film', html: '<iframe src="https://example.com"></iframe>' };
    const oembed = serve({ type: 'application/json', body: JSON.stringify(answer) });
    const link = `<link rel="alternate" type="application/json+oembed" href="${oembed}">`;
    const { body, text } = await embed(serve(html(link)));
    assert.equal(body.type, 'link');
    assert.equal(body.title, 'Film');
    assert.doesNotMatch(text, /iframe/);
  });

  test('a picture, with its size', async () => {
    const url = serve({ type: 'image/png', body: png(320, 200) });
    const { body } = await embed(url);
    assert.deepEqual(
      [body.type, body.is_link, body.url, body.thumbnail_url, body.width, body.height],
      ['photo', false, url, url, 320, 200],
    );
  });

  test('texts in the charset of the header or of the page', async () => {
    const latin = Buffer.from('<title>\xfcber</title>', 'latin1');
    const byHeader = await embed(serve({ type: 'text/html; charset=ISO-8859-1', body: latin }));
    assert.equal(byHeader.body.title, 'über');
    const declared = Buffer.from('<meta charset="windows-1251"><title>\xcf\xf0\xe8</title>', 'latin1');
    assert.equal((await embed(serve({ type: 'text/html', body: declared }))).body.title, 'При');
    const unknown = { type: 'text/html; charset=utf-98', body: '<title>größe</title>' };
    assert.equal((await embed(serve(unknown))).body.title, 'größe');
  });

  test('only addresses to which a reader may be sent', async () => {
    const { body } = await embed(
      serve(
        html(`<title>t</title><meta property="og:image" content="javascript:alert(1)">
          <meta name="twitter:image" content="http://192.168.1.1/reboot">`),
      ),
    );
    assert.equal(body.thumbnail_url, undefined);
    assert.equal(
      (await embed(serve(html('<title>u</title><meta property="og:image" content="data:,x">')))).body
        .thumbnail_url,
      undefined,
    );
  });

  const hostile = [
    '<script>alert(1)</script>Hello',
    '&lt;img src=x onerror=alert(1)&gt;Hello',
    '&lt;img src=x onerror=alert(1) Hello',
    '&lt;&lt;b&gt;script&gt;alert(1)&lt;/script&gt;Hello',
    '&lt;!-- Hello',
    '\u202eolleH',
  ];
  for (const [index, text] of hostile.entries())
    test(`texts that stay inert when they are inserted into a page unchanged: ${index + 1}`, async () => {
      const page = html(
        `<meta property="og:title" content="${text}"><meta name="description" content="${text}">`,
      );
      const { status, body } = await embed(serve(page));
      assert.equal(status, 201);
      for (const shown of [body.title, body.description]) {
        assert.doesNotMatch(shown, /<[a-z!/?]/i);
        assert.doesNotMatch(shown, /[\p{Cc}\u202e]/u);
      }
    });

  test('texts cut to the room of a card', async () => {
    const page = html(
      `<title>${'aक्ष'.repeat(5000)}</title><meta name="description" content="${'😀 '.repeat(9000)}">`,
    );
    const { body } = await embed(serve(page));
    assert.equal(body.title, `${'aक्ष'.repeat(63)}a…`);
    assert.ok([...body.description].length <= 1024);
    assert.ok(body.description.endsWith('…') && body.description.isWellFormed());
  });
});

/** What cannot be shown is 400 in the same words for every reason, and leaves nothing. */
describe('what cannot be embedded', () => {
  const failing: { readonly [name: string]: Page | RequestListener } = {
    'an error': { status: 500, body: '<title>t</title>' },
    'a page that is not there': { status: 404, body: '<title>t</title>' },
    'a page that says nothing': { body: '<p>hello</p>' },
    'another type': { type: 'application/pdf', body: '%PDF' },
    'json that is no oEmbed': { type: 'application/json', body: '{"title":"t"}' },
    'broken json': { type: 'application/json', body: '{' },
    'a compressed answer': { headers: { 'content-encoding': 'gzip' }, body: '<title>t</title>' },
    'a connection that is cut': (request) => void request.socket.resetAndDestroy(),
  };
  for (const [name, page] of Object.entries(failing))
    test(name, async () => {
      const answer = await embed(serve(page));
      assert.equal(answer.status, 400);
      assert.equal(answer.body.code, 'embed_failed');
      assert.equal(answer.body.detail, 'Nothing that could be shown was found at this address.');
    });

  for (const [name, url] of Object.entries({
    'no address': 'hello',
    'a relative one': '/page',
    'another scheme': 'ftp://example.com/x',
    'a script': 'javascript:alert(1)',
    'a password': 'https://ada:secret@example.com/',
    'a line break': 'https://example.com/\nx',
    'one that is too long': `https://example.com/${'x'.repeat(2048)}`,
    nothing: '',
  }))
    test(`${name} is 422`, async () => {
      const answer = await embed(url);
      assert.equal(answer.status, 422);
      assert.equal(answer.body.errors[0].pointer, '/url');
    });

  test('a body without an address is 422, another type 400, no credential 401', async () => {
    assert.equal((await server.call('POST', '/api/embeds', {})).status, 422);
    assert.equal((await server.call('POST', '/api/embeds', { url: 7 })).status, 400);
    assert.equal((await server.as(null).call('POST', '/api/embeds', { url: site.url })).status, 401);
  });

  test('a page is read no further than the limit', async () => {
    const late = {
      body: `<title>early</title>${' '.repeat(600 * 1024)}<meta name="description" content="late">`,
    };
    const { body } = await embed(serve(late));
    assert.equal(body.title, 'early');
    assert.equal(body.description, undefined);
  });

  test('an endless page is cut and shown as far as it was read', async () => {
    const url = serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('<title>endless</title>');
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    assert.equal((await embed(url)).body.title, 'endless');
  });
});

/** One fetch serves all users for a day; each user has their own embed. */
describe('how often an address is fetched', () => {
  test('once for two users, who get separate embeds', async () => {
    const url = serve(html('<title>shared</title>'));
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const first = await embed(url, ada.token);
    const second = await embed(url, bob.token);
    assert.equal(asked.get(new URL(url).pathname), 1);
    assert.notEqual(first.body.id, second.body.id);
    assert.equal(second.body.title, 'shared');
    assert.equal(second.body.created_by_id, bob.id);
  });

  /** The embeds in the events of one user. */
  function toldOf(user: number): unknown[] {
    const sql = `select entity_id as id from events where action = 'embed_created' and user_id = ${user} order by id`;
    return watch.rows(sql).map(({ id }) => id);
  }

  test('once for one user, who gets the same embed again with only one event', async () => {
    const url = serve(html('<title>again</title>'));
    const ada = await makeUser(server);
    const first = await embed(url, ada.token);
    assert.deepEqual((await embed(url, ada.token)).body, first.body);
    const spelt = url.replace('http://', 'HTTP://');
    const other = await embed(`${spelt}#top`, ada.token);
    assert.notEqual(other.body.id, first.body.id);
    assert.equal(other.body.original_url, `${spelt}#top`);
    assert.deepEqual(toldOf(ada.id), [first.body.id, other.body.id]);
    assert.equal(asked.get(new URL(url).pathname), 1);
  });

  test('once for 32 requests at the same time', async () => {
    const url = serve(html('<title>rush</title>'));
    const ada = await makeUser(server);
    const answers = await Promise.all(Array.from({ length: 32 }, () => embed(url, ada.token)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    assert.deepEqual(toldOf(ada.id), [answers[0]?.body.id]);
    assert.equal(asked.get(new URL(url).pathname), 1);
  });

  test('again after a day, and earlier embeds stay unchanged', async () => {
    const url = serve(html('<title>old</title>'));
    const before = await embed(url);
    pages.set(new URL(url).pathname, html('<title>fresh</title>'));
    now += 24 * 3_600_000;
    const afterwards = await embed(url);
    assert.equal(afterwards.body.title, 'fresh');
    assert.notEqual(afterwards.body.id, before.body.id);
    assert.equal((await server.call('GET', `/api/embeds/${before.body.id}`)).body.title, 'old');
  });

  test('no more than a few at a time for one user', async () => {
    let open = 0;
    let most = 0;
    const slow: RequestListener = (_, response) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(200, { 'content-type': 'text/html' }).end('<title>slow</title>');
      });
    };
    const urls = Array.from({ length: 24 }, () => serve(slow));
    const ada = await makeUser(server);
    const answers = await Promise.all(urls.map((url) => embed(url, ada.token)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    assert.ok(most <= 4, `${most} at a time`);
  });
});

/** An embed belongs to who made it, and is seen by others where it is used. */
describe('the owner of an embed', () => {
  test('only its creator and API keys get it by its id', async () => {
    const ada = await makeUser(server);
    const { body } = await embed(serve(html('<title>mine</title>')), ada.token);
    const path = `/api/embeds/${body.id}`;
    assert.deepEqual(await ada.read(path), body);
    assert.deepEqual(await server.read(path), body);
    const bob = await makeUser(server);
    const hidden = await bob.call('GET', path);
    const absent = await bob.call('GET', '/api/embeds/987654321');
    assert.equal(hidden.status, 404);
    assert.equal(hidden.body.detail, absent.body.detail);
    assert.equal((await server.as(null).call('GET', path)).status, 401);
  });

  test('a comment shows it in full and on request in lists', async () => {
    const ada = await makeUser(server);
    const bob = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const made = (await embed(serve(html('<title>shown</title>')), ada.token)).body;
    const comment = await makeComment(ada, app.id, { text: 'see', embed_id: made.id });
    assert.equal(comment.embed_id, made.id);
    assert.deepEqual(comment.embed, made);
    const path = `/api/apps/${app.id}/comments`;
    const plain = await bob.call('GET', path);
    assert.equal(plain.body.data[0].embed_id, made.id);
    assert.equal(plain.body.data[0].embed, undefined);
    const expanded = await bob.call('GET', `${path}?expand=embed`);
    assert.deepEqual(expanded.body.data[0].embed, made);
  });

  test('the event of a comment shows it, so that a client needs no further request', async () => {
    const ada = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const made = (await embed(serve(html('<title>told</title>')), ada.token)).body;
    const [shown, plain] = [
      await makeComment(ada, app.id, { embed_id: made.id }),
      await makeComment(server, app.id),
    ];
    const body = await ada.read('/api/events?after=0&top=100');
    const told = body.data as object[] as { action: string; comment: Comment }[];
    const embeds = [shown, plain].map(
      ({ id }) =>
        told.find((event) => event.action === 'comment_created' && event.comment.id === id)?.comment.embed,
    );
    assert.deepEqual(embeds, [made, undefined]);
  });

  test('an edit keeps, clears and replaces it', async () => {
    const ada = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const one = (await embed(serve(html('<title>one</title>')), ada.token)).body;
    const two = (await embed(serve(html('<title>two</title>')), ada.token)).body;
    const { id } = await makeComment(ada, app.id, { text: 'see', embed_id: one.id });
    const patch = async (fields: object, as = ada.token) =>
      (await server.as(as).call('PATCH', `/api/comments/${id}`, fields)).body;
    assert.deepEqual((await patch({ text: 'look' })).embed, one);
    // A manager who repeats what is there need not have made it.
    assert.deepEqual((await patch({ text: 'moderated', embed_id: one.id }, server.key)).embed, one);
    assert.deepEqual((await patch({ embed_id: two.id })).embed, two);
    const cleared = await patch({ embed_id: null });
    assert.equal(cleared.embed_id, undefined);
    assert.equal(cleared.embed, undefined);
  });

  test('one that does not exist, or belongs to another user, is 422', async () => {
    const ada = await makeUser(server);
    const bob = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const foreign = (await embed(serve(html('<title>foreign</title>')), bob.token)).body;
    for (const embed_id of [foreign.id, 987_654_321]) {
      const path = `/api/apps/${app.id}/comments`;
      const answer = await ada.call('POST', path, { embed_id });
      assert.equal(answer.status, 422);
      assert.equal(answer.body.errors[0].pointer, '/embed_id');
    }
    const own = await makeComment(ada, app.id, { text: 'x' });
    const path = `/api/comments/${own.id}`;
    const answer = await ada.call('PATCH', path, { embed_id: foreign.id });
    assert.equal(answer.status, 422);
    assert.equal(answer.body.errors[0].pointer, '/embed_id');
  });
});

/** A page of comments costs the same number of statements whether one or all of them show an embed. */
describe('the cost of embeds', () => {
  test('is one statement for each page', async () => {
    let statements = 0;
    const counted = await startTestServer({}, { isQuiet: true, onStatement: () => (statements += 1) });
    try {
      const app = await makeApp(counted);
      const { body } = await counted.call('POST', '/api/embeds', { url: serve(html('<title>t</title>')) });
      const path = `/api/apps/${app.id}/comments?expand=embed,meeting&count=false`;
      const cost = async () => {
        const start = statements;
        await counted.call('GET', path);
        return statements - start;
      };
      await makeComment(counted, app.id, { embed_id: body.id });
      const one = await cost();
      for (let made = 0; made < 9; made += 1) await makeComment(counted, app.id, { embed_id: body.id });
      assert.equal(await cost(), one);
    } finally {
      await counted.close();
    }
  });
});
