import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { reservedUids, type UidOwner } from 'confab-contract/values/ids.ts';
import { runDoctor } from 'confab-testing/command.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Answer, freshUid, startTestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch, writeStore } from 'confab-testing/stores/store-watch.ts';
import { planImport } from '../../src/features/imports/import-plan.ts';

const server = useServer({}, { isQuiet: true });
const watch = useStoreWatch(server);

const parameters: { readonly [O in UidOwner]: string } = { app: '{app}', user: '{user}' };

/** The last segments of paths where another path has the uid of an app or a user. */
function wordsBeside(owner: UidOwner): string[] {
  const collections = operationList
    .filter(({ path }) => path.endsWith(`/${parameters[owner]}`))
    .map(({ path }) => path.slice(0, -parameters[owner].length));
  const words = operationList.flatMap(({ path }) => {
    const collection = collections.find((start) => path.startsWith(start));
    const [word = ''] = collection === undefined ? [] : path.slice(collection.length).split('/');
    return word === '' || word.startsWith('{') || collection?.includes('{') ? [] : [word];
  });
  return [...new Set(words)];
}

/** Every spelling of a word with each letter plain or percent-encoded in either case. */
function spellings(word: string): string[] {
  const [first = '', ...rest] = word;
  if (first === '') return [''];
  const code = first.charCodeAt(0).toString(16);
  const ways = [...new Set([first, `%${code}`, `%${code.toUpperCase()}`])];
  return spellings(rest.join('')).flatMap((tail) => ways.map((way) => way + tail));
}

type Door = (uid: string) => Promise<Answer>;

/** Every request that creates an object with a uid from its body, or changes a uid. */
const doors: { readonly [O in UidOwner]: { readonly [door: string]: Door } } = {
  app: {
    create: (uid) => server.call('POST', '/api/apps', { uid, type: 'comments' }),
    update: async (uid) => server.call('PATCH', `/api/apps/${(await makeApp(server)).id}`, { uid }),
    'upsert of one that is there': async (uid) =>
      server.call('PUT', `/api/apps/${(await makeApp(server)).uid}`, { type: 'comments', uid }),
    'upsert of one that is not': (uid) =>
      server.call('PUT', `/api/apps/${freshUid('put')}`, { type: 'comments', uid }),
    init: (uid) =>
      server.call('POST', '/api/apps/init', { app: { uid, type: 'comments' }, user: { uid: freshUid() } }),
  },
  user: {
    create: (uid) => server.call('POST', '/api/users', { uid }),
    update: async (uid) => server.call('PATCH', `/api/users/${(await makeUser(server)).id}`, { uid }),
    'upsert of one who is there': async (uid) =>
      server.call('PUT', `/api/users/${(await makeUser(server)).uid}`, { uid }),
    'upsert of one who is not': (uid) => server.call('PUT', `/api/users/${freshUid('put')}`, { uid }),
    init: (uid) =>
      server.call('POST', '/api/apps/init', { app: { uid: freshUid(), type: 'comments' }, user: { uid } }),
  },
};

/** Every request that creates an object with the uid in its path. */
const paths: { readonly [O in UidOwner]: { readonly [door: string]: Door } } = {
  app: {
    upsert: (text) => server.call('PUT', `/api/apps/${text}`, { type: 'comments' }),
    'upsert as a page': async (text) =>
      server.call(
        'PUT',
        `/api/apps/${text}?page=true`,
        { type: 'comments' },
        { as: await server.token('visitor') },
      ),
  },
  user: {
    upsert: (text) => server.call('PUT', `/api/users/${text}`, {}),
    tokens: (text) => server.call('POST', `/api/users/${text}/tokens`, {}),
  },
};

function countOf(owner: UidOwner, uid: string): number {
  return Number(watch.rows(`select count(*) as n from ${owner}s where uid = '${uid}'`)[0]?.['n']);
}

// An object whose uid is the name of another path could not be reached, so no request can create one.
describe('a uid that is also a path', () => {
  test('is every word that the contract has in place of uids', () => {
    for (const owner of ['app', 'user'] as const)
      assert.deepEqual(wordsBeside(owner).sort(), [...reservedUids[owner]].sort());
  });

  for (const owner of ['app', 'user'] as const)
    for (const word of reservedUids[owner]) {
      for (const [door, send] of Object.entries(doors[owner]))
        test(`is accepted for no ${owner} by ${door}`, async () => {
          const answer = await send(word);
          const pointer = door === 'init' ? `/${owner}/uid` : '/uid';
          assertProblem(answer, 422, 'validation_failed', pointer);
          assert.equal(countOf(owner, word), 0);
        });

      for (const [door, send] of Object.entries(paths[owner]))
        test(`is accepted for no ${owner} by ${door}, however it is spelt`, async () => {
          const ways =
            word.length > 6 ? spellings(word.slice(0, 3)).map((s) => s + word.slice(3)) : spellings(word);
          for (const way of ways) assertProblem(await send(way), 422, 'validation_failed', '/uid');
          assert.equal(countOf(owner, word), 0);
        });

      test(`does not change the path of ${word}`, async () => {
        for (const method of ['GET', 'PATCH', 'DELETE', 'POST', 'PUT']) {
          const path = `/api/${owner}s/${word}`;
          const declared = operationList.some((each) => each.method === method && each.path === path);
          const { status } = await server.call(method, path, method === 'GET' ? undefined : {});
          assert.equal(status === 405, !declared && method !== 'PUT', `${method} ${path} → ${status}`);
        }
      });
    }

  test('may be a reserved word of the other kind, or look similar', async () => {
    for (const uid of ['autocomplete', 'Init', 'INIT', 'init.', '%69nit', 'init/x'])
      assert.equal((await makeApp(server, { uid })).uid, uid);
    for (const uid of ['init', 'Autocomplete', '%61utocomplete'])
      assert.equal((await makeUser(server, {}, uid)).uid, uid);
  });

  test('is not the uid of any imported page', () => {
    const author = { name: 'Ada' };
    const page = (sourceId: string, link: string) => ({ sourceId, link, title: 'Page', isRestricted: false });
    const comment = (sourceId: string, pageSourceId: string) => ({
      sourceId,
      pageSourceId,
      author,
      text: 'words',
      status: 'approved' as const,
      kind: 'comment' as const,
      createdAt: 0,
    });
    const plan = planImport({
      kind: 'disqus',
      source: 'disqus',
      pages: [page('1', 'http://init/'), page('2', 'http://init/a')],
      comments: [comment('1', '1'), comment('2', '2')],
      unreadable: [],
      notes: [],
    });
    assert.deepEqual(
      plan.apps.map(({ uid }) => uid),
      ['init~a'],
    );
  });
});

// An object that an early release created with such a uid can be found by its id and given another uid.
describe('a uid of the previous release that is also a path', () => {
  test('is reported by the doctor until it changes', async () => {
    const store = await startTestServer({}, { isQuiet: true });
    const [app, user] = [await makeApp(store), await makeUser(store)];
    writeStore(store.folder, `update apps set uid = 'init' where id = ${app.id}`);
    writeStore(store.folder, `update users set uid = 'autocomplete' where id = ${user.id}`);
    const examine = async () => (await runDoctor(['--data-dir', store.folder])).findings;
    const [ofApp, ofUser] = await examine();
    assert.match(ofApp?.what ?? '', new RegExp(`^app ${app.id} has the uid "init"`));
    assert.match(ofApp?.mend ?? '', new RegExp(`PATCH /api/apps/${app.id}`));
    assert.match(ofUser?.what ?? '', new RegExp(`^user ${user.id} has the uid "autocomplete"`));
    assert.equal((await store.call('PATCH', `/api/apps/${app.id}`, { uid: 'elsewhere' })).status, 200);
    assert.equal((await store.call('PATCH', `/api/users/${user.id}`, { uid: 'somebody' })).status, 200);
    assert.deepEqual(await examine(), []);
    await store.close();
  });
});
