import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { makeApp } from 'confab-testing/fixtures.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { keptSecrets } from 'confab-testing/secrets.ts';
import { before, freshUid, startTestServer } from 'confab-testing/server.ts';
import { databaseOf, dropDatabaseOf, emptyStoreSettings } from 'confab-testing/stores/databases.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';
import { register } from 'confab-testing/webhooks.ts';
import { forgetKeys, startSealing } from '../../../src/features/webhooks/secrets/secret-keys.ts';
import { sealBatch } from '../../../src/features/webhooks/secrets/secrets.ts';
import { createSecretBox, keyIdOf, makeKeyText, readKeys } from '../../../src/kernel/secret-box.ts';

let nodes: Nodes;
const root = mkdtempSync(join(tmpdir(), 'confab-node-secrets-'));
const receiver = useReceiver();
before(async () => {
  nodes = await startNodes();
});
after(async () => {
  await nodes.close();
  rmSync(root, { recursive: true });
});

const url = (): string => `${receiver.url}/${freshUid('sealed')}`;
const breaks = () => Number(readStore(nodes.folder, 'select max(breaks_before) as n from migrations')[0]?.n);
const sealOf = (id: number) => keyIdOf(keptSecrets(nodes, id).secret ?? '');

// All nodes of a store share its keys: each can use a secret that another has sealed, and a node without reports it.
describe('the key of several nodes', () => {
  test('signs on one node what the other has sealed', async () => {
    const path = `/${freshUid('signed')}`;
    const { id } = await register(nodes.a, {
      payload_url: receiver.url + path,
      triggers: ['apps'],
      secret: 'a secret',
    });
    assert.ok(sealOf(id));
    await nodes.a.close();
    await makeApp(nodes.b);
    const [request] = await receiver.received(path, 1);
    assert.ok(request?.headers['webhook-signature']);
  });

  test('is not created by a node that cannot see the key of another', async () => {
    const settings = await emptyStoreSettings();
    const folders = [join(root, 'one'), join(root, 'other')];
    const one = await startTestServer(settings, { folder: folders[0] ?? '' });
    const other = await startTestServer(settings, { folder: folders[1] ?? '' });
    try {
      const fields = { payload_url: url(), triggers: ['apps'], secret: 'a secret' };
      assert.equal((await one.call('POST', '/api/webhooks', fields)).status, 201);
      const refused = await other.call('POST', '/api/webhooks', fields);
      assert.deepEqual([refused.status, refused.body.code], [503, 'storage_unavailable']);
      assert.equal((await fetch(`${other.url}/readyz`)).status, 503);
    } finally {
      await one.close();
      await other.close();
      for (const folder of folders) await dropDatabaseOf(folder);
    }
  });

  test('is reported missing at the start of a node with its own folder', async () => {
    const settings = { CONFAB_DATABASE_URL: databaseOf(nodes.folder) ?? '' };
    const folder = join(root, 'other');
    await assert.rejects(
      startTestServer(settings, { folder }),
      /sealed with the key [0-9a-f]{8}, and this server has none/,
    );
    const other = { ...settings, CONFAB_SECRETS_KEY: makeKeyText() };
    await assert.rejects(
      startTestServer(other, { folder }),
      /, and this server has [0-9a-f]{8}: give it that key/,
    );
  });
});

// A store that an earlier program may still use is sealed on the operator's command, and then refuses that program.
describe('a store that earlier programs have used', () => {
  const ownKeys = () => readKeys(readFileSync(join(nodes.folder, 'secrets.key'), 'utf8'));

  test('keeps secrets readable until sealing begins, on all nodes with one commit', async () => {
    // As an earlier program left it.
    writeStore(nodes.folder, "delete from settings where name like 'secrets%'");
    writeStore(nodes.folder, 'update migrations set breaks_before = 0');
    const third = await nodes.start();
    const fields = { triggers: ['apps'], secret: 'readable' };
    const { id } = await register(third, { payload_url: url(), ...fields });
    assert.equal(keptSecrets(nodes, id).secret, 'readable');
    assert.equal(breaks(), 0);

    const { db } = third.running;
    const box = createSecretBox(ownKeys());
    await startSealing(db, box);
    assert.equal(breaks(), 11);
    const { id: later } = await register(nodes.b, { payload_url: url(), ...fields });
    assert.equal(sealOf(later), box.keyIds[0]);
    await sealBatch(db, box, { after: 0, isAnew: true });
    assert.equal(sealOf(id), box.keyIds[0]);
    await third.close();
  });

  test('keeps a key as long as another node seals with it', async () => {
    const { db } = nodes.b.running;
    const [present] = ownKeys();
    assert.ok(present !== undefined);
    const box = createSecretBox([...readKeys(makeKeyText()), present]);
    await startSealing(db, box);
    for (let after: number | undefined = 0; after !== undefined; )
      after = (await sealBatch(db, box, { after, isAnew: true })).next;
    // The other node does not have the new key yet.
    const { id } = await register(nodes.b, { payload_url: url(), secret: 'sealed with the old one' });
    assert.deepEqual(await forgetKeys(db, box), [present.id]);
    await sealBatch(db, box, { after: 0, isAnew: true });
    assert.equal(sealOf(id), box.keyIds[0]);
    assert.deepEqual(await forgetKeys(db, box), []);
  });
});
