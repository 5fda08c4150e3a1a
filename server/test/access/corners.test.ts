import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { specifiedOperations } from 'confab-testing/operations.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { cellsOfEngine } from './cells.ts';
import { expectedStatus, levelIn, type Policy, policies } from './policy.ts';
import { type CellRequest, requestOf } from './requests.ts';
import { type Caller, makePlace, makeWorld, type Place } from './world.ts';

let callers: Caller[];
let cells = 0;
let now = Date.parse('2026-11-21T08:00:00Z');

const server = useServer({}, { clock: { now: () => now }, isQuiet: true });
before(async () => {
  const world = await makeWorld(server, () => {
    now += 60_000;
  });
  const [homeless, bot] = [
    await makeUser(server, {}, 'w-homeless'),
    await makeUser(server, { is_bot: true, directory: 'here' }, 'w-bot'),
  ];
  callers = [
    ...world.callers.filter(({ kind }) => kind !== 'nobody'),
    { name: 'a stranger of no directory', kind: 'token', uid: homeless.uid, headers: bearer(homeless.token) },
    { name: 'a bot', kind: 'token', uid: bot.uid, directory: 'here', headers: bearer(bot.token) },
  ];
});
const watch = useStoreWatch(server);

function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

const isTried = cellsOfEngine();

/**
 * Tries one request as every caller after `prepare`, and returns those with another status than intended. Those to be
 * refused change nothing, so they ask at once; where something has to be prepared, the others follow one by one, each
 * after it was.
 */
async function tryAll(
  name: string,
  asked: CellRequest | (() => CellRequest),
  expected: (caller: Caller) => number,
  prepare?: () => Promise<unknown>,
): Promise<string[]> {
  const wrong: string[] = [];
  const tried = callers.filter((caller) => isTried(name, { status: expected(caller), kind: caller.kind }));
  const attempt = async (caller: Caller) => {
    cells += 1;
    const request = typeof asked === 'function' ? asked() : asked;
    const sending = { as: null, headers: caller.headers };
    const { status } = await server.call(request.method, request.path, request.body, sending);
    if (status !== expected(caller))
      wrong.push(`${name} by ${caller.name}: ${status} instead of ${expected(caller)}`);
  };
  const isRefused = (caller: Caller) => expected(caller) >= 400;
  const accepted = tried.filter((caller) => !isRefused(caller));
  await prepare?.();
  watch.hasCommitted();
  await Promise.all(tried.filter(isRefused).map(attempt));
  if (watch.hasCommitted()) wrong.push(`${name}: somebody was refused and wrote`);
  if (prepare === undefined) await Promise.all(accepted.map(attempt));
  else
    for (const caller of accepted) {
      await prepare();
      await attempt(caller);
    }
  return wrong;
}

/** Tries every specified operation that a state of an app decides over on a place. */
async function tryOperations(place: Place): Promise<string[]> {
  const wrong: string[] = [];
  for (const { id } of specifiedOperations) {
    const policy = policies[id];
    // Trash and webhooks know no directory, and what lists everything is a test of its own.
    if (policy === undefined || /trash|restore|webhook|deliver|^list(Apps|Comments)$|^createApp$/i.test(id))
      continue;
    // Created again for each caller, because a PUT that repeats the last one requests no change.
    const request = () => requestOf(id, place, { ref: 'uid', webhook: 0 });
    const expected = (caller: Caller) => expectedStatus(policy, caller, place, 'uid');
    wrong.push(...(await tryAll(`${id} in ${place.directory}`, request, expected)));
  }
  return wrong;
}

// An app bound to a directory is open only to the users of that directory; membership and keys work as usual.
describe('an app of a directory', () => {
  for (const access of ['none', 'read', 'write'] as const)
    for (const directory of ['here', 'elsewhere'] as const)
      test(`${directory} with ${access} access`, async () => {
        const place = await makePlace(server, { access, isTrashed: false, directory });
        assert.deepEqual(await tryOperations(place), []);
      });
});

const page = { access: 'write', isTrashed: false, directory: 'here', isPage: true } as const;

// A page has no manager: its first visitor may do what every visitor may.
describe('a page', () => {
  test('gives its creator no more than any visitor', async () => {
    assert.deepEqual(await tryOperations(await makePlace(server, page)), []);
  });

  test('is trashed, restored and deleted only by keys', async () => {
    const place = await makePlace(server, page);
    const wrong: string[] = [];
    for (const [method, suffix] of [
      ['POST', '/trash'],
      ['POST', '/restore'],
      ['DELETE', ''],
    ] as const) {
      const request = { method, path: `/api/apps/${place.app.id}${suffix}` };
      const denied = callers.filter(({ kind }) => kind === 'token');
      for (const { name, headers, ...caller } of denied) {
        const { status } = await server.call(method, request.path, undefined, { as: null, headers });
        const expected = levelIn(caller, place) === 'none' ? 404 : 403;
        if (status !== expected) wrong.push(`${method} ${suffix} by ${name}: ${status}`);
      }
    }
    assert.deepEqual(wrong, []);
    for (const [method, suffix] of [
      ['POST', '/trash'],
      ['POST', '/restore'],
      ['DELETE', ''],
    ] as const)
      assert.ok((await server.call(method, `/api/apps/${place.app.id}${suffix}`)).status < 300);
  });
});

const content: { readonly [verb: string]: Policy } = {
  read: { need: 'read', success: 200, hidden: 404, refused: 403, inTrash: 'gone' },
  words: { need: 'words', success: 200, hidden: 404, refused: 403, inTrash: 'gone' },
  remove: { need: 'author', success: 200, hidden: 404, refused: 403, inTrash: 'gone' },
  restoreModerated: {
    need: 'author',
    success: 200,
    hidden: 404,
    refused: 403,
    inTrash: 'gone',
    isModerated: true,
  },
};

/** What each caller tries on a comment, which is in the trash where `trashed` is set. */
const attempts = [
  { method: 'GET', suffix: '', policy: 'read' },
  { method: 'PATCH', suffix: '', policy: 'words', body: { tags: ['x'] } },
  { method: 'POST', suffix: '/trash', policy: 'remove' },
  { method: 'POST', suffix: '/restore', policy: 'remove', trashed: 'by its author' },
  { method: 'POST', suffix: '/restore', policy: 'restoreModerated', trashed: 'by a key' },
] as const;

// Whatever a comment hangs on, the app decides, and one's own comment is one's own only while one may write.
describe('a comment', () => {
  const parents = {
    app: (place: Place) => `/api/apps/${place.app.id}/comments`,
    file: (place: Place) => `/api/files/${place.file}/comments`,
    post: (place: Place) => `/api/posts/${place.post}/comments`,
  };
  const states = {
    'an app with none access': { access: 'none', isTrashed: false, directory: 'here' },
    'an app with read access': { access: 'read', isTrashed: false, directory: 'here' },
    'an app with write access': { access: 'write', isTrashed: false, directory: 'here' },
    'a page': page,
  } as const;
  const places = new Map<string, Place>();
  before(async () => {
    for (const [name, state] of Object.entries(states)) places.set(name, await makePlace(server, state));
  });

  async function tryAttempt(
    place: Place,
    id: number,
    author: Caller,
    { method, suffix, policy: name, ...rest }: (typeof attempts)[number],
  ): Promise<string[]> {
    const policy = content[name];
    assert.ok(policy !== undefined);
    const path = `/api/comments/${id}`;
    const trashed = 'trashed' in rest ? rest.trashed : undefined;
    const headers = trashed === 'by its author' ? { 'x-confab-user': author.uid ?? '' } : {};
    // What is in the trash already, by whomever, is not its author's to put there.
    if (trashed !== undefined) await server.call('POST', `${path}/restore`);
    const prepare = async () => {
      if (trashed !== undefined) await server.call('POST', `${path}/trash`, undefined, { headers });
    };
    const request = { method, path: `${path}${suffix}`, ...('body' in rest ? { body: rest.body } : {}) };
    const standing = (caller: Caller) => ({ ...caller, isAuthor: caller === author });
    const expected = (caller: Caller) => expectedStatus(policy, standing(caller), place, 'id');
    return await tryAll(
      `${method} ${suffix} of ${author.name} in ${place.name}, trashed ${trashed}`,
      request,
      expected,
      prepare,
    );
  }

  // Each user writes in an app in every state; below its files and posts each in at least one, because the app decides.
  const authorsOf = (parent: string, stateIndex: number) =>
    callers
      .filter(({ uid }) => (engine === 'sqlite' ? uid !== undefined : uid === 'w-write'))
      .filter((_, index) => engine === 'postgres' || parent === 'app' || index % 3 === stateIndex % 3);

  for (const [parent, path] of Object.entries(parents))
    for (const [stateIndex, state] of Object.keys(states).entries()) {
      test(`on the ${parent} of ${state}, created by each caller`, async () => {
        const place = places.get(state);
        assert.ok(place !== undefined);
        const wrong: string[] = [];
        for (const author of authorsOf(parent, stateIndex)) {
          const headers = { 'x-confab-user': author.uid ?? '' };
          const { body } = await server.call('POST', path(place), { text: 'mine' }, { headers });
          for (const attempt of attempts) wrong.push(...(await tryAttempt(place, body.id, author, attempt)));
        }
        assert.deepEqual(wrong, []);
      });

      test(`on the ${parent} of ${state} is listed for callers who may see it`, async () => {
        const place = places.get(state);
        assert.ok(place !== undefined);
        const request = { method: 'GET', path: path(place) };
        const expected = (caller: Caller) => (levelIn(caller, place) === 'none' ? 404 : 200);
        assert.deepEqual(await tryAll(`list ${state}`, request, expected), []);
      });
    }

  test('in the trash is shown only to readers who request trashed ones', async () => {
    const place = places.get('an app with read access');
    assert.ok(place !== undefined);
    const { id } = await makeComment(server, place.app.id);
    await server.call('POST', `/api/comments/${id}/trash`);
    const shown = (caller: Caller) => (levelIn(caller, place) === 'none' ? 404 : 200);
    const wrong = [
      ...(await tryAll('asked', { method: 'GET', path: `/api/comments/${id}?trashed=true` }, shown)),
      ...(await tryAll('not asked', { method: 'GET', path: `/api/comments/${id}` }, () => 404)),
      ...(await tryAll(
        'edited',
        { method: 'PATCH', path: `/api/comments/${id}`, body: { text: 'y' } },
        () => 404,
      )),
    ];
    assert.deepEqual(wrong, []);
  });
});

// A change of rights applies to every request that starts after it was answered.
describe('a right', () => {
  test('takes effect at once and ends at once', async () => {
    const place = await makePlace(server, { access: 'none', isTrashed: false });
    const user = await makeUser(server);
    const path = `/api/apps/${place.app.id}`;
    const write = async () => (await server.call('POST', `${path}/comments`, {}, { as: user.token })).status;
    const member = `${path}/members/${user.uid}`;
    for (let round = 0; round < 5; round += 1) {
      assert.equal(await write(), 404);
      await server.call('PUT', member, { access: 'read' });
      assert.equal(await write(), 403);
      await server.call('PUT', member, { access: 'write' });
      assert.equal(await write(), 201);
      await server.call('DELETE', member);
    }
    await server.call('PATCH', path, { access: 'write' });
    assert.equal(await write(), 201);
    await server.call('PUT', member, { access: 'none' });
    assert.equal(await write(), 404);
    await server.call('DELETE', member);
    await server.call('POST', `${path}/trash`);
    assert.equal(await write(), 404);
  });
});

// Every other operation at least authenticates the caller, and refuses callers of the wrong kind.
describe('an operation beyond the specified ones', () => {
  // What visitors may call is tried with each app that can be open to them (`visitors.test.ts`).
  const others = operationList.filter(
    ({ id, caller, visitors }) =>
      caller !== 'anyone' &&
      visitors === undefined &&
      !specifiedOperations.some((specified) => specified.id === id),
  );
  for (const { id, method, path, caller, errors } of others)
    test(`${id} requires a credential of the right kind`, async () => {
      const target = path.replaceAll(/\{[a-z_]+\}/g, '987654321');
      watch.hasCommitted();
      assert.equal((await server.call(method, target, undefined, { as: null })).status, 401);
      const token = callers.find(({ isCreator }) => isCreator)?.headers ?? {};
      if (caller === 'key') {
        const { status } = await server.call(method, target, undefined, { as: null, headers: token });
        assert.equal(status, errors.includes(403) ? 403 : 401);
      }
      if (caller === 'user') assert.equal((await server.call(method, target)).status, 401);
      assert.equal(watch.hasCommitted(), false);
      cells += 2;
    });

  test('are counted with the corners', (t) => {
    t.diagnostic(`corners of access: ${cells} cells, each with its exact status`);
    assert.ok(cells > { sqlite: 3000, postgres: 300 }[engine], `${cells} cells`);
  });
});
