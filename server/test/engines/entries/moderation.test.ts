import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentKind, contentKinds, makeContent } from 'confab-testing/content.ts';
import { makeApp, makeBlob, type Person, usePeople } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Caller, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer({}, { isQuiet: true });
const watch = useStoreWatch(server);
const [manager, author, visitor] = usePeople(server, 'Manager', 'Author', 'Visitor');

/** A thing by the author in an app of the manager, and what becomes of it. */
async function makeThing(kind: string, writer: Person = author) {
  const { type, edit } = contentKind(kind);
  const app = await makeApp(manager, { type, access: 'write' });
  const { id, path } = await makeContent(writer, app.id, { kind });
  const call = (method: string, suffix = '', by: Caller = server, headers: Record<string, string> = {}) =>
    by.call(method, path + suffix, method === 'PATCH' ? edit : undefined, { headers });
  return {
    app,
    path,
    call,
    trash: (by: Caller) => call('POST', '/trash', by),
    restore: (by: Caller) => call('POST', '/restore', by),
    edit: (by: Caller) => call('PATCH', '', by),
    isTrashed: async () => (await call('GET', '?trashed=true')).body.is_trashed as boolean,
    actions: () =>
      watch
        .rows(`select action from events where entity_type = '${kind}' and entity_id = ${id} order by id`)
        .map(({ action }) => action),
  };
}

for (const name of Object.keys(contentKinds)) {
  // Authors can restore what they trashed themselves, but not what another user trashed.
  describe(`a ${name} in the trash`, () => {
    test('of its author is restored by its author', async () => {
      const thing = await makeThing(name);
      assert.equal((await thing.trash(author)).status, 200);
      assertProblem(await thing.edit(author), 404, 'not_found');
      assert.equal((await thing.restore(author)).status, 200);
      assert.equal((await thing.edit(author)).status, 200);
    });

    for (const [who, trash] of [
      ['a key', (path: string) => server.call('POST', `${path}/trash`)],
      [
        'a key on behalf of somebody else',
        (path: string) =>
          server.call('POST', `${path}/trash`, undefined, { headers: { 'x-confab-user': visitor.uid } }),
      ],
      ['a manager', (path: string) => manager.call('POST', `${path}/trash`)],
    ] as const)
      test(`of ${who} is neither restored nor edited by its author`, async () => {
        const thing = await makeThing(name);
        assert.equal((await trash(thing.path)).status, 200);
        assertProblem(await thing.restore(author), 403, 'moderated');
        assertProblem(await thing.edit(author), 403, 'moderated');
        assertProblem(await thing.restore(visitor), 403, 'edit_forbidden');
        assertProblem(await thing.edit(visitor), 404, 'not_found');
        assert.equal(await thing.isTrashed(), true);
        assert.equal((await thing.restore(manager)).status, 200);
        assert.equal((await thing.edit(author)).status, 200);
        // It is forgotten with the restoring.
        await thing.trash(author);
        assert.equal((await thing.restore(author)).status, 200);
      });

    test('of a key is restored by a key, also one that acts for its author', async () => {
      for (const headers of [{}, { 'x-confab-user': author.uid }]) {
        const thing = await makeThing(name);
        await thing.trash(server);
        assert.equal((await thing.call('POST', '/restore', server, headers)).status, 200);
      }
    });

    test('of a key that acts for its author counts as trashed by its author', async () => {
      const thing = await makeThing(name);
      await thing.call('POST', '/trash', server, { 'x-confab-user': author.uid });
      assert.equal((await thing.restore(author)).status, 200);
    });

    test('of a key is not restored by an author who manages the app', async () => {
      const thing = await makeThing(name, manager);
      await thing.trash(server);
      assertProblem(await thing.restore(manager), 403, 'moderated');
      assert.equal(await thing.isTrashed(), true);
    });

    test('of its author becomes moderated when a manager trashes it as well, with one event', async () => {
      const thing = await makeThing(name);
      await thing.trash(author);
      for (let turn = 0; turn < 2; turn += 1)
        assert.equal((await thing.trash(manager)).body.is_trashed, true);
      assertProblem(await thing.restore(author), 403, 'moderated');
      // Not the other way round: the author cannot make it theirs again.
      assert.equal((await thing.trash(author)).status, 200);
      assertProblem(await thing.restore(author), 403, 'moderated');
      assert.deepEqual(thing.actions(), [`${name}_created`, `${name}_trashed`, `${name}_trashed`]);
      const list = `/api/apps/${thing.app.id}/${contentKind(name).list}?count_only=true&trashed=`;
      const counts = ['true', 'false'].map(async (which) => (await server.read(list + which)).count);
      assert.deepEqual(await Promise.all(counts), [1, 0]);
    });

    test('of a key can still be deleted by its author', async () => {
      const thing = await makeThing(name);
      await thing.trash(server);
      assert.equal((await thing.call('DELETE', '', author)).status, 204);
    });
  });

  // Managers of an app remove the content of others but never change it.
  describe(`a ${name} of another user`, () => {
    test('is trashed, restored and deleted by a manager, but edited only by its author and keys', async () => {
      const thing = await makeThing(name);
      const refused = await thing.edit(manager);
      assertProblem(refused, 403, 'edit_forbidden');
      assert.match(refused.body.detail, /author.*API key/);
      assert.equal((await thing.edit(author)).status, 200);
      assert.equal((await thing.edit(server)).status, 200);
      assert.equal((await thing.trash(manager)).status, 200);
      assert.equal((await thing.restore(manager)).status, 200);
      assert.equal((await thing.call('DELETE', '', manager)).status, 204);
    });
  });
}

// There is no way around: whatever else brings things back leaves alone what a moderator took away.
describe('an item that a key put in the trash', () => {
  test('stays there when the post above it goes to the trash and comes back', async () => {
    const app = await makeApp(author, { type: 'posts', access: 'write' });
    const { id: above } = await author.create(`/api/apps/${app.id}/posts`, { text: 'post' });
    const { id } = await author.create(`/api/posts/${above}/comments`, { text: 'words' });
    await server.call('POST', `/api/comments/${id}/trash`);
    for (const verb of ['trash', 'restore'])
      assert.equal((await author.call('POST', `/api/posts/${above}/${verb}`)).status, 200);
    assert.equal((await server.call('GET', `/api/comments/${id}`)).status, 404);
    const body = await server.read(`/api/posts/${above}/comments`);
    assert.deepEqual(body.data, []);
  });

  test('stays there when the app goes to the trash and comes back', async () => {
    const app = await makeApp(author, { access: 'write' });
    const { id } = await author.create(`/api/apps/${app.id}/comments`, { text: 'words' });
    await server.call('POST', `/api/comments/${id}/trash`);
    for (const verb of ['trash', 'restore']) await author.call('POST', `/api/apps/${app.id}/${verb}`);
    assertProblem(await author.call('POST', `/api/comments/${id}/restore`), 403, 'moderated');
  });

  test('keeps its attachments hidden with it', async () => {
    const app = await makeApp(manager, { access: 'write' });
    const blob = await makeBlob(author);
    const { id } = await author.create(`/api/apps/${app.id}/comments`, { blobs: [blob] });
    const [file] = (await server.read(`/api/comments/${id}`)).attachments;
    await server.call('POST', `/api/comments/${id}/trash`);
    for (const [method, suffix, body] of [
      ['POST', '/restore', undefined],
      ['PATCH', '', { name: 'x.txt' }],
      ['POST', '/versions/1/restore', undefined],
    ] as const) {
      assert.equal((await author.call(method, `/api/files/${file.id}${suffix}`, body)).status, 404);
    }
  });

  test('is not restored as a file by an upload of the same name or by an earlier version', async () => {
    const app = await makeApp(manager, { type: 'files', access: 'write' });
    const upload = async (fields: object = {}) => {
      const body = { blob_id: await makeBlob(author), name: 'notes.txt', ...fields };
      return await author.call('POST', `/api/apps/${app.id}/files`, body);
    };
    const { id } = (await upload()).body;
    assert.equal((await upload({ replace: true })).body.version, 2);
    const path = `/api/files/${id}`;
    await server.call('POST', `${path}/trash`);
    for (const fields of [{}, { replace: true }]) assertProblem(await upload(fields), 403, 'moderated');
    assertProblem(await author.call('POST', `${path}/versions/1/restore`), 403, 'moderated');
    assert.equal((await server.call('GET', path)).status, 404);
    await server.call('POST', `${path}/restore`);
    // What the author trashed comes back with an upload, as ever.
    await author.call('POST', `${path}/trash`);
    assert.equal((await upload()).status, 200);
    assert.equal((await server.read(path)).version, 3);
  });
});

// The name, the content and the earlier versions of a file are its author's words.
describe('a file of another user', () => {
  test('is not renamed, replaced or reverted by a manager, who may delete a version', async () => {
    const app = await makeApp(manager, { type: 'files', access: 'write' });
    const name = 'plan.txt';
    const { id } = await author.create(`/api/apps/${app.id}/files`, {
      blob_id: await makeBlob(author),
      name,
    });
    const second = { blob_id: await makeBlob(author), backup: true };
    await author.call('PATCH', `/api/files/${id}`, second);
    for (const change of [
      { name: 'x.txt' },
      { blob_id: await makeBlob(manager) },
      { metadata: { a: 1 } },
      { tags: ['t'] },
    ])
      assertProblem(await manager.call('PATCH', `/api/files/${id}`, change), 403, 'edit_forbidden');
    const replacing = { blob_id: await makeBlob(manager), name, replace: true };
    assertProblem(await manager.call('POST', `/api/apps/${app.id}/files`, replacing), 403, 'edit_forbidden');
    const version = `/api/files/${id}/versions/1`;
    assertProblem(await manager.call('POST', `${version}/restore`), 403, 'edit_forbidden');
    assert.equal((await manager.call('DELETE', version)).status, 204);
  });
});
