import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AccessRule, accessRules, explainedRights } from 'confab-contract/access.ts';
import { makeApp, makeBlob, makeComment, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, freshUid, useServer } from 'confab-testing/server.ts';
import { writeStore } from 'confab-testing/stores/store-watch.ts';
import { type Caller, makeWorld, type Place, type World } from './world.ts';

let world: World;
let now = Date.parse('2026-11-21T08:00:00Z');
const server = useServer({}, { clock: { now: () => now }, isQuiet: true });
before(async () => {
  world = await makeWorld(server, () => {
    now += 60_000;
  });
});

type Right = (typeof explainedRights)[number];
type Decision = { is_allowed: boolean; rule: AccessRule; reason: string };
type Explained = { [R in Right]: Decision } & { app_id: number; user_id: number };

async function explained(app: string | number, query = '', as = server.key): Promise<Explained> {
  const { status, body, text } = await server.call('GET', `/api/apps/${app}/access${query}`, undefined, {
    as,
  });
  assert.equal(status, 200, text);
  return body;
}

/** What each right is tried with: a request that succeeds for whoever has it, and what takes its effect back. */
const attempts: {
  readonly [R in Right]: (place: Place) => { method: string; path: string; body?: object };
} = {
  read: ({ app }) => ({ method: 'GET', path: `/api/apps/${app.id}/comments` }),
  write: ({ app }) => ({ method: 'POST', path: `/api/apps/${app.id}/comments`, body: { text: 'x' } }),
  moderate: ({ comment }) => ({ method: 'POST', path: `/api/comments/${comment}/hold` }),
  manage: ({ app }) => ({
    method: 'PATCH',
    path: `/api/apps/${app.id}`,
    body: { description: freshUid('edit') },
  }),
};

async function isAllowed(right: Right, caller: Caller, place: Place): Promise<boolean> {
  const { method, path, body } = attempts[right](place);
  const { status } = await server.call(method, path, body, { as: null, headers: caller.headers });
  if (right === 'moderate' && status === 200)
    await server.call('POST', `/api/comments/${place.comment}/approve`);
  return status < 300;
}

/** The callers whom an explanation can be about, with the name by which it is asked for. */
function subjects(): (Caller & { readonly user: string })[] {
  const barred: { readonly [name: string]: string } = {
    'a suspended user': 'w-suspended',
    'a trashed user': 'w-trashed',
  };
  return world.callers.flatMap((caller) => {
    const user = caller.kind === 'token' ? caller.uid : barred[caller.name];
    return user === undefined ? [] : [{ ...caller, user }];
  });
}

// What is explained is what is decided, for every user in every state of an app.
describe('the explanation of access', () => {
  test('agrees with every decision of the access matrix', async (t) => {
    let cells = 0;
    const wrong: string[] = [];
    const seen = new Set<AccessRule>();
    for (const place of world.places)
      for (const subject of subjects()) {
        const explanation = await explained(place.app.id, `?user=${subject.user}`);
        for (const right of explainedRights) {
          const { is_allowed, rule, reason } = explanation[right];
          assert.equal(reason, accessRules[rule]);
          seen.add(rule);
          cells += 1;
          if (is_allowed !== (await isAllowed(right, subject, place)))
            wrong.push(`${subject.name} in ${place.name}: ${right} by ${rule} is ${is_allowed}`);
        }
      }
    assert.deepEqual(wrong, []);
    t.diagnostic(`${cells} decisions explained, by the rules ${[...seen].sort().join(', ')}`);
    assert.ok(cells > 200);
  });

  test('is the same from an API key, a manager and the user', async () => {
    const creator = world.callers.find(({ isCreator }) => isCreator === true);
    assert.ok(creator !== undefined);
    const asOf = ({ headers }: Caller) => headers['authorization']?.slice('Bearer '.length) ?? '';
    for (const place of world.places)
      for (const subject of subjects().filter(({ kind }) => kind === 'token')) {
        const whole = await explained(place.app.id, `?user=${subject.user}`);
        const isMember = subject.membership !== undefined;
        if (isMember)
          assert.deepEqual(await explained(place.app.uid, `?user=${whole.user_id}`, asOf(creator)), whole);
        const own = await server.call('GET', `/api/apps/${place.app.id}/access`, undefined, {
          as: asOf(subject),
        });
        const isHidden = !whole.read.is_allowed && whole.read.rule !== 'app_trashed';
        if (isHidden) assertProblem(own, 404, 'not_found');
        else if (own.status === 200) assert.deepEqual(own.body, whole);
        else assert.ok(place.isTrashed && own.status === 404);
      }
  });

  test('names each rule where it decides', async () => {
    const [near, far] = [freshUid('near'), freshUid('far')];
    const names = ['stranger', 'reader', 'writer', 'maker', 'mute', 'helper', 'staff'] as const;
    const people = Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name, await makeUser(server, { directory: near }, freshUid(name))]),
      ),
    ) as { [N in (typeof names)[number]]: Awaited<ReturnType<typeof makeUser>> };
    const outsider = await makeUser(server, { directory: far });
    const app = await makeApp(server, { access: 'read', directory: near }, { as: people.maker.token });
    const put = (uid: string, access: string) =>
      server.call('PUT', `/api/apps/${app.id}/members/${uid}`, { access });
    await put(people.reader.uid, 'read');
    await put(people.writer.uid, 'write');
    await put(people.mute.uid, 'none');
    await server.call('PUT', `/api/apps/${app.id}/members/${people.helper.uid}`, { role: 'moderator' });
    await server.call('PATCH', `/api/users/${people.staff.uid}`, { role: 'moderator' });
    const rulesOf = async (query: string) => {
      const explanation = await explained(app.id, query);
      return explainedRights.map((right) => {
        const { is_allowed, rule } = explanation[right];
        return `${is_allowed ? '+' : '-'}${rule}`;
      });
    };
    const all = (rule: AccessRule, sign = '-') => explainedRights.map(() => sign + rule);
    assert.deepEqual(await rulesOf(''), all('api_key', '+'));
    assert.deepEqual(await rulesOf(`?user=${outsider.uid}`), all('directory'));
    assert.deepEqual(await rulesOf(`?user=${people.mute.uid}`), all('member_access'));
    assert.deepEqual(await rulesOf(`?user=${people.stranger.id}`), [
      '+app_access',
      '-app_access',
      '-no_role',
      '-no_role',
    ]);
    assert.deepEqual(await rulesOf(`?user=${people.writer.uid}`), [
      '+member_access',
      '+member_access',
      '-no_role',
      '-no_role',
    ]);
    assert.deepEqual(await rulesOf(`?user=${people.maker.uid}`), [
      '+member_access',
      '+manager',
      '+manager',
      '+manager',
    ]);
    assert.deepEqual(await rulesOf(`?user=${people.helper.uid}`), [
      '+member_access',
      '+moderator',
      '+moderator',
      '-moderator',
    ]);
    assert.deepEqual(await rulesOf(`?user=${people.staff.uid}`), [
      '+app_access',
      '+directory_moderator',
      '+directory_moderator',
      '-directory_moderator',
    ]);
    await server.call('POST', `/api/apps/${app.id}/lock`);
    assert.equal((await rulesOf(`?user=${people.writer.uid}`))[1], '-locked');
    assert.equal((await rulesOf(`?user=${people.stranger.uid}`))[1], '-app_access');
    assert.equal((await rulesOf(`?user=${people.helper.uid}`))[1], '+moderator');
    const text = { text: 'x' };
    for (const [{ token }, status] of [
      [people.writer, 403],
      [people.helper, 201],
    ] as const)
      assert.equal(
        (await server.call('POST', `/api/apps/${app.id}/comments`, text, { as: token })).status,
        status,
      );
    await server.call('POST', `/api/apps/${app.id}/unlock`);
    await put(people.maker.uid, 'read');
    assert.deepEqual(await rulesOf(`?user=${people.maker.uid}`), [
      '+member_access',
      '-member_access',
      '-role_without_write',
      '-role_without_write',
    ]);
    await put(people.maker.uid, 'write');
    const setRole = (role: string) =>
      writeStore(
        server.folder,
        `update members set role = ${role} where app_id = ${app.id} and user_id = ${people.maker.id}`,
      );
    setRole('null');
    assert.equal((await rulesOf(`?user=${people.maker.uid}`))[3], '+creator');
    setRole("'member'");
    assert.equal((await rulesOf(`?user=${people.maker.uid}`))[3], '-creator_without_role');
    await server.call('PATCH', `/api/users/${people.writer.uid}`, { is_suspended: true });
    assert.deepEqual(await rulesOf(`?user=${people.writer.uid}`), all('user_suspended'));
    await server.call('POST', `/api/users/${people.reader.uid}/trash`);
    assert.deepEqual(await rulesOf(`?user=${people.reader.uid}`), all('user_trashed'));
    const limited = await server.running.keys.create(freshUid('key'), { scopes: ['read', 'moderate'] });
    const own = await explained(app.id, '', limited);
    assert.deepEqual(
      explainedRights.map((right) => own[right].rule),
      ['api_key', 'key_scope', 'api_key', 'key_scope'],
    );
    await server.call('POST', `/api/apps/${app.id}/trash`);
    assert.deepEqual(await rulesOf(`?user=${people.maker.uid}`), all('app_trashed'));
    assert.deepEqual(await rulesOf(''), all('app_trashed'));
  });

  test('is about a post or file that is locked, for those who see it', async () => {
    const [writer, helper] = [await makeUser(server), await makeUser(server)];
    const posts = await makeApp(server, { type: 'posts', access: 'write' });
    const files = await makeApp(server, { type: 'files', access: 'write' });
    for (const { id } of [posts, files])
      await server.call('PUT', `/api/apps/${id}/members/${helper.uid}`, { role: 'moderator' });
    const blobs = [await makeBlob(server)];
    const post = await server.create(`/api/apps/${posts.id}/posts`, { text: 'x', blobs });
    const [open, file] = [await makePost(server, posts.id), await makeFile(server, files.id)];
    const ask = async (app: { id: number }, query: string, { token }: { token: string }) =>
      (await explained(app.id, `?${query}`, token)).write.rule;
    for (const path of [`posts/${post.id}`, `files/${file}`])
      assert.equal((await server.call('POST', `/api/${path}/lock`)).status, 200);
    for (const [app, query, of] of [
      [posts, `post=${post.id}`, 'item_locked'],
      [posts, `file=${post.attachments[0]?.id}`, 'item_locked'],
      [posts, `post=${open}`, 'app_access'],
      [posts, '', 'app_access'],
      [files, `file=${file}`, 'item_locked'],
    ] as const) {
      assert.equal(await ask(app, query, writer), of, query);
      assert.equal(await ask(app, query, helper), 'moderator', query);
    }
    const text = { text: 'x' };
    for (const path of [`posts/${post.id}`, `files/${file}`, `files/${post.attachments[0]?.id}`])
      for (const [{ token }, status] of [
        [writer, 403],
        [helper, 201],
      ] as const)
        assert.equal(
          (await server.call('POST', `/api/${path}/comments`, text, { as: token })).status,
          status,
          path,
        );
    await server.call('POST', `/api/apps/${posts.id}/lock`);
    assert.equal(await ask(posts, `post=${post.id}`, writer), 'locked');
    await server.call('POST', `/api/posts/${open}/hold`);
    for (const query of [`post=${open}`, `file=${file}`, 'post=987654321', 'file=x', 'post=0'])
      assertProblem(
        await server.call('GET', `/api/apps/${posts.id}/access?${query}`, undefined, { as: writer.token }),
        404,
        'not_found',
      );
  });

  test('is about others for those who moderate, and about users whom they see', async () => {
    const directory = freshUid('seen');
    const [manager, reader] = [await makeUser(server, { directory }), await makeUser(server, { directory })];
    const [hidden, suspended] = [
      await makeUser(server, { directory: freshUid('hidden') }),
      await makeUser(server, { directory }),
    ];
    const app = await makeApp(server, { access: 'read' }, { as: manager.token });
    const ask = (user: string | number, as = manager.token) =>
      server.call('GET', `/api/apps/${app.id}/access?user=${user}`, undefined, { as });
    for (const user of [manager.uid, 'there-is-none'])
      assertProblem(await ask(user, reader.token), 403, 'moderate_forbidden');
    for (const user of [reader.uid, reader.id]) assert.equal((await ask(user, reader.token)).status, 200);
    await server.call('PATCH', `/api/users/${suspended.uid}`, { is_suspended: true });
    for (const user of [
      hidden.uid,
      hidden.id,
      suspended.uid,
      'there-is-none',
      '987654321',
      '0',
      'system',
      '1',
    ])
      assertProblem(await ask(user), 404, 'not_found');
    assert.equal((await ask(reader.uid)).status, 200);
    await server.call('PUT', `/api/apps/${app.id}/members/${hidden.uid}`, { access: 'read' });
    assert.equal((await ask(hidden.uid)).status, 200);
    for (const user of ['there-is-none', '987654321', 'system'])
      assertProblem(await ask(user, server.key), 404, 'not_found');
    assertProblem(
      await server.call('GET', `/api/apps/${app.id}/access`, undefined, { as: hidden.token.slice(1) }),
      401,
      'invalid_credential',
    );
    await makeComment(server, app.id);
  });
});
