import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentKind, contentKinds, makeContent } from 'confab-testing/content.ts';
import { makeApp, makeBlob, makeDirectory, usePeople } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Answer, type Caller, freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer({}, { isQuiet: true });
const watch = useStoreWatch(server);
const [moderator, author, visitor] = usePeople(server, 'Moderator', 'Author', 'Visitor');

const words = 'forbidden words';

/** Something by the author in an app with a moderator. */
async function makeThing(name: string, writer = author) {
  const { type, list, edit } = contentKind(name);
  const app = await makeApp(server, { type, access: 'write', members: { moderator: [moderator] } });
  const { id, path } = await makeContent(writer, app.id, { kind: name, words });
  const before = Number(watch.rows('select max(id) as id from events')[0]?.['id']);
  const call = (method: string, suffix: string, by: Caller): Promise<Answer> =>
    by.call(method, path + suffix, method === 'PATCH' ? edit : undefined) as Promise<Answer>;
  return {
    app,
    path,
    call,
    hold: (by: Caller = moderator) => call('POST', '/hold', by),
    approve: (by: Caller = moderator) => call('POST', '/approve', by),
    counts: async () =>
      await Promise.all(
        ['false', 'true', 'null'].map(async (trashed) => {
          const query = `/api/apps/${app.id}/${list}?trashed=${trashed}`;
          const body = await server.read(query);
          assert.equal(body.data.length, body.count, 'the stored count is another one than that of the rows');
          return body.count;
        }),
      ),
    actions: () =>
      watch
        .rows(`select action from events where entity_type = '${name}' and entity_id = ${id} order by id`)
        .map(({ action }) => action),
    feed: async (by: Caller) => {
      const body = await by.read(`/api/events?after=${before}&top=100`);
      return (body.data as { action: string; [entity: string]: unknown }[])
        .filter((event) => (event[name] as { id?: number } | undefined)?.id === id)
        .map(({ action }) => action);
    },
  };
}

for (const name of Object.keys(contentKinds))
  describe(`a ${name} that is held`, () => {
    test('is seen by its author and moderators alone, in no list and no count', async () => {
      const thing = await makeThing(name);
      assert.deepEqual(await thing.counts(), [1, 0, 1]);
      const { status, body } = await thing.hold();
      assert.deepEqual([status, body.is_held, body.is_trashed], [200, true, false]);
      for (const by of [author, moderator, server])
        for (const query of ['', '?trashed=true']) {
          const seen = await thing.call('GET', query, by);
          assert.deepEqual([seen.status, seen.body.is_held, seen.body.is_trashed], [200, true, false]);
        }
      for (const query of ['', '?trashed=true'])
        assertProblem(await thing.call('GET', query, visitor), 404, 'not_found');
      assert.deepEqual(await thing.counts(), [0, 0, 0]);
    });

    test('comes back to everyone when it is approved', async () => {
      const thing = await makeThing(name);
      await thing.hold();
      const { status, body } = await thing.approve();
      assert.deepEqual([status, body.is_held, body.is_trashed], [200, undefined, false]);
      assert.equal((await thing.call('GET', '', visitor)).status, 200);
      assert.deepEqual(await thing.counts(), [1, 0, 1]);
      assert.equal((await thing.call('PATCH', '', author)).status, 200);
    });

    test('is held and approved once', async () => {
      const thing = await makeThing(name);
      for (const act of [thing.hold, thing.approve])
        for (let turn = 0; turn < 2; turn += 1) assert.equal((await act()).status, 200);
      assert.deepEqual(thing.actions(), [
        ...[`${name}_created`, `${name}_trashed`, `${name}_held`],
        ...[`${name}_restored`, `${name}_approved`],
      ]);
    });

    test('is held and approved by moderators alone, and approved by none but others', async () => {
      const thing = await makeThing(name);
      for (const by of [author, visitor]) assertProblem(await thing.hold(by), 403, 'moderate_forbidden');
      const own = await makeThing(name, moderator);
      await own.hold(server);
      assertProblem(await own.approve(), 403, 'moderated');
      assert.equal((await own.approve(server)).status, 200);
      await thing.hold();
      assertProblem(await thing.approve(author), 403, 'moderate_forbidden');
      assertProblem(await thing.approve(visitor), 404, 'not_found');
    });

    test('is edited by nobody, and stays moderated when its author trashes it', async () => {
      const thing = await makeThing(name);
      await thing.hold();
      for (const by of [author, server]) assertProblem(await thing.call('PATCH', '', by), 403, 'moderated');
      assertProblem(await thing.call('PATCH', '', visitor), 404, 'not_found');
      assertProblem(await thing.call('POST', '/restore', author), 403, 'moderated');
      const { status, body } = await thing.call('POST', '/trash', author);
      assert.deepEqual([status, body.is_held, body.is_trashed], [200, undefined, true]);
      assert.deepEqual(await thing.counts(), [0, 1, 1]);
      assertProblem(await thing.call('POST', '/restore', author), 403, 'moderated');
      assert.equal((await thing.call('POST', '/restore', moderator)).status, 200);
      assert.deepEqual(await thing.counts(), [1, 0, 1]);
    });

    test('is deleted by its author and by a moderator', async () => {
      for (const by of [author, moderator]) {
        const thing = await makeThing(name);
        await thing.hold();
        assert.equal((await thing.call('DELETE', '', by)).status, 204);
        assert.deepEqual(await thing.counts(), [0, 0, 0]);
      }
    });

    test('tells others no more than that it is gone', async () => {
      const thing = await makeThing(name);
      await thing.hold();
      await thing.approve();
      const toAll = [`${name}_trashed`, `${name}_restored`];
      assert.deepEqual(await thing.feed(visitor), toAll);
      for (const by of [author, moderator])
        assert.deepEqual(await thing.feed(by), [toAll[0], `${name}_held`, toAll[1], `${name}_approved`]);
      const [{ payload } = {}] = watch.rows(
        `select payload from events where action = '${name}_trashed' order by id desc limit 1`,
      );
      assert.ok(!String(payload).includes(words), 'what it says is told');
    });

    test('is not found in the trash, by those who may not moderate', async () => {
      const thing = await makeThing(name);
      await thing.call('POST', '/trash', author);
      assertProblem(await thing.hold(), 404, 'not_found');
      assertProblem(await thing.approve(), 404, 'not_found');
    });
  });

// An app that asks for approval holds what users write until a moderator has approved it.
describe('an app that asks for approval', () => {
  const fieldsOf = async (name: string, by: Caller) =>
    name === 'file' ? { blob_id: await makeBlob(by) } : { text: words };
  const write = async (app: number, name: string, by: Caller = author) =>
    (await by.call('POST', `/api/apps/${app}/${contentKind(name).list}`, await fieldsOf(name, by))) as Answer;
  const appFor = async (name: string, fields: object) => {
    const { type } = contentKind(name);
    const members = { moderator: [moderator] };
    return (await makeApp(server, { type, access: 'write', members, ...fields })).id;
  };
  const actions = (name: string, id: number) =>
    watch.rows(
      `select action, actor_id, is_silent from events where entity_type = '${name}' and entity_id = ${id} order by id`,
    );

  for (const name of Object.keys(contentKinds)) {
    test(`holds each ${name} of a user, and tells of it once it is approved`, async () => {
      const app = await appFor(name, { approval: 'everything' });
      const { list } = contentKind(name);
      const { status, body } = await write(app, name);
      assert.deepEqual([status, body.is_held, body.is_trashed], [201, true, false]);
      const path = `/api/${list}/${body.id}`;
      assertProblem(await visitor.call('GET', path), 404, 'not_found');
      assert.deepEqual(
        actions(name, body.id).map(({ action }) => action),
        [`${name}_held`],
      );
      assert.equal((await server.read(`/api/apps/${app}/${list}?trashed=null`)).count, 0);
      await moderator.call('POST', `${path}/approve`);
      assert.equal((await visitor.call('GET', path)).status, 200);
      assert.equal((await server.read(`/api/apps/${app}/${list}`)).count, 1);
      const [, created, approved] = actions(name, body.id);
      assert.deepEqual([created?.['action'], created?.['actor_id']], [`${name}_created`, author.id]);
      assert.deepEqual([approved?.['action'], approved?.['actor_id']], [`${name}_approved`, moderator.id]);
      for (const by of [moderator, server])
        assert.equal((await write(app, name, by)).body.is_held, undefined);
    });

    test(`tells nobody of a ${name} that its author takes away first`, async () => {
      const app = await appFor(name, { approval: 'everything' });
      const { list } = contentKind(name);
      const { id } = (await write(app, name)).body;
      for (const [method, suffix] of [
        ['POST', '/trash'],
        ['DELETE', ''],
      ] as const)
        assert.ok((await author.call(method, `/api/${list}/${id}${suffix}`)).status < 300);
      const body = await visitor.read('/api/events?after=0&top=100');
      assert.ok(!body.data.some((event) => JSON.stringify(event).includes(`"${name}":{"id":${id},`)));
      assert.deepEqual(
        actions(name, id).map(({ is_silent }) => Number(is_silent)),
        [0, 1, 1],
      );
    });
  }

  test('of newcomers holds their first, as many as it says', async () => {
    const app = await appFor('comment', { approval: 'newcomers', approval_count: 2 });
    for (let turn = 0; turn < 2; turn += 1) {
      const { body } = await write(app, 'comment');
      assert.equal(body.is_held, true);
      await moderator.call('POST', `/api/comments/${body.id}/approve`);
    }
    assert.equal((await write(app, 'comment')).body.is_held, undefined);
    assert.equal((await write(app, 'comment', visitor)).body.is_held, true);
    const { body } = await server.call('PATCH', `/api/apps/${app}`, { approval: null });
    assert.equal(body.approval, undefined);
    assert.equal((await write(app, 'comment', visitor)).body.is_held, undefined);
  });

  test('of newcomers knows them on all pages of one host and directory', async () => {
    const host = `${freshUid('blog')}.example`;
    const page = async (uid: string, fields: object = {}) =>
      (await makeApp(server, { uid, access: 'write', approval: 'newcomers', ...fields })).id;
    const isHeld = async (app: number) => (await write(app, 'comment')).body.is_held === true;
    const directory = await makeDirectory(server, host);
    const first = await page(`${host}~posts~1`);
    const others = [await page(`${host}~posts~2`), await page(`${host}~~p=3`), await page(host)];
    const elsewhere = [
      await page(`www.${host}~posts~1`),
      await page(`${host}x~posts~1`),
      await page(`${host}~managed`, { members: { manager: [moderator] } }),
      await page(`${host}~of-a-directory`, { directory: String(directory), members: { write: [author] } }),
    ];
    const { body } = await write(first, 'comment');
    for (const app of [first, ...others, ...elsewhere]) assert.equal(await isHeld(app), true);
    await server.call('POST', `/api/comments/${body.id}/approve`);
    for (const app of [first, ...others]) assert.equal(await isHeld(app), false);
    for (const app of elsewhere) assert.equal(await isHeld(app), true);
    const [, , managed = 0] = elsewhere;
    const held = await write(managed, 'comment');
    await server.call('POST', `/api/comments/${held.body.id}/approve`);
    assert.equal(await isHeld(managed), false);
  });

  test('of newcomers counts what was approved on a managed app for that app alone', async () => {
    const host = `${freshUid('managed')}.example`;
    const fields = { access: 'write', approval: 'newcomers' };
    const members = { manager: [moderator] };
    const managed = await makeApp(server, { ...fields, uid: `${host}~1`, members });
    const page = await makeApp(server, { ...fields, uid: `${host}~2` });
    const { body } = await write(managed.id, 'comment');
    await moderator.call('POST', `/api/comments/${body.id}/approve`);
    assert.equal((await write(managed.id, 'comment')).body.is_held, undefined);
    assert.equal((await write(page.id, 'comment')).body.is_held, true);
  });

  test('is set by managers and API keys alone', async () => {
    const app = await appFor('comment', {});
    assertProblem(
      await moderator.call('PATCH', `/api/apps/${app}`, { approval: 'everything' }),
      403,
      'manage_forbidden',
    );
    assertProblem(
      await server.call('PATCH', `/api/apps/${app}`, { approval: 'sometimes' }),
      422,
      'validation_failed',
    );
  });
});
