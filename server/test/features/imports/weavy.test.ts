import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runCommand, runDoctor } from 'confab-testing/command.ts';
import { takeBack } from 'confab-testing/imports.ts';
import { countOf } from 'confab-testing/lists.ts';
import { startTestServer, type TestServer, use, useServer } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { attached, fillWeavy } from 'confab-testing/weavy-world.ts';

/** Imports one server into the folder of another. */
const importFrom = (from: TestServer, into: TestServer, ...flags: string[]) =>
  runCommand(['import', 'weavy', '--url', from.url, '--key', from.key, '--data-dir', into.folder, ...flags]);

/** The bytes behind an address that the server gave. */
async function bytesAt(server: TestServer, address: string | undefined): Promise<string> {
  const answer = await fetch(new URL(address ?? '', server.url));
  assert.equal(answer.status, 200);
  return await answer.text();
}

// Everything that Confab itself holds comes over from a running server, once, with a report that adds up.
describe('confab import weavy', () => {
  const source = useServer();
  const target = useServer();
  const world = use(() => fillWeavy(source));
  let id = 0;

  test('reports what there is in a dry run, and writes nothing', async () => {
    const { code, stdout, stderr } = await importFrom(source, target, '--dry-run');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^To import: 4 comments, 1 post, 106 messages, 1 file in 6 apps, \d+ users\.$/m);
    assert.match(stdout, /1 poll with 1 vote, 1 attachment;/);
    assert.match(stdout, /^ {2}1 deleted or in the trash$/m);
    assert.match(stdout, /^Together: 112 \+ 1 = 113\.$/m);
    assert.match(
      stdout,
      /^Not taken over: 1 app in the trash or of another type, 1 earlier version of a file\.$/m,
    );
    assert.equal(await countOf(target, '/api/apps'), 0);
  });

  test('writes it all and calls no webhook', async () => {
    const { body: webhook } = await target.call('POST', '/api/webhooks', {
      payload_url: 'http://127.0.0.1:9/',
      triggers: ['comments', 'posts', 'messages', 'files', 'apps', 'members', 'reactions'],
    });
    const { code, stdout, stderr } = await importFrom(source, target);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Made: 4 comments, 1 post, 106 messages, 1 file, 6 apps, 4 users\.$/m);
    id = Number(/^This is import (\d+)\.$/m.exec(stdout)?.[1]);
    assert.equal(await countOf(target, `/api/webhooks/${webhook.id}/deliveries`), 0);
    const { made, planned, kind } = await target.read(`/api/imports/${id}`);
    assert.deepEqual(
      [kind, made.posts, made.messages, made.files, planned?.found],
      ['weavy', 1, 106, 1, 113],
    );
  });

  test('keeps users by their uids, in their directories, suspended ones as well', async () => {
    const [ada, bo, dee] = await Promise.all(
      ['ada', 'bo', 'dee'].map((uid) => target.read(`/api/users/${uid}` as '/api/users/ada')),
    );
    assert.deepEqual([ada?.name, ada?.email, dee?.is_suspended], ['Ada', undefined, true]);
    assert.deepEqual([bo?.metadata, bo?.tags], [{ team: 'beds' }, ['crew']]);
    const { data } = await target.read('/api/directories');
    assert.deepEqual(
      data.map(({ id: directory, name }) => [directory, name]),
      [[ada?.directory_id, 'acme']],
    );
  });

  test('keeps a poll with its votes, reactions, a mention and what is below a post', async () => {
    const { data } = await target.read('/api/apps/feed/posts?expand=created_by');
    const [post] = data;
    const bo = await target.read('/api/users/bo');
    assert.equal(post?.text, `Which bed first, [Bo](@u${bo.id})?`);
    assert.deepEqual(
      [post?.created_by?.uid, post?.tags, post?.metadata?.season],
      ['ada', ['beds'], 'spring'],
    );
    assert.deepEqual(
      post?.options.map(({ text, vote_count }) => [text, vote_count]),
      [
        ['Peas', 0],
        ['Beans', 1],
      ],
    );
    assert.deepEqual(post?.reactions.map(({ content }) => content).sort(), ['🎉', '👍']);
    const below = await target.read(`/api/posts/${post?.id}/comments` as '/api/posts/1/comments');
    assert.deepEqual(
      below.data.map(({ text, created_by_id }) => [text, created_by_id]),
      [['Beans, **always**', bo.id]],
    );
  });

  test('keeps a file with its bytes, and an attachment', async () => {
    const { data } = await target.read('/api/apps/plans/files');
    const [file] = data;
    assert.deepEqual([file?.name, file?.tags, file?.comment_count], ['plan.txt', ['draft'], 1]);
    assert.equal(await bytesAt(target, file?.download_url), 'second');
    const rooms = await target.read('/api/apps?contextual=false&q=Harvest');
    const messages = await target.read(
      `/api/apps/${rooms.data[0]?.id}/messages?order_by=id+desc&top=1` as '/api/apps/1/messages',
    );
    assert.equal(await bytesAt(target, messages.data[0]?.attachments[0]?.download_url), attached);
  });

  test('keeps members, their roles and how far they have read', async () => {
    const members = await target.read('/api/apps/feed/members?order_by=id');
    assert.deepEqual(members.data.map(({ uid, access, role }) => [uid, access, role]).sort(), [
      ['ada', 'write', 'manager'],
      ['bo', 'write', undefined],
    ]);
    const bo = target.as(await target.token('bo'));
    const { data } = await bo.read('/api/conversations');
    assert.deepEqual(data.map(({ type, is_unread }) => [type, is_unread]).sort(), [
      ['chat_room', false],
      ['private_chat', false],
    ]);
    const ada = target.as(await target.token('ada'));
    const again = await ada.create('/api/conversations', { members: ['bo'], type: 'private_chat' });
    assert.equal(await countOf(ada, `/api/apps/${again.id}/messages`), 1);
  });

  test('keeps threads', async () => {
    const { data } = await target.read('/api/apps/page/comments?order_by=id');
    assert.deepEqual(
      data.map(({ text, reply_to_id }) => [text, reply_to_id]),
      [
        ['first', undefined],
        ['answer', data[0]?.id],
      ],
    );
  });

  test('leaves counts that the doctor finds right', async () => {
    assert.deepEqual((await runDoctor(['--data-dir', target.folder])).findings, []);
  });

  test('adds nothing the second time, and afterwards only what is new', async () => {
    const second = await importFrom(source, target);
    assert.match(second.stdout, /^Made: 0 comments, 0 posts, 0 messages, 0 files, 0 apps, 0 users\.$/m);
    assert.match(second.stdout, /^There before: 112 items, 6 apps, /m);
    await world.ada.create('/api/apps/page/comments', { text: 'later' });
    const third = await importFrom(source, target);
    assert.match(third.stdout, /^Made: 1 comment, 0 posts, 0 messages, 0 files, 0 apps, 0 users\.$/m);
  });
});

// What an import of a server made can be taken back, and comes back with the next import.
describe('taking back an import of a server', () => {
  const source = useServer();
  const target = useServer();
  use(() => fillWeavy(source));

  test('moves everything to the trash, and restores it', async () => {
    const first = await importFrom(source, target);
    const id = Number(/^This is import (\d+)\.$/m.exec(first.stdout)?.[1]);
    const { undone } = await takeBack(target, id);
    assert.deepEqual(undone, { comments: 4, apps: 6, users: 4, posts: 1, messages: 106, files: 1 });
    assert.equal(await countOf(target, '/api/messages'), 0);
    const rest = readStore(target.folder, `select uid from users where trashed_at is null`);
    assert.deepEqual(
      rest.map(({ uid }) => uid),
      ['system'],
    );
    const again = await importFrom(source, target);
    assert.match(again.stdout, /^Restored: 112 items of an import that was taken back\.$/m, again.stderr);
    assert.equal(await countOf(target, '/api/messages'), 106);
    assert.deepEqual((await runDoctor(['--data-dir', target.folder])).findings, []);
  });

  test('leaves an app that somebody joined, with its imported users', async () => {
    const other = await startTestServer();
    try {
      const first = await importFrom(source, other);
      const id = Number(/^This is import (\d+)\.$/m.exec(first.stdout)?.[1]);
      await other.token('eve', { name: 'Eve' });
      await other.call('PUT', '/api/apps/feed/members/eve', {});
      const { undone } = await takeBack(other, id);
      assert.deepEqual([undone?.apps, undone?.users, undone?.posts], [5, 2, 1]);
      assert.equal(await countOf(other, '/api/apps/feed/members'), 3);
    } finally {
      await other.close();
    }
  });

  test('refuses an app of another type, and writes nothing', async () => {
    const other = await startTestServer();
    try {
      await other.create('/api/apps', { uid: 'feed', type: 'comments' });
      const { code, stderr } = await importFrom(source, other);
      assert.equal(code, 1);
      assert.match(stderr, /nothing was imported: the app "feed" is of type comments/);
      assert.equal(await countOf(other, '/api/users?q=Ada'), 0);
    } finally {
      await other.close();
    }
  });
});
