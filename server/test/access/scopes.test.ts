import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operations } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { secondFormOperationList } from 'confab-contract/second-form/operations.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { keptLog } from 'confab-testing/log.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Answer, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { intended, makeScopedKeys, makingGet, scopesFor, scopesOfEngine, whole } from './scopes.ts';

const forKeys = [...Object.values<Operation>(operations), ...secondFormOperationList].filter(
  ({ caller }) => caller === 'any' || caller === 'key',
);

/** A path that names nothing: what is refused for a scope is refused before anything is looked for. */
const pathOf = ({ path }: Operation) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'id' || name === 'version' ? '987654321' : `no-${name}`,
  );

const clock = movableClock();
const lines: { api_key_id?: number; path?: string }[] = [];
const server = useServer({ CONFAB_LOG_LEVEL: 'info' }, { clock, logTo: keptLog(lines) });
const watch = useStoreWatch(server);
const create = async (...given: Parameters<typeof server.running.keys.create>) =>
  await server.running.keys.create(...given);
const keys = use(() => makeScopedKeys(server));

const inSecondForm = { 'x-weavy-source': '@weavy/uikit-web@32.2.0' };

const call = async ({ method, path, replaces }: Operation, as: string) =>
  await server.call(method, path, undefined, { as, ...(replaces === true && { headers: inSecondForm }) });

const outcomeOf = ({ status, body }: Answer) => [status, body?.code];

// A key does what its scopes say, in every operation, and is told which one it lacks.
describe('a key with one scope', () => {
  for (const operation of forKeys)
    test(`and ${operation.id}`, async () => {
      const needed = scopesFor(operation);
      assert.ok(
        needed.length > 0,
        'name the operation in `intended` of server/test/access/scopes.ts, or in `whole` if it needs every scope',
      );
      const request = { ...operation, path: pathOf(operation) };
      for (const scope of scopesOfEngine(operation)) {
        const missing = needed.filter((one) => one !== scope);
        // An open stream is a success that does not end.
        if (missing.length === 0 && operation.media === 'text/event-stream') continue;
        if (missing.length === 0) {
          // Called twice with every scope, because the first call may create what it names.
          await call(request, server.key);
          const usual = outcomeOf(await call(request, server.key));
          assert.deepEqual(outcomeOf(await call(request, keys[scope])), usual);
          continue;
        }
        watch.hasChanged();
        const answer = await call(request, keys[scope]);
        assertProblem(answer, 403, 'scope_missing');
        for (const one of missing) assert.match(answer.body.detail, new RegExp(`the scope ${one}\\b`));
        assert.equal(watch.hasChanged(), false);
      }
    });

  test('has a row for each change that a key can make', () => {
    const changes = forKeys
      .filter(({ id, method }) => method !== 'GET' || id === makingGet)
      .map(({ id }) => id);
    assert.deepEqual(
      [...new Set([...Object.values(intended).flat(), ...whole.filter((id) => changes.includes(id))])].sort(),
      changes.sort(),
    );
  });
});

describe('the scopes of a key', () => {
  test('add up', async () => {
    const init = { app: { uid: 'scoped-init', type: 'comments' }, user: { uid: 'scoped-user' } };
    const initAs = async (as: string) => await server.call('POST', '/api/apps/init', init, { as });
    assert.match((await initAs(keys.apps)).body.detail as never, /lacks the scope users\./);
    assert.equal((await initAs(await create('both', { scopes: ['apps', 'users'] }))).status, 200);
    assert.equal((await initAs(await create('every', { scopes: ['all'] }))).status, 200);
    assert.equal((await initAs(server.key)).status, 200);
  });

  test('hold on behalf of a user, and access tokens have none', async () => {
    const { uid, token } = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const comments = `/api/apps/${app.id}/comments`;
    const behalf = { as: keys.read, headers: { 'x-confab-user': uid } };
    assertProblem(await server.call('POST', comments, { text: 'x' }, behalf), 403, 'scope_missing');
    assert.equal((await server.call('POST', comments, { text: 'x' }, { as: token })).status, 201);
  });
});

// A key ends by itself at its time, also where its row is remembered.
describe('the end of a key', () => {
  test('is exact, with a detail of its own', async () => {
    const key = await create('short', { expiresAt: clock.now() + 60_000 });
    const use = async () => await server.call('GET', '/api/apps', undefined, { as: key });
    assert.equal((await use()).status, 200);
    assert.equal((await use()).status, 200);
    clock.move(60_001);
    const answer = await use();
    assertProblem(answer, 401, 'invalid_credential');
    assert.equal(answer.body.detail, 'The API key has expired.');
    assert.equal((await server.call('GET', '/api/apps')).status, 200);
  });

  test('ends the streams that it opened', async () => {
    const key = await create('streaming', { expiresAt: clock.now() + 60_000 });
    const stream = await fetch(`${server.url}/api/events/stream`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(stream.status, 200);
    clock.move(60_001);
    await makeApp(server);
    assert.doesNotMatch(await stream.text(), /app_created/);
  });
});

// Who was refused can be found out as well.
describe('the line of a refusal', () => {
  test('has the id of the key', async () => {
    const key = await create('refused', { scopes: ['read'] });
    const { id } = (await server.running.keys.list()).find(({ name }) => name === 'refused') ?? {};
    assertProblem(
      await server.call('POST', '/api/apps', { uid: 'x', type: 'posts' }, { as: key }),
      403,
      'scope_missing',
    );
    const line = await poll('the line', () => lines.find(({ api_key_id }) => api_key_id === id));
    assert.equal(line.path, '/api/apps');
  });
});

// Who did it can be found out: the key stands in the line of the request and in the event, and no user is told.
describe('the id of a key', () => {
  test('is in the log and in the event, for keys and webhooks alone', async () => {
    const name = 'traced';
    const key = await create(name);
    const { id } = (await server.running.keys.list()).find((one) => one.name === name) ?? {};
    const { token } = await makeUser(server);
    const app = await makeApp(server, { access: 'read' }, { as: key });
    const line = await poll('the line', () => lines.find(({ api_key_id }) => api_key_id === id));
    assert.equal(line.path, '/api/apps');
    const eventAs = async (as: string) => {
      const { body } = await server.call('GET', `/api/events?after=0&top=100`, undefined, { as });
      let page = body;
      while (page.has_more)
        page = (await server.call('GET', `/api/events?after=${page.next}`, undefined, { as })).body;
      return page.data.find(
        (event: any) => event.action === 'app_created' && event.app?.id === app.id,
      ) as any;
    };
    assert.equal((await eventAs(server.key)).actor.api_key_id, id);
    const shown = await eventAs(token);
    assert.ok(shown !== undefined);
    assert.equal('api_key_id' in shown.actor, false);
    await server.call('POST', '/api/apps', { uid: 'by-user', type: 'comments' }, { as: token });
    const [byUser] = watch.rows(
      "select payload from events where action = 'app_created' order by id desc limit 1",
    );
    assert.doesNotMatch(String(byUser?.payload), /api_key_id/);
  });
});

// The last use costs a write a minute, however often a key is used.
describe('the last use of a key', () => {
  test('is noted to the minute', async () => {
    const key = await create('used');
    const seen = async () =>
      (await server.running.keys.list()).find(({ name }) => name === 'used')?.lastUsedAt;
    assert.equal(await seen(), null);
    const use = () => server.call('GET', '/api/apps?count=false', undefined, { as: key });
    await use();
    const first = await poll('the first use', async () => (await seen()) ?? undefined);
    assert.equal(first % 60_000, 0);
    clock.move(120_000);
    await Promise.all(Array.from({ length: 10 }, use));
    const second = await poll('the second use', async () =>
      (await seen()) === first ? undefined : await seen(),
    );
    assert.ok(Number(second) >= first + 120_000);
  });
});
