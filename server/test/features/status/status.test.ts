import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, useServer } from 'confab-testing/server.ts';

// The status says how the node is and what it did in the last hour, minute by minute.
describe('the status', () => {
  const server = useServer();

  test('has the checks of readiness, and 60 minutes', async () => {
    const body = await server.read('/api/status');
    assert.equal(body.is_ready, true);
    assert.match(body.engine, /^(?:sqlite|postgres)$/);
    assert.ok(body.checks.some(({ name, is_ok }: any) => name === 'disk' && is_ok));
    assert.ok(Number(body.checks.find(({ name }: any) => name === 'disk')?.figures.free_bytes) > 0);
    assert.equal(body.minutes.length, 60);
  });

  test('is for API keys that may read', async () => {
    const token = await server.token('ada');
    assertProblem(await server.as(token).call('GET', '/api/status'), 401, 'key_required');
    const key = await server.running.keys.create('writer', { scopes: ['apps'] });
    assertProblem(await server.as(key).call('GET', '/api/status'), 403, 'scope_missing');
  });

  test('counts by the minute, and forgets after an hour', async () => {
    let now = Date.parse('2026-11-22T12:00:30Z');
    const timed = await startTestServer({ CONFAB_METRICS: 'off' }, { clock: { now: () => now } });
    const minutes = async () => (await timed.read('/api/status')).minutes;
    const app = await makeApp(timed);
    await timed.create(`/api/apps/${app.id}/comments`, { text: 'one' });
    await timed.create(`/api/apps/${app.id}/comments`, { text: 'two' });
    now += 60_000;
    const [before, current] = (await minutes()).slice(-2);
    assert.equal(before?.at, '2026-11-22T12:00:00.000Z');
    assert.equal(before?.comments, 2);
    assert.equal(before?.requests, 3);
    assert.equal(before?.failures, 0);
    assert.ok((before?.median_seconds ?? 0) > 0);
    assert.ok((before?.slow_seconds ?? 0) >= (before?.median_seconds ?? 0));
    assert.equal(current?.comments, 0);
    now += 58 * 60_000;
    assert.equal((await minutes())[0]?.comments, 2);
    now += 60_000;
    assert.ok((await minutes()).every(({ comments }: any) => comments === 0));
    await timed.close();
  });

  test('names the origins that were refused, for a day', async () => {
    let now = Date.parse('2026-11-22T12:00:00Z');
    const config = { CONFAB_CORS_ORIGINS: 'https://app.example.com' };
    const timed = await startTestServer(config, { clock: { now: () => now } });
    const refused = async () => (await timed.read('/api/status')).refused_origins;
    const callFrom = (origin: string) => fetch(`${timed.url}/api/user`, { headers: { origin } });
    await callFrom('https://app.example.com');
    await callFrom(timed.url);
    await callFrom(`https://${'long.'.repeat(60)}example.com`);
    assert.deepEqual(await refused(), []);
    await callFrom('https://blog.example.com');
    now += 1000;
    await callFrom('null');
    assert.deepEqual(await refused(), [
      { origin: 'null', at: '2026-11-22T12:00:01.000Z' },
      { origin: 'https://blog.example.com', at: '2026-11-22T12:00:00.000Z' },
    ]);
    now += 24 * 3_600_000;
    await callFrom('https://blog.example.com');
    now += 1;
    assert.deepEqual(
      (await refused()).map(({ origin }: any) => origin),
      ['https://blog.example.com'],
    );
    await timed.close();
  });
});
