import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addMembers, makeApp, makeComment, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { countOf } from 'confab-testing/lists.ts';
import { startReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { keptFiles, upload, uploadIds } from 'confab-testing/uploads.ts';
import { register } from 'confab-testing/webhooks.ts';

const began = Date.parse('2026-11-21T07:42:00.000Z');
let now = began;
const server = useServer({}, { clock: { now: () => now } });
const watch = useStoreWatch(server);

async function remove(path: string, sending: Sending = {}) {
  return await server.call('DELETE', path, undefined, sending);
}

/** What is left of an entry in any table. */
function leftOf(id: number): string[] {
  const tables = {
    entries: 'id',
    entry_tags: 'entry_id',
    entry_search: 'rowid',
    options: 'entry_id',
    votes: 'entry_id',
    reactions: 'entry_id',
    revisions: 'entry_id',
  };
  const left = Object.entries(tables).filter(
    ([table, column]) => watch.rows(`select ${column} from ${table} where ${column} = ${id}`).length > 0,
  );
  const others = watch.rows(`
    select 'files' as name from files where parent_type in ('comment', 'post') and parent_id = ${id}
    union all select 'subscriptions' from subscriptions where entity_type in ('comment', 'post') and entity_id = ${id}
    union all select 'tallies' from tallies where parent_type in ('comment', 'post') and parent_id = ${id}`);
  return [...left.map(([table]) => table), ...others.map((row) => String(row['name']))];
}

/** Counts that are not those of their rows. */
function miscounted(): unknown[] {
  return watch.rows(`
    with counted as (select parent_type, parent_id, kind, count(*) - count(trashed_at) as live,
        count(trashed_at) as trashed from entries group by 1, 2, 3),
      kept as (select parent_type, parent_id, kind, live, trashed from tallies
        where kind in ('comment', 'post', 'message') and live + trashed > 0)
    select * from (select * from counted except select * from kept) as uncounted
    union all select * from (select * from kept except select * from counted) as miscounted`);
}

/** Waits until nothing waits to be taken away. */
async function settled(): Promise<void> {
  await poll('the removal', () => {
    const [row] = watch.rows('select count(*) as n from tallies where removed_at is not null');
    return row?.['n'] === 0 || undefined;
  });
}

/** A comment with one of everything an entry can hold. */
async function fullComment(app: number) {
  const ada = await makeUser(server);
  const comment = await makeComment(server, app, {
    text: 'xylophone',
    tags: ['loud'],
    blobs: await uploadIds(server, 2),
    options: [{ text: 'yes' }, { text: 'no' }],
  });
  await server.call('PATCH', `/api/comments/${comment.id}`, { text: 'xylophone again' });
  const reaction = { content: '👍' };
  await ada.call('POST', `/api/comments/${comment.id}/reactions`, reaction);
  await ada.call('POST', `/api/options/${comment.options[0]?.id}/vote`);
  return comment;
}

// A comment that is deleted is gone with everything it held, and no count or search remembers it.
describe('a deleted comment', () => {
  test('leaves nothing behind', async () => {
    const app = await makeApp(server, { access: 'write' });
    const comment = await fullComment(app.id);
    const stays = await fullComment(app.id);
    const addresses = comment.attachments.map(({ download_url }) => download_url);
    for (const address of addresses) assert.equal((await fetch(String(address))).status, 200);
    const { status, text } = await remove(`/api/comments/${comment.id}`);
    assert.deepEqual([status, text], [204, '']);
    for (const path of [
      `/api/comments/${comment.id}`,
      `/api/comments/${comment.id}?trashed=true`,
      `/api/comments/${comment.id}/reactions`,
      `/api/comments/${comment.id}/attachments`,
      `/api/options/${comment.options[0]?.id}`,
      `/api/files/${comment.attachments[0]?.id}`,
    ])
      assert.equal((await server.call('GET', path)).status, 404, path);
    assert.deepEqual(leftOf(comment.id), []);
    assert.deepEqual(
      [
        await countOf(server, `/api/apps/${app.id}/comments`),
        await countOf(server, `/api/apps/${app.id}/comments?q=xylophone`),
      ],
      [1, 1],
    );
    assert.equal(await countOf(server, `/api/apps/${app.id}/comments?tag=loud`), 1);
    assert.deepEqual(miscounted(), []);
    const body = await server.read(`/api/comments/${stays.id}`);
    assert.deepEqual([body.reactions.length, body.options[0].vote_count, body.attachments.length], [1, 1, 2]);
    for (const address of addresses) assert.equal((await fetch(String(address))).status, 404);
    assert.equal((await remove(`/api/comments/${comment.id}`)).status, 404);
  });

  test('frees the disk space of its files at the next sweep', async () => {
    const app = await makeApp(server);
    await server.restart(() => {
      now = began + 48 * 3_600_000;
    });
    const kept = await poll('the sweep', () => {
      const files = keptFiles(server.folder).length;
      return files === watch.rows('select id from files').length ? files : undefined;
    });
    const comment = await makeComment(server, app.id, { blobs: await uploadIds(server, 2) });
    assert.equal(keptFiles(server.folder).length, kept + 2);
    await remove(`/api/comments/${comment.id}`);
    await server.restart(() => {
      now += 48 * 3_600_000;
    });
    await poll('the files to go', () => keptFiles(server.folder).length === kept || undefined);
  });

  test('can be deleted from the trash', async () => {
    const app = await makeApp(server);
    const comment = await makeComment(server, app.id);
    await server.call('POST', `/api/comments/${comment.id}/trash`);
    assert.equal(await countOf(server, `/api/apps/${app.id}/comments?trashed=true`), 1);
    assert.equal((await remove(`/api/comments/${comment.id}`)).status, 204);
    assert.equal(await countOf(server, `/api/apps/${app.id}/comments?trashed=null`), 0);
    assert.deepEqual([leftOf(comment.id), miscounted()], [[], []]);
  });

  test('appends one event, with its last state', async () => {
    const receiver = await startReceiver();
    try {
      await register(server, { payload_url: `${receiver.url}/deleted`, triggers: ['comment_deleted'] });
      const app = await makeApp(server);
      const comment = await makeComment(server, app.id, {
        text: 'last words',
        blobs: await uploadIds(server, 1),
      });
      await remove(`/api/comments/${comment.id}`);
      const [request] = await receiver.received('/deleted', 1);
      const body = JSON.parse(request?.body.toString() ?? '');
      assert.deepEqual([body.action, body.comment.id], ['comment_deleted', comment.id]);
      assert.deepEqual([body.comment.text, body.comment.attachment_count], ['last words', 1]);
      assert.deepEqual(body.comment.parent, { id: app.id, type: 'app' });
      const actions = watch.rows(
        `select action from events where entity_type = 'comment' and entity_id = ${comment.id} order by id`,
      );
      assert.deepEqual(
        actions.map((row) => row['action']),
        ['comment_created', 'comment_deleted'],
      );
    } finally {
      await receiver.close();
    }
  });

  test('is deleted by users who may edit it', async () => {
    const app = await makeApp(server);
    const author = await makeUser(server);
    const other = await makeUser(server);
    const members = [author, other].map(({ uid }) => ({ uid, access: 'write' }));
    await server.call('POST', `/api/apps/${app.id}/members`, members);
    const comment = await makeComment(author, app.id, { text: 'x' });
    const path = `/api/comments/${comment.id}`;
    const stranger = await makeUser(server);
    assert.equal((await remove(path, { as: stranger.token })).status, 404);
    assertProblem(await remove(path, { as: other.token }), 403, 'edit_forbidden');
    await addMembers(server, app.id, { read: [author] });
    assertProblem(await remove(path, { as: author.token }), 403, 'edit_forbidden');
    assert.equal((await remove(path, { as: null })).status, 401);
    assert.equal((await server.call('GET', path)).status, 200);
    await addMembers(server, app.id, { write: [author] });
    assert.equal((await remove(path, { as: author.token })).status, 204);
    assert.equal((await remove('/api/comments/abc')).status, 404);
    assert.equal((await server.call('DELETE', '/api/comments/1', '{"a":')).status, 400);
  });

  test('is deleted once by 32 concurrent requests', async () => {
    const app = await makeApp(server);
    const comment = await makeComment(server, app.id);
    await makeComment(server, app.id);
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => remove(`/api/comments/${comment.id}`)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [204, ...Array(31).fill(404)]);
    assert.equal(await countOf(server, `/api/apps/${app.id}/comments`), 1);
    assert.deepEqual(miscounted(), []);
  });
});

// Deleting a post hides its comments at once and removes them all later, however many there are.
describe('a deleted post', () => {
  test('hides its comments at once and removes them later', async () => {
    const app = await makeApp(server, { type: 'posts', access: 'write' });
    const ada = await makeUser(server);
    const [post, other] = [await makePost(server, app.id), await makePost(server, app.id)];
    await ada.call('POST', `/api/posts/${post}/subscribe`);
    const fields = {
      text: 'bassoon',
      tags: ['wind'],
      options: [{ text: 'a' }],
      blobs: await uploadIds(server, 1),
    };
    const { body: comment } = await server.call('POST', `/api/posts/${post}/comments`, fields);
    const { body: trashed } = await server.call('POST', `/api/posts/${post}/comments`, { text: 'oboe' });
    await server.call('POST', `/api/comments/${trashed.id}/trash`);
    // Comments on an attachment of a comment are two levels down.
    const [attachment] = comment.attachments;
    const { body: nested } = await server.call('POST', `/api/files/${attachment.id}/comments`, {
      text: 'flute',
    });
    await server.call('POST', `/api/posts/${other}/comments`, { text: 'bassoon elsewhere' });
    const all = await countOf(server, '/api/comments');

    assert.equal((await remove(`/api/posts/${post}`)).status, 204);
    for (const path of [
      `/api/posts/${post}`,
      `/api/posts/${post}/comments`,
      `/api/comments/${comment.id}`,
      `/api/comments/${trashed.id}?trashed=true`,
      `/api/comments/${nested.id}`,
      `/api/files/${attachment.id}`,
    ])
      assert.equal((await server.call('GET', path)).status, 404, path);
    assert.equal(await countOf(server, '/api/comments'), all - 2);
    assert.equal(await countOf(server, '/api/comments?q=bassoon'), 1);
    assert.equal(await countOf(server, `/api/apps/${app.id}/posts`), 1);
    assert.equal((await fetch(String(attachment.download_url))).status, 404);

    await settled();
    for (const id of [post, comment.id, trashed.id, nested.id]) assert.deepEqual(leftOf(id), [], String(id));
    assert.deepEqual(watch.rows(`select * from files where id = ${attachment.id}`), []);
    assert.deepEqual(
      watch.rows(`select * from tallies where parent_id = ${attachment.id} and parent_type = 'file'`),
      [],
    );
    assert.deepEqual([miscounted(), watch.brokenReferences()], [[], []]);
    assert.equal(await countOf(server, '/api/comments'), all - 2);
    const told = watch.rows(
      `select action from events where action = 'post_deleted' and entity_id = ${post}`,
    );
    assert.equal(told.length, 1);
  });

  test('with hundreds of comments is removed in batches, also across a restart', async () => {
    const app = await makeApp(server, { type: 'posts' });
    const post = await makePost(server, app.id);
    for (let i = 0; i < 12; i += 1)
      await Promise.all(
        Array.from({ length: 50 }, () => server.call('POST', `/api/posts/${post}/comments`, { text: 'x' })),
      );
    // In the last batch, so that what hangs two levels down is looked at while it still waits.
    const fields = { blobs: await uploadIds(server, 1) };
    const { body: last } = await server.call('POST', `/api/posts/${post}/comments`, fields);
    const below = `/api/files/${last.attachments[0].id}/comments`;
    const { body: nested } = await server.call('POST', below, { text: 'x' });
    assert.equal(await countOf(server, `/api/posts/${post}/comments`), 601);
    const all = await countOf(server, '/api/comments');
    assert.equal((await remove(`/api/posts/${post}`)).status, 204);
    const [shown, left] = await Promise.all([
      server.call('GET', `/api/comments/${nested.id}`),
      countOf(server, '/api/comments'),
    ]);
    assert.deepEqual([shown.status, left], [404, all - 602]);
    // A stop cuts the batches short; what is left to do is taken up after the next start.
    await server.restart(() => {
      assert.deepEqual(miscounted(), []);
    });
    await settled();
    assert.deepEqual(
      watch.rows(`select id from entries where parent_type = 'post' and parent_id = ${post}`),
      [],
    );
    assert.deepEqual(leftOf(post), []);
    assert.deepEqual(miscounted(), []);
  });

  test('can be deleted from the trash, with its comments', async () => {
    const app = await makeApp(server, { type: 'posts' });
    const post = await makePost(server, app.id);
    const { body: comment } = await server.call('POST', `/api/posts/${post}/comments`, { text: 'x' });
    await server.call('POST', `/api/posts/${post}/trash`);
    assert.equal((await remove(`/api/posts/${post}`)).status, 204);
    await settled();
    assert.deepEqual([leftOf(post), leftOf(comment.id), miscounted()], [[], [], []]);
  });

  test('is deleted by users who may edit it', async () => {
    const app = await makeApp(server, { type: 'posts', access: 'write' });
    const [author, other] = [await makeUser(server), await makeUser(server)];
    const post = await makePost(author, app.id);
    const { body: comment } = await other.call('POST', `/api/posts/${post}/comments`, {});
    assertProblem(await remove(`/api/posts/${post}`, { as: other.token }), 403, 'edit_forbidden');
    assert.equal((await remove(`/api/comments/${post}`)).status, 404);
    assert.equal((await remove(`/api/posts/${comment.id}`)).status, 404);
    assert.equal((await remove(`/api/posts/${post}`, { as: author.token })).status, 204);
  });

  test('leaves no visible or stored comment of a race', async () => {
    const app = await makeApp(server, { type: 'posts' });
    const post = await makePost(server, app.id);
    const write = () => server.call('POST', `/api/posts/${post}/comments`, { text: 'late' });
    const answers = await Promise.all([
      ...Array.from({ length: 16 }, write),
      remove(`/api/posts/${post}`),
      ...Array.from({ length: 16 }, write),
    ]);
    for (const { status } of answers) assert.ok([201, 204, 404].includes(status));
    await settled();
    assert.deepEqual(
      watch.rows(`select id from entries where parent_type = 'post' and parent_id = ${post}`),
      [],
    );
    assert.deepEqual([leftOf(post), miscounted()], [[], []]);
  });
});

// Removing an attachment by an edit also removes the comments on it.
describe('an attachment that is removed', () => {
  test('removes its comments', async () => {
    const app = await makeApp(server);
    const comment = await makeComment(server, app.id, { blobs: await uploadIds(server, 1) });
    const [attachment] = comment.attachments;
    assert.ok(attachment !== undefined);
    const { body: said } = await server.call('POST', `/api/files/${attachment.id}/comments`, { text: 'x' });
    await server.call('PATCH', `/api/comments/${comment.id}`, { attachments: [] });
    assert.equal((await server.call('GET', `/api/comments/${said.id}`)).status, 404);
    await settled();
    assert.deepEqual([leftOf(said.id), miscounted()], [[], []]);
  });
});

// The attachments of an entry are a list of files like any other.
describe('a list of attachments', () => {
  test('shows, orders and filters the files of one comment', async () => {
    const app = await makeApp(server);
    const blobs: number[] = [];
    for (const [name, bytes] of [
      ['beta report.txt', 'bb'],
      ['alpha.txt', 'aaaa'],
      ['gamma report.txt', 'g'],
    ] as const)
      blobs.push((await upload(server, { name, bytes })).id);
    const comment = await makeComment(server, app.id, { blobs });
    await makeComment(server, app.id, { blobs: await uploadIds(server, 1) });
    const path = `/api/comments/${comment.id}/attachments`;
    const names = async (query: string) =>
      (await server.read(`${path}?${query}`)).data.map(({ name }: { name: string }) => name.split(/[ .]/)[0]);
    assert.deepEqual(await names(''), ['beta', 'alpha', 'gamma']);
    assert.deepEqual(await names('order_by=name'), ['alpha', 'beta', 'gamma']);
    assert.deepEqual(await names('order_by=size+desc'), ['alpha', 'beta', 'gamma']);
    assert.deepEqual(await names('order_by=id+desc'), ['gamma', 'alpha', 'beta']);
    assert.deepEqual(await names('order_by=timestamp'), ['beta', 'alpha', 'gamma']);
    assert.deepEqual(await names('order_by=modifiedat+desc'), ['gamma', 'alpha', 'beta']);
    assert.deepEqual(await names('top=1&skip=1'), ['alpha']);
    assert.deepEqual(await names('q=repo'), ['beta', 'gamma']);
    assert.deepEqual(await names('q="beta report"'), ['beta']);
    assert.deepEqual(await names('q="bet"'), []);
    assert.deepEqual(await names('tag=x'), []);
    assert.deepEqual(await names('trashed=true'), []);
    assert.deepEqual(await names('trashed=null'), ['beta', 'alpha', 'gamma']);
    const body = await server.read(`${path}?top=2&expand=parent,created_by,modified_by`);
    assert.deepEqual([body.start, body.end, body.count], [1, 2, 3]);
    assert.deepEqual(body.data[0].parent, { id: comment.id, type: 'comment' });
    assert.equal(body.data[0].created_by.uid, 'system');
    const plain = await server.read(path);
    assert.deepEqual(plain.data, comment.attachments);
    assert.deepEqual(await server.read(`${path}?count_only=true`), { count: 3 });
  });

  test('of a post works the same, and follows the access to the app', async () => {
    const app = await makeApp(server, { type: 'posts' });
    const { body: post } = await server.call('POST', `/api/apps/${app.id}/posts`, {
      blobs: await uploadIds(server, 2),
    });
    const path = `/api/posts/${post.id}/attachments`;
    assert.deepEqual((await server.read(path)).data, post.attachments);
    const user = await makeUser(server);
    assert.equal((await user.call('GET', path)).status, 404);
    assert.equal((await server.as(null).call('GET', path)).status, 401);
    assert.equal((await server.call('GET', '/api/posts/abc/attachments')).status, 404);
    await server.call('POST', `/api/posts/${post.id}/trash`);
    assert.equal((await server.call('GET', path)).status, 404);
    const files = await makeApp(server, { type: 'files' });
    const { body: comment } = await server.call(
      'POST',
      `/api/files/${await makeFile(server, files.id)}/comments`,
      {},
    );
    assert.deepEqual((await server.read(`/api/comments/${comment.id}/attachments`)).data, []);
  });
});
