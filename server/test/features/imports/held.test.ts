import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from 'confab-testing/command.ts';
import { takeBack } from 'confab-testing/imports.ts';
import { useServer } from 'confab-testing/server.ts';
import { rootUrl } from 'confab-tools/places.ts';

const file = fileURLToPath(new URL('importers/fixtures/artalk.artrans.json', rootUrl));
const list = '/api/apps/garden.example~blog~peas/comments';

// What waited for approval in the old system waits here: in the queue of moderators, counted nowhere, shown to nobody else.
describe('comments that wait for approval', () => {
  const server = useServer();
  const imported = (...flags: string[]) =>
    runCommand(['import', 'artalk', file, '--data-dir', server.folder, ...flags]);
  const held = async () => (await server.read('/api/reports?state=open')).data ?? [];
  const counted = async () => (await server.read(`${list}?count_only=true`)).count;
  const assertCounts = async () => {
    const { stdout } = await runCommand(['doctor', '--data-dir', server.folder]);
    // The PostgreSQL of tests is not durable, which is no fault of counts.
    const faults = stdout.split('\n').filter((line) => /^error (?!durability)/.test(line));
    assert.deepEqual(faults, []);
  };
  /** The import that made so many comments. */
  const importOf = async (comments: number) => {
    const { data } = await server.read('/api/imports');
    return data.find(({ made }) => made.comments === comments)?.id ?? 0;
  };

  test('are left out, unless they are asked for', async () => {
    const { stdout } = await imported('--dry-run', '--held');
    assert.match(stdout, /^To import: 5 comments in 2 apps by 4 users\.\nOf these, 1 waits for approval\.$/m);
    assert.match(stdout, /^Together: 5 \+ 1 = 6\.$/m);
    assert.match(stdout, /^1 reply moved up, because its parent was left out or held\.$/m);
    const without = await imported('--dry-run');
    assert.match(without.stdout, /^ {2}1 not approved by a moderator$/m);
    assert.doesNotMatch(without.stdout, /waits/);
  });

  test('come as held ones, also after the others', async () => {
    await imported();
    assert.deepEqual([await counted(), (await held()).length], [3, 0]);
    const { stdout, stderr } = await imported('--held');
    assert.match(stdout, /^Made: 1 comment, 0 apps, 1 user\.$/m, stderr);
    assert.deepEqual([await counted(), (await held()).length], [3, 1]);
    const { stdout: again } = await imported('--held');
    assert.match(again, /^Made: 0 comments, 0 apps, 0 users\.$/m);
    const { data } = await server.read(list);
    assert.ok(data.every(({ text }) => text !== 'Buy seeds!'));
    await assertCounts();
  });

  test('are taken back with their import, and wait again once it is repeated', async () => {
    const { undone } = await takeBack(server, await importOf(1));
    assert.deepEqual(undone, { comments: 1, apps: 0, users: 1 });
    assert.deepEqual([await counted(), (await held()).length], [3, 0]);
    const without = await imported();
    assert.match(without.stdout, /^Made: 0 comments, 0 apps, 0 users\.$/m);
    const { stdout, stderr } = await imported('--held');
    assert.match(stdout, /^Restored: 1 comment of an import that was taken back\.$/m, stderr);
    assert.deepEqual([await counted(), (await held()).length], [3, 1]);
  });

  test('are shown once they are approved', async () => {
    const [report] = await held();
    assert.equal((await server.call('POST', `/api/comments/${report?.entity.id}/approve`)).status, 200);
    assert.deepEqual([await counted(), (await held()).length], [4, 0]);
    const { data } = await server.read(list);
    assert.deepEqual(data.map(({ text }) => text).sort(), [
      'Buy seeds!',
      'How early?',
      'In *March*.',
      'Plant them **early**.',
    ]);
    await assertCounts();
  });
});
