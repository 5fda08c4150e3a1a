import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limits } from 'confab-contract/fields.ts';
import { revisionLimits } from 'confab-contract/revisions.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { uploadIds } from 'confab-testing/uploads.ts';

let now = Date.parse('2026-11-21T08:00:00Z');
const statements: string[] = [];
const server = useServer(
  {},
  { clock: { now: () => now }, isQuiet: true, onStatement: (sql) => void statements.push(sql) },
);
const watch = useStoreWatch(server);

type Kind = 'comment' | 'post' | 'message';
const typeOf = { comment: 'comments', post: 'posts', message: 'chat' } as const;

async function revisionsOf(kind: Kind, id: number, query = '') {
  return await server.read(`/api/${kind}s/${id}/revisions?${query}`);
}

async function edit(path: string, body: object, as = server.key) {
  now += 60_000;
  const { status, body: entry, text } = await server.as(as).call('PATCH', path, body);
  assert.equal(status, 200, text);
  return entry;
}

// An edit keeps what it replaces, with its author and its time.
for (const kind of ['comment', 'post', 'message'] as const)
  describe(`the revisions of a ${kind}`, () => {
    test('are what it said before each edit, by whom and since when', async () => {
      const ada = await makeUser(server);
      const app = await makeApp(server, { type: typeOf[kind], access: 'write' });
      const fields = {
        text: 'one',
        blobs: await uploadIds(ada, 2),
        options: [{ text: 'yes' }, { text: 'no' }],
        tags: ['first'],
        metadata: { place: 1 },
      };
      const made = await ada.create(`/api/apps/${app.id}/${kind}s`, fields);
      const path = `/api/${kind}s/${made.id}`;
      assert.deepEqual(await revisionsOf(kind, made.id), { data: [], start: 0, end: 0, count: 0 });

      const [kept, removed] = made.attachments.map(({ id }: { id: number }) => id);
      const [yes, no] = made.options;
      const options = [{ id: yes.id, text: 'Yes!' }];
      const second = await edit(path, { text: 'two', attachments: [kept], options }, ada.token);
      const third = await edit(path, { text: null, tags: [], metadata: null });

      const { data, count } = await revisionsOf(kind, made.id);
      assert.equal(count, 2);
      const [first, last] = data ?? [];
      assert.ok(first !== undefined && last !== undefined && first.id < last.id);
      const { id, created_by, ...words } = first;
      assert.equal(created_by.uid, ada.uid);
      assert.deepEqual(words, {
        text: 'one',
        attachment_ids: [kept, removed],
        options: [
          { id: yes.id, text: 'yes' },
          { id: no.id, text: 'no' },
        ],
        tags: ['first'],
        metadata: { place: 1 },
        created_at: made.created_at,
        created_by_id: ada.id,
      });
      assert.deepEqual([last.text, last.attachment_ids, last.options], ['two', [kept], options]);
      assert.deepEqual([last.created_at, last.created_by_id], [second.modified_at, ada.id]);
      assert.notEqual(third.modified_by_id, ada.id);
      await edit(path, { text: 'four' }, ada.token);
      const newest = (await revisionsOf(kind, made.id, 'order_by=created_at+desc&top=1')).data?.[0];
      assert.deepEqual(
        [newest?.text, newest?.created_at, newest?.created_by_id],
        [undefined, third.modified_at, third.modified_by_id],
      );
      assert.equal('html' in (newest ?? {}), false);
    });

    test('are for its author and those who moderate, also in the trash', async () => {
      const [manager, author, other] = [
        await makeUser(server),
        await makeUser(server),
        await makeUser(server),
      ];
      const app = await makeApp(manager, { type: typeOf[kind], access: 'write' });
      const { id } = await author.create(`/api/apps/${app.id}/${kind}s`, { text: 'one' });
      await edit(`/api/${kind}s/${id}`, { text: 'two' }, author.token);
      const path = `/api/${kind}s/${id}/revisions`;
      for (const verb of [undefined, 'trash']) {
        if (verb !== undefined) await manager.call('POST', `/api/${kind}s/${id}/${verb}`);
        for (const as of [server.key, manager.token, author.token])
          assert.equal((await server.as(as).read(path)).count, 1);
        assertProblem(await other.call('GET', path), 403, 'moderate_forbidden');
      }
      await server.call('PATCH', `/api/apps/${app.id}`, { access: 'none' });
      for (const as of [other.token, author.token])
        assertProblem(await server.as(as).call('GET', path), 404, 'not_found');
      await server.call('DELETE', `/api/${kind}s/${id}`);
      assertProblem(await server.call('GET', path), 404, 'not_found');
      assert.deepEqual(watch.rows(`select id from revisions where entry_id = ${id}`), []);
    });
  });

describe('a revision', () => {
  test('is kept by an edit that changes something, and by nothing else', async () => {
    const app = await makeApp(server, { access: 'write' });
    statements.length = 0;
    const { id } = await makeComment(server, app.id, { text: 'one', options: [{ text: 'yes' }] });
    assert.ok(statements.every((sql) => !sql.includes('revisions')));
    const path = `/api/comments/${id}`;
    await edit(path, { text: 'one' });
    await server.call('POST', `${path}/trash`);
    await server.call('POST', `${path}/restore`);
    const refused = await server.call('PATCH', path, { text: 'two', attachments: [987_654_321] });
    assert.equal(refused.status, 422);
    assert.equal((await revisionsOf('comment', id)).count, 0);
    await edit(path, { metadata: { seen: true } });
    assert.equal((await revisionsOf('comment', id)).count, 1);
  });

  test('is restored with a PATCH of its fields, which keeps what it replaces', async () => {
    const app = await makeApp(server, { access: 'write' });
    const options = [{ text: 'yes' }, { text: 'no' }];
    const { id } = await makeComment(server, app.id, { text: '**one**', options, tags: ['a'] });
    const path = `/api/comments/${id}`;
    await edit(path, { text: 'two', tags: ['b'], options: [{ text: 'perhaps' }] });
    const [revision] = (await revisionsOf('comment', id)).data ?? [];
    const restored = await edit(path, {
      text: revision?.text,
      tags: revision?.tags,
      options: revision?.options.map(({ text }) => ({ text })),
    });
    assert.deepEqual([restored.plain, restored.tags], ['one', ['a']]);
    assert.deepEqual(
      restored.options.map(({ text }: { text: string }) => text),
      ['yes', 'no'],
    );
    assert.deepEqual(
      (await revisionsOf('comment', id)).data?.map(({ text }) => text),
      ['**one**', 'two'],
    );
  });

  test('is listed by neither words, tags nor a trash, and counted on request', async () => {
    const app = await makeApp(server);
    const { id } = await makeComment(server, app.id, { text: 'one', tags: ['a'] });
    await edit(`/api/comments/${id}`, { text: 'two' });
    for (const query of ['q=one', 'tag=a', 'trashed=true'])
      assert.deepEqual((await revisionsOf('comment', id, query)).data, [], query);
    assert.deepEqual(await revisionsOf('comment', id, 'count_only=true'), { count: 1 });
    assert.equal('count' in (await revisionsOf('comment', id, 'count=false')), false);
  });
});

// However often and however much somebody writes, what an entry was takes no more than a fixed place.
describe('the revisions of one entry', () => {
  test('are at most a number of the newest', async () => {
    const app = await makeApp(server);
    const { id } = await makeComment(server, app.id, { text: 'text 0' });
    const edits = revisionLimits.countMax + 3;
    for (let i = 1; i <= edits; i += 1) await edit(`/api/comments/${id}`, { text: `text ${i}` });
    const { data, count } = await revisionsOf('comment', id, 'top=100');
    assert.equal(count, revisionLimits.countMax);
    assert.deepEqual([data?.[0]?.text, data?.at(-1)?.text], ['text 3', `text ${edits - 1}`]);
  });

  test('are at most so many bytes, which is room for the largest', async () => {
    const app = await makeApp(server);
    const { id } = await makeComment(server, app.id, { text: 'a' });
    const path = `/api/comments/${id}`;
    const stored = () =>
      watch
        .rows(`select octet_length(content) as bytes from revisions where entry_id = ${id} order by id`)
        .map(({ bytes }) => Number(bytes));
    for (let i = 0; i < 20; i += 1) await edit(path, { text: `${i}${'x'.repeat(64_000)}` });
    assert.equal(stored().length, Math.floor(revisionLimits.bytesMax / 64_100));
    const escaped = (length: number) => '\u0001'.repeat(length);
    await edit(path, {
      text: escaped(limits.textBytesMax),
      tags: Array.from({ length: 100 }, (_, index) => `${escaped(60)}${index}`),
      options: Array.from({ length: limits.optionsMax }, () => ({ text: `${escaped(511)}x` })),
      metadata: { k: escaped(10_900) },
    });
    await edit(path, { text: 'small' });
    const sizes = stored();
    const largest = sizes.at(-1) ?? 0;
    assert.ok(largest > 630 * 1024 && largest < 640 * 1024, String(largest));
    assert.equal(sizes.length, 1 + Math.floor((revisionLimits.bytesMax - largest) / 64_100));
    await edit(path, { text: 'smaller' });
    assert.equal((await revisionsOf('comment', id, 'order_by=id+desc')).data?.[0]?.text, 'small');
  });
});
