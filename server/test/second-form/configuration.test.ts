import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

describe('the configuration', () => {
  test('is empty, and a page of another origin may ask for it', async () => {
    const ada = await makeUser(server);
    assert.deepEqual(await inSecondForm(ada, '24.4.1').read('/api/configuration'), {});
    const preflight = await server.call('OPTIONS', '/api/configuration', undefined, { as: null });
    assert.equal(preflight.status, 204);
  });
});
