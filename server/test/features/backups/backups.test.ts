import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

// A server without a place says so; server/test/once/backup/ has those with one.
describe('a server without a place of backups', () => {
  test('says whether there could be one', async () => {
    const body = await server.read('/api/backups');
    assert.deepEqual(body, { is_possible: process.env.TEST_ENGINE !== 'postgres', count: 0, data: [] });
  });

  test('makes, checks and sends none', async () => {
    const answer = await server.call('POST', '/api/backups');
    assertProblem(answer, 422, 'validation_failed');
    assert.match(JSON.stringify(answer.body), /CONFAB_BACKUP_TO|PostgreSQL/);
    const id = '/api/backups/2026-11-22T20-08-35.324Z';
    assertProblem(await server.call('POST', `${id}/verify`), 404, 'not_found');
    assertProblem(await server.call('GET', `${id}/archive`), 404, 'not_found');
  });
});
