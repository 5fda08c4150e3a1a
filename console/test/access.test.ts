import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { operations } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import {
  makeApp,
  makeBlob,
  makeComment,
  makeFile,
  makeImport,
  makePost,
  makeUser,
  makeWebhook,
} from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, type TestServer, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const folder = join(import.meta.dirname, '..');

/** What requests are about: something in one app, and what no app has. */
type Things = {
  /** The parameters of paths: by the group of the address, else by their names. */
  readonly ids: { readonly [name: string]: string | number };
  readonly uid: string;
};

/**
 * The bodies of every request with which the console can change something, in an order in which an API key can send all
 * of them about the same things. Requests without a body have `undefined`.
 */
const bodies: { readonly [operation: string]: (things: Things) => unknown } = {
  createApp: () => ({ uid: freshUid(), type: 'comments' }),
  updateApp: () => ({ name: 'Renamed' }),
  lockApp: () => ({}),
  unlockApp: () => undefined,
  addMember: () => ({ access: 'write', role: 'manager' }),
  removeMember: () => undefined,
  ...inKinds('hold', ['Comment', 'Post', 'Message', 'File']),
  ...inKinds('approve', ['Comment', 'Post', 'Message', 'File']),
  ...inKinds('trash', ['Comment', 'Post', 'Message', 'File']),
  ...inKinds('restore', ['Comment', 'Post', 'Message', 'File']),
  ...inKinds('lock', ['Post', 'File'], {}),
  ...inKinds('unlock', ['Post', 'File']),
  resolveReport: () => ({ action: 'keep' }),
  replaceModerationRules: () => ({ version: 0, rules: [{ name: 'all', action: 'hold', words: ['a'] }] }),
  testModerationRules: () => ({ text: 'a' }),
  updateSite: () => ({ visitors: 'read' }),
  createBan: () => ({ address: '203.0.113.3', seconds: 60 }),
  deleteBan: () => undefined,
  issueToken: () => ({ expires_in: 3600 }),
  revokeTokens: () => undefined,
  updateMail: () => ({ new_comments: true }),
  upsertUser: () => ({ name: 'Renamed', role: 'moderator' }),
  updateUser: () => ({ name: 'Renamed', is_suspended: false }),
  trashUser: () => undefined,
  restoreUser: () => undefined,
  ...inKinds('delete', ['Comment', 'Post', 'Message', 'File']),
  // It deletes what the user wrote in the background.
  eraseUser: () => undefined,
  registerWebhook: () => ({ payload_url: 'http://127.0.0.1:9/more', triggers: ['comments'], enabled: false }),
  updateWebhook: () => ({ ordered: true }),
  rotateWebhookSecret: () => ({ overlap_seconds: 60 }),
  createKey: ({ uid }) => ({ name: uid, scopes: ['read'] }),
  rotateKey: () => ({}),
  revokeKey: () => undefined,
  createBackup: () => undefined,
  verifyBackup: () => undefined,
  runDoctor: () => undefined,
  fixWithDoctor: () => undefined,
  createImportBlob: () => {
    const form = new FormData();
    form.set('blob', new Blob(['some text']), 'export.xml');
    return form;
  },
  createImport: ({ ids }) => ({ kind: 'disqus', blob_id: ids['blobs'] }),
  runImport: () => undefined,
  stopImport: () => undefined,
  undoImport: () => undefined,
  pingWebhook: () => undefined,
  redeliver: () => undefined,
  redeliverMany: () => ({ since: '2020-01-01T00:00:00Z' }),
  deleteWebhook: () => undefined,
  trashApp: () => undefined,
  restoreApp: () => undefined,
  deleteApp: () => undefined,
};

function inKinds(verb: string, kinds: readonly string[], body?: object) {
  return Object.fromEntries(kinds.map((kind) => [`${verb}${kind}`, () => body]));
}

/** The sources of the console, which calls the interface with `client.NAME` and in no other way. */
const sources = globSync('src/**/*.{ts,tsx}', { cwd: folder }).map((file) => ({
  file,
  text: readFileSync(join(folder, file), 'utf8'),
}));

function requestOf(name: string, things: Things) {
  const { method, path }: Operation = operations[name as keyof typeof operations];
  const [, , group = ''] = path.split('/');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, param) => {
    const id = things.ids[param] ?? things.ids[group];
    assert.ok(id !== undefined, `${name}: there is no ${param} of ${group}`);
    // An upsert names whom it makes or changes.
    return name === 'upsertUser' ? `author-${things.uid}` : String(id);
  });
  return { method, path: filled, body: bodies[name]?.(things) };
}

let bans = 0;

/** Makes something that each request can be about, in an app of its own. */
async function makeThings(server: TestServer, uid: string): Promise<Things> {
  const author = await makeUser(server, { name: `Author of ${uid}` }, `author-${uid}`);
  const as = { as: author.token };
  const inApp = async (type: string) => (await makeApp(server, { uid: `${uid}-${type}`, type })).id;
  const [app, posts, files, chat] = await Promise.all(['comments', 'posts', 'files', 'chat'].map(inApp));
  for (const each of [app, posts, files, chat])
    await server.call('PUT', `/api/apps/${each}/members/author-${uid}`, { access: 'write' });
  const reporter = await makeUser(server, {}, `reporter-${uid}`);
  await server.call('PUT', `/api/apps/${app}/members/${reporter.uid}`);
  const comment = await makeComment(server, app ?? 0, { text: 'mine' }, as);
  await server.call(
    'POST',
    `/api/comments/${comment.id}/reports`,
    { reason: 'spam' },
    { as: reporter.token },
  );
  const reports = await server.call('GET', `/api/reports?app=${uid}-comments`);
  const webhook = await makeWebhook(server);
  await server.running.keys.create(uid);
  bans += 1;
  const ban = await server.create('/api/bans', { address: `198.18.0.${bans}`, seconds: 3600 });
  const key = (await server.running.keys.list()).find(({ name }) => name === uid)?.id ?? 0;
  return {
    uid,
    ids: {
      bans: ban.id,
      keys: key,
      backup: '2026-11-22T20-08-35.324Z',
      blobs: await makeBlob(server),
      imports: await makeImport(server, 'finished'),
      ...{ app: app ?? 0, user: author.id, users: author.id, webhooks: webhook, delivery: 1 },
      comments: comment.id,
      posts: await makePost(server, posts ?? 0, as),
      files: await makeFile(server, files ?? 0, as),
      messages: (await server.create(`/api/apps/${chat}/messages`, { text: 'mine' }, as)).id,
      reports: reports.body.data[0]?.id ?? 0,
    },
  };
}

/**
 * What a key is refused: by a server without a place of backups (server/test/once/access/backups.test.ts has one with a
 * place), and because it is no user.
 */
const refused: { readonly [operation: string]: number } = {
  createBackup: 422,
  verifyBackup: 404,
  updateMail: 401,
};

const server = useServer();
const watch = useStoreWatch(server);
const world = use(async () => {
  const [hidden, own] = [await makeThings(server, 'hidden'), await makeThings(server, 'own')];
  await makeThings(server, 'other');
  const token = async (uid: string, apps: string, role: string) => {
    const { token: made } = await makeUser(server, {}, uid);
    for (const type of ['comments', 'posts', 'files', 'chat'])
      await server.call('PUT', `/api/apps/${apps}-${type}/members/${uid}`, { access: 'write', role });
    return made;
  };
  return {
    ...{ hidden, own },
    callers: {
      'a moderator': await token('moderator', 'own', 'moderator'),
      'a manager': await token('manager', 'own', 'manager'),
      'the moderator of another app': await token('neighbour', 'other', 'moderator'),
    },
  };
});

/** The rows that the loops of a server write as well, which the digest of the store leaves out. */
const ofLoops = () =>
  JSON.stringify(['webhooks', 'deliveries', 'attempts'].map((table) => watch.rows(`select * from ${table}`)));

// A console in the hands of a moderator changes nothing beyond their apps, whichever of its requests they send.
describe('the requests with which the console changes something', () => {
  test('are all in the table', () => {
    const called = new Set(
      sources.flatMap(({ text }) => [...text.matchAll(/\bclient\.(\w+)/g)].map(([, name = '']) => name)),
    );
    const changing = [...called].filter((name) => {
      const { method }: Pick<Operation, 'method'> = operations[name as keyof typeof operations] ?? {
        method: 'GET',
      };
      return method !== 'GET';
    });
    assert.deepEqual(Object.keys(bodies).sort(), changing.sort());
  });

  test('are made by name, with the client', () => {
    for (const { file, text } of sources) {
      const code = text.replaceAll(/^import [\s\S]*?;|\/\*[\s\S]*?\*\/|\/\/.*/gm, '');
      if (!/api\.ts$/.test(file)) assert.doesNotMatch(code, /\bclient\b(?!\.\w)/, file);
      const isOwn = /(?:api|session|events\/log)\.ts$/.test(file);
      assert.ok(
        isOwn || !/\bfetch\(|XMLHttpRequest|sendBeacon|<form[^>]*action=/.test(code),
        `${file} sends requests by itself`,
      );
    }
  });

  test('change nothing in other apps, and nothing of the server', async () => {
    for (const [who, as] of Object.entries(world.callers))
      for (const name of Object.keys(bodies)) {
        const { method, path, body } = requestOf(name, world.hidden);
        const before = ofLoops();
        watch.hasChanged();
        const { status } = await server.call(method, path, body, { as });
        // Every user may create an app, which is then theirs, and chooses their own mail.
        if (name === 'createApp' || name === 'updateMail') {
          assert.equal(status, name === 'createApp' ? 201 : 200);
          continue;
        }
        assert.ok([401, 403, 404].includes(status), `${name} by ${who}: ${status}`);
        assert.ok(!watch.hasChanged(), `${name} by ${who} changed the store`);
        assert.equal(ofLoops(), before, `${name} by ${who} changed the webhooks`);
      }
  });

  test('change the moderated app alone', async () => {
    const beyond = async () => {
      const paths = ['comments', 'posts', 'files', 'chat'].flatMap((type) => [
        `/api/apps/hidden-${type}`,
        `/api/apps/hidden-${type}/members`,
        `/api/apps/hidden-${type}/${type === 'chat' ? 'messages' : type}`,
      ]);
      const all = [
        ...paths,
        '/api/users',
        '/api/webhooks',
        '/api/keys',
        '/api/moderation/rules',
        '/api/directories',
      ];
      const lists = await Promise.all(all.map(async (path) => (await server.call('GET', path)).body));
      // The key that asks here is used.
      return JSON.stringify(lists, (name, value) => (name === 'last_used_at' ? undefined : value));
    };
    const before = await beyond();
    let changed = 0;
    for (const name of Object.keys(bodies)) {
      const { method, path, body } = requestOf(name, world.own);
      const { status } = await server.call(method, path, body, { as: world.callers['a moderator'] });
      if (status < 300) changed += 1;
    }
    assert.ok(changed > 10, `a moderator could do ${changed} things in their own app`);
    assert.equal(await beyond(), before);
  });

  test('are such as an API key sends with success', async () => {
    for (const name of Object.keys(bodies)) {
      const { method, path, body } = requestOf(name, world.hidden);
      // The ping becomes a delivery a moment later, and the doctor does one thing at a time.
      const answer = await poll(`${name} to find what it is about`, async () => {
        const tried = await server.call(method, path, body);
        const isLater = name === 'redeliver' ? tried.status === 404 : tried.status === 503;
        return isLater ? undefined : tried;
      });
      const isGiven = answer.status < 300 || answer.status === refused[name];
      assert.ok(isGiven, `${name}: ${answer.status} ${answer.text}`);
    }
  });
});
