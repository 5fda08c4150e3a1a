import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { App } from 'confab-contract/apps.ts';
import { makeApp, makeComment, makeDirectory, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, freshUid, use, useServer } from 'confab-testing/server.ts';

const server = useServer();

type Who = 'ann' | 'eve' | 'sue' | 'key' | 'key for ann';
/** The directory that an app is opened to; null is everyone. */
type Opened = { readonly access: string; readonly directory: 'here' | 'there' | null };

/** Ann and Bob are of one directory, Eve of another, and Sue of none. */
const ann = use(() => makeUser(server, { directory: 'here' }));
const bob = use(() => makeUser(server, { directory: 'here' }));
const eve = use(() => makeUser(server, { directory: 'there' }));
const sue = use(() => makeUser(server));
let names: Map<number | undefined, Opened['directory']>;

before(async () => {
  const ids = async (name: string) => (await server.call('GET', `/api/directories/${name}`)).body.id;
  names = new Map<number | undefined, Opened['directory']>([
    [undefined, null],
    [await ids('here'), 'here'],
    [await ids('there'), 'there'],
  ]);
});

function sendingOf(who: Who) {
  if (who === 'key') return {};
  if (who === 'key for ann') return { headers: { 'x-confab-user': ann.uid } };
  return { as: { ann, eve, sue }[who].token };
}

function openedOf({ access, directory_id }: Pick<App, 'access' | 'directory_id'>): Opened {
  return { access, directory: names.get(directory_id) ?? null };
}

const closed = { access: 'none', directory: null } as const;
const open = { access: 'write', directory: null } as const;
const here = { access: 'write', directory: 'here' } as const;

/** Bodies that create an app, and to whom it is open then; a string is the code of the refusal. */
const created: readonly (readonly [Who, object, Opened | string])[] = [
  ['ann', {}, closed],
  ['ann', { access: 'none' }, closed],
  ['ann', { access: 'write' }, here],
  ['ann', { access: 'read' }, { access: 'read', directory: 'here' }],
  ['ann', { access: 'write', directory: null }, here],
  ['ann', { access: 'write', directory: 'here' }, here],
  ['ann', { access: 'write', directory: 'there' }, 'directory_forbidden'],
  ['ann', { access: 'write', directory: 'nowhere' }, 'directory_forbidden'],
  ['sue', {}, closed],
  ['sue', { access: 'write' }, 'directory_forbidden'],
  ['sue', { access: 'read', directory: null }, 'directory_forbidden'],
  ['sue', { access: 'write', directory: 'here' }, 'directory_forbidden'],
  ['key', { access: 'write' }, open],
  ['key', { access: 'write', directory: 'here' }, here],
  ['key for ann', { access: 'write' }, open],
];

/** Changes by a manager: the app before, who sends what, and to whom it is open then. */
const changed: readonly (readonly [Opened, Who, object, Opened | string])[] = [
  [closed, 'ann', { access: 'write' }, here],
  [closed, 'ann', { access: 'write', directory: null }, here],
  [closed, 'ann', { name: 'closed' }, closed],
  [here, 'ann', { access: 'read' }, { access: 'read', directory: 'here' }],
  [here, 'ann', { directory: null }, here],
  [here, 'ann', { directory: null, access: 'read' }, { access: 'read', directory: 'here' }],
  [here, 'ann', { directory: null, access: 'none' }, closed],
  [here, 'ann', { directory: 'there' }, 'directory_forbidden'],
  [here, 'eve', { name: 'a manager of another directory' }, here],
  [here, 'eve', { access: 'read' }, { access: 'read', directory: 'here' }],
  [here, 'eve', { directory: 'here', name: 'named' }, here],
  [here, 'eve', { directory: null }, { access: 'write', directory: 'there' }],
  [{ ...here, access: 'read' }, 'eve', { access: 'write' }, here],
  [here, 'sue', { directory: null }, 'directory_forbidden'],
  [here, 'sue', { directory: null, access: 'none' }, closed],
  [{ ...here, access: 'read' }, 'sue', { access: 'write' }, here],
  [closed, 'sue', { access: 'read' }, 'directory_forbidden'],
  // What an API key opened to everyone stays open to everyone until it is opened further.
  [open, 'ann', { name: 'renamed' }, open],
  [open, 'ann', { access: 'write', directory: null, name: 'the same' }, open],
  [open, 'ann', { access: 'read' }, { access: 'read', directory: null }],
  [open, 'ann', { directory: 'here' }, here],
  [open, 'sue', { name: 'renamed' }, open],
  [{ ...open, access: 'read' }, 'ann', { access: 'write' }, here],
  [{ ...open, access: 'read' }, 'sue', { access: 'write' }, 'directory_forbidden'],
  [here, 'key', { directory: null }, open],
  [closed, 'key', { access: 'write' }, open],
  [closed, 'key for ann', { access: 'write' }, open],
];

function label(who: Who, body: object): string {
  return `${who} sends ${JSON.stringify(body)}`;
}

/** Sends a body and compares to whom the app is open then. */
async function assertOpens(
  [method, path]: readonly ['POST' | 'PUT' | 'PATCH', string],
  who: Who,
  { body, expected }: { readonly body: object; readonly expected: Opened | string },
): Promise<void> {
  const answer = await server.call(method, path, body, sendingOf(who));
  if (typeof expected === 'string') {
    assertProblem(answer, 403, expected);
    const [error] = answer.body.errors;
    assert.equal(error.pointer, '/directory');
  } else {
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    assert.deepEqual(openedOf(answer.body), expected);
  }
}

// Only API keys open an app to everyone; a user of a directory opens it to that directory.
describe('an app is opened', () => {
  for (const [who, body, expected] of created)
    for (const method of ['POST', 'PUT'] as const)
      test(`with ${method} where ${label(who, body)}`, async () => {
        const uid = freshUid('opened');
        const path = method === 'POST' ? '/api/apps' : `/api/apps/${uid}`;
        const whole = { uid, type: 'comments', ...body };
        await assertOpens([method, path], who, { body: whole, expected });
        const { status, body: app } = await server.call('GET', `/api/apps/${uid}`);
        if (typeof expected === 'string') assert.equal(status, 404);
        else assert.deepEqual(openedOf(app), expected);
      });

  for (const [before, who, body, expected] of changed)
    for (const method of ['PATCH', 'PUT'] as const)
      test(`with ${method} of ${JSON.stringify(before)} where ${label(who, body)}`, async () => {
        const app = await makeApp(server, before);
        const member = who === 'key' || who === 'key for ann' ? undefined : { ann, eve, sue }[who];
        if (member !== undefined) {
          const path = `/api/apps/${app.id}/members/${member.uid}`;
          await server.call('PUT', path, { access: 'write', role: 'manager' });
        }
        const path = `/api/apps/${method === 'PATCH' ? app.id : app.uid}`;
        const whole = method === 'PATCH' ? body : { type: 'comments', ...body };
        await assertOpens([method, path], who, { body: whole, expected });
        const { body: now } = await server.call('GET', `/api/apps/${app.id}`);
        assert.deepEqual(openedOf(now), typeof expected === 'string' ? before : expected);
      });

  test('and stays so when the same request comes again', async () => {
    const uid = freshUid('again');
    const body = { type: 'comments', access: 'write', directory: null };
    const path = `/api/apps/${uid}` as const;
    const first = await server.call('PUT', path, body, { as: ann.token });
    const second = await server.call('PUT', path, body, { as: ann.token });
    assert.deepEqual([first.status, second.status], [201, 200]);
    assert.deepEqual(second.body, first.body);
    assert.equal(second.body.modified_at, undefined);
    const loaded = { type: 'comments', access: 'write' };
    assert.equal((await server.call('PUT', path, loaded, { as: bob.token })).status, 200);
    assertProblem(await server.call('PUT', path, body, { as: bob.token }), 403, 'manage_forbidden');
  });

  test('so that its directory reads and writes it, and nobody else finds it', async () => {
    const app = await makeApp(server, { access: 'write' }, { as: ann.token });
    await makeComment(server, app.id, {}, { as: bob.token });
    for (const { token } of [eve, sue]) {
      const answer = await server.call('GET', `/api/apps/${app.id}`, undefined, { as: token });
      assertProblem(answer, 404, 'not_found');
    }
  });

  test('by init to everyone, because only an API key sends it', async () => {
    const body = {
      app: { uid: freshUid('init'), type: 'comments', access: 'write' },
      user: { uid: ann.uid },
    };
    for (const who of ['key', 'key for ann'] as const) {
      const { body: app } = await server.call('POST', '/api/apps/init', body, sendingOf(who));
      assert.deepEqual(openedOf(app), open);
    }
    assertProblem(await server.call('POST', '/api/apps/init', body, sendingOf('ann')), 403, 'key_only');
  });

  for (const [who, expected] of [
    ['ann', here],
    ['eve', { access: 'write', directory: 'there' }],
    ['sue', open],
    ['key', open],
    ['key for ann', here],
  ] as const)
    test(`as a page by ${who}`, async () => {
      const path = `/api/apps/${freshUid('page')}?page=true` as const;
      const { body } = await server.call('PUT', path, { type: 'comments' }, sendingOf(who));
      assert.deepEqual(openedOf(body), expected);
    });

  test('to nobody as a conversation', async () => {
    const { body } = await server.call(
      'POST',
      '/api/conversations',
      { members: [bob.id], name: 'a room' },
      { as: ann.token },
    );
    const app = await server.call('GET', `/api/apps/${body.id}`, undefined, { as: ann.token });
    assert.deepEqual(openedOf(app.body), closed);
    const change = { access: 'write' };
    const opened = await server.call('PATCH', `/api/apps/${body.id}`, change, { as: ann.token });
    assert.deepEqual(openedOf(opened.body), here);
  });
});

// Without directories everyone is of the same group, so users open apps to each other.
describe('an app of a server without directories', () => {
  const other = useServer();

  test('is opened to everyone by users, until there is a directory', async () => {
    const user = await makeUser(other);
    const app = await makeApp(other, { access: 'write' }, { as: user.token });
    assert.deepEqual([app.access, app.directory_id], ['write', undefined]);
    await makeDirectory(other, 'first');
    const more = { uid: freshUid('late'), type: 'comments', access: 'write' };
    assertProblem(
      await other.call('POST', '/api/apps', more, { as: user.token }),
      403,
      'directory_forbidden',
    );
    const path = `/api/apps/${app.uid}`;
    const same = await other.call('PUT', path, { type: 'comments', access: 'write' }, { as: user.token });
    assert.deepEqual([same.status, same.body.access], [200, 'write']);
  });
});
