import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageAddress } from 'confab-contract/values/page-address.ts';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { useServer } from 'confab-testing/server.ts';
import { SaxesParser } from 'saxes';

const server = useServer();
const hostile = `<script>alert(1)</script>"'&]]>\u0001 \u202e`;

async function got(path: string): Promise<{ status: number; headers: Headers; text: string }> {
  const answer = await fetch(server.url + path);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** An app that is open to visitors, with one comment. Its name and that of the author are hostile. */
async function makePage(uid: string) {
  const { token } = await makeUser(server, { name: `Eve ${hostile}` });
  const app = await makeApp(server, { uid, name: `Page ${hostile}`, access: 'write', visitors: 'read' });
  const comment = await makeComment(server, app.id, { text: `**words** ${hostile}` }, { as: token });
  return { app, comment, token };
}

/** The texts of the elements of an XML document by their names; throws where it is not well-formed. */
function textsOf(xml: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    open.push(name);
    found.set(name, [...(found.get(name) ?? []), '']);
  });
  parser.on('text', (text) => {
    const texts = found.get(open.at(-1) ?? '');
    if (texts !== undefined) texts[texts.length - 1] += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return found;
}

describe('the page of an app', () => {
  test('shows its comments without script, and names the page that they are on', async () => {
    const { comment } = await makePage('blog.example~posts~first');
    const { status, headers, text } = await got('/pages/blog.example~posts~first');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'public, max-age=10, stale-while-revalidate=30');
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    assert.ok(text.includes('<link rel="canonical" href="https://blog.example/posts/first">'));
    assert.ok(text.includes(`<article id="comment-${comment.id}">`));
    assert.ok(text.includes('<strong>words</strong>'));
    assert.ok(text.includes(`<time datetime="${comment.created_at}">`));
    const [, described = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
    const json = JSON.parse(described);
    assert.deepEqual([json.commentCount, json.comment[0].dateCreated], [1, comment.created_at]);
    assert.equal(json.comment[0].author.name.slice(0, 4), 'Eve ');
    assert.doesNotMatch(text.replace(described, ''), /<script>|alert\(1\)<\/script>/);
  });

  test('says what a comment answers, also where that is on another page, and so does the feed', async () => {
    const { app, comment, token } = await makePage('answered');
    const { id } = await makeComment(server, app.id, { text: 'x', reply_to: comment.id }, { as: token });
    const { text } = await got('/pages/answered');
    assert.ok(text.includes(`to <a href="#comment-${comment.id}"><bdi>Eve `));
    const later = await got(`/pages/answered?after=${comment.id}`);
    assert.ok(later.text.includes(`?after=${comment.id - 1}#comment-${comment.id}">an earlier comment</a>`));
    const [, described = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
    const answer = JSON.parse(described).comment.find(({ url }: { url: string }) => url.endsWith(`-${id}`));
    assert.ok(answer.parentItem.url.endsWith(`/pages/answered#comment-${comment.id}`));
    const feed = (await got('/pages/answered/feed.atom')).text;
    assert.equal(textsOf(feed).get('thr:in-reply-to')?.length, 1);
  });

  test('goes on with another page after a hundred comments', async () => {
    const { app, token } = await makePage('many-comments');
    for (let number = 0; number < 100; number += 1)
      await makeComment(server, app.id, { text: `number ${number}` }, { as: token });
    const first = await got('/pages/many-comments');
    const [, next = ''] = /<a rel="next" href="[^"]*(\/pages\/[^"]+)">/.exec(first.text) ?? [];
    const second = await got(next);
    assert.equal(first.text.match(/<article/g)?.length, 100);
    assert.equal(second.text.match(/<article/g)?.length, 1);
    assert.ok(second.text.includes('number 99'));
    assert.doesNotMatch(second.text, /rel="next"/);
  });

  test('is not there where the app is not open, and leaves out what is held', async () => {
    const { app, comment } = await makePage('once-open');
    await server.call('POST', `/api/comments/${comment.id}/hold`);
    assert.doesNotMatch((await got('/pages/once-open')).text, /words/);
    await server.call('PATCH', `/api/apps/${app.id}`, { visitors: null });
    for (const path of ['/pages/once-open', '/pages/once-open/feed.atom', '/pages/never-there'])
      assert.equal((await got(path)).status, 404, path);
  });
});

describe('the feed of an app', () => {
  test('is an Atom feed of its newest comments, whatever is written in them', async () => {
    const { app, comment, token } = await makePage('fed');
    const newer = await makeComment(server, app.id, { text: 'newer' }, { as: token });
    const { status, headers, text } = await got('/pages/fed/feed.atom');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const texts = textsOf(text);
    const url = `${server.url}/pages/fed`;
    assert.deepEqual(texts.get('id'), [url, `${url}#comment-${newer.id}`, `${url}#comment-${comment.id}`]);
    assert.equal(texts.get('updated')?.[0], newer.created_at);
    assert.equal(texts.get('content')?.[0], '<p>newer</p>');
    assert.equal(texts.get('content')?.[1]?.includes('<strong>words</strong>'), true);
    const etag = headers.get('etag') ?? '';
    const again = await fetch(`${url}/feed.atom`, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
  });

  test('of an app without comments has the time of the app', async () => {
    const app = await makeApp(server, { uid: 'unfed', access: 'write', visitors: 'read' });
    const { created_at } = await server.read(`/api/apps/${app.id}`);
    assert.deepEqual(textsOf((await got('/pages/unfed/feed.atom')).text).get('updated'), [created_at]);
  });
});

test('the address of a page comes back from its uid', () => {
  for (const address of [
    'https://blog.example/posts/',
    'https://blog.example/posts/first',
    'https://blog.example:8443/a%20b/%C3%A9',
    'https://blog.example/read?id=7&name=x%26y',
    'https://xn--bcher-kva.example/a~b',
  ]) {
    const uid = pageUid(address) ?? '';
    const found = pageAddress(uid);
    assert.notEqual(found, undefined, address);
    assert.equal(pageUid(found ?? ''), uid);
  }
  const long = pageUid(`https://blog.example/${'a'.repeat(300)}`) ?? '';
  for (const uid of ['product-42', 'blog.example', '~', '~~', 'a~~', 'a~b', '%', ':ZZ~', 'a.b~:ZZ', long])
    assert.equal(pageAddress(uid), undefined, uid);
});
