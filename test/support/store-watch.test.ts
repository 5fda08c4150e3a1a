import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { before, freshUid, useServer } from './server.ts';
import { type StoreWatch, watchStore, writeStore } from './store-watch.ts';

// Tests that assert that nothing was written rely on a watch that notices every write.
describe('the watch of a store', () => {
  let watch: StoreWatch;
  const server = useServer({}, { isQuiet: true });
  before(async () => {
    await server.call('PUT', '/api/users/kept', { name: 'Kept', tags: ['one', 'two'] });
    watch = watchStore(server.folder);
  });
  after(async () => {
    watch.close();
  });

  const seen = () => ({ hasCommitted: watch.hasCommitted(), hasChanged: watch.hasChanged() });

  test('sees nothing after reads and refusals', async () => {
    assert.equal((await server.call('GET', '/api/users/kept')).status, 200);
    assert.equal((await server.call('PUT', '/api/users/other', { name: 7 })).status, 400);
    assert.equal((await server.call('DELETE', '/api/apps/nobody')).status, 404);
    assert.deepEqual(seen(), { hasCommitted: false, hasChanged: false });
  });

  test('sees a created, changed or deleted row once', async () => {
    const uid = freshUid();
    assert.equal((await server.call('PUT', `/api/users/${uid}`, {})).status, 201);
    assert.deepEqual(seen(), { hasCommitted: true, hasChanged: true });
    writeStore(server.folder, `update users set comment = 'changed' where uid = '${uid}'`);
    assert.deepEqual(seen(), { hasCommitted: true, hasChanged: true });
    writeStore(server.folder, "delete from user_tags where tag = 'one'");
    assert.deepEqual(seen(), { hasCommitted: true, hasChanged: true });
    assert.deepEqual(seen(), { hasCommitted: false, hasChanged: false });
  });

  test('distinguishes rows written unchanged from different ones', () => {
    writeStore(server.folder, "update users set comment = 'passing' where uid = 'kept'");
    writeStore(server.folder, "update users set comment = null where uid = 'kept'");
    assert.deepEqual(seen(), { hasCommitted: true, hasChanged: false });
  });

  test('shows all rows', () => {
    assert.deepEqual(watch.rows("select uid, is_bot from users where uid = 'kept'"), [
      { uid: 'kept', is_bot: 0 },
    ]);
    assert.equal(watch.count('user_tags'), 1);
  });
});
