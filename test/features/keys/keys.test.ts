import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertProblem } from '../../support/problem.ts';
import { useServer } from '../../support/server.ts';

// Operators see which API keys there are and what each may do, and no secret.
describe('the list of API keys', () => {
  const server = useServer();

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
  });

  test('is for API keys that may read', async () => {
    const token = await server.token('ada');
    assertProblem(await server.call('GET', '/api/keys', undefined, { as: token }), 401, 'key_required');
    const key = await server.running.keys.create('writer', { scopes: ['apps'] });
    assertProblem(await server.call('GET', '/api/keys', undefined, { as: key }), 403, 'scope_missing');
  });
});
