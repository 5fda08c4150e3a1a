import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Answer, freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import type { Clock } from '../../../src/kernel/clock.ts';

let now = Date.UTC(2026, 10, 21, 7, 42);
const clock: Clock = { now: () => now };
const server = useServer({}, { clock });
const watch = useStoreWatch(server);

function issue(user: string | number, body?: unknown): Promise<Answer> {
  return server.call('POST', `/api/users/${user}/tokens`, body);
}

/** Who a token says its bearer is, or the status of the refusal. */
async function bearerOf(token: string): Promise<string | number> {
  const { status, body } = await server.as(token).call('GET', '/api/user');
  return status === 200 ? body.uid : status;
}

function tokensOf(uid: string): unknown {
  return watch.rows(
    `select count(*) as n from access_tokens join users on users.id = user_id where uid = '${uid}'`,
  )[0]?.n;
}

// A token acts as its user until it ends, and not a millisecond longer.
describe('issuing a token', () => {
  test('returns a working token, valid for an hour by default', async () => {
    const { uid, id } = await makeUser(server);
    const { status, body, headers } = await issue(uid);
    assert.equal(status, 200);
    assert.match(body.access_token, /^wyu_[0-9A-Za-z]{38}$/);
    assert.equal(body.expires_in, 3600);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(await bearerOf(body.access_token), uid);
    assert.equal(await bearerOf((await issue(id)).body.access_token), uid);
  });

  test('expires it after the requested number of seconds', async () => {
    const { uid } = await makeUser(server);
    const { body } = await issue(uid, { expires_in: 60 });
    assert.equal(body.expires_in, 60);
    now += 59_999;
    assert.equal(await bearerOf(body.access_token), uid);
    now += 1;
    assert.equal(await bearerOf(body.access_token), 401);
  });

  test('gives a user several independent ones', async () => {
    const { uid } = await makeUser(server);
    const tokens = await Promise.all(Array.from({ length: 5 }, () => issue(uid)));
    const secrets = new Set<string>(tokens.map((answer) => answer.body.access_token));
    assert.equal(secrets.size, 5);
    for (const secret of secrets) assert.equal(await bearerOf(secret), uid);
  });

  test('deletes only the expired ones of that user', async () => {
    const { uid } = await makeUser(server);
    const other = await makeUser(server);
    await issue(uid, { expires_in: 60 });
    await issue(uid, { expires_in: 7200 });
    await issue(other.uid, { expires_in: 60 });
    assert.equal(tokensOf(uid), 3);
    now += 3_600_000;
    await issue(uid);
    assert.equal(tokensOf(uid), 2);
    assert.equal(tokensOf(other.uid), 2);
  });

  test('deletes at most 100 expired ones at a time', async () => {
    const { uid } = await makeUser(server);
    for (let batch = 0; batch < 3; batch += 1)
      await Promise.all(Array.from({ length: 40 }, () => issue(uid, { expires_in: 60 })));
    assert.equal(tokensOf(uid), 121);
    now += 60_000;
    await issue(uid, { expires_in: 60 });
    assert.equal(tokensOf(uid), 22);
  });

  const lifetimes: [unknown, number][] = [
    [60, 200],
    [2_592_000, 200],
    [null, 200],
    [59, 422],
    [2_592_001, 422],
    [0, 422],
    [-60, 422],
    [1e300, 422],
    [60.5, 400],
    ['60', 400],
    [true, 400],
  ];
  for (const [expires_in, status] of lifetimes)
    test(`for ${JSON.stringify(expires_in)} seconds is ${status}`, async () => {
      const { uid } = await makeUser(server);
      const answer = await issue(uid, { expires_in });
      if (status === 200) assert.equal(answer.body.expires_in, expires_in ?? 3600);
      else assertProblem(answer, status, status === 422 ? 'validation_failed' : 'wrong_type', '/expires_in');
    });

  test('with a body that is not a JSON object is 400', async () => {
    const { uid } = await makeUser(server);
    assertProblem(await issue(uid, '{'), 400, 'invalid_json');
    assertProblem(await issue(uid, '[]'), 400, 'wrong_type');
    assert.equal((await issue(uid, '')).status, 200);
  });
});

// A host that knows a person only by a uid can begin with the token; what is wrong makes neither user nor token.
describe('a token for an unknown user', () => {
  test('creates the user with the profile in the request', async () => {
    const uid = freshUid('fresh');
    const directory = freshUid('dir');
    const { body } = await issue(uid, { name: 'Ada', directory, email: 'ada@example.com', expires_in: 600 });
    assert.equal(body.expires_in, 600);
    const user = await server.as(body.access_token).read('/api/user');
    assert.equal(user.uid, uid);
    assert.equal(user.display_name, 'Ada');
    assert.equal(user.email, 'ada@example.com');
    assert.equal((await server.read(`/api/directories/${directory}`)).id, user.directory_id);
  });

  test('leaves the profile of a known user unchanged', async () => {
    const { uid } = await makeUser(server, { name: 'Ada' });
    const { body } = await issue(uid, { name: 'Somebody else', is_bot: true });
    const user = await server.as(body.access_token).read('/api/user');
    assert.equal(user.name, 'Ada');
    assert.equal(user.is_bot, false);
  });

  test('by 16 requests at once creates one user and 16 tokens', async () => {
    const uid = freshUid('race');
    const answers = await Promise.all(Array.from({ length: 16 }, () => issue(uid)));
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
    assert.equal(tokensOf(uid), 16);
  });

  test('creates nothing when a value is invalid', async () => {
    watch.hasChanged();
    const uid = freshUid('wrong');
    assertProblem(await issue(uid, { expires_in: 1 }), 422, 'validation_failed', '/expires_in');
    assertProblem(await issue(uid, { email: 'x' }), 422, 'validation_failed', '/email');
    assertProblem(await issue(uid, { directory: '999999' }), 422, 'validation_failed', '/directory');
    assertProblem(await issue(uid, { name: 5 }), 400, 'wrong_type', '/name');
    assert.equal(watch.hasChanged(), false);
  });

  test('is 404 for an id, or for an invalid uid', async () => {
    for (const path of ['999999', '0', '9'.repeat(20), 'a%20b', encodeURIComponent('x'.repeat(257))])
      assertProblem(await issue(path, { expires_in: 1 }), 404, 'not_found');
  });
});

// Somebody who can do nothing gets no token, and is told so before values are judged.
describe('a token for a suspended or trashed user', () => {
  test('is 403 while suspended', async () => {
    const { uid } = await makeUser(server);
    await server.call('PATCH', `/api/users/${uid}`, { is_suspended: true });
    assertProblem(await issue(uid, { expires_in: 1 }), 403, 'user_suspended');
    await server.call('PATCH', `/api/users/${uid}`, { is_suspended: false });
    assert.equal((await issue(uid)).status, 200);
  });

  test('is 404 in the trash', async () => {
    const { uid } = await makeUser(server);
    await server.call('POST', `/api/users/${uid}/trash`);
    assertProblem(await issue(uid, { expires_in: 1 }), 404, 'not_found');
    await server.call('POST', `/api/users/${uid}/restore`);
    assert.equal((await issue(uid)).status, 200);
  });
});

// Once the answer is out, no request with a revoked token begins to work.
describe('revoking tokens', () => {
  test('ends all tokens of only that user, with an empty 200', async () => {
    const { uid, token } = await makeUser(server);
    const other = await makeUser(server);
    const second = (await issue(uid)).body.access_token;
    const answer = await server.call('DELETE', `/api/users/${uid}/tokens`);
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '');
    const statuses = await Promise.all([token, second, token, second].map(bearerOf));
    assert.deepEqual(statuses, [401, 401, 401, 401]);
    assert.equal(await bearerOf(other.token), other.uid);
    assert.equal(await bearerOf((await issue(uid)).body.access_token), uid);
  });

  test('can be repeated, and works for a suspended or trashed user', async () => {
    const { uid, token } = await makeUser(server);
    await server.call('PATCH', `/api/users/${uid}`, { is_suspended: true });
    await server.call('POST', `/api/users/${uid}/trash`);
    assert.equal((await server.call('DELETE', `/api/users/${uid}/tokens`)).status, 200);
    assert.equal((await server.call('DELETE', `/api/users/${uid}/tokens`)).status, 200);
    await server.call('POST', `/api/users/${uid}/restore`);
    await server.call('PATCH', `/api/users/${uid}`, { is_suspended: false });
    assert.equal(await bearerOf(token), 401);
  });

  test('of an unknown user is 404', async () => {
    for (const path of ['nobody-here', '999999'])
      assertProblem(await server.call('DELETE', `/api/users/${path}/tokens`), 404, 'not_found');
  });
});

// The log tells that tokens came and went, and never what they are.
describe('the events of tokens', () => {
  test('name the user and contain no secret', async () => {
    const { id, token } = await makeUser(server);
    await server.call('DELETE', `/api/users/${id}/tokens`);
    await server.call('DELETE', `/api/users/${id}/tokens`);
    const events = watch.rows(
      `select action, payload from events where entity_type = 'user' and entity_id = ${id} order by id`,
    );
    assert.deepEqual(
      events.map((event) => event.action),
      ['user_created', 'token_issued', 'tokens_revoked', 'tokens_revoked'],
    );
    assert.match(String(events[1]?.payload), /"expires_in":3600,/);
    for (const { payload } of events) assert.doesNotMatch(String(payload), /wyu_|wys_/);
    const stored = watch.rows('select hash from access_tokens').map((row) => row.hash as Uint8Array);
    assert.ok(stored.length > 0);
    assert.ok(!stored.some((hash) => Buffer.from(hash).equals(Buffer.from(token))));
  });

  test('call no webhook, whatever its triggers', async () => {
    const body = { payload_url: 'http://127.0.0.1:9/', triggers: ['user_created'] };
    assert.equal((await server.call('POST', '/api/webhooks', body)).status, 422);
  });
});
