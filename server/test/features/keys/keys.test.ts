import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { createSessions } from '../../../src/features/credentials/sessions.ts';

let now = Date.parse('2026-11-21T08:00:00Z');
const clock = { now: () => now };
const server = useServer({}, { clock });
const soon = (ms: number) => new Date(now + ms).toISOString();
const make = async (body: object, as?: string) =>
  await server.call('POST', '/api/keys', body, as === undefined ? {} : { as });
const rotate = async (id: number, body?: object) => await server.call('POST', `/api/keys/${id}/rotate`, body);
const statusWith = async (key: string) => (await server.as(key).call('GET', '/api/apps')).status;
const listed = async (id: number) => (await server.read('/api/keys')).find((each) => each.id === id);

// Operators see which API keys there are and what each may do, and no secret.
describe('the list of API keys', () => {
  test('has the newest first, with limits and times', async () => {
    const { keys } = server.running;
    const ends = Date.parse('2099-01-01T00:00:00Z');
    const secret = await keys.create('reader', { scopes: ['read', 'moderate'], expiresAt: ends });
    await keys.create('gone');
    const gone = (await keys.list()).at(-1)?.id ?? 0;
    await keys.revoke(gone);
    const { status, body, text } = await server.call('GET', '/api/keys');
    assert.equal(status, 200);
    const [revoked, reader] = body;
    assert.equal(revoked?.name, 'gone');
    assert.equal(typeof revoked?.revoked_at, 'string');
    assert.deepEqual(revoked?.scopes, ['all']);
    assert.equal(reader?.hint, secret.slice(-4));
    assert.deepEqual(reader?.scopes, ['read', 'moderate']);
    assert.equal(reader?.expires_at, '2099-01-01T00:00:00.000Z');
    assert.equal(reader?.last_used_at, undefined);
    assert.equal(text.includes(secret), false);
    assert.deepEqual(
      body.filter(({ is_current }) => is_current).map(({ hint }) => hint),
      [server.key.slice(-4)],
    );
  });

  test('is for API keys that may read', async () => {
    const token = await server.token('ada');
    assertProblem(await server.as(token).call('GET', '/api/keys'), 401, 'key_required');
    const key = await server.running.keys.create('writer', { scopes: ['apps'] });
    assertProblem(await server.as(key).call('GET', '/api/keys'), 403, 'scope_missing');
  });
});

// A key with every right makes others, none of which can do more or last longer than it.
describe('a new API key', () => {
  test('is answered once, and may do what its scopes say', async () => {
    const { status, body } = await make({ name: 'reader', scopes: ['read'], expires_at: soon(60_000) });
    assert.equal(status, 201);
    assert.equal(body.hint, body.key.slice(-4));
    assert.equal(await statusWith(body.key), 200);
    assertProblem(await make({ name: 'x', scopes: ['read'] }, body.key), 403, 'scope_missing');
    const { key: _key, ...shown } = body;
    const { last_used_at: _used, ...known } = (await listed(body.id)) ?? assert.fail();
    assert.deepEqual(known, shown);
    now += 60_001;
    assert.equal(await statusWith(body.key), 401);
  });

  test('ends with the key that made it at the latest', async () => {
    const short = (await make({ name: 'short', scopes: ['all'], expires_at: soon(60_000) })).body;
    for (const expires_at of [undefined, soon(60_001)])
      assertProblem(
        await make({ name: 'longer', scopes: ['read'], expires_at }, short.key),
        422,
        'validation_failed',
      );
    const { status } = await make({ name: 'as long', scopes: ['all'], expires_at: soon(60_000) }, short.key);
    assert.equal(status, 201);
  });

  test('is refused to a key with every scope but not all of those to come', async () => {
    const scopes = ['read', 'apps', 'users', 'webhooks', 'moderate'];
    const five = (await make({ name: 'five', scopes })).body;
    assertProblem(await make({ name: 'x', scopes: ['all'] }, five.key), 403, 'scope_missing');
  });
});

// Programs change over from one key to the next without a moment in which neither is valid.
describe('a rotated API key', () => {
  test('holds until the end of the overlap, and its successor has its rights', async () => {
    const old = (await make({ name: 'backend', scopes: ['read', 'apps'] })).body;
    const { status, body } = await rotate(old.id, { overlap_seconds: 60 });
    assert.equal(status, 201);
    assert.equal(body.name, 'backend');
    assert.deepEqual(body.scopes, ['read', 'apps']);
    assert.equal(body.expires_at, undefined);
    assert.equal((await listed(old.id))?.expires_at, soon(60_000));
    assert.equal(await statusWith(old.key), 200);
    now += 60_001;
    assert.equal(await statusWith(old.key), 401);
    assert.equal(await statusWith(body.key), 200);
    assertProblem(await rotate(old.id), 404, 'not_found');
  });

  test('ends at once without an overlap, and never later than it would have', async () => {
    const old = (await make({ name: 'short', scopes: ['read'], expires_at: soon(60_000) })).body;
    const next = (await rotate(old.id)).body;
    assert.equal((await listed(old.id))?.expires_at, old.expires_at);
    assert.equal(next.expires_at, old.expires_at);
    const last = (await rotate(next.id, { overlap_seconds: 0, expires_at: soon(90_000) })).body;
    assert.equal(await statusWith(next.key), 401);
    assert.equal(typeof (await listed(next.id))?.revoked_at, 'string');
    assert.equal(last.expires_at, soon(90_000));
  });

  test('is not that of the links, which has no secret', async () => {
    const named = (await make({ name: 'console', scopes: ['all'] })).body;
    await createSessions({ db: server.running.db, clock }).link();
    const ofLinks = (await server.read('/api/keys')).find(({ hint }) => hint === '');
    assert.equal(ofLinks?.name, 'console');
    assert.notEqual(ofLinks?.id, named.id);
    assertProblem(await rotate(ofLinks?.id ?? 0), 404, 'not_found');
  });
});

// A key that leaked ends at once, whoever holds it.
describe('a revoked API key', () => {
  test('is refused from then on; revoking it again changes nothing', async () => {
    const { id, key } = (await make({ name: 'leaked', scopes: ['all'] })).body;
    assert.equal((await server.as(key).call('DELETE', `/api/keys/${id}`)).status, 204);
    assert.equal(await statusWith(key), 401);
    const revokedAt = (await listed(id))?.revoked_at;
    now += 1000;
    assert.equal((await server.call('DELETE', `/api/keys/${id}`)).status, 204);
    assert.equal((await listed(id))?.revoked_at, revokedAt);
    assertProblem(await server.call('DELETE', '/api/keys/987654321'), 404, 'not_found');
  });
});
