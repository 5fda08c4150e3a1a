import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Comment } from 'confab-contract/comments.ts';
import { addMembers, makeApp, makeComment, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { countOf } from 'confab-testing/lists.ts';
import { png } from 'confab-testing/pictures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { upload, uploadIds } from 'confab-testing/uploads.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);
const app = use(() => makeApp(server, { access: 'write' }));

async function say(fields: object, sending: Sending = {}): Promise<Comment> {
  return await makeComment(server, app.id, fields, sending);
}

const names = (comment: Comment) => comment.attachments.map((attachment) => attachment.name);
const ids = (comment: Comment) => comment.attachments.map((attachment) => attachment.id);

// Uploads named in a comment become its attachments, in that order, with every field of specification section 2.5.
describe('attachments of a comment', () => {
  test('have exactly their fields', async () => {
    const blob = await upload(server, { bytes: png(7, 8), name: 'photo.png' });
    const comment = await say({ text: 'look', blobs: [blob.id] });
    assert.equal(comment.attachment_count, 1);
    const [attachment] = comment.attachments;
    assert.ok(attachment !== undefined);
    const { id, download_url, preview_url, thumbnail_url, created_at, ...rest } = attachment;
    assert.ok(preview_url?.startsWith(`${server.url}/previews/`));
    assert.ok(thumbnail_url?.startsWith(`${server.url}/thumbnails/`));
    assert.equal(created_at, comment.created_at);
    assert.deepEqual(rest, {
      app_id: app.id,
      version: 1,
      name: 'photo.png',
      kind: 'image',
      media_type: 'image/png',
      width: 7,
      height: 8,
      size: png(7, 8).length,
      tags: [],
      preview_format: 'image',
      created_by_id: comment.created_by_id,
      comment_count: 0,
      comments: [],
      is_subscribed: false,
      is_trashed: false,
    });
    assert.deepEqual(new Uint8Array(await (await fetch(String(download_url))).bytes()), png(7, 8));
    const file = await server.read(`/api/files/${id}`);
    assert.deepEqual(file.parent, { id: comment.id, type: 'comment' });
  });

  test('keep the order they were named in, in the comment, in lists and in the event', async () => {
    const blobs = await uploadIds(server, 4);
    const wanted = ['note-3.txt', 'note-0.txt', 'note-2.txt', 'note-1.txt'];
    const comment = await say({ blobs: [blobs[3], blobs[0], blobs[2], blobs[1]] });
    assert.deepEqual(names(comment), wanted);
    const body = await server.read(`/api/apps/${app.id}/comments?order_by=id+desc&top=1`);
    assert.deepEqual(names(body.data[0]), wanted);
    const [row] = watch.rows(
      `select payload from events where action = 'comment_created' and entity_id = ${comment.id}`,
    );
    const payload = JSON.parse(`{${String(row?.['payload'])}}`);
    assert.deepEqual(names(payload.comment), wanted);
  });

  test('may have the same name', async () => {
    const [first, second] = [await upload(server), await upload(server)];
    assert.deepEqual(names(await say({ blobs: [first.id, second.id] })), ['note.txt', 'note.txt']);
  });

  test('are in no list of files', async () => {
    const before = await countOf(server, '/api/files');
    await say({ blobs: await uploadIds(server, 1) });
    assert.equal(await countOf(server, '/api/files'), before);
    assert.equal(await countOf(server, `/api/apps/${app.id}/files`), 0);
  });

  test('cannot be trashed on their own', async () => {
    const [id] = ids(await say({ blobs: await uploadIds(server, 1) }));
    assertProblem(await server.call('POST', `/api/files/${id}/trash`), 400, 'validation_failed');
    assert.equal((await server.read(`/api/files/${id}`)).is_trashed, false);
  });

  test('cost the same statements for a hundred as for one, and for a page as for one comment', async () => {
    const large = await uploadIds(server, 100);
    const small = await uploadIds(server, 1);
    async function cost(work: () => Promise<unknown>): Promise<number> {
      statements.length = 0;
      await work();
      return statements.length;
    }
    const [forLarge, forSmall] = [
      await cost(() => say({ blobs: large })),
      await cost(() => say({ blobs: small })),
    ];
    assert.equal(forLarge, forSmall);
    const page = await cost(() => server.call('GET', `/api/apps/${app.id}/comments?order_by=id+desc&top=5`));
    const single = await cost(() =>
      server.call('GET', `/api/apps/${app.id}/comments?order_by=id+desc&top=1`),
    );
    assert.equal(page, single);
  });
});

// An upload is used once, by its uploader; a comment with an invalid one is refused and the response names it.
describe('uploads in a comment', () => {
  async function assertRefused(
    blobs: readonly unknown[],
    pointer: string,
    sending: Sending = {},
  ): Promise<void> {
    const before = watch.count('entries');
    const answer = await server.call('POST', `/api/apps/${app.id}/comments`, { text: 'x', blobs }, sending);
    assertProblem(answer, 422, 'validation_failed', pointer);
    assert.equal(watch.count('entries'), before);
  }

  test('that do not exist are named', async () => {
    const [id] = await uploadIds(server, 1);
    await assertRefused([id, 999_999], '/blobs/1');
    assert.equal((await say({ blobs: [id] })).attachment_count, 1);
  });

  test('of another user are refused as if they did not exist', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const [hers] = await uploadIds(ada, 1);
    await assertRefused([hers], '/blobs/0', { as: bob.token });
    assert.equal((await say({ blobs: [hers] }, { as: ada.token })).attachment_count, 1);
  });

  test('of any user may be used by an API key', async () => {
    const ada = await makeUser(server);
    const [hers] = await uploadIds(ada, 1);
    assert.equal((await say({ blobs: [hers] })).attachment_count, 1);
  });

  test('that are already used are refused', async () => {
    const blobs = await uploadIds(server, 2);
    await say({ blobs: [blobs[0]] });
    await assertRefused([blobs[1], blobs[0]], '/blobs/1');
  });

  test('are refused when one is named twice or they are too many', async () => {
    const [id] = await uploadIds(server, 1);
    await assertRefused([id, id], '/blobs');
    await assertRefused(
      Array.from({ length: 101 }, (_, index) => index + 1),
      '/blobs',
    );
  });

  test('go to exactly one of 32 concurrent comments', async () => {
    const [id] = await uploadIds(server, 1);
    const body = { text: 'mine', blobs: [id] };
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => server.call('POST', `/api/apps/${app.id}/comments`, body)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...new Array(31).fill(422)]);
    assert.deepEqual(
      watch.rows(`select count(*) as n from files where blob_id = ${id}`).map((row) => row['n']),
      [1],
    );
  });
});

// An edit keeps what it names, adds what it brings and removes the rest with its bytes.
describe('attachments in an edit', () => {
  async function edit(comment: Comment, fields: object, sending: Sending = {}) {
    return await server.call('PATCH', `/api/comments/${comment.id}`, fields, sending);
  }

  test('stay when the edit names none', async () => {
    const comment = await say({ text: 'a', blobs: await uploadIds(server, 2) });
    const { body } = await edit(comment, { text: 'b' });
    assert.deepEqual(ids(body), ids(comment));
  });

  test('are kept, added and removed', async () => {
    const comment = await say({ blobs: await uploadIds(server, 3) });
    const [extra] = await uploadIds(server, 1);
    const kept = ids(comment)[1];
    const { status, body } = await edit(comment, { attachments: [kept], blobs: [extra] });
    assert.equal(status, 200);
    assert.equal(body.attachment_count, 2);
    assert.deepEqual(names(body), ['note-1.txt', 'note-0.txt']);
    assert.equal(ids(body)[0], kept);
    assert.equal((await server.call('GET', `/api/files/${ids(comment)[0]}`)).status, 404);
  });

  test('that are removed cannot be loaded, and their uploads cannot be used again', async () => {
    const [blob] = await uploadIds(server, 1);
    const comment = await say({ text: 'a', blobs: [blob] });
    const address = comment.attachments[0]?.download_url ?? '';
    assert.equal((await fetch(address)).status, 200);
    assert.equal((await edit(comment, { attachments: [] })).body.attachment_count, 0);
    assert.equal((await fetch(address)).status, 404);
    const again = await server.call('POST', `/api/apps/${app.id}/comments`, { blobs: [blob] });
    assertProblem(again, 422, 'validation_failed', '/blobs/0');
  });

  test('of another comment cannot be kept', async () => {
    const [mine, other] = [
      await say({ blobs: await uploadIds(server, 1) }),
      await say({ blobs: await uploadIds(server, 1) }),
    ];
    const answer = await edit(mine, { attachments: [...ids(mine), ...ids(other)] });
    assertProblem(answer, 422, 'validation_failed', '/attachments/1');
    assert.deepEqual(ids(await server.read(`/api/comments/${mine.id}`)), ids(mine));
  });

  test('that fail leave everything unchanged', async () => {
    const comment = await say({ text: 'a', blobs: await uploadIds(server, 1) });
    const answer = await edit(comment, { text: 'b', attachments: [], blobs: [999_999] });
    assertProblem(answer, 422, 'validation_failed', '/blobs/0');
    const body = await server.read(`/api/comments/${comment.id}`);
    assert.deepEqual([body.text, ids(body)], ['a', ids(comment)]);
    assert.equal((await fetch(String(body.attachments[0].download_url))).status, 200);
  });

  test('of a hundred leave no room for one more', async () => {
    const comment = await say({ blobs: await uploadIds(server, 100) });
    const [extra] = await uploadIds(server, 1);
    assertProblem(await edit(comment, { blobs: [extra] }), 422, 'validation_failed', '/blobs');
  });
});

// An attachment is seen exactly as far as what it hangs on, with everything that hangs on it in turn.
describe('the visibility of an attachment', () => {
  test('follows its comment to the trash and back, with its bytes and the comments on it', async () => {
    const comment = await say({ text: 'a', blobs: await uploadIds(server, 1) });
    const [attachment] = comment.attachments;
    assert.ok(attachment !== undefined);
    const path = `/api/files/${attachment.id}`;
    const { body: on } = await server.call('POST', `${path}/comments`, { text: 'glockenspiel' });
    assert.deepEqual(on.parent, { id: attachment.id, type: 'file' });
    assert.equal((await server.read(path)).comment_count, 1);
    const all = await countOf(server, '/api/comments');

    await server.call('POST', `/api/comments/${comment.id}/trash`);
    for (const hidden of [path, `${path}?trashed=true`, `${path}/comments`, `/api/comments/${on.id}`])
      assert.equal((await server.call('GET', hidden)).status, 404, hidden);
    assert.equal((await server.call('POST', `${path}/comments`, { text: 'x' })).status, 404);
    assert.equal((await fetch(String(attachment.download_url))).status, 404);
    assert.equal(await countOf(server, '/api/comments?q=glockenspiel'), 0);
    assert.equal(await countOf(server, '/api/comments'), all - 2);

    await server.call('POST', `/api/comments/${comment.id}/restore`);
    assert.equal((await server.call('GET', path)).status, 200);
    assert.equal((await server.call('GET', `/api/comments/${on.id}`)).status, 200);
    assert.equal((await fetch(String(attachment.download_url))).status, 200);
    assert.equal(await countOf(server, '/api/comments?q=glockenspiel'), 1);
    assert.equal(await countOf(server, '/api/comments'), all);
  });

  test('ends with its removal, also for the comments on it', async () => {
    const comment = await say({ text: 'a', blobs: await uploadIds(server, 1) });
    const [id] = ids(comment);
    const { body: on } = await server.call('POST', `/api/files/${id}/comments`, { text: 'on it' });
    const all = await countOf(server, '/api/comments');
    await server.call('PATCH', `/api/comments/${comment.id}`, { attachments: [] });
    assert.equal((await server.call('GET', `/api/comments/${on.id}`)).status, 404);
    assert.equal(await countOf(server, '/api/comments'), all - 1);
  });

  test('follows a post through every level, and items that were trashed separately stay trashed', async () => {
    const posts = await makeApp(server, { type: 'posts' });
    const post = await makePost(server, posts.id);
    const attach = async (path: string) =>
      (await server.call('POST', path, { blobs: await uploadIds(server, 1) })).body;
    const first = await attach(`/api/posts/${post}/comments`);
    const second = await attach(`/api/files/${ids(first)[0]}/comments`);
    const third = await attach(`/api/files/${ids(second)[0]}/comments`);
    const aside = await attach(`/api/files/${ids(first)[0]}/comments`);
    const { body: below } = await server.call('POST', `/api/files/${ids(aside)[0]}/comments`, { text: 'x' });
    const levels = [
      ...[first, second, third].map((comment) => `/api/comments/${comment.id}`),
      ...[first, second, third].map((comment) => `/api/files/${ids(comment)[0]}`),
    ];
    const statuses = async () =>
      await Promise.all(levels.map(async (path) => (await server.call('GET', path)).status));
    const belowIs = async () => (await server.call('GET', `/api/comments/${below.id}`)).status;

    await server.call('POST', `/api/comments/${aside.id}/trash`);
    assert.deepEqual([new Set(await statuses()), await belowIs()], [new Set([200]), 404]);
    await server.call('POST', `/api/posts/${post}/trash`);
    assert.deepEqual([new Set(await statuses()), await belowIs()], [new Set([404]), 404]);
    assert.equal((await server.call('POST', `/api/comments/${aside.id}/restore`)).status, 404);
    await server.call('POST', `/api/posts/${post}/restore`);
    assert.deepEqual([new Set(await statuses()), await belowIs()], [new Set([200]), 404]);
    await server.call('POST', `/api/comments/${aside.id}/restore`);
    assert.equal(await belowIs(), 200);
  });

  test('is that of its app', async () => {
    const closed = await makeApp(server);
    const comment = await makeComment(server, closed.id, { blobs: await uploadIds(server, 1) });
    const path = `/api/files/${ids(comment)[0]}`;
    const reader = await makeUser(server);
    assert.equal((await reader.call('GET', path)).status, 404);
    await addMembers(server, closed.id, { read: [reader] });
    assert.equal((await reader.call('GET', path)).status, 200);
    const answer = await reader.call('POST', `${path}/comments`, { text: 'x' });
    assertProblem(answer, 403, 'write_forbidden');
    await server.call('POST', `/api/apps/${closed.id}/trash`);
    assert.equal((await reader.call('GET', path)).status, 404);
    assert.equal((await fetch(String(comment.attachments[0]?.download_url) ?? '')).status, 404);
  });
});

// The stored counts agree with the rows after all of the above.
describe('the stored counts', () => {
  test('equal the rows', async () => {
    const wrong = watch.rows(`select * from (
          select t.parent_type, t.parent_id, t.kind, min(t.live) as live, min(t.trashed) as trashed,
            count(*) - count(e.trashed_at) as rows_live, count(e.trashed_at) as rows_trashed
          from tallies t join entries e on e.parent_type = t.parent_type and e.parent_id = t.parent_id and e.kind = t.kind
          group by 1, 2, 3) as counted
        where live <> rows_live or trashed <> rows_trashed`);
    assert.deepEqual(wrong, []);
    const off = watch.rows(`select id from entries where attachment_count <>
      (select count(*) from files where parent_type = entries.kind and parent_id = entries.id)`);
    assert.deepEqual(off, []);
  });
});
