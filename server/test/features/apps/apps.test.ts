import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { App } from 'confab-contract/apps.ts';
import { makeApp, makeDirectory, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);

const alwaysThere = [
  'access',
  'created_at',
  'created_by_id',
  'display_name',
  'id',
  'is_starred',
  'is_subscribed',
  'is_trashed',
  'permissions',
  'tags',
  'type',
  'uid',
];
const everyPermission = ['list', 'read', 'create', 'update', 'delete', 'admin'];

async function listed(uid: string): Promise<App> {
  const body = await server.read(`/api/apps?q=${uid}&trashed=null`);
  const item = body.data.find((app: App) => app.uid === uid);
  assert.ok(item !== undefined, `${uid} is not listed`);
  return item;
}

/** The actions of the events of an app in their order. */
function actionsOf(id: number): unknown[] {
  return watch.rows(`select action from events where app_id = ${id} order by id`).map((row) => row['action']);
}

// An app has exactly the fields of specification section 2.1, and those without a value are left out.
describe('an app', () => {
  test('with only the required fields has its defaults and no empty fields', async () => {
    const uid = freshUid('app');
    const body = await server.create('/api/apps', { uid, type: 'comments' });
    assert.deepEqual(Object.keys(body).sort(), [...alwaysThere, 'created_by', 'members'].sort());
    const { id, created_at, created_by, created_by_id, members, ...rest } = body;
    assert.ok(Number.isSafeInteger(id) && id > 0);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(created_by.id, created_by_id);
    assert.equal(created_by.uid, 'system');
    assert.equal(created_by.is_bot, true);
    assert.deepEqual(members, { data: [], start: 0, end: 0, count: 0 });
    assert.deepEqual(rest, {
      uid,
      type: 'comments',
      access: 'none',
      display_name: uid,
      tags: [],
      permissions: everyPermission,
      is_starred: false,
      is_subscribed: false,
      is_trashed: false,
    });
  });

  test('keeps every field of a create request', async () => {
    const directory_id = await makeDirectory(server, 'keeping');
    const fields = {
      access: 'read',
      name: 'Plans & <ideas>',
      description: 'what we\nmean to do',
      metadata: { color: 'red', nested: { list: [1, null, 'x', false, 1.5] }, '': '' },
      tags: ['b', 'a', 'ü'],
    };
    const app = await makeApp(server, { ...fields, directory: 'keeping' });
    const body = await server.read(`/api/apps/${app.id}`);
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(Object(body)[name], value, name);
    assert.equal(body.display_name, fields.name);
    assert.equal(body.directory_id, directory_id);
    assert.deepEqual(body, app);
    const byId = await makeApp(server, { directory: String(directory_id) });
    assert.equal(byId.directory_id, directory_id);
  });

  test('is the same by its id and by its uid', async () => {
    const app = await makeApp(server, { uid: freshUid('ü/a#b?') });
    const byId = await server.call('GET', `/api/apps/${app.id}`);
    const byUid = await server.call('GET', `/api/apps/${encodeURIComponent(app.uid)}`);
    assert.deepEqual(byUid.body, byId.body);
  });

  test('in a list has only the flat fields', async () => {
    const plain = await makeApp(server);
    assert.deepEqual(Object.keys(await listed(plain.uid)).sort(), alwaysThere);
    const full = await makeApp(server, {
      name: 'n',
      description: 'd',
      metadata: {},
      directory: String(await makeDirectory(server, 'flat')),
    });
    await server.call('PATCH', `/api/apps/${full.id}`, { name: 'm' });
    assert.deepEqual(
      Object.keys(await listed(full.uid)).sort(),
      [
        ...alwaysThere,
        'description',
        'directory_id',
        'metadata',
        'modified_at',
        'modified_by_id',
        'name',
      ].sort(),
    );
  });

  for (const [sent, type] of [
    ['chat', 'chat'],
    ['COMMENTS', 'comments'],
    ['Files', 'files'],
    ['posts', 'posts'],
    ['chat_room', 'chat_room'],
    ['private_chat', 'private_chat'],
    ['88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd', 'comments'],
    ['5EBFA152-DE85-48DA-82DD-30A1B560C313', 'posts'],
  ] as const)
    test(`of the type ${sent} is of the type ${type}`, async () => {
      assert.equal((await makeApp(server, { type: sent })).type, type);
    });

  test('whose name is empty or blank shows its uid', async () => {
    for (const name of ['', ' ', '\t\n', '\u00a0\u3000', '\u200b\u200e']) {
      const app = await makeApp(server, { name });
      assert.deepEqual([app.display_name, app.name], [app.uid, name], JSON.stringify(name));
      const { body } = await server.call('PATCH', `/api/apps/${app.id}`, { name: ' Plan ' });
      assert.equal(body.display_name, ' Plan ');
      assert.equal((await server.call('PATCH', `/api/apps/${app.id}`, { name })).body.display_name, app.uid);
    }
  });

  test('treats null on create as absent', async () => {
    const app = await makeApp(server, {
      name: null,
      access: null,
      tags: null,
      metadata: null,
      directory: null,
    });
    assert.equal(app.access, 'none');
    assert.ok(!('name' in app) && !('metadata' in app));
  });

  test('folds and trims its tags and keeps their order', async () => {
    assert.deepEqual((await makeApp(server, { tags: [' b ', 'a', 'b', 'B'] })).tags, ['b', 'a', 'B']);
  });

  test('ignores unknown properties, and names them with strict handling', async () => {
    const body = { uid: freshUid('app'), type: 'chat', colour: 'red', id: 5, created_by_id: 7 };
    const strict = await server.call('POST', '/api/apps', body, { headers: { prefer: 'handling=strict' } });
    assertProblem(strict, 422, 'validation_failed', '/colour', '/id', '/created_by_id');
    const lenient = await server.call('POST', '/api/apps', body);
    assert.equal(lenient.status, 201);
    assert.equal(lenient.body.created_by.uid, 'system');
  });

  test('with a taken uid is refused, even when the other one is in the trash', async () => {
    const app = await makeApp(server);
    const again = { uid: app.uid, type: 'chat' };
    assertProblem(await server.call('POST', '/api/apps', again), 422, 'validation_failed', '/uid');
    await server.call('POST', `/api/apps/${app.id}/trash`);
    assertProblem(await server.call('POST', '/api/apps', again), 422, 'validation_failed', '/uid');
  });

  test('of ASCII digits in a path is an id and never a uid', async () => {
    const app = await makeApp(server, { uid: freshUid('٣') });
    assert.equal((await server.read(`/api/apps/${encodeURIComponent(app.uid)}`)).id, app.id);
    assert.equal((await server.call('GET', `/api/apps/0${app.id}`)).status, 404);
  });
});

// The creator of an app joins and manages it; an API key manages without joining.
describe('the creator of an app', () => {
  test('is its first member, with write access and every permission', async () => {
    const user = await makeUser(server, { name: 'Ada' });
    const app = await makeApp(user);
    assert.equal(app.created_by_id, user.id);
    assert.deepEqual(app.permissions, everyPermission);
    assert.deepEqual(app.members, {
      data: [
        {
          id: user.id,
          uid: user.uid,
          access: 'write',
          role: 'manager',
          display_name: 'Ada',
          presence: 'away',
          is_bot: false,
        },
      ],
      start: 1,
      end: 1,
      count: 1,
    });
  });

  test('can be named by an API key', async () => {
    const user = await makeUser(server);
    const headers = { 'x-confab-user': user.uid };
    assert.equal((await makeApp(server, {}, { headers })).created_by_id, user.id);
  });

  test('can open it to their own directory, not to another', async () => {
    const [own, other] = [freshUid('own'), freshUid('other')];
    const directory_id = await makeDirectory(server, own);
    await makeDirectory(server, other);
    const user = await makeUser(server, { directory: own });
    const app = await makeApp(user, { directory: own });
    assert.equal(app.directory_id, directory_id);
    const opened = { type: 'comments', directory: other };
    for (const [method, path, body] of [
      ['PATCH', `/api/apps/${app.id}`, { directory: other }],
      ['PUT', `/api/apps/${app.uid}`, opened],
      ['PUT', `/api/apps/${freshUid('new')}`, opened],
    ] as const)
      assertProblem(await user.call(method, path, body), 403, 'directory_forbidden');
    assert.equal((await server.call('PATCH', `/api/apps/${app.id}`, { directory: other })).status, 200);
    const repeated = { directory: other, name: 'mine' };
    assert.equal((await user.call('PATCH', `/api/apps/${app.id}`, repeated)).status, 200);
  });
});

// `permissions` shows the level of a caller.
describe('permissions', () => {
  for (const [access, permissions] of [
    ['read', ['list', 'read']],
    ['write', ['list', 'read', 'create']],
  ] as const)
    test(`of a member and of a non-member with ${access} access`, async () => {
      const user = await makeUser(server);
      const open = await makeApp(server, { access });
      const joined = await makeApp(server);
      await server.call('PUT', `/api/apps/${joined.id}/members/${user.uid}`, { access });
      for (const app of [open, joined]) {
        const body = await user.read(`/api/apps/${app.id}`);
        assert.deepEqual(body.permissions, permissions);
      }
    });
});

// PATCH keeps absent fields, clears null ones, replaces present ones, and records the editor.
describe('updating an app', () => {
  const full = { access: 'read', name: 'n', description: 'd', metadata: { a: 1 }, tags: ['t'] };

  test('changes one field and marks the app as modified', async () => {
    const user = await makeUser(server);
    const app = await makeApp(user, { ...full, access: 'none' });
    const answer = await server.call('PATCH', `/api/apps/${app.id}`, { description: 'e' });
    assert.equal(answer.status, 200);
    const { modified_at, modified_by, modified_by_id, ...rest } = answer.body;
    assert.deepEqual(rest, { ...app, description: 'e' });
    assert.ok(modified_at >= app.created_at);
    assert.equal(modified_by.uid, 'system');
    assert.equal(modified_by.id, modified_by_id);
  });

  test('clears with null', async () => {
    const app = await makeApp(server, full);
    const cleared = { access: null, name: null, description: null, metadata: null, tags: null };
    const { body } = await server.call('PATCH', `/api/apps/${app.id}`, cleared);
    assert.equal(body.access, 'none');
    assert.equal(body.display_name, app.uid);
    assert.deepEqual(body.tags, []);
    for (const name of ['name', 'description', 'metadata']) assert.ok(!(name in body), name);
  });

  test('replaces metadata and tags completely', async () => {
    const app = await makeApp(server, full);
    const { body } = await server.call('PATCH', `/api/apps/${app.id}`, {
      metadata: { b: 2 },
      tags: ['u', 'v'],
    });
    assert.deepEqual(body.metadata, { b: 2 });
    assert.deepEqual(body.tags, ['u', 'v']);
  });

  test('renames, and the old uid is free again', async () => {
    const app = await makeApp(server);
    const uid = freshUid('renamed');
    assert.equal((await server.call('PATCH', `/api/apps/${app.uid}`, { uid })).body.uid, uid);
    assert.equal((await server.call('GET', `/api/apps/${app.uid}`)).status, 404);
    assert.equal((await server.read(`/api/apps/${uid}`)).id, app.id);
    await makeApp(server, { uid: app.uid });
  });

  test('refuses a taken uid, null for the uid and values that break a rule', async () => {
    const app = await makeApp(server);
    const other = await makeApp(server);
    for (const [body, place] of [
      [{ uid: other.uid }, '/uid'],
      [{ uid: null }, '/uid'],
      [{ uid: 'a b' }, '/uid'],
      [{ access: 'all' }, '/access'],
      [{ directory: 'there-is-none' }, '/directory'],
      [{ tags: [' '] }, '/tags/0'],
    ] as const)
      assertProblem(await server.call('PATCH', `/api/apps/${app.id}`, body), 422, 'validation_failed', place);
    assert.deepEqual(await server.read(`/api/apps/${app.id}`), app);
  });

  test('that changes nothing is not an edit and has no event', async () => {
    const app = await makeApp(server, full);
    assert.deepEqual((await server.call('PATCH', `/api/apps/${app.id}`, {})).body, app);
    assert.deepEqual((await server.call('PATCH', `/api/apps/${app.id}`, full)).body, app);
    assert.deepEqual(actionsOf(app.id), ['app_created']);
  });

  test('never changes the type', async () => {
    const app = await makeApp(server);
    assert.equal((await server.call('PATCH', `/api/apps/${app.id}`, { type: 'chat' })).body.type, 'comments');
  });
});

// PUT creates an app once and never resets a field that it does not name.
describe('upserting an app', () => {
  const put = (uid: string, body: object, as?: string) =>
    server.call('PUT', `/api/apps/${encodeURIComponent(uid)}`, body, as === undefined ? {} : { as });

  test('creates, then updates only the fields that are present', async () => {
    const uid = freshUid('put');
    const fields = { access: 'write', name: 'n', metadata: { a: 1 }, tags: ['t'] };
    const made = await put(uid, { type: 'comments', ...fields });
    assert.equal(made.status, 201);
    const repeated = await put(uid, { type: 'comments' });
    assert.equal(repeated.status, 200);
    assert.deepEqual(repeated.body, made.body);
    const changed = await put(uid, { type: 'comments', name: 'm' });
    assert.deepEqual({ ...fields, name: 'm' }, pick(changed.body, Object.keys(fields)));
    assert.deepEqual(actionsOf(made.body.id), ['app_created', 'app_updated']);
  });

  test('renames an existing app by the uid in the body', async () => {
    const [first, second, third] = [freshUid('put'), freshUid('put'), freshUid('put')];
    const { body } = await put(first, { type: 'chat' });
    assert.equal((await put(first, { type: 'chat', uid: second })).body.uid, second);
    assert.equal((await server.read(`/api/apps/${second}`)).id, body.id);
    await put(third, { type: 'chat' });
    assertProblem(await put(third, { type: 'chat', uid: second }), 422, 'validation_failed', '/uid');
  });

  test('creates nothing under another uid than that of the path, so that it can be repeated', async () => {
    const [path, other] = [freshUid('put'), freshUid('put')];
    for (let turn = 0; turn < 2; turn += 1)
      assertProblem(await put(path, { type: 'chat', uid: other }), 422, 'validation_failed', '/uid');
    assert.equal((await server.call('GET', `/api/apps/${other}`)).status, 404);
    const statuses = [];
    for (let turn = 0; turn < 2; turn += 1)
      statuses.push((await put(path, { type: 'chat', uid: path })).status);
    assert.deepEqual(statuses, [201, 200]);
  });

  test('by a reader without a difference is 200 and changes nothing', async () => {
    const reader = await makeUser(server, { directory: 'putting' });
    const fields = {
      access: 'read',
      directory: 'putting',
      name: 'n',
      description: 'd',
      metadata: { a: 1, b: { c: [1, 2] } },
      tags: ['t', 'u'],
    };
    const app = await makeApp(server, fields);
    const body = { type: 'comments', uid: app.uid, ...fields };
    for (const same of [
      body,
      { ...body, metadata: { b: { c: [1, 2] }, a: 1 } },
      { ...body, directory: String(app.directory_id) },
      { type: 'COMMENTS', tags: [' t ', 'u', 't'] },
    ]) {
      const answer = await put(app.uid, same, reader.token);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.modified_at, undefined);
    }
    for (const different of [
      { uid: freshUid('put') },
      { access: 'write' },
      { access: null },
      { directory: null },
      { directory: 'there-is-none' },
      { name: 'N' },
      { name: null },
      { description: 'e' },
      { metadata: { a: 1, b: { c: [2, 1] } } },
      { tags: ['u', 't'] },
    ])
      assertProblem(await put(app.uid, { ...body, ...different }, reader.token), 403, 'manage_forbidden');
    assert.deepEqual(actionsOf(app.id), ['app_created']);
  });

  test('refuses another type than the stored one', async () => {
    const { uid } = await makeApp(server);
    assertProblem(await put(uid, { type: 'chat' }), 422, 'validation_failed', '/type');
    assertProblem(await put(uid, {}), 422, 'validation_failed', '/type');
    assert.equal((await put(uid, { type: 'COMMENTS' })).status, 200);
  });

  test('leaves a trashed app in the trash and shows that', async () => {
    const { uid } = await makeApp(server);
    await server.call('POST', `/api/apps/${uid}/trash`);
    const answer = await put(uid, { type: 'comments', name: 'n' });
    assert.equal(answer.status, 200);
    assert.equal(answer.body.is_trashed, true);
    assert.equal(answer.body.name, 'n');
  });

  test('of an app that is hidden from the caller, or not theirs to change, is 403', async () => {
    const user = await makeUser(server);
    const hidden = await makeApp(server);
    const open = await makeApp(server, { access: 'write' });
    assertProblem(await put(hidden.uid, { type: 'comments' }, user.token), 403, 'manage_forbidden');
    assertProblem(await put(open.uid, { type: 'comments', name: 'x' }, user.token), 403, 'manage_forbidden');
    const repeated = await put(open.uid, { type: 'comments' }, user.token);
    assert.equal(repeated.status, 200);
    assert.equal(repeated.body.uid, open.uid);
  });

  test('of one free uid by 32 callers at once returns 201 exactly once', async () => {
    const user = await makeUser(server);
    for (let round = 0; round < 5; round += 1) {
      const uid = freshUid('race');
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, i) => put(uid, { type: 'comments', name: `n${i}` })),
      );
      assert.equal(answers.filter(({ status }) => status === 201).length, 1);
      assert.equal(answers.filter(({ status }) => status === 200).length, 31);
      assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    }
    const created = await Promise.all(
      Array.from({ length: 32 }, () => put('race-of-one', { type: 'chat' }, user.token)),
    );
    assert.deepEqual(
      created
        .map(({ status }) => status)
        .sort()
        .slice(-2),
      [200, 201],
    );
    assert.equal(created[0]?.body.members.count, 1);
  });
});

function pick(body: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

// Trashing hides an app from reads, lists and everything in it, and restoring brings all of it back.
describe('the trash of apps', () => {
  test('accepts an app twice and returns it twice, with one event each', async () => {
    const app = await makeApp(server, { name: 'n' });
    for (const [verb, isTrashed] of [
      ['trash', true],
      ['trash', true],
      ['restore', false],
      ['restore', false],
    ] as const) {
      const answer = await server.call('POST', `/api/apps/${app.id}/${verb}`);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, { ...app, is_trashed: isTrashed });
    }
    assert.deepEqual(actionsOf(app.id), ['app_created', 'app_trashed', 'app_restored']);
  });

  test('shows an app only to requests for trashed ones', async () => {
    const app = await makeApp(server);
    await server.call('POST', `/api/apps/${app.id}/trash`);
    const get = (query: string) => server.call('GET', `/api/apps/${app.id}${query}`);
    assert.equal((await get('')).status, 404);
    assert.equal((await get('?trashed=false')).status, 404);
    assert.equal((await get('?trashed=perhaps')).status, 404);
    assert.equal((await get('?trashed=true')).body.is_trashed, true);
    const ids = async (query: string) => {
      const body = await server.read(`/api/apps?q=${app.uid}${query}`);
      return body.data.map((item: App) => item.id);
    };
    assert.deepEqual(await ids(''), []);
    assert.deepEqual(await ids('&trashed=true'), [app.id]);
    assert.deepEqual(await ids('&trashed=null'), [app.id]);
    await server.call('POST', `/api/apps/${app.id}/restore`);
    assert.deepEqual(await ids('&trashed=true'), []);
    assert.equal((await get('?trashed=true')).body.is_trashed, false);
  });

  test('returns 404 for the content of a trashed app', async () => {
    const app = await makeApp(server);
    const comment = await server.call('POST', `/api/apps/${app.id}/comments`, { text: 'x' });
    await server.call('POST', `/api/apps/${app.id}/trash`);
    for (const [method, path, body] of [
      ['GET', `/api/apps/${app.id}/comments`],
      ['GET', `/api/apps/${app.id}/members`],
      ['GET', `/api/comments/${comment.body.id}`],
      ['GET', `/api/comments/${comment.body.id}?trashed=true`],
      ['PATCH', `/api/comments/${comment.body.id}`, { text: 'y' }],
      ['PATCH', `/api/apps/${app.id}`, { name: 'x' }],
      ['POST', `/api/apps/${app.id}/comments`, { text: 'y' }],
      ['POST', `/api/apps/${app.id}/members`, []],
      ['DELETE', `/api/apps/${app.id}/members`, []],
      ['PUT', `/api/apps/${app.id}/members/system`],
      ['DELETE', `/api/apps/${app.id}/members/system`],
    ] as const)
      assert.equal((await server.call(method, path, body)).status, 404, `${method} ${path}`);
    await server.call('POST', `/api/apps/${app.id}/restore`);
    assert.equal((await server.read(`/api/comments/${comment.body.id}`)).text, 'x');
  });
});

// A subscription belongs to one user and one app; repeating it changes nothing.
describe('subscribing to an app', () => {
  test('is visible only to the subscriber, can be repeated and ended', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'read' });
    const isSubscribed = async (as: string) =>
      (await server.as(as).read(`/api/apps/${app.id}`)).is_subscribed;
    for (const [verb, expected] of [
      ['subscribe', true],
      ['subscribe', true],
      ['unsubscribe', false],
      ['unsubscribe', false],
    ] as const) {
      const answer = await user.call('POST', `/api/apps/${app.id}/${verb}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.body.is_subscribed, expected);
      assert.equal(answer.body.id, app.id);
      assert.equal(await isSubscribed(user.token), expected);
      assert.equal(await isSubscribed(other.token), false);
    }
    assert.deepEqual(actionsOf(app.id), ['app_created', 'app_subscribed', 'app_unsubscribed']);
  });

  test('needs a user: an API key is 401, even on behalf of one', async () => {
    const user = await makeUser(server);
    const app = await makeApp(server);
    for (const headers of [{}, { 'x-confab-user': user.uid }])
      for (const verb of ['subscribe', 'unsubscribe']) {
        const answer = await server.call('POST', `/api/apps/${app.id}/${verb}`, undefined, { headers });
        assertProblem(answer, 401, 'user_required');
      }
  });
});
