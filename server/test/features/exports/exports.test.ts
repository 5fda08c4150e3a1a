import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { makeApp, makeBlob, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { tarHeader } from '../../../src/features/exports/tar.ts';

const server = useServer();
const folder = mkdtempSync(join(tmpdir(), 'confab-export-'));
after(() => rmSync(folder, { recursive: true }));

const requested = (path: string, as: string, signal?: AbortSignal) =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${as}` }, ...(signal && { signal }) });

/** Unpacks an archive with the `tar` of the machine; returns its lines, its files and its end. */
async function unpacked(response: Response) {
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/x-tar');
  const target = mkdtempSync(join(folder, 'of-'));
  writeFileSync(join(target, 'all.tar'), Buffer.from(await response.arrayBuffer()));
  execFileSync('tar', ['-xf', 'all.tar'], { cwd: target });
  const pieces = readdirSync(join(target, 'lines')).toSorted();
  const text = pieces.map((name) => readFileSync(join(target, 'lines', name), 'utf8')).join('');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { target, lines, end: JSON.parse(readFileSync(join(target, 'export.json'), 'utf8')) };
}

// A user gets everything of themselves and nothing of others, in a form that every machine can read.
describe('the export of a user', () => {
  test('has their profile, texts and files, and nothing of others', async () => {
    const app = await makeApp(server, { access: 'write' });
    const ada = await makeUser(server, { name: 'Ada', email: 'ada@example.com' });
    const bob = await makeUser(server);
    const as = { as: ada.token };
    const blob = await makeBlob(server, as);
    const options = [{ text: 'yes' }];
    const mine = await makeComment(
      server,
      app.id,
      { text: 'mine **too**', tags: ['one'], blobs: [blob], options },
      as,
    );
    const other = await makeComment(bob, app.id, { text: 'not mine' });
    await server.call('POST', `/api/comments/${other.id}/reactions`, { content: '👍' }, as);
    await server.call('PATCH', `/api/comments/${mine.id}`, { text: 'mine, edited' }, as);
    await server.call('POST', `/api/comments/${mine.id}/hold`);
    await server.call('POST', `/api/apps/${app.id}/stars`, undefined, as);
    await server.call('POST', `/api/users/${bob.id}/follow`, undefined, as);
    const says = (text: string) => ({ reason: 'spam', text });
    await server.call('POST', `/api/comments/${other.id}/reports`, says('by me'), as);
    await bob.call('POST', `/api/comments/${mine.id}/reports`, says('about me'));
    await server.call('PATCH', '/api/user/mail', { mail: 'direct', new_comments: true }, as);
    assert.equal((await server.call('GET', `/api/users/${bob.uid}/export`)).status, 200);
    const { target, lines, end } = await unpacked(await requested(`/api/users/${ada.uid}/export`, ada.token));
    const of = (kind: string) => lines.filter((line) => line.of === kind);
    assert.equal(of('users')[0]?.email, 'ada@example.com');
    assert.deepEqual(
      of('entries').map(({ content }) => (content as { text: string }).text),
      ['mine, edited'],
    );
    const [earlier] = of('revisions').map(({ content }) => content as { text: string });
    assert.equal(earlier?.text, 'mine **too**');
    assert.equal(typeof of('entries')[0]?.held_at, 'string');
    assert.deepEqual(
      of('complaints').map(({ entity_type, entity_id, text }) => [entity_type, entity_id, text]),
      [['comment', other.id, 'by me']],
    );
    const [mail] = of('mail_states');
    assert.deepEqual(
      of('follows').map(({ followed_id }) => followed_id),
      [bob.id],
    );
    assert.deepEqual([of('stars').length, mail?.choice, mail?.new_comments], [1, 'direct', 1]);
    assert.deepEqual([of('options').length, of('reactions')[0]?.content], [1, '👍']);
    const [kept] = of('blobs');
    assert.equal(readFileSync(join(target, String(kept?.path)), 'utf8'), 'some text');
    assert.equal('key' in (kept ?? {}), false);
    assert.doesNotMatch(JSON.stringify(lines), /not mine|about me/);
    assert.deepEqual([end.user_id, end.counts.entries, end.counts.blobs], [ada.id, 1, 1]);
    assert.equal(
      Object.values(end.counts as Record<string, number>).reduce((sum, count) => sum + count, 0),
      lines.length,
    );
  });

  test('is for API keys and the user alone', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const { end } = await unpacked(await requested(`/api/users/${ada.id}/export`, server.key));
    assert.equal(end.user_id, ada.id);
    const path = `/api/users/${ada.uid}/export`;
    assertProblem(await bob.call('GET', path), 404, 'not_found');
    assertProblem(await server.call('GET', '/api/users/nobody-here/export'), 404, 'not_found');
    assertProblem(await server.as(null).call('GET', path), 401, 'unauthorized');
  });

  test('comes in many steps, and again after a client has left', async () => {
    const app = await makeApp(server, { access: 'write' });
    const ada = await makeUser(server);
    const expected = Array.from({ length: 51 }, (_, number) => `text ${number}`);
    for (const text of expected) await makeComment(ada, app.id, { text });
    // More bytes than wait between the server and a client that reads nothing.
    const size = 20_000_000;
    const form = new FormData();
    form.set('blob', new Blob(['x'.repeat(size)], { type: 'text/plain' }), 'large.txt');
    const { id: large } = await ada.create('/api/blobs', form);
    const path = `/api/users/${ada.id}/export`;
    const leaving = new AbortController();
    const left = await requested(path, server.key, leaving.signal);
    assert.equal(left.status, 200);
    assertProblem(await server.call('GET', path), 503, 'too_busy');
    leaving.abort();
    const response = await poll('the end of the first', async () => {
      const next = await requested(path, ada.token);
      return next.status === 200 ? next : undefined;
    });
    const { target, lines, end } = await unpacked(response);
    const entries = lines.filter((line) => line.of === 'entries');
    assert.deepEqual(
      entries.map(({ content }) => (content as { text: string }).text),
      expected,
    );
    assert.equal(statSync(join(target, `files/${large}.txt`)).size, size);
    assert.equal(end.counts.entries, expected.length);
  });
});

// A database or a film can be larger than the digits of the format have room for.
describe('the header of an archive', () => {
  for (const bytes of [8 ** 11 - 1, 8 ** 11, 9_876_543_210_987])
    test(`has the size ${bytes} as tar reads it`, () => {
      const header = tarHeader({ name: 'large', bytes, at: 0 });
      const { stdout } = spawnSync('tar', ['-tvf', '-'], { input: header, encoding: 'utf8' });
      assert.match(stdout, new RegExp(` ${bytes} .* large`));
    });
});
