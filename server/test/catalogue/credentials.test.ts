import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProblemBody } from 'confab-contract/fields.ts';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import { assertEach, makeWorld, pathOf, type World } from 'confab-testing/catalogue/rows.ts';
import { checkAnswer } from 'confab-testing/contract-check.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { exchange, requestBytes } from 'confab-testing/network/raw.ts';
import { specifiedOperations } from 'confab-testing/operations.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { makeSecret } from '../../src/features/credentials/secret-text.ts';
import { credentialRows, type Secrets } from './credentials.ts';

let world: World;
let secrets: Secrets;
let now = Date.parse('2026-11-21T08:00:00Z');
const statements: string[] = [];
let rows = 0;

const server = useServer({}, { clock: { now: () => now }, onStatement: (sql) => statements.push(sql) });
before(async () => {
  world = await makeWorld(server);
  const [revoked, suspended, trashed] = [
    await makeUser(server),
    await makeUser(server),
    await makeUser(server),
  ];
  await server.call('DELETE', `/api/users/${revoked.uid}/tokens`);
  await server.call('PATCH', `/api/users/${suspended.uid}`, { is_suspended: true });
  await server.call('POST', `/api/users/${trashed.uid}/trash`);
  const revokedKey = await server.running.keys.create('revoked');
  const made = (await server.running.keys.list()).find(({ name }) => name === 'revoked');
  await server.running.keys.revoke(made?.id ?? 0);
  secrets = {
    key: server.key,
    token: world.token,
    revokedKey,
    revokedToken: revoked.token,
    suspendedToken: suspended.token,
    trashedToken: trashed.token,
    strangerKey: makeSecret('key'),
    strangerToken: makeSecret('token'),
  };
});
const watch = useStoreWatch(server);

/** Sends a body that would exhaust any parser, because the body of an anonymous request must not be read. */
async function send(method: string, target: string, headers: readonly string[]) {
  const answer = await exchange(
    server.url,
    requestBytes({
      method,
      target,
      headers: [...headers, 'Content-Type: application/json', 'Connection: close'],
      ...(method === 'GET' ? {} : { body: '{"a":' }),
    }),
  );
  const body = answer.body === '' ? undefined : (JSON.parse(answer.body) as ProblemBody);
  checkAnswer({ method, path: target }, { status: answer.status, headers: answer.headers, body });
  return { ...answer, body };
}

// A request without a valid credential is 401 on every operation, and nothing of it is read or stored.
describe('a bad credential', () => {
  for (const { id, method } of specifiedOperations)
    test(`on ${id}`, async () => {
      watch.hasChanged();
      rows += await assertEach(
        credentialRows,
        ({ name }) => name,
        async ({ headers }) => {
          const answer = await send(method, pathOf(world, id), headers(secrets));
          assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
          assert.ok(!answer.text.includes(secrets.key.slice(4)), 'the credential is in the answer');
          return { expected: 401, answer };
        },
      );
      assert.equal(watch.hasChanged(), false);
    });

  test('in the query is ignored', async () => {
    for (const name of ['access_token', 'api_key', 'token', 'key', 'authorization'])
      assert.equal((await send('GET', `/api/apps?${name}=${secrets.key}`, [])).status, 401);
    rows += 5;
  });

  test('that was mistyped is refused without a read of the store', async () => {
    const isLookup = (sql: string) => /api_keys|access_tokens/.test(sql);
    const lookups = async (secret: string) => {
      const from = statements.length;
      await send('GET', '/api/apps', [`Authorization: Bearer ${secret}`]);
      return statements.slice(from).filter(isLookup).length;
    };
    assert.equal(await lookups(`${secrets.key.slice(0, -1)}${secrets.key.endsWith('0') ? '1' : '0'}`), 0);
    assert.ok((await lookups(secrets.strangerKey)) > 0);
  });

  test('gets the same response for an unknown and a revoked key', async () => {
    const bodies: string[] = [];
    for (const secret of [secrets.strangerKey, secrets.revokedKey]) {
      const { body } = await send('GET', '/api/apps', [`Authorization: Bearer ${secret}`]);
      bodies.push(JSON.stringify({ ...body, request_id: '' }));
    }
    assert.equal(bodies[0], bodies[1]);
  });
});

// Unusual headers that RFC 9110 permits are accepted.
describe('a good credential', () => {
  for (const [name, header] of [
    ['in the usual way', (key: string) => `Authorization: Bearer ${key}`],
    ['with the scheme in lower case', (key: string) => `authorization: bearer ${key}`],
    ['with the scheme in upper case', (key: string) => `AUTHORIZATION: BEARER ${key}`],
    ['with two spaces', (key: string) => `Authorization: Bearer  ${key}`],
    ['with spaces around', (key: string) => `Authorization:   Bearer ${key}  `],
  ] as const)
    test(name, async () => {
      assert.equal((await send('GET', '/api/apps', [header(secrets.key)])).status, 200);
    });
});

// A token expires to the second and permanently; an API key works until it is revoked.
describe('the time of a token', () => {
  test('ends it exactly', async () => {
    const { body } = await server.call('POST', `/api/users/${world.user}/tokens`, { expires_in: 60 });
    const use = async () =>
      (await send('GET', '/api/apps', [`Authorization: Bearer ${body.access_token}`])).status;
    now += 59_999;
    assert.equal(await use(), 200);
    now += 1;
    assert.equal(await use(), 401);
    now += 86_400_000;
    assert.equal(await use(), 401);
    assert.equal((await send('GET', '/api/apps', [`Authorization: Bearer ${secrets.key}`])).status, 200);
  });

  test('acts on the request that starts after a change', async () => {
    const user = await makeUser(server);
    const use = async (as: string) =>
      (await send('GET', '/api/apps', [`Authorization: Bearer ${as}`])).status;
    assert.equal(await use(user.token), 200);
    await server.call('PATCH', `/api/users/${user.uid}`, { is_suspended: true });
    assert.equal(await use(user.token), 401);
    await server.call('PATCH', `/api/users/${user.uid}`, { is_suspended: false });
    // Lifting a suspension does not restore earlier tokens.
    assert.equal(await use(user.token), 401);
    const issue = async () =>
      String((await server.call('POST', `/api/users/${user.uid}/tokens`, {})).body.access_token);
    const second = await issue();
    assert.equal(await use(second), 200);
    await server.call('POST', `/api/users/${user.uid}/trash`);
    assert.equal(await use(second), 401);
    await server.call('POST', `/api/users/${user.uid}/restore`);
    assert.equal(await use(second), 401);
    const third = await issue();
    assert.equal(await use(third), 200);
    await server.call('DELETE', `/api/users/${user.uid}/tokens`);
    assert.equal(await use(third), 401);
  });

  test('is in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'credentials', rows, least: { sqlite: 2000, postgres: 200 } });
  });
});
