import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addMembers, makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { connectProgram } from 'confab-testing/mcp.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer({ CONFAB_MCP: 'yes' });
const watch = useStoreWatch(server);

type Parsed = any;

const words = 'words of the document';
const anchor = {
  key: 'row-7/price',
  selector: [{ type: 'TextQuoteSelector', exact: words, prefix: 'the ' }],
};

/** The events about a comment that a reader gets, oldest first. */
async function eventsOf(id: number, as: string): Promise<{ action: string; comment: Parsed }[]> {
  const { data } = await server.read(`/api/events?entity_type=comment&entity_id=${id}&top=100`, { as });
  return (data as Parsed[]).toSorted((one, other) => one.id - other.id);
}

/** The payloads in the log about a comment. */
function payloadsOf(id: number): string[] {
  return watch
    .rows(`select payload from events where entity_type = 'comment' and entity_id = ${id} order by id`)
    .map(({ payload }) => String(payload));
}

// An anchor quotes the document and names a place in the product, so it is seen where the text is seen.
describe('the anchor of a comment', () => {
  test('is in its events, and blank where the comment is', async () => {
    const app = await makeApp(server, { access: 'write' });
    const [author, reader] = [await makeUser(server), await makeUser(server)];
    const { id } = await makeComment(author, app.id, { text: 'mine', anchor });
    const [created] = await eventsOf(id, reader.token);
    assert.deepEqual(created?.comment.anchor, anchor);
    const moved = { key: 'elsewhere' };
    await author.call('PATCH', `/api/comments/${id}`, { anchor: moved });
    const [before, after] = await eventsOf(id, reader.token);
    assert.deepEqual([before?.comment.anchor, before?.comment.text], [undefined, undefined]);
    assert.deepEqual(after?.comment.anchor, moved);
    await server.call('POST', `/api/comments/${id}/hold`);
    for (const { comment } of await eventsOf(id, reader.token))
      assert.equal('anchor' in comment, false, JSON.stringify(comment));
    const [trashed = '', held = ''] = payloadsOf(id).slice(-2);
    assert.ok(!trashed.includes('elsewhere'), trashed);
    assert.ok(held.includes('elsewhere'), held);
  });

  test('is in no list while the comment is held or in the trash, nor in its place in a thread', async () => {
    const app = await makeApp(server, { access: 'write' });
    const reader = await makeUser(server);
    const { id } = await makeComment(server, app.id, { text: 'root', anchor });
    await makeComment(server, app.id, { text: 'answer', reply_to: id });
    for (const action of ['trash', 'hold'] as const) {
      await server.call('POST', `/api/comments/${id}/${action}`);
      for (const query of ['', '?thread=roots', '?anchor=row-7/price', '?anchor=row-7/price&thread=roots']) {
        const { text } = await reader.call('GET', `/api/apps/${app.id}/comments${query}`);
        assert.ok(!text.includes(words), text);
      }
      await server.call('POST', `/api/comments/${id}/restore`);
    }
    assert.deepEqual((await server.read(`/api/comments/${id}`)).anchor, anchor);
    await server.call('DELETE', `/api/comments/${id}`);
    const { data } = await server.read(`/api/apps/${app.id}/comments?thread=roots`);
    assert.deepEqual([data.length, data[0].anchor], [1, undefined]);
    assert.deepEqual(
      watch.rows(`select anchor, anchor_key from entries where id = ${id}`).map(Object.values),
      [[null, null]],
    );
  });

  test('is seen by visitors of an open app', async () => {
    const app = await makeApp(server, { access: 'write', visitors: 'read' });
    const { id } = await makeComment(server, app.id, { text: 'open', anchor });
    const as = null;
    assert.deepEqual((await server.read(`/api/comments/${id}`, { as })).anchor, anchor);
    const listed = await server.read(`/api/apps/${app.id}/comments?anchor=row-7/price`, { as });
    assert.deepEqual(listed.data[0].anchor, anchor);
    const counted = await server.read(`/api/apps/${app.id}/anchors`, { as });
    assert.deepEqual(counted.data, [{ key: 'row-7/price', count: 1, open_count: 1 }]);
  });

  test('is in the second form, which creates, changes and filters it as well', async () => {
    const app = await makeApp(server, { access: 'write' });
    const by = inSecondForm(await makeUser(server));
    const path = `/api/apps/${app.id}/comments`;
    const { id } = await by.create(path, { text: 'second', anchor });
    await by.create(path, { text: 'other' });
    for (const query of ['', '?thread=roots', '?anchor=row-7/price'])
      assert.deepEqual((await by.read(path + query)).data[0].anchor, anchor);
    assert.equal((await by.read(`${path}?anchor=row-7/price`)).count, 1);
    assert.deepEqual((await by.read(`/api/comments/${id}`)).anchor, anchor);
    const cleared = await by.call('PATCH', `/api/comments/${id}`, { anchor: null });
    assert.equal('anchor' in cleared.body, false);
  });

  test('is in the revisions, which have one for an edit of the anchor alone', async () => {
    const app = await makeApp(server);
    const { id } = await makeComment(server, app.id, { text: 'first', anchor });
    await server.call('PATCH', `/api/comments/${id}`, { anchor: null });
    await server.call('PATCH', `/api/comments/${id}`, { text: 'second' });
    const { data } = await server.read(`/api/comments/${id}/revisions`);
    assert.deepEqual(
      data.map((revision: Parsed) => [revision.text, revision.anchor]),
      [
        ['first', anchor],
        ['first', undefined],
      ],
    );
  });

  test('is shown to programs, with its quote', async () => {
    const app = await makeApp(server, { access: 'write' });
    const { id } = await makeComment(server, app.id, { text: 'about this', anchor });
    const program = await connectProgram(server, server.key);
    const { text } = await program.call('listAppComments', { app: app.uid });
    const [, line = '', place, quoted] = text.split('\n');
    assert.ok(line.startsWith(`#${id} `), text);
    assert.deepEqual([place, quoted], [`on key "row-7/price", quote "${words}"`, '> about this']);
    const found = await program.call('listAppComments', { app: app.uid, anchor: 'none' });
    assert.equal(found.text, 'Nothing.');
  });

  test('is judged by the rules of the operator like the text', async () => {
    const app = await makeApp(server, { access: 'write' });
    const author = await makeUser(server);
    await addMembers(server, app.id, { write: [author] });
    const { version } = await server.read('/api/moderation/rules');
    const rules = [{ name: 'words', action: 'refuse', words: ['forbidden'] }];
    await server.call('PUT', '/api/moderation/rules', { version, rules });
    const path = `/api/apps/${app.id}/comments` as const;
    const selector = [
      {
        type: 'CssSelector',
        value: 'p',
        refinedBy: { type: 'TextQuoteSelector', exact: 'a forbidden word' },
      },
    ];
    assertProblem(
      await author.call('POST', path, { text: 'fine', anchor: { selector } }),
      403,
      'text_refused',
    );
    const { id } = await makeComment(author, app.id, { text: 'fine', anchor });
    assertProblem(
      await author.call('PATCH', `/api/comments/${id}`, { anchor: { selector } }),
      403,
      'text_refused',
    );
  });
});
