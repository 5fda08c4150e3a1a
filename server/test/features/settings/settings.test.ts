import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';

// Operators see what a node was started with, and no secret.
describe('the settings in effect', () => {
  const secret = 'a-secret-nobody-may-see';
  const server = useServer({
    CONFAB_JITSI_URL: 'https://meet.example.com',
    CONFAB_BACKUP_PASSPHRASE: secret,
  });

  test('are all there, each with where it stands, without secrets', async () => {
    const { status, body, text } = await server.call('GET', '/api/settings');
    assert.equal(status, 200);
    const of = (name: string) => body.settings.find((each: any) => each.name === name);
    assert.deepEqual(of('jitsi-url'), {
      name: 'jitsi-url',
      value: 'https://meet.example.com',
      from: 'CONFAB_JITSI_URL',
    });
    assert.deepEqual(of('backup-passphrase'), {
      name: 'backup-passphrase',
      value: '(hidden)',
      from: 'CONFAB_BACKUP_PASSPHRASE',
    });
    assert.equal(of('disk-free-mib')?.from, 'default');
    assert.equal(of('smtp-url')?.from, 'not set');
    assert.equal(text.includes(secret), false);
  });

  test('are for API keys that may read', async () => {
    const token = await server.token('ada');
    assertProblem(await server.as(token).call('GET', '/api/settings'), 401, 'key_required');
    const key = await server.running.keys.create('writer', { scopes: ['apps'] });
    assertProblem(await server.as(key).call('GET', '/api/settings'), 403, 'scope_missing');
  });
});
