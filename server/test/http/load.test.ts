import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { createGate } from 'confab-testing/network/gate.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { clientLimits } from '../../src/http/limits/client-limits.ts';

const gate = createGate();

async function startBusy(runningMax: typeof clientLimits.runningMax): Promise<TestServer> {
  const server = await startTestServer({}, { wrapDb: gate.wrapDb, limits: { runningMax } });
  after(() => server.close());
  return server;
}

describe('a server with many requests to answer', () => {
  test('refuses API keys first, then changes, and reads of people last', async () => {
    const server = await startBusy({ key: 2, change: 3, read: 4 });
    const { token } = await makeUser(server);
    const path = `/api/apps/${(await makeApp(server, { access: 'write' })).id}/comments`;
    const comment = (as: string) => server.call('POST', path, { text: 'waits' }, { as });
    const read = (as: string) => server.call('GET', path, undefined, { as });

    gate.close();
    const held = [comment(server.key), comment(server.key)];
    await gate.holds(2);
    const refused = await comment(server.key);
    assertProblem(refused, 503, 'too_busy');
    assert.equal(refused.headers.get('retry-after'), '5');
    assertProblem(await read(server.key), 503, 'too_busy');

    held.push(comment(token));
    await gate.holds(3);
    assertProblem(await comment(token), 503, 'too_busy');
    assert.equal((await read(token)).status, 200);
    assert.equal((await server.call('GET', '/healthz')).status, 200);

    gate.open();
    assert.deepEqual(
      (await Promise.all(held)).map(({ status }) => status),
      [201, 201, 201],
    );
    assert.equal((await comment(server.key)).status, 201);
  });

  test('refuses what people read when it has no room for anything', async () => {
    const server = await startBusy({ key: 1, change: 1, read: 1 });
    const { token } = await makeUser(server);
    const path = `/api/apps/${(await makeApp(server, { access: 'write' })).id}/comments`;
    gate.close();
    const held = server.call('POST', path, { text: 'waits' }, { as: token });
    await gate.holds(1);
    assertProblem(await server.call('GET', path, undefined, { as: token }), 503, 'too_busy');
    gate.open();
    assert.equal((await held).status, 201);
  });

  test('refuses a request before it looks at its credential and reads its body', async () => {
    const server = await startBusy({ key: 1, change: 2, read: 2 });
    const path = `/api/apps/${(await makeApp(server)).id}/comments`;
    gate.close();
    const held = server.call('POST', path, { text: 'waits' });
    await gate.holds(1);
    const unknown = `${server.key.slice(0, -1)}-`;
    assertProblem(await server.call('GET', path, undefined, { as: unknown }), 503, 'too_busy');
    assertProblem(await server.call('POST', path, '{'), 503, 'too_busy');
    gate.open();
    assert.equal((await held).status, 201);
    assertProblem(await server.call('GET', path, undefined, { as: unknown }), 401, 'invalid_credential');
  });

  test('counts neither requests that failed nor those whose bodies have yet to arrive', async () => {
    const server = await startBusy({ key: 1, change: 1, read: 1 });
    const path = `/api/apps/${(await makeApp(server)).id}/comments`;
    assert.equal((await server.call('POST', path, '{')).status, 400);
    assert.equal((await server.call('GET', '/api/apps/none/comments')).status, 404);
    assert.equal((await server.call('GET', path, undefined, { as: 'nobody' })).status, 401);

    const { hostname, port } = new URL(server.url);
    const slow = connect(Number(port), hostname);
    after(() => slow.destroy());
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: a',
      `Authorization: Bearer ${server.key}`,
      'Content-Type: application/json',
      'Content-Length: 20',
      'Expect: 100-continue',
    ];
    slow.write(`${head.join('\r\n')}\r\n\r\n`);
    // The server answers this when it has the headers; then it looks up the credential.
    assert.match(String((await once(slow, 'data'))[0]), /^HTTP\/1.1 100 /);
    await poll('the slow request to be left out', async () =>
      (await server.call('GET', path)).status === 200 ? true : undefined,
    );
  });
});
