import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCommand } from 'confab-testing/command.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { type Receiver, startReceiver } from 'confab-testing/network/receiver.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { dropDatabaseOf } from 'confab-testing/stores/databases.ts';
import { register, settled } from 'confab-testing/webhooks.ts';

let folder: string;
let server: TestServer;
let receiver: Receiver;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'confab-commands-'));
  receiver = await startReceiver();
  server = await startTestServer({}, { folder });
});
after(async () => {
  await receiver.close();
  await server.close();
  rmSync(folder, { recursive: true });
  await dropDatabaseOf(folder);
});

const confab = async (...args: string[]) => await runCommand(['webhook', ...args, '--data-dir', folder]);

// What can be asked of a server over HTTP can be asked of its store beside it, and the server does it.
describe('confab webhook', () => {
  test('lists, pings, and lets a running server send deliveries again', async () => {
    const { id } = await register(server, { payload_url: `${receiver.url}/one`, ordered: true });
    const off = await register(server, {
      payload_url: `${receiver.url}/off`,
      enabled: false,
      triggers: ['apps', 'posts'],
    });
    const cells = (await confab('list')).stdout.split('\n').map((line) => line.split(/ {2,}/));
    assert.deepEqual(cells, [
      ['id', 'address', 'triggers', 'order', 'state', 'waiting'],
      [`${id}`, `${receiver.url}/one`, 'comments', 'ordered', 'enabled', '0'],
      [`${off.id}`, `${receiver.url}/off`, 'apps,posts', 'any', 'disabled', '0'],
      [''],
    ]);

    const pinged = await confab('ping', `${id}`);
    assert.deepEqual([pinged.code, pinged.stderr], [0, '']);
    assert.match(pinged.stdout, /^Delivery \d+ of webhook \d+ is to be sent\.\n$/);
    await receiver.received('/one', 1);
    const ping = await settled(server, id, 'delivered');

    assert.equal((await confab('redeliver', `${id}`, `${ping.id}`)).code, 0);
    await receiver.received('/one', 2);
    await settled(server, id, 'delivered', 2);

    const app = await makeApp(server);
    for (let count = 0; count < 3; count += 1) await makeComment(server, app.id);
    await receiver.received('/one', 5);
    await settled(server, id, 'delivered', 1);
    const since = new Date(Date.parse(ping.created_at) + 1).toISOString();
    const again = await confab('redeliver', `${id}`, '--since', since, '--status', 'delivered');
    assert.equal(again.stdout, `3 deliveries of webhook ${id} are to be sent again.\n`);
    await receiver.received('/one', 8);
  });

  test('reports in one line what it cannot do', async () => {
    const { id } = await register(server, { payload_url: `${receiver.url}/two`, enabled: false });
    for (const [args, code, said] of [
      [['ping', '987654321'], 1, /There is no such webhook|webhook/],
      [['ping', 'x'], 2, /x is no id of a webhook/],
      [['redeliver', `${id}`], 2, /At least one/],
      [['redeliver', `${id}`, '--status', 'lost'], 2, /status must be one of/],
    ] as const) {
      const answer = await confab(...args);
      assert.equal(answer.code, code, `${args.join(' ')}: ${answer.stderr}`);
      assert.equal(answer.stdout, '');
      assert.match(answer.stderr, said);
      assert.equal(answer.stderr.split('\n').length, 2, answer.stderr);
    }
  });
});
