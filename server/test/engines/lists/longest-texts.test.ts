import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runCommand } from 'confab-testing/command.ts';
import { makeApp, makeBlob } from 'confab-testing/fixtures.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

/** Ideographs of four bytes each in UTF-8, drawn at random so that no index can compress them. */
function wide(characters: number): string {
  return Array.from({ length: characters }, () => String.fromCodePoint(randomInt(0x20000, 0x2a6d0))).join('');
}

/** One word of letters of four bytes each: hieroglyphs, because each ideograph counts as a word. */
function wideWord(characters: number): string {
  return Array.from({ length: characters }, () => String.fromCodePoint(randomInt(0x13000, 0x13420))).join('');
}

async function expectMade(method: string, path: string, body: object): Promise<any> {
  const answer = await server.call(method, path, body);
  assert.ok([200, 201].includes(answer.status), `${method} ${path.slice(0, 40)}: ${answer.text}`);
  return answer.body;
}

async function countOf(path: string): Promise<number> {
  const answer = await server.call('GET', path);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.count;
}

// A PostgreSQL index holds rows of about 2,700 bytes; both engines index the longest text of each kind.
describe('the longest text', () => {
  test('is accepted as a uid, a name and a tag of an app', async () => {
    // Uids are limited in UTF-16 units, and these characters take two.
    const [uid, name, tag] = [wide(128), wide(128), wide(32)];
    await expectMade('POST', '/api/apps', { uid, type: 'comments', name, tags: [tag] });
    assert.equal((await server.call('GET', `/api/apps/${encodeURIComponent(uid)}`)).body.name, name);
    assert.equal(await countOf(`/api/apps?tag=${encodeURIComponent(tag)}`), 1);
    assert.equal((await server.call('GET', '/api/apps?order_by=name')).status, 200);
  });

  test('is accepted where folding makes it longer', async () => {
    // One character that case folding turns into eighteen.
    const name = '\ufdfa'.repeat(256);
    await expectMade('POST', '/api/apps', {
      uid: 'folded',
      type: 'comments',
      name,
      tags: ['\ufdfa'.repeat(64)],
    });
    await expectMade('PUT', '/api/users/folded', { name, tags: ['\ufdfa'.repeat(64)] });
    for (const list of ['apps', 'users'])
      for (const order of ['name', 'display_name', 'uid'])
        assert.equal((await server.call('GET', `/api/${list}?order_by=${order}`)).status, 200);
  });

  test('is accepted as a uid, a name, a tag and a directory of a user', async () => {
    const [uid, name, tag, directory] = [wide(128), wide(128), wide(32), wide(128)];
    await expectMade('PUT', `/api/users/${encodeURIComponent(uid)}`, { name, tags: [tag], directory });
    assert.equal((await server.call('GET', `/api/users/${encodeURIComponent(uid)}`)).body.name, name);
    assert.equal(await countOf(`/api/users?tag=${encodeURIComponent(tag)}`), 1);
    assert.equal((await server.call('GET', `/api/directories/${encodeURIComponent(directory)}`)).status, 200);
  });

  test('is accepted as one word of a comment, as its tag and as an option of its poll', async () => {
    const app = await makeApp(server);
    const [word, tag] = [wideWord(16_384), wide(32)];
    const options = [{ text: wide(256) }];
    await expectMade('POST', `/api/apps/${app.id}/comments`, { text: word, tags: [tag], options });
    const comments = `/api/apps/${app.id}/comments`;
    assert.equal(await countOf(`${comments}?tag=${encodeURIComponent(tag)}`), 1);
    assert.equal(await countOf(`${comments}?q=${encodeURIComponent(word.slice(0, 100))}`), 1);
  });

  test('is accepted as a name and a tag of a file', async () => {
    const app = await makeApp(server, { type: 'files' });
    const [name, tag] = [wide(126), wide(32)];
    const blob = await makeBlob(server);
    const file = await expectMade('POST', `/api/apps/${app.id}/files`, { blob_id: blob, name, tags: [tag] });
    assert.equal(file.name, name);
    assert.equal(await countOf(`/api/apps/${app.id}/files?tag=${encodeURIComponent(tag)}`), 1);
  });

  test('is accepted as the address of a webhook', async () => {
    const url = `https://example.com/${encodeURIComponent(wide(168))}`;
    await expectMade('POST', '/api/webhooks', { payload_url: url, triggers: ['apps'] });
    assert.equal(await countOf('/api/webhooks?q=example'), 1);
  });

  test('is accepted as ids of imported comments, which are added once and keep their replies', async () => {
    const file = join(server.folder, 'long-ids.xml');
    const [first, second] = [wide(2000), wide(20_000)];
    const comment = (id: string, parent: string) => `<wp:comment><wp:comment_id>${id}</wp:comment_id>
      <wp:comment_author>Ada</wp:comment_author><wp:comment_date_gmt>2020-05-01 10:00:00</wp:comment_date_gmt>
      <wp:comment_content>Words</wp:comment_content><wp:comment_approved>1</wp:comment_approved>
      <wp:comment_parent>${parent}</wp:comment_parent></wp:comment>`;
    writeFileSync(
      file,
      `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><link>https://long.example</link>
       <item><link>https://long.example/ids</link><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type>
       <wp:status>publish</wp:status>${comment(first, '0')}${comment(second, first)}</item></channel></rss>`,
    );
    const run = () => runCommand(['import', 'wordpress', file, '--data-dir', server.folder]);
    const made = await run();
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^Made: 2 comments, 1 app, 1 user\.$/m);
    const list = await server.call('GET', `/api/apps/${encodeURIComponent('long.example~ids')}/comments`);
    const [parent, reply] = list.body.data;
    assert.equal(reply.reply_to_id, parent.id);
    assert.match((await run()).stdout, /^Made: 0 comments, 0 apps, 0 users\.$/m);
  });
});
