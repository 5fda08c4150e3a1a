import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DoctorRun } from 'confab-contract/doctor.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, type TestServer, useServer } from 'confab-testing/server.ts';
import { writeStore } from 'confab-testing/stores/store-watch.ts';
import { configFrom, settingsFor } from '../../../src/config/config.ts';

const server = useServer();

const last = async (of: TestServer = server): Promise<DoctorRun> => await of.read('/api/doctor');
const ended = async (of: TestServer = server): Promise<DoctorRun> =>
  await poll('the doctor', async () => {
    const run = await last(of);
    return run.state === 'running' ? undefined : run;
  });
const write = (sql: string) => writeStore(server.folder, sql);
/** The checks that found something, except what the PostgreSQL of the tests is deliberately set to. */
const checksOf = ({ findings }: DoctorRun) =>
  findings.map(({ check }) => check).filter((check) => check !== 'durability');

// Operators examine a running server and mend what needs no decision, as the command does.
describe('the doctor of a running server', () => {
  test('has not been there at first', async () => {
    assert.deepEqual(await last(), { state: 'never', count: 0, findings: [], fixed: [] });
  });

  test('looks in the background, one run at a time', async () => {
    const { status, body } = await server.call('POST', '/api/doctor');
    assert.equal(status, 202);
    assert.deepEqual([body.state, body.is_fixing, body.findings], ['running', false, []]);
    assert.deepEqual((await server.call('POST', '/api/doctor')).body, body);
    assertProblem(await server.call('POST', '/api/doctor/fix'), 503, 'too_busy');
    const run = await ended();
    assert.deepEqual([run.state, run.failure], ['done', undefined]);
    assert.deepEqual([run.started_at, checksOf(run)], [body.started_at, []]);
    assert.ok((run.finished_at ?? '') > (run.started_at ?? ''));
  });

  test('says what is wrong and mends what needs no decision and holds nobody up', async () => {
    const { id: app } = await makeApp(server, { uid: 'counted' });
    await makeComment(server, app);
    write("update tallies set live = live + 7 where kind = 'comment'");
    write('drop index entries_kind');
    await server.call('POST', '/api/doctor');
    const { findings, is_healthy: isHealthy } = await ended();
    const fixable = Object.fromEntries(findings.map((each) => [each.check, each.is_fixable]));
    assert.deepEqual([fixable['counts'], fixable['indexes'], isHealthy], [true, false, false]);
    const { body } = await server.call('POST', '/api/doctor/fix');
    assert.deepEqual([body.state, body.is_fixing], ['running', true]);
    const run = await ended();
    assert.deepEqual(
      run.fixed.map(({ check }) => check),
      ['counts'],
    );
    assert.deepEqual(checksOf(run), ['indexes']);
    assert.equal((await server.read('/api/apps/counted/comments?count_only=true')).count, 1);
  });

  test('gives up a run whose node has ended, and another can begin', async () => {
    const lost = { id: 'lost', until: 1, shown: { ...(await ended()), state: 'running' } };
    write(
      `update settings set value = '${JSON.stringify(lost).replaceAll("'", "''")}' where name = 'doctor_run'`,
    );
    const { state, failure } = await last();
    assert.deepEqual([state, failure], ['failed', 'The node that ran it has ended.']);
    assert.equal((await server.call('POST', '/api/doctor/fix')).body.state, 'running');
    assert.equal((await ended()).state, 'done');
  });
});

// What the settings hold is examined, and none of their secrets is shown.
describe('the doctor of a server with surroundings', () => {
  test('uses the settings of the server and shows no secret', async () => {
    const port = await freePort();
    const secrets = ['secret-of-mail', 'secret-of-backups'];
    const other = await startTestServer(
      {
        CONFAB_PUBLIC_URL: `http://localhost:${port}`,
        CONFAB_SMTP_URL: `smtp://user:${secrets[0]}@127.0.0.1:${port}`,
        CONFAB_MAIL_FROM: 'confab@example.com',
        CONFAB_BACKUP_PASSPHRASE: secrets[1] ?? '',
      },
      { isQuiet: true },
    );
    await other.call('POST', '/api/doctor');
    const run = await ended(other);
    assert.deepEqual(checksOf(run), ['public-url', 'mail']);
    const text = JSON.stringify(run);
    for (const secret of secrets) assert.ok(!text.includes(secret), secret);
    await other.close();
  });

  test('ends with the server, which says so', async () => {
    const first = await startTestServer({}, { isQuiet: true });
    await first.call('POST', '/api/doctor');
    await first.running.close();
    const second = await startTestServer({}, { isQuiet: true, folder: first.folder });
    const { state, failure } = await last(second);
    assert.deepEqual([state, failure], ['failed', 'The server was stopped.']);
    await second.close();
    await first.close();
  });
});

// A process beside the server reads its settings from the same places.
describe('the settings for another process', () => {
  test('are spelled as the server has them', () => {
    const config = configFrom(
      { CONFAB_DATA_DIR: '/d', CONFAB_PORT: '1' },
      { port: '2', demo: 'here', 'log-level': 'warn' },
    );
    const { flags, environment } = settingsFor(config);
    assert.deepEqual(flags, ['--port=2', '--demo=here', '--log-level=warn']);
    const own = Object.entries(environment).filter(([name]) => name.startsWith('CONFAB_'));
    assert.deepEqual(own, [['CONFAB_DATA_DIR', '/d']]);
  });
});
