import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer({}, { isQuiet: true });

// The doctor reads every table and mends what it finds, so only a key without limits sends for it.
describe('who may run the doctor', () => {
  test('is a key without limits', async () => {
    const scopes = ['read', 'apps', 'users', 'webhooks', 'moderate'] as const;
    const five = await server.running.keys.create('five', { scopes });
    const token = await server.token('ada');
    for (const path of ['/api/doctor', '/api/doctor/fix'] as const) {
      assertProblem(await server.call('POST', path, undefined, { as: five }), 403, 'scope_missing');
      assertProblem(await server.call('POST', path, undefined, { as: token }), 403, 'key_only');
      assertProblem(await server.call('POST', path, undefined, { as: null }), 401, 'unauthorized');
      assert.equal((await server.call('GET', '/api/doctor')).body.state !== 'running', true);
      assert.equal((await server.call('POST', path)).status, 202);
      await poll('the doctor', async () => {
        const { body } = await server.call('GET', '/api/doctor', undefined, { as: five });
        return body.state === 'running' ? undefined : body;
      });
    }
  });
});
