import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Backups } from 'confab-contract/backups.ts';
import { runCommand } from 'confab-testing/command.ts';
import { checkAnswer } from 'confab-testing/contract-check.ts';
import { makeApp, makeFile } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';

const root = mkdtempSync(join(tmpdir(), 'confab-interface-'));
after(() => rmSync(root, { recursive: true, force: true }));
const place = join(root, 'place');
const server = useServer(
  { CONFAB_BACKUP_TO: place, CONFAB_BACKUP_PASSPHRASE: 'never-shown-anywhere' },
  { isQuiet: true },
);

const list = async (): Promise<Backups> => (await server.call('GET', '/api/backups')).body;
const ended = async (): Promise<Backups> =>
  await poll('the job', async () => {
    const backups = await list();
    return backups.job?.state === 'running' ? undefined : backups;
  });
const pathOf = (id: string, what: string) => `/api/backups/${id}/${what}`;
const newest = async (): Promise<string> => (await list()).data[0]?.id ?? assert.fail('no backup');
/** Asks for an archive, whose bytes `server.call` would take for text. */
async function download(id: string): Promise<Response> {
  const path = pathOf(id, 'archive');
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${server.key}` } });
  const { status, headers } = response;
  checkAnswer({ method: 'GET', path }, { status, headers, body: undefined });
  return response;
}

// Operators make, check and take away backups of a running server through the interface.
describe('backups through the interface', () => {
  test('say that the place is not there yet', async () => {
    const { failure, place: shown, data } = await list();
    assert.equal(shown, place);
    assert.match(failure ?? '', /there is no folder/);
    assert.deepEqual(data, []);
  });

  test('are made in the background, one at a time', async () => {
    const { id: app } = await makeApp(server, { type: 'files' });
    await makeFile(server, app);
    const { status, body } = await server.call('POST', '/api/backups');
    assert.equal(status, 202);
    assert.deepEqual([body.kind, body.state], ['create', 'running']);
    assert.deepEqual((await server.call('POST', '/api/backups')).body, body);
    const { job, count, data } = await ended();
    assert.deepEqual([job?.state, job?.failure], ['done', undefined]);
    assert.equal(count, 1);
    assert.equal(data[0]?.id, job?.id);
    assert.deepEqual([data[0]?.state, data[0]?.blobs, data[0]?.check], ['whole', 1, undefined]);
    assert.ok((data[0]?.bytes ?? 0) > 10_000);
    assert.ok((data[0]?.blob_bytes ?? 0) > 0);
  });

  test('are sent as an archive from which a store can be restored', async () => {
    const id = await newest();
    const folder = join(root, 'unpacked');
    mkdirSync(folder);
    const response = await download(id);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/x-tar');
    const file = join(root, 'backup.tar');
    if (response.body !== null) await writeFile(file, response.body);
    execFileSync('tar', ['-xf', file, '-C', folder]);
    const names = execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).trim().split('\n');
    assert.equal(names.at(-1), `${id}/manifest.json`);
    const { code, stderr } = await runCommand(['backup', 'verify', folder]);
    assert.equal(code, 0, stderr);
    for (const name of readdirSync(join(place, id)))
      assert.deepEqual(readFileSync(join(folder, id, name)), readFileSync(join(place, id, name)));
  });

  test('are checked in the background, one at a time, and the outcome is kept with them', async () => {
    const id = await newest();
    const { status, body } = await server.call('POST', pathOf(id, 'verify'));
    assert.equal(status, 202);
    assert.deepEqual([body.kind, body.id, body.state], ['verify', id, 'running']);
    assertProblem(await server.call('POST', pathOf(id, 'verify')), 503, 'too_busy');
    assertProblem(await server.call('POST', '/api/backups'), 503, 'too_busy');
    const { job, data } = await ended();
    assert.deepEqual([job?.state, job?.failure], ['done', undefined]);
    assert.deepEqual([data[0]?.check?.is_whole, data[0]?.check?.faults], [true, []]);
  });

  test('are said to be damaged, and a damaged file ends the archive', async () => {
    const id = await newest();
    const blobs = join(place, 'blobs');
    const [blob = ''] = readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(blobs, name)).isFile(),
    );
    truncateSync(join(blobs, blob), 1);
    await server.call('POST', pathOf(id, 'verify'));
    const { data } = await ended();
    assert.equal(data[0]?.check?.is_whole, false);
    assert.match(data[0]?.check?.faults[0] ?? '', /blobs\//);
    const response = await download(id);
    assert.equal(response.status, 200);
    await assert.rejects(response.arrayBuffer());
    // The next one is sent: nothing is left of the one that was cut off.
    assert.equal((await server.call('HEAD', pathOf(id, 'archive'))).status, 200);
  });

  test('are found by their ids alone', async () => {
    for (const id of ['..', '%2e%2e%2fplace', 'blobs', '2020-01-01T00-00-00.000Z'])
      for (const [method, what] of [
        ['POST', 'verify'],
        ['GET', 'archive'],
      ] as const)
        assert.equal((await server.call<string, string>(method, pathOf(id, what))).status, 404, id);
    assert.equal(JSON.stringify(await list()).includes('never-shown-anywhere'), false);
  });
});
