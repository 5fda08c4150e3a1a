import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

test('counts the comments of several apps, in the order in which they are asked for', async () => {
  const uids = ['counted-a', 'counted-b,with-comma', 'counted-c'];
  for (const [index, uid] of uids.entries()) {
    const app = await makeApp(server, { uid, access: 'write' });
    for (let number = 0; number < index; number += 1) await makeComment(server, app.id, { text: 'words' });
  }
  const asked = ['counted-c', 'absent', ...uids, 'counted-a'];
  const query = asked.map((uid) => `uid=${encodeURIComponent(uid)}`).join('&');
  assert.deepEqual(await server.read(`/api/counts?${query}`), { counts: [2, 0, 0, 1, 2, 0] });
});

test('leaves out what is held or in the trash, and what is on posts and files', async () => {
  const app = await makeApp(server, { uid: 'counted-live', access: 'write' });
  const [held, trashed] = [
    await makeComment(server, app.id, { text: 'held' }),
    await makeComment(server, app.id, { text: 'trashed' }),
  ];
  await makeComment(server, app.id, { text: 'shown' });
  await server.call('POST', `/api/comments/${held.id}/hold`);
  await server.call('POST', `/api/comments/${trashed.id}/trash`);
  assert.deepEqual(await server.read('/api/counts?uid=counted-live'), { counts: [1] });
});

test('is 0 for an app that the caller may not see, as for one that is not there', async () => {
  const { token } = await makeUser(server);
  const app = await makeApp(server, { uid: 'counted-closed', access: 'none' });
  await makeComment(server, app.id, { text: 'words' });
  const path = '/api/counts?uid=counted-closed&uid=nowhere';
  assert.deepEqual(await server.read(path, { as: token }), { counts: [0, 0] });
  assert.deepEqual(await server.read(path), { counts: [1, 0] });
});

test('takes at most a hundred apps, and none', async () => {
  const query = Array.from({ length: 101 }, (_, index) => `uid=many-${index}`).join('&');
  assert.equal((await server.read(`/api/counts?${query}`)).counts.length, 100);
  assert.deepEqual(await server.read('/api/counts'), { counts: [] });
});

test('shows a visitor the count after the next comment', async () => {
  const app = await makeApp(server, { uid: 'counted-open', access: 'write', visitors: 'read' });
  const visitor = server.as(null);
  const shown = async () => (await visitor.read('/api/counts?uid=counted-open&uid=later')).counts;
  for (const count of [0, 1, 2]) {
    assert.deepEqual(await shown(), [count, 0]);
    await makeComment(server, app.id, { text: 'words' });
  }
  const later = await makeApp(server, { uid: 'later', access: 'write', visitors: 'read' });
  await makeComment(server, later.id, { text: 'words' });
  assert.deepEqual(await shown(), [3, 1]);
});
