import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { importAll, takeBack } from 'confab-testing/imports.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

type Shown = { id: number; reply_to_id?: number; root_id?: number; metadata?: any; replies?: Shown[] };

/** The comments of a page in threads: of each its id in the source, or what takes its place. */
async function threadsOf(uid: string): Promise<string[][]> {
  const { data } = await server.read(`/api/apps/${uid}/comments?thread=roots&replies=25`);
  const nameOf = ({ metadata }: Shown) => metadata?.source_id ?? 'place';
  return data.map((root: Shown) => [nameOf(root), ...(root.replies ?? []).map(nameOf)]);
}

/** The id of the comment of a page with an id in its source. */
async function commentOf(uid: string, sourceId: string): Promise<number> {
  const { data } = await server.read(`/api/apps/${uid}/comments?top=100&trashed=null`);
  const found = data.find(({ metadata }: Shown) => metadata?.source_id === sourceId);
  return found?.id ?? assert.fail(`no comment ${sourceId}`);
}

// A reply of an export answers its parent, and what was taken back comes back into its thread.
describe('the threads of an import', () => {
  test('are answers that a later export of the same page continues', async () => {
    const page = 'threads.example/later';
    const uid = 'threads.example~later';
    await importAll(server, disqusExport(2, { page }));
    assert.deepEqual(await threadsOf(uid), [['1', '2']]);
    await importAll(server, disqusExport(4, { page }));
    assert.deepEqual(await threadsOf(uid), [['1', '2', '3', '4']]);
    const last = await server.read(`/api/comments/${await commentOf(uid, '4')}`);
    assert.deepEqual(
      [last.reply_to_id, last.root_id],
      [await commentOf(uid, '3'), await commentOf(uid, '1')],
    );
  });

  test('leave nothing when they are taken back, and are as before when they are imported again', async () => {
    const page = 'threads.example/undone';
    const uid = 'threads.example~undone';
    // A comment of another author keeps the app out of the trash, so that its lists can be read.
    await server.call('PUT', `/api/apps/${uid}`, { type: 'comments' });
    const { id } = await importAll(server, disqusExport(5, { page, first: 101 }));
    const before = await threadsOf(uid);
    assert.deepEqual(before, [['101', '102', '103', '104', '105']]);
    assert.equal((await takeBack(server, id)).undone?.comments, 5);
    assert.deepEqual(await threadsOf(uid), []);
    const again = await importAll(server, disqusExport(5, { page, first: 101 }));
    assert.deepEqual([again.made.comments, again.made.restored], [0, 5]);
    assert.deepEqual(await threadsOf(uid), before);
    const root = await server.read(`/api/comments/${await commentOf(uid, '101')}`);
    assert.equal(root.reply_count, 4);
  });

  test('keep the places that answers of others need, and get them back', async () => {
    const page = 'threads.example/others';
    const uid = 'threads.example~others';
    const { id } = await importAll(server, disqusExport(2, { page, first: 201 }));
    const user = await makeUser(server);
    const written = await user.create(`/api/apps/${uid}/comments`, {
      text: 'I agree',
      reply_to: await commentOf(uid, '202'),
    });
    assert.equal((await takeBack(server, id)).undone?.comments, 2);
    const { data } = await server.read(`/api/apps/${uid}/comments?thread=roots`);
    assert.deepEqual(
      data.map(({ text, replies }: any) => [text, replies.map((each: Shown) => each.id)]),
      [[undefined, [written.root_id ? written.reply_to_id : 0, written.id]]],
    );
    await importAll(server, disqusExport(2, { page, first: 201 }));
    assert.deepEqual(await threadsOf(uid), [['201', '202', 'place']]);
  });

  test('go on below a comment that was put in the trash or deleted meanwhile', async () => {
    const page = 'threads.example/gone';
    const uid = 'threads.example~gone';
    await importAll(server, disqusExport(2, { page, first: 301 }));
    const [first, second] = [await commentOf(uid, '301'), await commentOf(uid, '302')];
    await server.call('POST', `/api/comments/${second}/trash`);
    await importAll(server, disqusExport(3, { page, first: 301 }));
    assert.deepEqual(await threadsOf(uid), [['301', 'place', '303']]);
    const third = await server.read(`/api/comments/${await commentOf(uid, '303')}`);
    assert.deepEqual([third.reply_to_id, third.root_id], [second, first]);
    // Deleted permanently, it leaves its place, which the next answer finds.
    assert.equal((await server.call('DELETE', `/api/comments/${third.id}`)).status, 204);
    assert.equal((await server.call('DELETE', `/api/comments/${second}`)).status, 204);
    await importAll(server, disqusExport(4, { page, first: 301 }));
    const fourth = await server.read(`/api/comments/${await commentOf(uid, '304')}`);
    assert.deepEqual([fourth.reply_to_id, fourth.root_id], [undefined, undefined]);
    assert.deepEqual(await threadsOf(uid), [['301'], ['304']]);
  });
});
