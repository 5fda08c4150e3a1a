import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { makeBlob, makeImport, makeUser } from 'confab-testing/fixtures.ts';
import { type Answer, before, freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { assertCount, callersOf, cellsOfEngine, likeAbsent } from './cells.ts';
import { type Caller, inEachForm, makeWorld, type World } from './world.ts';

/** The intent of one operation, for each kind of caller with a credential. */
type Intent = {
  readonly key: number;
  /** The responses to a user, by the relation of the user to the target. */
  readonly token: number | ((caller: Caller) => number);
  /** The values in the path. */
  readonly of?: () => string | number;
  readonly body?: () => unknown;
};

const forKeys = (success: number, refused: 401 | 403 = 403) => ({ key: success, token: refused });
const forPeople = { key: 401, token: 200 } as const;
const forAll = { key: 200, token: 200 } as const;
const ofTheirDirectory = (caller: Caller) => (caller.directory === 'here' ? 200 : 404);
const ofTheAuthor = (caller: Caller) => (caller.isAuthor === true ? 200 : 404);

const ofModeratorsOfAll = (caller: Caller) => (caller.isModeratorOfAll === true ? 200 : 403);
const ofThemselves = (caller: Caller) => (caller.name.includes('author') ? 200 : 404);

const spare = () => 'w-spare';
let made = '';
let erased = '';
let erasure = 0;
let upload = 0;
let imported = 0;
let undone = 0;
let stopped = 0;
let embed = 0;
let meeting = 0;
let key = 0;
let ban = 0;
let page = '';
let ruleVersion = 0;

/** The table. */
const intents: { readonly [operation: string]: Intent } = {
  createUser: { ...forKeys(201), body: () => ({ uid: freshUid('made') }) },
  listUsers: forAll,
  getUser: { ...forKeys(200), of: spare },
  updateUser: { ...forKeys(200), of: spare, body: () => ({ comment: freshUid('edit') }) },
  upsertUser: { ...forKeys(200), of: spare, body: () => ({ comment: freshUid('edit') }) },
  trashUser: { ...forKeys(200), of: spare },
  restoreUser: { ...forKeys(200), of: spare },
  issueToken: { ...forKeys(200), of: spare },
  revokeTokens: { ...forKeys(200), of: spare },
  eraseUser: { ...forKeys(202), of: () => erased },
  exportUser: { key: 200, token: ofThemselves, of: () => 'w-author' },
  getErasure: { ...forKeys(200), of: () => erasure },
  getCaller: forPeople,
  renderText: { ...forPeople, body: () => ({ text: 'words' }) },
  getMail: forPeople,
  updateMail: { ...forPeople, body: () => ({ mail: 'all' }) },
  createDirectory: { ...forKeys(201), body: () => ({ name: freshUid('made') }) },
  listDirectories: forAll,
  getDirectory: { key: 200, token: ofTheirDirectory, of: () => 'here' },
  listDirectoryMembers: { key: 200, token: ofTheirDirectory, of: () => 'here' },
  updateDirectory: { ...forKeys(200), of: () => 'here', body: () => ({ name: 'here' }) },
  deleteDirectory: { ...forKeys(204), of: () => made },
  getModerationRules: forKeys(200, 401),
  getStatus: forKeys(200, 401),
  getSettings: forKeys(200, 401),
  listKeys: forKeys(200, 401),
  listBackups: forKeys(200, 401),
  getDoctor: forKeys(200, 401),
  getSite: forKeys(200, 401),
  updateSite: { ...forKeys(200), body: () => ({ origins: [`https://${freshUid('site')}.example`] }) },
  createKey: { ...forKeys(201), body: () => ({ name: 'made', scopes: ['read'] }) },
  rotateKey: { ...forKeys(201), of: () => key },
  revokeKey: { ...forKeys(204), of: () => key },
  replaceModerationRules: { ...forKeys(200), body: () => ({ version: ruleVersion, rules: [] }) },
  createBan: { ...forKeys(201), body: () => ({ address: '203.0.113.4', seconds: 60 }) },
  listBans: forKeys(200, 401),
  deleteBan: { ...forKeys(204), of: () => ban },
  moderateUser: { key: 200, token: ofModeratorsOfAll, of: spare, body: () => ({ is_trusted: true }) },
  testModerationRules: { ...forKeys(200), body: () => ({ text: 'words' }) },
  createImport: { ...forKeys(201, 401), body: () => ({ kind: 'disqus', blob_id: upload }) },
  listImports: forKeys(200, 401),
  getImport: { ...forKeys(200, 401), of: () => imported },
  runImport: { ...forKeys(202, 401), of: () => imported },
  stopImport: { ...forKeys(200, 401), of: () => stopped },
  undoImport: { ...forKeys(202, 401), of: () => undone },
  createEmbed: { key: 201, token: 201, body: () => ({ url: page }) },
  getEmbed: { key: 200, token: ofTheAuthor, of: () => embed },
  getMeeting: { key: 200, token: ofTheAuthor, of: () => meeting },
};
let site: Server;
let world: World;
let now = Date.parse('2026-11-21T08:00:00Z');
let cells = 0;

const server = useServer({}, { clock: { now: () => now }, isQuiet: true });
before(async () => {
  world = inEachForm(
    await makeWorld(server, () => {
      now += 60_000;
    }),
  );
  site = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>a page</title>');
  });
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve);
  });
  page = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const author = { headers: { 'x-confab-user': 'w-author' } };
  erasure = (await server.call('DELETE', `/api/users/${(await makeUser(server)).uid}`)).body.id;
  imported = await makeImport(server, 'finished');
  undone = await makeImport(server, 'undone');
  stopped = await makeImport(server, 'stopped');
  embed = (await server.call('POST', '/api/embeds', { url: page }, author)).body.id;
  meeting = (await server.call('POST', '/api/meetings', { provider: 'jitsi' }, author)).body.id;
});
const watch = useStoreWatch(server);
after(async () => {
  site.close();
});

async function send(id: string, of: string | number, caller: Caller): Promise<Answer> {
  const operation = operationList.find((known) => known.id === id);
  assert.ok(operation !== undefined, id);
  const path = operation.path.replace(/\{[a-z]+\}/, String(of));
  return await server.call(operation.method, path, intents[id]?.body?.(), {
    as: null,
    headers: caller.headers,
  });
}

function expectedOf({ key, token }: Intent, caller: Caller): number {
  if (caller.kind === 'nobody') return 401;
  if (caller.kind === 'key') return key;
  return typeof token === 'number' ? token : token(caller);
}

const assertLikeAbsent = likeAbsent();
const isTried = cellsOfEngine();

async function tryCell(id: string, intent: Intent, caller: Caller): Promise<void> {
  watch.hasCommitted();
  const answer = await send(id, intent.of?.() ?? '', caller);
  cells += 1;
  assert.equal(answer.status, expectedOf(intent, caller), answer.text);
  if (answer.status < 300) return;
  assert.equal(watch.hasCommitted(), false, 'it was refused and something was written');
  if (answer.status === 404)
    await assertLikeAbsent(answer, `${id} by ${caller.name}`, () => send(id, 987_654_321, caller));
}

// Only API keys manage users and directories, and what a user created for a text belongs to the user until it is used.
describe('the access matrix of users, directories, embeds and meetings', () => {
  for (const [id, intent] of Object.entries(intents))
    test(`of ${id}`, async () => {
      const wrong: string[] = [];
      for (const caller of callersOf(id, world.callers)) {
        if (!isTried(id, { status: expectedOf(intent, caller), kind: caller.kind })) continue;
        if (id === 'deleteDirectory') {
          made = freshUid('gone');
          await server.call('POST', '/api/directories', { name: made });
        }
        if (id === 'replaceModerationRules')
          ruleVersion = (await server.call('GET', '/api/moderation/rules')).body.version;
        if (id === 'rotateKey' || id === 'revokeKey')
          key = (await server.create('/api/keys', { name: 'spare', scopes: ['read'] })).id;
        if (id === 'deleteBan')
          ban = (await server.create('/api/bans', { address: '203.0.113.8', seconds: 60 })).id;
        if (id === 'createImport') upload = await makeBlob(server);
        if (id === 'eraseUser') erased = (await makeUser(server)).uid;
        try {
          await tryCell(id, intent, caller);
        } catch (error) {
          wrong.push(`${caller.name}: ${error instanceof Error ? error.message : error}`);
        }
      }
      assert.deepEqual(wrong, []);
    });

  test('is counted', (t) => {
    t.diagnostic(`access matrix of people: ${cells} cells, each with its exact status`);
    const ids = Object.keys(intents);
    const all = ids.flatMap((id) => callersOf(id, world.callers)).length;
    assertCount(cells, { all, operations: ids.length });
  });
});

// Which users a caller may add, remove or write to depends on which users the caller sees; all others do not exist.
describe('the access matrix of acting on users', () => {
  /** The users who are acted on. */
  const targets: {
    readonly [uid: string]: 'here' | 'elsewhere' | 'none' | 'suspended' | 'trashed' | 'nobody';
  } = {
    'w-same': 'here',
    'w-other': 'elsewhere',
    't-none': 'none',
    't-suspended': 'suspended',
    't-trashed': 'trashed',
    system: 'nobody',
    'there-is-none': 'nobody',
  };
  const doors = {
    addMember: { found: 204, absent: 404 },
    addMembers: { found: 204, absent: 404 },
    removeMember: { found: 204, absent: 404 },
    removeMembers: { found: 204, absent: 404 },
    createConversation: { found: 201, absent: 422 },
  } as const;
  const requestOf = (door: keyof typeof doors, app: number, uid: string): [string, string, unknown?] =>
    ({
      addMember: ['PUT', `/api/apps/${app}/members/${uid}`, {}] as [string, string, unknown],
      addMembers: ['POST', `/api/apps/${app}/members`, [{ uid }]] as [string, string, unknown],
      removeMember: ['DELETE', `/api/apps/${app}/members/${uid}`] as [string, string],
      removeMembers: ['DELETE', `/api/apps/${app}/members`, [uid]] as [string, string, unknown],
      createConversation: ['POST', '/api/conversations', { members: [uid], name: 'talk' }] as [
        string,
        string,
        unknown,
      ],
    })[door];

  before(async () => {
    await makeUser(server, {}, 't-none');
    await makeUser(server, { directory: 'here', is_suspended: false }, 't-suspended');
    await makeUser(server, { directory: 'here' }, 't-trashed');
    await server.call('PATCH', '/api/users/t-suspended', { is_suspended: true });
    await server.call('POST', '/api/users/t-trashed/trash');
  });

  let acts = 0;
  for (const door of Object.keys(doors) as (keyof typeof doors)[])
    test(`of ${door}`, async () => {
      const wrong: string[] = [];
      for (const caller of world.callers.filter(({ kind }) => kind !== 'nobody')) {
        if (door === 'createConversation' && caller.kind === 'key') continue;
        const sending = { as: null, headers: caller.headers };
        const made = await server.call(
          'POST',
          '/api/apps',
          { uid: freshUid('act'), type: 'comments' },
          sending,
        );
        for (const [uid, place] of Object.entries(targets)) {
          const [method, path, body] = requestOf(door, made.body.id, uid);
          const { status } = await server.call(method, path, body, sending);
          acts += 1;
          const isFound = caller.kind === 'key' ? place !== 'nobody' : place === (caller.directory ?? 'none');
          const expected = isFound ? doors[door].found : doors[door].absent;
          if (status !== expected) wrong.push(`${caller.name} on ${uid}: ${status} instead of ${expected}`);
        }
        // Members of an app that a key made see each other, but not in the trash.
        await server.call('POST', `/api/apps/${made.body.id}/trash`);
      }
      assert.deepEqual(wrong, []);
    });

  test('is counted', (t) => {
    t.diagnostic(`access matrix of acting on people: ${acts} cells, each with its exact status`);
    assert.ok(acts > 250);
  });
});

// A user's lists of users and directories show only those of the user's own directory.
describe('the lists of users and directories', () => {
  const uids = (answer: Answer): string[] => answer.body.data.map(({ uid }: { uid: string }) => uid);

  test('show each caller the visible ones', async () => {
    const lonely = await makeUser(server);
    const loner = { ...world.callers[0], headers: { authorization: `Bearer ${lonely.token}` } } as Caller;
    for (const caller of world.callers.filter(({ kind }) => kind === 'token')) {
      const { directory } = caller;
      const people = uids(await send('listUsers', '', caller));
      // In the second form a list of users leaves out the caller.
      const isListed = (uid: string) => caller.isOfSecondForm !== true || caller.uid !== uid;
      assert.equal(people.includes('w-same'), directory === 'here' && isListed('w-same'), caller.name);
      assert.equal(people.includes('w-other'), directory === 'elsewhere' && isListed('w-other'), caller.name);
      if (directory !== undefined) assert.equal(people.includes(lonely.uid), false, caller.name);
      const { body } = await send('listDirectories', '', caller);
      assert.deepEqual(
        body.data.map(({ name }: { name: string }) => name),
        directory === undefined ? [] : [directory],
        caller.name,
      );
    }
    const found = uids(
      await server.call('GET', '/api/users?top=100', undefined, { as: null, headers: loner.headers }),
    );
    assert.ok(found.includes(lonely.uid) && !found.includes('w-same') && !found.includes('w-other'));
    assert.equal((await send('listDirectories', '', loner)).body.count, 0);
  });
});
