import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { type Operation, takesIdempotencyKey } from 'confab-contract/operation.ts';
import { Problem } from 'confab-contract/problem.ts';
import { makeApp, makeBlob, makeComment, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { wrapStore } from 'confab-testing/harness/store-wrapper.ts';
import { createGate } from 'confab-testing/network/gate.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import {
  type Answer,
  before,
  freshUid,
  startTestServer,
  type TestServer,
  useServer,
} from 'confab-testing/server.ts';
import { storeSettings } from 'confab-testing/stores/databases.ts';
import { readStore, useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { signInGuest } from 'confab-testing/visitors.ts';
import { insertKeptAnswer, removeKeptAnswers } from '../../src/db/kept-answers.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);
const world = { app: 0, token: '' };
before(async () => {
  world.app = (await makeApp(server, { access: 'write' })).id;
  world.token = (await makeUser(server)).token;
});

type Sent = {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly as?: string;
};

/** Sends a request with this value of the `Idempotency-Key` header. */
async function sendKeyed(
  key: string,
  { method = 'POST', path, body, as = server.key }: Sent,
): Promise<Answer> {
  return await server.call(method, path, body, { as, headers: { 'idempotency-key': key } });
}

const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
const comments = () => `/api/apps/${world.app}/comments`;
const countOf = async (app: number) =>
  (await server.call('GET', `/api/apps/${app}/comments?count_only=true`)).body.count;

/** Fails unless the retry has the same response as the first request, byte for byte, and is marked as a replay. */
function assertReplayed(first: Answer, retry: Answer): void {
  assert.equal(replayed(first), null);
  assert.equal(replayed(retry), 'true');
  assert.equal(retry.status, first.status);
  assert.equal(retry.text, first.text);
  for (const name of ['content-type', 'content-length', 'cache-control'])
    assert.equal(retry.headers.get(name), first.headers.get(name), name);
}

// A request with an Idempotency-Key takes effect once, however often it arrives.
describe('a request with an Idempotency-Key', () => {
  test('has one effect and one answer, whatever becomes of what it made', async () => {
    const { id: app } = await makeApp(server);
    const sent = { path: `/api/apps/${app}/comments`, body: { text: 'once' } };
    const first = await sendKeyed('once', sent);
    assert.equal(first.status, 201);
    const events = watch.count('events');
    assertReplayed(first, await sendKeyed('once', sent));
    assert.equal(await countOf(app), 1);
    await server.call('PATCH', `/api/comments/${first.body.id}`, { text: 'changed' });
    assertReplayed(first, await sendKeyed('once', sent));
    await server.call('DELETE', `/api/comments/${first.body.id}`);
    await server.call('DELETE', `/api/apps/${app}`);
    assertReplayed(first, await sendKeyed('once', sent));
    assert.equal(watch.count('events') - events, 3);
  });

  test('without the key is made each time', async () => {
    const { id: app } = await makeApp(server);
    for (const text of ['a', 'a']) await makeComment(server, app, { text });
    assert.equal(await countOf(app), 2);
  });

  test('gets every kind of answer again: created, changed, empty, large', async () => {
    const { id: files } = await makeApp(server, { type: 'files' });
    const { id: posts } = await makeApp(server, { type: 'posts', access: 'write' });
    const post = await makePost(server, posts);
    const comment = await makeComment(server, world.app);
    const blob_id = await makeBlob(server);
    const sent: readonly (Sent & { readonly status: number })[] = [
      { status: 201, path: '/api/apps', body: { uid: freshUid('keyed'), type: 'comments' } },
      { status: 201, path: '/api/users', body: { uid: freshUid('keyed'), name: 'Kay' } },
      { status: 201, path: '/api/directories', body: { name: freshUid('keyed') } },
      { status: 201, path: `/api/apps/${files}/files`, body: { blob_id } },
      { status: 201, path: `/api/apps/${posts}/posts`, body: { text: 'x' }, as: world.token },
      { status: 204, path: `/api/posts/${post}/reactions`, body: { content: '👍' }, as: world.token },
      { status: 204, path: `/api/apps/${world.app}/members`, body: [] },
      { status: 200, path: `/api/comments/${comment.id}`, method: 'PATCH', body: { tags: ['a'] } },
      { status: 200, path: `/api/comments/${comment.id}/trash` },
      { status: 200, path: `/api/apps/${world.app}/subscribe`, as: world.token },
      { status: 201, path: comments(), body: { text: '<&"é '.repeat(10_000) } },
    ];
    for (const { status, ...request } of sent) {
      const key = freshUid('kind');
      const first = await sendKeyed(key, request);
      assert.equal(first.status, status, `${request.path} ${first.text}`);
      watch.hasCommitted();
      assertReplayed(first, await sendKeyed(key, request));
      assert.equal(watch.hasCommitted(), false, request.path);
    }
  });

  test('has a key that is bare or a string in double quotes', async () => {
    const sent = { path: comments(), body: { text: 'quoted' } };
    const first = await sendKeyed('"a\\"b\\\\c"', sent);
    assertReplayed(first, await sendKeyed('a"b\\c', sent));
    const longest = 'k'.repeat(255);
    assertReplayed(await sendKeyed(longest, sent), await sendKeyed(`"${longest}"`, sent));
  });

  for (const key of [
    '',
    '""',
    '"',
    '"a',
    'a b',
    '"a b"',
    '"a"b',
    '"a";p=1',
    'a, b',
    'é',
    'k'.repeat(256),
    '"\\a"',
  ])
    test(`is refused when the key is ${JSON.stringify(key).slice(0, 20)}`, async () => {
      watch.hasCommitted();
      assertProblem(await sendKeyed(key, { path: comments(), body: {} }), 400, 'invalid_idempotency_key');
      assert.equal(watch.hasCommitted(), false);
    });

  test('is refused when it is not the request that came first', async () => {
    const sent = { path: comments(), body: { text: 'mine' } };
    const first = await sendKeyed('reused', sent);
    const others: readonly Sent[] = [
      { ...sent, body: { text: 'other' } },
      { ...sent, path: `${sent.path}?a=1` },
      { ...sent, path: `/api/apps/${(await makeApp(server)).id}/comments` },
      { method: 'PATCH', path: `/api/comments/${first.body.id}`, body: sent.body },
      // This operation declares no 422 of its own.
      { path: `/api/comments/${first.body.id}/trash` },
    ];
    watch.hasCommitted();
    for (const other of others)
      assertProblem(await sendKeyed('reused', other), 422, 'idempotency_key_reused');
    assert.equal(watch.hasCommitted(), false);
    assertReplayed(first, await sendKeyed('reused', sent));
  });

  test('has a key of its own caller: a user, an API key, and whom that acts for', async () => {
    const sent = { path: comments(), body: { text: 'whose' } };
    const ada = await makeUser(server);
    const { token: otherToken } = (await server.call('POST', `/api/users/${ada.uid}/tokens`)).body as any;
    const otherKey = await server.running.keys.create('other');
    const fresh = [server.key, otherKey, world.token, ada.token];
    const ids = new Set<number>();
    for (const as of fresh) {
      const answer = await sendKeyed('whose', { ...sent, as });
      assert.equal(replayed(answer), null);
      ids.add(answer.body.id);
    }
    const headers = { 'idempotency-key': 'whose', 'x-confab-user': ada.uid };
    const behalf = await server.call('POST', sent.path, sent.body, { headers });
    assert.equal(replayed(behalf), null);
    assert.equal(new Set([...ids, behalf.body.id]).size, 5);
    assert.equal(otherToken, undefined);
    const { access_token } = (await server.call('POST', `/api/users/${ada.uid}/tokens`)).body;
    assert.equal(replayed(await sendKeyed('whose', { ...sent, as: access_token })), 'true');
  });

  test('that was refused keeps nothing and can be sent again', async () => {
    const { id: app } = await makeApp(server);
    const path = `/api/apps/${app}/comments`;
    const reader = (await makeUser(server)).token;
    assertProblem(await sendKeyed('again', { path, body: { tags: [''] } }), 422, 'validation_failed');
    assertProblem(await sendKeyed('again', { path, body: { text: 5 } }), 400, 'wrong_type');
    assertProblem(await sendKeyed('mine', { path, body: {}, as: reader }), 404, 'not_found');
    assert.equal(replayed(await sendKeyed('again', { path, body: {} })), null);
    await server.call('PATCH', `/api/apps/${app}`, { access: 'write' });
    assert.equal((await sendKeyed('mine', { path, body: {}, as: reader })).status, 201);
    assert.equal(await countOf(app), 2);
  });

  test('keeps no answer where the header is not taken', async () => {
    const kept = watch.count('kept_answers');
    const { uid } = await makeUser(server);
    const tokens = [];
    for (let i = 0; i < 2; i += 1)
      tokens.push((await sendKeyed('token', { path: `/api/users/${uid}/tokens` })).body.access_token);
    assert.notEqual(tokens[0], tokens[1]);
    for (const method of ['PUT', 'DELETE'])
      assert.equal(replayed(await sendKeyed('put', { method, path: `/api/apps/${world.app}/stars` })), null);
    assert.equal((await sendKeyed('bad key', { method: 'GET', path: comments() })).status, 200);
    assert.equal(watch.count('kept_answers'), kept);
  });

  test('costs one look and one row, and nothing without the header', async () => {
    await makeComment(server, world.app);
    const costOf = async (key?: string) => {
      statements.length = 0;
      await server.call(
        'POST',
        comments(),
        { text: 'counted' },
        key === undefined ? {} : { headers: { 'idempotency-key': key } },
      );
      return statements.length;
    };
    const plain = await costOf();
    assert.ok(!statements.some((sql) => sql.includes('kept_answers')));
    assert.equal(await costOf('counted'), plain + 2);
    // One statement for the caller, one for the kept response.
    assert.equal(await costOf('counted'), 2);
  });
});

// Kept responses are removed after a day.
describe('kept answers', () => {
  const hourMs = 3_600_000;
  const removedAt = async (hours: number) => {
    const clock = { now: () => Date.now() + hours * hourMs };
    return await removeKeptAnswers({ db: server.running.db, clock });
  };

  test('stay for a day and are then removed, a batch at a time', async () => {
    await sendKeyed('day', { path: comments(), body: {} });
    const kept = watch.count('kept_answers');
    assert.equal(await removedAt(23.9), false);
    assert.equal(watch.count('kept_answers'), kept);
    const row = { userId: 1, apiKeyId: 0, fingerprint: new Uint8Array(32), status: 204, body: null };
    await server.running.db.write(async (tx) => {
      for (let i = kept; i < 501; i += 1)
        await tx.insert(insertKeptAnswer, { ...row, key: `row-${i}`, createdAt: Date.now() });
    });
    assert.equal(await removedAt(24.1), true);
    assert.equal(watch.count('kept_answers'), 1);
    assert.equal(await removedAt(24.1), false);
    assert.equal(watch.count('kept_answers'), 0);
    assert.equal(replayed(await sendKeyed('day', { path: comments(), body: {} })), null);
  });

  test('have no secret in them', async () => {
    const body = {
      payload_url: 'http://127.0.0.1:9/',
      triggers: ['apps'],
      secret: 'a secret of ours',
      enabled: false,
    };
    const { id } = (await sendKeyed('secret', { path: '/api/webhooks', body })).body;
    const made = (await sendKeyed('rotated', { path: `/api/webhooks/${id}/secret/rotate` })).body.secret;
    assert.match(made, /^whsec_/);
    const rows = JSON.stringify(watch.rows('select body from kept_answers'));
    assert.ok(!rows.includes('a secret of ours') && !rows.includes(made));
  });

  test('are of no operation that answers a secret', () => {
    // The key of an anchor is a name that the product gives a place.
    const answers = ({ success }: Operation) =>
      JSON.stringify(Object.values(success), (name, value) => (name === 'anchor' ? undefined : value));
    const secretive = operationList.filter((each) =>
      /"(?:access_token|secret|api_key|key)":/.test(answers(each)),
    );
    assert.ok(secretive.length >= 2);
    assert.deepEqual(
      secretive.filter(takesIdempotencyKey).map(({ id }) => id),
      [],
    );
  });
});

// Each operation that takes a key reports a key that is in use and a key that belongs to another request.
describe('while the first request is running', () => {
  const gate = createGate();
  const held = useServer(
    { CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' },
    { isQuiet: true, wrapDb: gate.wrapDb },
  );
  let token = '';
  let visitorToken = '';
  before(async () => {
    token = (await makeUser(held)).token;
    visitorToken = (await signInGuest(held)).access_token;
  });
  const taking = operationList.filter(takesIdempotencyKey);

  /** Fails if a request that must be refused is held as well. */
  async function soon(answer: Promise<Answer>): Promise<Answer> {
    let arrived: Answer | undefined;
    answer.then((value) => {
      arrived = value;
    }, assert.fail);
    return await poll('an answer', () => arrived);
  }

  for (const { id, method, path, caller, body, example } of taking)
    test(`${id} is refused to others with its key`, async () => {
      const as = caller === 'visitor' ? visitorToken : caller === 'user' ? token : held.key;
      const sending = { as, headers: { 'idempotency-key': id } };
      const at = path.replaceAll(/\{\w+\}/g, '987654321');
      const sent = body === undefined ? undefined : (example ?? {});
      gate.close();
      const first = held.call(method, at, sent, sending);
      try {
        await gate.holds(1);
        assertProblem(await soon(held.call(method, at, sent, sending)), 409, 'idempotency_key_in_use');
        const other = await soon(held.call(method, `${at}?a=1`, sent, sending));
        assertProblem(other, 422, 'idempotency_key_reused');
      } finally {
        gate.open();
        await first;
      }
    });

  test('there are operations that take a key', () => assert.ok(taking.length > 40, String(taking.length)));
});

// Concurrent requests with one key have the effect of a single one.
describe('retries that come at once', () => {
  test('make one comment of fifty', async () => {
    const { id: app } = await makeApp(server);
    const sent = { path: `/api/apps/${app}/comments`, body: { text: 'at once' } };
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendKeyed('fifty', sent)));
    assert.equal(answers.filter((each) => each.status === 201 && replayed(each) === null).length, 1);
    const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
    assert.equal(texts.size, 1);
    for (const each of answers) if (each.status !== 201) assertProblem(each, 409, 'idempotency_key_in_use');
    assert.equal(await countOf(app), 1);
  });

  test('make a thousand comments of a thousand keys', async () => {
    const { id: app } = await makeApp(server);
    const path = `/api/apps/${app}/comments`;
    /** Retries after a 409, as a client does. */
    const persist = async (n: number): Promise<string> => {
      for (;;) {
        const answer = await sendKeyed(`many-${n}`, { path, body: { text: `comment ${n}` } });
        if (answer.status === 201) return answer.text;
        assertProblem(answer, 409, 'idempotency_key_in_use');
      }
    };
    for (let from = 0; from < 1000; from += 50) {
      const keys = Array.from({ length: 50 }, (_, index) => from + index);
      const [first, second] = await Promise.all([
        Promise.all(keys.map(persist)),
        Promise.all(keys.map(persist)),
      ]);
      assert.deepEqual(second, first);
    }
    assert.equal(await countOf(app), 1000);
  });
});

// When the store cannot tell whether a transaction committed, a retry with the key finds out.
test('a commit of unknown outcome is answered by what is kept', async (t) => {
  let failure: 'before' | 'after' | undefined;
  const failing = await startTestServer(
    {},
    {
      isQuiet: true,
      wrapDb: (db) => ({
        ...wrapStore(db, {}),
        async write(work, kind) {
          const unknown = new Problem('storage_unavailable', 'unknown');
          if (failure === 'before') throw unknown;
          const value = await db.write(work, kind);
          if (failure === 'after') throw unknown;
          return value;
        },
      }),
    },
  );
  t.after(() => failing.close());
  const { id } = await makeApp(failing);
  const send = (key: string) =>
    failing.call('POST', `/api/apps/${id}/comments`, { text: key }, { headers: { 'idempotency-key': key } });
  failure = 'before';
  assertProblem(await send('a'), 503, 'storage_unavailable');
  failure = 'after';
  const answered = await send('b');
  assert.deepEqual([answered.status, replayed(answered)], [201, 'true']);
  failure = undefined;
  assert.equal(replayed(await send('a')), null);
  assert.equal((await send('b')).text, answered.text);
  const { count } = (await failing.call('GET', `/api/apps/${id}/comments?count_only=true`)).body;
  assert.equal(count, 2);
});

// After a crash, a retry replays the response of a committed request and runs one that was not committed.
describe('a server that is killed', () => {
  /** Kills a server while it creates a comment with a key, retries on the next server, and returns the outcome. */
  async function killedAt(moment: 'statement' | 'commit'): Promise<Answer> {
    const folder = mkdtempSync(join(tmpdir(), 'confab-retries-'));
    const settings = { CONFAB_DATA_DIR: folder, CONFAB_PORT: '0', CONFAB_LOG_LEVEL: 'silent' };
    const program = ['testing/src/killed-server.ts', '1', '^insert into "kept_answers"', moment];
    const child = spawn(process.execPath, program, {
      env: { ...process.env, ...settings, ...(await storeSettings(folder)) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    await poll('the server', () => (said.includes('ready') ? said : undefined));
    const [url = '', key = ''] = said.split('\n');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const app = { method: 'POST', headers, body: '{"uid":"killed","type":"comments"}' };
    assert.equal((await fetch(`${url}/api/apps`, app)).status, 201);
    const comment = { ...app, headers: { ...headers, 'idempotency-key': 'killed' }, body: '{"text":"once"}' };
    await assert.rejects(fetch(`${url}/api/apps/killed/comments`, comment));
    await poll('its end', () => child.signalCode ?? undefined);
    const next: TestServer = await startTestServer({}, { folder });
    const sending = { as: key, headers: { 'idempotency-key': 'killed' } };
    const before = readStore(folder, 'select id from entries').length;
    assert.equal(before, moment === 'commit' ? 1 : 0);
    const retry = await next.call('POST', '/api/apps/killed/comments', '{"text":"once"}', sending);
    assert.equal((await next.call('GET', '/api/apps/killed/comments')).body.count, 1);
    assert.equal((await next.call('GET', `/api/comments/${retry.body.id}`)).body.text, 'once');
    await next.close();
    rmSync(folder, { recursive: true, force: true });
    return retry;
  }

  test('between commit and answer has kept the answer', async () => {
    const { status, headers } = await killedAt('commit');
    assert.deepEqual([status, headers.get('idempotent-replayed')], [201, 'true']);
  });

  test('before the commit has kept nothing', async () => {
    const { status, headers } = await killedAt('statement');
    assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null]);
  });
});
