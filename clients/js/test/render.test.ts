import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { createClient } from '../index.js';

const server = useServer();
const [ada, eve] = usePeople(server, 'Ada', '<b onclick="run()">Eve</b>');

// A site that is built on a server has the comments of a page in its HTML.
describe('renderThread()', () => {
  const visitor = () => createClient({ url: server.url });

  async function openApp() {
    return await makeApp(server, { access: 'write', visitors: 'read' });
  }

  test('has comments with their answers, in the order that is asked for', async () => {
    const app = await openApp();
    const first = await makeComment(ada, app.id, { text: 'One **bold** word' });
    const answer = await makeComment(eve, app.id, { text: 'Why?', reply_to: first.id });
    await makeComment(ada, app.id, { text: 'Because', reply_to: answer.id });
    await makeComment(ada, app.id, { text: 'Two' });
    const html = await visitor().renderThread(app.uid, { sort: 'oldest', language: 'de' });
    const plain = html.replace(/<time[^>]*>[^<]*<\/time>/g, '').replaceAll(/ href="[^"]*"| id="[^"]*"/g, '');
    const header = (name: string) => `<header><strong><bdi>${name}</bdi></strong> <a></a></header>`;
    const entry = (name: string, text: string, inner = '') =>
      `<li><article>${header(name)}<div dir="auto"><p>${text}</p></div></article>${inner}</li>`;
    const mark = '&lt;b onclick=&quot;run()&quot;&gt;Eve&lt;/b&gt;';
    const because = `<ol>${entry('Ada', 'Because')}</ol>`;
    const why = `<ol>${entry(mark, 'Why?', because)}</ol>`;
    const expected = `<ol>${entry('Ada', 'One <strong>bold</strong> word', why)}${entry('Ada', 'Two')}</ol>`;
    assert.equal(plain.replaceAll('\n', ''), expected);
    assert.match(html, new RegExp(`id="comment-${first.id}".*href="#comment-${first.id}"`));
    assert.match(html, /<time datetime="\d{4}-\d\d-\d\dT[^"]+">\d\d\.\d\d\.\d{4}<\/time>/);
    const newest = await visitor().renderThread(app.uid, { threads: 1 });
    assert.match(newest, /^<ol><li>.*Two.*<\/li><\/ol>$/s);
    assert.doesNotMatch(newest, /bold/);
  });

  test('has a place for what was removed, and nothing of what is held', async () => {
    const app = await openApp();
    const removed = await makeComment(ada, app.id, { text: 'Regretted' });
    await makeComment(eve, app.id, { text: 'An answer', reply_to: removed.id });
    await ada.call('POST', `/api/comments/${removed.id}/trash`);
    const held = await makeComment(ada, app.id, { text: 'Suspicious' });
    await server.call('POST', `/api/comments/${held.id}/hold`);
    for (const token of [undefined, server.key]) {
      const client = createClient({ url: server.url, ...(token === undefined ? {} : { token }) });
      const html = await client.renderThread(app.uid, { removed: 'Gone & "forgotten"' });
      assert.match(html, /<p>Gone &amp; &quot;forgotten&quot;<\/p>.*An answer/s);
      assert.doesNotMatch(html, /Regretted|Suspicious/);
    }
  });

  test('is empty where there is nothing to read, and fails where the server does', async () => {
    assert.equal(await visitor().renderThread(freshUid('none')), '');
    const { uid } = await openApp();
    assert.equal(await visitor().renderThread(uid), '');
    const closed = await makeApp(server, { access: 'write' });
    await makeComment(ada, closed.id, { text: 'Between us' });
    assert.equal(await visitor().renderThread(closed.uid), '');
    const wrong = createClient({ url: server.url, token: 'wyu_wrong' });
    await assert.rejects(wrong.renderThread(uid), { name: 'ProblemError' });
    assert.equal(
      await createClient({ url: server.url, token: server.key }).renderThread(freshUid('none')),
      '',
    );
    const away = createClient({ url: 'http://127.0.0.1:9', attempts: 1 });
    await assert.rejects(away.renderThread(uid), { name: 'ConnectionError' });
  });
});
