import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addMembers, makeApp, makeComment, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { idsOf } from 'confab-testing/lists.ts';
import { useServer } from 'confab-testing/server.ts';
import { watchStore } from 'confab-testing/stores/store-watch.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });

async function comment(on: string, text: string, fields: object = {}): Promise<number> {
  return (await server.create(`/api/${on}/comments`, { text, ...fields })).id;
}

async function list(app: number, query = ''): Promise<{ ids: number[]; count: number }> {
  const body = await server.read(`/api/apps/${app}/comments?${query}`);
  return { ids: body.data.map(({ id }: { id: number }) => id), count: body.count };
}

async function trash(path: string, isTrashed = true): Promise<void> {
  const answer = await server.call('POST', `/api/${path}/${isTrashed ? 'trash' : 'restore'}`);
  assert.equal(answer.status, 200, answer.text);
}

// A posts or files app lists the comments on its content, as a comments app lists its own.
describe('the comments of an app', () => {
  for (const type of ['posts', 'files'] as const) {
    const one = type === 'posts' ? 'posts' : 'files';
    const make = async (app: number) =>
      type === 'posts' ? await makePost(server, app) : await makeFile(server, app);

    test(`of ${type} are those on its ${type}, and of no other app's`, async () => {
      const app = (await makeApp(server, { type })).id;
      const other = (await makeApp(server, { type })).id;
      const [first, second, elsewhere] = [await make(app), await make(app), await make(other)];
      assert.deepEqual(await list(app), { ids: [], count: 0 });
      const ids = [
        await comment(`${one}/${first}`, 'a red fox', { tags: ['t'] }),
        await comment(`${one}/${second}`, 'a blue fox'),
        await comment(`${one}/${first}`, 'a dog', { tags: ['t'] }),
      ];
      const [a = 0, b = 0, c = 0] = ids;
      const outside = await comment(`${one}/${elsewhere}`, 'a red fox', { tags: ['t'] });
      assert.deepEqual(await list(app), { ids, count: 3 });
      assert.deepEqual(await list(app, 'order_by=id+desc&top=2'), { ids: [c, b], count: 3 });
      assert.deepEqual(await list(app, 'order_by=created_at+desc&top=1&skip=1'), { ids: [b], count: 3 });
      assert.deepEqual(await list(app, 'order_by=modified_at'), { ids, count: 3 });
      assert.deepEqual(await list(app, 'q=fox'), { ids: [a, b], count: 2 });
      assert.deepEqual(await list(app, 'tag=t'), { ids: [a, c], count: 2 });
      assert.deepEqual(await list(app, 'q=fox&tag=t'), { ids: [a], count: 1 });
      assert.deepEqual(await list(other), { ids: [outside], count: 1 });
    });

    test(`of ${type} are hidden with their trashed parents`, async () => {
      const app = (await makeApp(server, { type })).id;
      const [first, second] = [await make(app), await make(app)];
      const a = await comment(`${one}/${first}`, 'one');
      const b = await comment(`${one}/${second}`, 'two');
      await trash(`comments/${a}`);
      assert.deepEqual(await list(app), { ids: [b], count: 1 });
      assert.deepEqual(await list(app, 'trashed=true'), { ids: [a], count: 1 });
      assert.deepEqual(await list(app, 'trashed=null'), { ids: [a, b], count: 2 });
      await trash(`${one}/${second}`);
      assert.deepEqual(await list(app), { ids: [], count: 0 });
      assert.deepEqual(await list(app, 'q=two'), { ids: [], count: 0 });
      assert.deepEqual(await list(app, 'trashed=null'), { ids: [a], count: 1 });
      await trash(`${one}/${second}`, false);
      await trash(`${one}/${first}`);
      assert.deepEqual(await list(app, 'trashed=null'), { ids: [b], count: 1 });
    });
  }

  test('of a comments app are those on the app itself', async () => {
    const app = (await makeApp(server)).id;
    const { id } = await makeComment(server, app, { text: 'fox' });
    assert.deepEqual(await list(app, 'q=fox'), { ids: [id], count: 1 });
  });

  test('are visible to its readers', async () => {
    const app = (await makeApp(server, { type: 'posts' })).id;
    const id = await comment(`posts/${await makePost(server, app)}`, 'inside');
    const reader = await makeUser(server);
    const comments = `/api/apps/${app}/comments`;
    assert.equal((await reader.call('GET', comments)).status, 404);
    await addMembers(server, app, { read: [reader] });
    assert.deepEqual(await idsOf(reader, comments), [id]);
  });

  test('are found along an index of the app', async () => {
    const app = (await makeApp(server, { type: 'posts' })).id;
    const watch = watchStore(server.folder);
    for (const [order, index] of [
      // PostgreSQL may take another index of the app in a table that is almost empty.
      ['id', /entries_(app|kind|below)\b/],
      ['created_at', /entries_below_created/],
    ] as const) {
      statements.length = 0;
      await list(app, `order_by=${order}&count=false`);
      const [sql = ''] = statements.filter((text) => /from "entries"/.test(text) && /limit/.test(text));
      const { scans, steps } = watch.plan(sql);
      assert.deepEqual(scans, [], order);
      assert.ok(
        steps.some((step) => index.test(step)),
        steps.join('\n'),
      );
    }
    watch.close();
  });
});

// What was never edited comes first or last, by id; pages go across both halves.
test('comments by modified_at, edited and not', async () => {
  const app = (await makeApp(server)).id;
  const ids: number[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await comment(`apps/${app}`, `number ${n}`));
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = ids;
  for (const id of [e, b, f]) {
    const answer = await server.call('PATCH', `/api/comments/${id}`, { text: 'edited' });
    assert.equal(answer.status, 200, answer.text);
  }
  await trash(`comments/${f}`);
  const [rising, falling] = ['order_by=modified_at', 'order_by=modified_at+desc'];
  assert.deepEqual(await list(app, rising), { ids: [a, c, d, e, b], count: 5 });
  assert.deepEqual(await list(app, falling), { ids: [b, e, d, c, a], count: 5 });
  assert.deepEqual(await list(app, `${rising}&top=2&skip=2`), { ids: [d, e], count: 5 });
  assert.deepEqual(await list(app, `${falling}&top=3&skip=1`), { ids: [e, d, c], count: 5 });
  assert.deepEqual(await list(app, `${falling}&top=2&skip=4`), { ids: [a], count: 5 });
  assert.deepEqual(await list(app, `${falling}&q=number`), { ids: [d, c, a], count: 3 });
  assert.deepEqual(await list(app, `${falling}&trashed=null&top=2`), { ids: [f, b], count: 6 });
  const body = await server.read(`/api/comments?${falling}&top=2`);
  assert.deepEqual(
    body.data.map(({ id }: { id: number }) => id),
    [b, e],
  );
});
