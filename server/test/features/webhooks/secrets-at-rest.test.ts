import assert from 'node:assert/strict';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runCommand } from 'confab-testing/command.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { useFolders } from 'confab-testing/folders.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { boxOf, keptSecrets, secretOf } from 'confab-testing/secrets.ts';
import { freshUid, startTestServer, type TestServer, useServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';
import { register } from 'confab-testing/webhooks.ts';
import { startSealing } from '../../../src/features/webhooks/secrets/secret-keys.ts';
import { storeSecret } from '../../../src/features/webhooks/secrets/secrets.ts';
import { createSecretBox, keyIdOf, makeKeyText, readKeys } from '../../../src/kernel/secret-box.ts';

const freshFolder = useFolders();
const receiver = useReceiver();

const url = (): string => `${receiver.url}/${freshUid('sealed')}`;

async function hook(server: TestServer, secret: string): Promise<number> {
  return (await register(server, { payload_url: url(), triggers: ['apps'], secret })).id;
}

/** Makes `work` with a server on a folder, and ends the server. */
async function during<T>(
  folder: string,
  settings: Record<string, string>,
  work: (server: TestServer) => Promise<T>,
): Promise<T> {
  const server = await startTestServer(settings, { folder });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

/** The id of the key that a webhook's secret is sealed with. */
function sealOf(folder: string, id: number): string | undefined {
  return keyIdOf(keptSecrets({ folder }, id).secret ?? '');
}

const idOf = (key: string): string => readKeys(key)[0]?.id ?? '';

/** Puts a secret into the store as earlier programs kept it. */
function keepReadable(folder: string, id: number, secret: string): void {
  writeStore(folder, `update webhooks set secret = '${secret}' where id = ${id}`);
}

const secrets = (folder: string, command: string, settings: Record<string, string> = {}) =>
  runCommand(['secrets', command, '--data-dir', folder], settings);

// The store reveals nothing about a secret without a key.
describe('a secret in the store', () => {
  const server = useServer();

  test('is sealed with a key that is created for the first one and that only its user can read', async () => {
    const id = await hook(server, 'never shown');
    const { secret } = keptSecrets(server, id);
    assert.ok(secret !== null && !secret.includes('never shown'));
    assert.equal(keyIdOf(secret), boxOf(server).keyIds[0]);
    assert.equal(secretOf(server, id), 'never shown');
    assert.equal(statSync(join(server.folder, 'secrets.key')).mode & 0o777, 0o600);
    for (const table of ['events', 'settings'])
      assert.ok(!JSON.stringify(readStore(server.folder, `select * from ${table}`)).includes('never shown'));
  });

  test('does not open for another webhook', async () => {
    const [one, other] = [await hook(server, 'the one'), await hook(server, 'the other')];
    const { secret } = keptSecrets(server, one);
    keepReadable(server.folder, other, String(secret));
    assert.throws(() => secretOf(server, other), /is that of something else/);
  });

  test('stays readable with a server that has no key', async () => {
    const id = await hook(server, 'sealed');
    const none = createSecretBox([]);
    const change = { webhookId: id, secret: 'readable' };
    await server.running.db.write((tx) => storeSecret(tx, none, change));
    assert.equal(keptSecrets(server, id).secret, 'readable');
    const request = await server.call('PATCH', `/api/webhooks/${id}`, { secret: 'readable' });
    assert.equal(request.status, 200);
  });

  test('signs deliveries', async () => {
    const { id } = await register(server, {
      payload_url: `${receiver.url}/signed`,
      triggers: ['apps'],
      secret: 'a secret',
    });
    await makeApp(server);
    const [request] = await receiver.received('/signed', 1);
    assert.match(request?.headers['x-hub-signature-256'] ?? '', /^sha256=[0-9a-f]{64}$/);
    assert.equal(request?.headers['x-weavy-hook-id'], String(id));
  });

  test('is deleted with its webhook', async () => {
    const id = await hook(server, 'gone');
    await server.call('DELETE', `/api/webhooks/${id}`);
    assert.deepEqual(readStore(server.folder, `select secret from webhooks where id = ${id}`), []);
  });

  test('makes the store refuse earlier programs, which cannot open it', () => {
    const [row] = readStore(server.folder, 'select max(breaks_before) as n from migrations');
    assert.equal(Number(row?.n), 11);
  });
});

// Secrets that an earlier program has kept are sealed after a start, however many there are, and sign until then.
describe('secrets that were stored readable', () => {
  test('are sealed in the background, batch by batch, with the previous ones', async () => {
    const folder = freshFolder();
    const ids = await during(folder, {}, async (server) => {
      const made: number[] = [];
      for (let i = 0; i < 3; i += 1) made.push(await hook(server, `secret ${i}`));
      return made;
    });
    const [first = 0] = ids;
    writeStore(
      folder,
      `update webhooks set secret = 'readable ' || id, previous_secret = 'before ' || id, previous_secret_until = 9000000000000`,
    );
    // More than two batches of 100.
    writeStore(
      folder,
      `insert into webhooks (payload_url, secret, is_enabled, created_at)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 230)
        select 'http://127.0.0.1:9/' || i, 'many', 0, 0 from n`,
    );
    await during(folder, {}, (server) =>
      poll('all to be sealed', () => {
        const left = "select count(*) as n from webhooks where secret in ('many') or secret like 'readable%'";
        return Number(readStore(server.folder, left)[0]?.n) === 0 ? true : undefined;
      }),
    );
    const kept = keptSecrets({ folder }, first);
    assert.equal(secretOf({ folder }, first), `readable ${first}`);
    assert.ok(kept.previous_secret !== null && !kept.previous_secret.includes('before'));
  });
});

// A server without the key of its store fails at its start rather than at each delivery.
describe('a server without the key', () => {
  const message = /sealed with the key [0-9a-f]{8}, and this server has .*CONFAB_SECRETS_KEY.*replace-lost/;
  const key = makeKeyText();

  test('does not start when it has another', async () => {
    const folder = freshFolder();
    await during(folder, { CONFAB_SECRETS_KEY: key }, (server) => hook(server, 'sealed'));
    await assert.rejects(startTestServer({ CONFAB_SECRETS_KEY: makeKeyText() }, { folder }), message);
    const { code, stderr } = await runCommand(['serve', '--data-dir', folder, '--port', '0']);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^confab: .*key ${idOf(key)}, and this server has none`));
    // No file of keys was created in place of the missing one.
    assert.throws(() => statSync(join(folder, 'secrets.key')), { code: 'ENOENT' });
    await during(folder, { CONFAB_SECRETS_KEY: key }, async () => undefined);
  });

  test('does not start when the configured file does not exist', async () => {
    const folder = freshFolder();
    const settings = { CONFAB_SECRETS_KEY_FILE: join(folder, 'elsewhere.key') };
    await assert.rejects(startTestServer(settings, { folder }), /elsewhere\.key is not there/);
    writeFileSync(settings.CONFAB_SECRETS_KEY_FILE, key);
    const id = await during(folder, settings, (server) => hook(server, 'sealed'));
    assert.equal(sealOf(folder, id), idOf(key));
  });
});

// Only sealed secrets need a key: a copy of a store without one starts, and creates its key for the first secret.
describe('a store in which nothing is sealed', () => {
  test('creates no key before the first secret, and starts without one', async () => {
    const folder = freshFolder();
    const file = join(folder, 'secrets.key');
    await during(folder, {}, async (server) => {
      await makeApp(server);
      await register(server, { payload_url: url(), triggers: ['apps'] });
    });
    assert.equal(existsSync(file), false);
    await during(folder, {}, async (server) => {
      const id = await hook(server, 'the first');
      assert.equal(sealOf(folder, id), boxOf(server).keyIds[0]);
      assert.equal(secretOf(server, id), 'the first');
    });
    rmSync(file);
    await assert.rejects(startTestServer({}, { folder }), /sealed with the key .*, and this server has none/);
    assert.equal(existsSync(file), false);
  });

  test('forgets a key that seals nothing, unless other nodes may have it', async () => {
    const folder = freshFolder();
    await during(folder, {}, async (server) => {
      const id = await hook(server, 'deleted');
      await server.call('DELETE', `/api/webhooks/${id}`);
    });
    rmSync(join(folder, 'secrets.key'));
    if (engine === 'postgres') {
      await assert.rejects(startTestServer({}, { folder }), /, and this server has none/);
      return;
    }
    await during(folder, {}, async (server) => {
      assert.deepEqual(readStore(folder, "select name from settings where name like 'secrets_key:%'"), []);
      const id = await hook(server, 'another');
      assert.equal(sealOf(folder, id), boxOf(server).keyIds[0]);
    });
  });
});

// A key is replaced by starting with both and sealing again; a lost key costs only the secrets.
describe('confab secrets', () => {
  const [old, next] = [makeKeyText(), makeKeyText()];

  test('rotate seals everything with the first key, after which the other is not needed', async () => {
    const folder = freshFolder();
    const id = await during(folder, { CONFAB_SECRETS_KEY: old }, (server) => hook(server, 'kept'));
    const both = { CONFAB_SECRETS_KEY: `${next},${old}` };
    await during(folder, both, async (server) => {
      assert.equal(sealOf(folder, id), idOf(old));
      const later = await hook(server, 'later');
      assert.equal(sealOf(folder, later), idOf(next));
      const status = await secrets(folder, 'status', both);
      assert.equal(status.code, 0, status.stderr);
      const rows = status.stdout.trimEnd().split('\n');
      assert.deepEqual(
        rows.map((line) => line.split(/ {2,}/)),
        [
          ['key', 'state', 'secrets'],
          [idOf(next), 'seals', '1'],
          [idOf(old), 'opens', '1'],
          ['readable', 'to be sealed', '0'],
        ],
      );
      const { code, stdout, stderr } = await secrets(folder, 'rotate', both);
      assert.equal(code, 0, stderr);
      assert.equal(stdout, `1 secrets were sealed with the key ${idOf(next)}.\n`);
      assert.equal(sealOf(folder, id), idOf(next));
    });
    await during(folder, { CONFAB_SECRETS_KEY: next }, async (server) => {
      await server.call('PATCH', `/api/webhooks/${id}`, { payload_url: `${receiver.url}/rotated` });
      await makeApp(server);
      const [request] = await receiver.received('/rotated', 1);
      assert.ok(request?.headers['webhook-signature']);
    });
    await assert.rejects(startTestServer({ CONFAB_SECRETS_KEY: old }, { folder }), /this server has/);
  });

  test('rotate needs every key of the store', async () => {
    const folder = freshFolder();
    const message = new RegExp(`the key ${idOf(old)}, and this server has ${idOf(next)}`);
    await during(folder, { CONFAB_SECRETS_KEY: old }, async (server) => {
      await assert.rejects(startSealing(server.running.db, createSecretBox(readKeys(next))), message);
    });
  });

  test('replace-lost generates secrets, prints them once, and lets the server start again', async () => {
    const folder = freshFolder();
    const [lost, unsigned] = await during(folder, { CONFAB_SECRETS_KEY: old }, async (server) => [
      await hook(server, 'lost'),
      (await register(server, { payload_url: url(), triggers: ['posts'] })).id,
    ]);
    const settings = { CONFAB_SECRETS_KEY: next };
    const { code, stdout, stderr } = await secrets(folder, 'replace-lost', settings);
    assert.equal(code, 0, stderr);
    const [, id, secret = ''] = /^id .*\n(\d+) +http:\S+ +(whsec_\S{44})\n$/.exec(stdout) ?? [];
    assert.equal(Number(id), lost);
    assert.match(stderr, /1 webhooks have new secrets, shown this once/);
    await during(folder, settings, async (server) => {
      const kept = { folder, secret };
      assert.equal(sealOf(kept.folder, lost ?? 0), idOf(next));
      assert.equal(keptSecrets(server, unsigned ?? 0).secret, null);
      const same = await server.call('POST', `/api/webhooks/${lost}/secret/rotate`, { secret });
      assert.equal(same.status, 422, 'it is the present one');
      const events = `select action from events where entity_type = 'webhook' and entity_id = ${lost} order by id`;
      assert.deepEqual(
        readStore(folder, events).map(({ action }) => action),
        ['webhook_created', 'webhook_updated'],
      );
    });
  });
});
