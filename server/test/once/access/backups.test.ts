import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';

const place = mkdtempSync(join(tmpdir(), 'confab-access-'));
after(() => rmSync(place, { recursive: true, force: true }));
const server = useServer({ CONFAB_BACKUP_TO: place }, { isQuiet: true });

// A backup has everything, also what was deleted since, so only a key without limits makes, checks and takes one.
describe('who may make, check and take backups', () => {
  test('is a key without limits', async () => {
    const scopes = ['read', 'apps', 'users', 'webhooks', 'moderate'] as const;
    const five = await server.running.keys.create('five', { scopes });
    const token = await server.token('ada');
    const refuse = async (method: 'GET' | 'POST', path: string) => {
      const as = async (credential: string | null) =>
        await server.call<string, string>(method, path, undefined, { as: credential });
      assertProblem(await as(five), 403, 'scope_missing');
      assertProblem(await as(token), 403, 'key_only');
      assertProblem(await as(null), 401, 'unauthorized');
    };
    await refuse('POST', '/api/backups');
    assert.equal((await server.call('POST', '/api/backups')).status, 202);
    const id = await poll('a backup', async () => {
      const { data, job } = (await server.call('GET', '/api/backups')).body;
      return job?.state === 'running' ? undefined : data[0]?.id;
    });
    await refuse('GET', `/api/backups/${id}/archive`);
    assert.equal((await server.call('GET', `/api/backups/${id}/archive`)).status, 200);
    await refuse('POST', `/api/backups/${id}/verify`);
    assert.equal((await server.call('POST', `/api/backups/${id}/verify`)).status, 202);
  });
});
