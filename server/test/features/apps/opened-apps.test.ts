import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeDirectory, makeUser } from 'confab-testing/fixtures.ts';
import { before, use, useServer } from 'confab-testing/server.ts';
import { storeSettings } from 'confab-testing/stores/databases.ts';
import { writeStore } from 'confab-testing/stores/store-watch.ts';
import { examineServer } from '../../../src/commands/doctor/examine.ts';
import type { Finding } from '../../../src/commands/doctor/finding.ts';
import { configFrom } from '../../../src/config/config.ts';

const server = useServer();
const ann = use(() => makeUser(server, { directory: 'here' }));
const sue = use(() => makeUser(server));

/** What the doctor finds, except what the PostgreSQL of the tests is deliberately set to. */
async function examine(): Promise<Finding[]> {
  const settings = { CONFAB_DATA_DIR: server.folder, CONFAB_PORT: '0', CONFAB_LOG_LEVEL: 'silent' };
  const config = configFrom({ ...settings, ...(await storeSettings(server.folder)) });
  const { findings } = await examineServer({ config, warnings: [], respell: (message) => message });
  return findings.filter(({ check }) => check !== 'durability');
}

/** Makes an app as a program of an earlier release did: open to everyone, whoever made it. */
async function makeOpenApp(sending: object): Promise<string> {
  const { id, uid } = await makeApp(server, {}, sending);
  writeStore(server.folder, `update apps set access = 'write' where id = ${id}`);
  const opened = `replace(payload, '"access":"none"', '"access":"write"')`;
  writeStore(
    server.folder,
    `update events set payload = ${opened} where entity_type = 'app' and entity_id = ${id}`,
  );
  return uid;
}

// The doctor lists the apps that users of a directory opened to everyone, and never rings for them.
describe('apps that are open to everyone', () => {
  let opened: string;
  let raised: string;
  let old: string;

  before(async () => {
    await makeDirectory(server, 'there');
    opened = await makeOpenApp({ as: ann.token });
    // A key made it, and a manager of a directory opened it.
    const managed = await makeApp(server);
    const member = `/api/apps/${managed.id}/members/${ann.uid}`;
    await server.call('PUT', member, { access: 'write', role: 'manager' });
    const change = { access: 'read', directory: 'here' };
    await ann.call('PATCH', `/api/apps/${managed.id}`, change);
    writeStore(server.folder, `update apps set directory_id = null where id = ${managed.id}`);
    const isUpdate = `action = 'app_updated' and entity_type = 'app' and entity_id = ${managed.id}`;
    // The actor has a directory as well.
    const name = `"display_name":"${managed.uid}"`;
    const widened = `replace(payload, '${name},"directory_id":1', '${name}')`;
    writeStore(server.folder, `update events set payload = ${widened} where ${isUpdate}`);
    raised = managed.uid;
    // Its events have left the log.
    old = await makeOpenApp({ as: ann.token });
    writeStore(
      server.folder,
      `delete from events where entity_type = 'app'
       and entity_id = (select id from apps where uid = '${old}')`,
    );
    await makeOpenApp({ as: sue.token });
    await makeOpenApp({ headers: { 'x-confab-user': ann.uid } });
    await makeApp(ann, { access: 'write' });
    await makeApp(server, { access: 'write' });
    const renamed = await makeApp(server, { access: 'write' });
    await server.call('PUT', `/api/apps/${renamed.id}/members/${ann.uid}`, {
      access: 'write',
      role: 'manager',
    });
    await ann.call('PATCH', `/api/apps/${renamed.id}`, { name: 'renamed' });
  });

  test('are listed where a user of a directory opened them', async () => {
    const findings = await examine();
    assert.deepEqual(
      findings.map(({ what }) => /"([^"]+)"/.exec(what)?.[1]),
      [opened, raised, old],
    );
    for (const { check, level, fix } of findings)
      assert.deepEqual([check, level, fix], ['open-apps', 'note', undefined]);
  });

  test('are listed no more once they have a directory, or an API key has opened them', async () => {
    await server.call('PATCH', `/api/apps/${opened}`, { directory: 'here' });
    for (const access of ['none', 'write'])
      for (const uid of [raised, old]) await server.call('PATCH', `/api/apps/${uid}`, { access });
    assert.deepEqual(await examine(), []);
  });
});
