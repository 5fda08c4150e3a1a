import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { specifiedOperations } from 'confab-testing/operations.ts';
import { patienceMs } from 'confab-testing/poll.ts';
import { useServer } from 'confab-testing/server.ts';
import { type Report, run } from '../index.js';

// The kit knows nothing of this server but its specification.
describe('Confab', () => {
  const server = useServer();
  let report: Report;
  before(async () => {
    const { key: weakKey } = await server.create('/api/keys', { name: 'reads', scopes: ['read'] });
    const options = { url: server.url, key: server.key, weakKey, timeoutMs: patienceMs, patienceMs };
    report = await run(options);
  });

  test('conforms to the specification, and can be asked everything', (t) => {
    t.diagnostic(`${report.passed} checks passed in ${report.seconds.toFixed(1)} s`);
    assert.deepEqual(
      report.results.filter(({ outcome }) => outcome !== 'passed'),
      [],
    );
    assert.equal(report.isComplete, true);
  });

  test('gives the kit the statuses of the operations, and none besides', () => {
    assert.deepEqual(
      report.operations.map(({ id }) => id).sort(),
      specifiedOperations.map(({ id }) => id).sort(),
    );
    const missed = report.operations.flatMap(({ id, statuses, seen }) =>
      statuses.filter((status) => seen[status] === undefined).map((status) => `${id} ${status}`),
    );
    assert.deepEqual(missed, []);
  });

  test('has nothing of the kit afterwards', async () => {
    assert.deepEqual(report.leftBehind, []);
    for (const path of ['/api/apps?trashed=null', '/api/webhooks', '/api/comments?trashed=null'] as const)
      assert.equal((await server.read(path)).count, 0, path);
    const users = await server.read('/api/users?trashed=null');
    assert.deepEqual(
      users.data
        .map(({ uid }: { uid: string }) => uid)
        .filter((uid: string) => uid.startsWith('conformance-')),
      [],
    );
  });
});
