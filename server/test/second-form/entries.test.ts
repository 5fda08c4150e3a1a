import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { type Caller, useServer } from 'confab-testing/server.ts';
import { uploadIds } from 'confab-testing/uploads.ts';

const server = useServer();

/** What the second form replaces, and what it adds, as one value for comparisons. */
function newer({ app, attachments, options, reactions, created_by: author, updated_at: updatedAt }: any) {
  const counts = [attachments, options, reactions].map(({ count, data }) => [count, data.length]);
  return { app, counts, author: author.name, isEdited: updatedAt !== undefined };
}

async function write(
  by: ReturnType<typeof inSecondForm>,
  path: string,
  fields: object = { text: 'written' },
): Promise<any> {
  return await by.create(path, fields);
}

describe('comments, posts and messages in the second form', () => {
  test('show an API key the whole authors of a page, also after users have read it', async () => {
    const app = await makeApp(server, { type: 'comments', access: 'write' });
    const [ada, bob] = [await makeUser(server, { comment: 'on leave' }), await makeUser(server)];
    const list = `/api/apps/${app.id}/comments`;
    await write(inSecondForm(ada), list);
    const authorFor = async (by: Caller) => (await inSecondForm(by).read(list)).data[0].created_by;
    // Read twice, because a page is remembered when it is asked for again.
    const forBob = [await authorFor(bob), await authorFor(bob), await authorFor(bob)];
    assert.deepEqual(
      forBob.map(({ comment }) => comment),
      [undefined, undefined, undefined],
    );
    assert.equal((await authorFor(server)).comment, 'on leave');
    assert.equal((await authorFor(bob)).comment, undefined);
  });

  for (const [type, kind] of [
    ['comments', 'comment'],
    ['posts', 'post'],
    ['chat', 'message'],
  ] as const)
    test(`a ${kind} is the same alone, in a list and as the answer to its change`, async () => {
      const app = await makeApp(server, { type, access: 'write' });
      const ada = await makeUser(server, { name: 'Ada' });
      const [bob, asKit] = [await makeUser(server, { name: 'Bob' }), inSecondForm(ada)];
      const list = `/api/apps/${app.id}/${kind}s`;
      const made = await write(asKit, list, {
        text: 'Lunch?',
        blobs: await uploadIds(ada, 1),
        options: [{ text: 'Yes' }, { text: 'No' }],
      });
      const path = `/api/${kind}s/${made.id}`;
      await inSecondForm(bob).call('POST', `${path}/reactions`, { content: '👍' });
      await asKit.call('POST', `/api/options/${made.options.data[0].id}/vote`);
      const plain = await write(asKit, list);
      const isEdited = false;
      const expected = { app: { id: app.id }, author: 'Ada', isEdited };
      const full = {
        ...expected,
        counts: [
          [1, 1],
          [2, 2],
          [1, 1],
        ],
      };
      assert.deepEqual(newer(made), {
        ...full,
        counts: [
          [1, 1],
          [2, 2],
          [0, 0],
        ],
      });
      const { data } = await asKit.read(list);
      assert.deepEqual(data.map(newer), [
        full,
        {
          ...expected,
          counts: [
            [0, 0],
            [0, 0],
            [0, 0],
          ],
        },
      ]);
      const one = await asKit.read(path);
      assert.deepEqual(newer(one), full);
      assert.deepEqual(one.reactions.data[0].created_by, { id: bob.id });
      const [chosen] = one.options.data;
      assert.deepEqual([chosen.votes.count, chosen.votes.data[0].name], [1, 'Ada']);
      const edited = (await asKit.call('PATCH', `/api/${kind}s/${plain.id}`, { text: 'again' })).body;
      assert.equal(newer(edited).isEdited, true);
      assert.equal(edited.updated_by.name, 'Ada');
      assert.deepEqual((await asKit.read(list)).data[1].updated_at, edited.updated_at);
      if (kind === 'post') {
        await write(asKit, `/api/posts/${made.id}/comments`);
        assert.deepEqual((await asKit.read(path)).comments, { count: 1, data: [] });
      }
      assert.deepEqual((await ada.read(list)).data[0].reactions[0].content, '👍');
    });

  test('a thread shows what is left of a comment that is gone', async () => {
    const app = await makeApp(server, { access: 'write' });
    const ada = await makeUser(server);
    const root = await ada.create(`/api/apps/${app.id}/comments`, { text: 'above' });
    await ada.create(`/api/apps/${app.id}/comments`, { text: 'below', reply_to: root.id });
    await ada.call('POST', `/api/comments/${root.id}/trash`);
    const { data } = await inSecondForm(ada).read(`/api/apps/${app.id}/comments?thread=roots&replies=1`);
    const [place] = data;
    assert.deepEqual(
      [place.is_trashed, place.reactions, place.replies[0].reactions],
      [true, { count: 0, data: [] }, { count: 0, data: [] }],
    );
  });
});

describe('the form', () => {
  const sources = {
    '@weavy/uikit-web@22.9.9': 'first',
    '@weavy/uikit-web@23': 'second',
    '@weavy/uikit-react@23.1.0': 'second',
    '@weavy/uikit-web@2030.1.0': 'second',
    '@weavy/uikit-web@32.2.0, @weavy/uikit-web@32.2.0': 'first',
    '@weavy/uikit-web@-32': 'first',
    'weavy@32.2.0': 'first',
    '': 'first',
  };
  for (const [source, form] of Object.entries(sources))
    test(`for '${source}' is the ${form}`, async () => {
      const { body } = await (await makeUser(server)).call('GET', '/api/user', undefined, {
        headers: { 'x-weavy-source': source },
      });
      assert.equal('is_agent' in body ? 'second' : 'first', form);
    });

  test('has tags of its own, which what others do leaves alone', async () => {
    const app = await makeApp(server, { access: 'write' });
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const asKit = inSecondForm(ada);
    const { id } = await asKit.create(`/api/apps/${app.id}/comments`, { text: 'one' });
    const path = `/api/comments/${id}`;
    const tagOf = async (by: ReturnType<typeof inSecondForm>) =>
      String((await by.call('GET', path)).headers.get('etag'));
    const [first, second] = [await tagOf(inSecondForm(ada, '21.1.2')), await tagOf(asKit)];
    assert.notEqual(first, second);
    const shown = await asKit.call('GET', path, undefined, { headers: { 'if-none-match': second } });
    assert.deepEqual([shown.status, shown.headers.get('vary')], [304, 'X-Weavy-Source']);
    await inSecondForm(bob).call('POST', `${path}/reactions`, { content: '👍' });
    const edit = async (tag: string, text: string) =>
      (await asKit.call('PATCH', path, { text }, { headers: { 'if-match': tag } })).status;
    assert.deepEqual(
      [await edit(first, 'two'), await edit(second, 'three'), await edit(second, 'four')],
      [412, 200, 412],
    );
  });

  test('is part of the request that a key stands for', async () => {
    const app = await makeApp(server, { access: 'write' });
    const ada = await makeUser(server);
    const path = `/api/apps/${app.id}/comments`;
    const headers = { 'idempotency-key': 'one-comment' };
    const first = await inSecondForm(ada).call('POST', path, { text: 'once' }, { headers });
    const again = await inSecondForm(ada).call('POST', path, { text: 'once' }, { headers });
    assert.deepEqual([first.status, again.body], [201, first.body]);
    const other = await ada.call('POST', path, { text: 'once' }, { headers });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  });
});
