import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertDeliveriesWhole } from 'confab-testing/delivery-invariant.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { innerNames, refusedAnswers, refusedHosts } from 'confab-testing/network/address-forms.ts';
import { type Receiver, startReceiver } from 'confab-testing/network/receiver.ts';
import { recordedDial } from 'confab-testing/network/recorded-dial.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { register } from 'confab-testing/webhooks.ts';
import { ResolveError, type Resolver } from '../../../src/net/resolver.ts';

const hosts = [...new Set(refusedHosts)];
const answers = new Map(refusedAnswers.map((address, index) => [`name-${index}.example`, address]));

/** Knows the names above, and one that is public. */
const resolver: Resolver & { asked: string[] } = {
  asked: [],
  async resolve(name) {
    this.asked.push(name);
    const address = name === 'public.example' ? '93.184.216.34' : answers.get(name);
    if (address === undefined) throw new ResolveError('dns_not_found');
    return [address];
  },
};

let folder: string;
let receiver: Receiver;
let network: ReturnType<typeof recordedDial>;
let server: TestServer;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confab-doors-'));
  receiver = await startReceiver();
  network = recordedDial(receiver.url);
  const parts = { resolver, dial: network.dial, folder };
  // Webhooks that were registered while the operator permitted everything.
  const open = await startTestServer(
    { CONFAB_EGRESS_ALLOW: ['0.0.0.0/0', '::/0', ...innerNames].join() },
    parts,
  );
  const registered = [...hosts, ...answers.keys(), 'public.example'];
  await Promise.all(registered.map((host) => register(open, { payload_url: `http://${host}/hook` })));
  await open.close();
  server = await startTestServer({ CONFAB_EGRESS_ALLOW: '' }, parts);
  const { uid } = await makeApp(server);
  await makeComment(server, uid);
});
after(async () => {
  await receiver.close();
  await server.close();
  await rm(folder, { recursive: true });
});

type Attempted = { readonly payload_url: string; readonly status: string; readonly error: string | null };

/** What the one delivery of each webhook came to, once all have been attempted. */
function attempted(): Promise<Attempted[]> {
  return poll('an attempt for every webhook', () => {
    const rows = readStore(
      server.folder,
      `select payload_url, deliveries.status, error from deliveries join webhooks on webhooks.id = webhook_id
       join attempts on delivery_id = deliveries.id and number = 1`,
    ) as Attempted[];
    return rows.length === hosts.length + answers.size + 1 ? rows : undefined;
  });
}

const registration = (host: string) =>
  server.call('POST', '/api/webhooks', { payload_url: `http://${host}/new`, triggers: ['posts'] });
const embed = (host: string) => server.call('POST', '/api/embeds', { url: `http://${host}/` });

/** No way of writing an address leads a request inside, through none of the three doors. */
describe('every door', () => {
  test(`31: every literal spelling → 422 or blocked, no connect (${hosts.length} forms × 3 doors)`, async (t) => {
    const words = new Set<string>();
    for (const host of hosts) {
      const registered = await registration(host);
      assert.equal(registered.status, 422, host);
      const embedded = await embed(host);
      assert.equal(embedded.status, 400, host);
      for (const { body } of [registered, embedded])
        words.add(JSON.stringify({ ...body, request_id: undefined }));
    }
    // One for each of the two doors that answer, whatever was refused.
    assert.equal(words.size, 2, [...words].join('\n'));
    assert.match([...words][0] ?? '', /address_not_allowed.*not allowed/);
    assert.deepEqual(
      resolver.asked.filter((name) => hosts.includes(name)),
      [],
    );

    const literal = new Set(hosts.map((host) => `http://${host}/hook`));
    const rows = (await attempted()).filter((row) => literal.has(row.payload_url));
    assert.equal(rows.length, hosts.length);
    assert.deepEqual(
      rows.filter(({ status, error }) => status !== 'failed' || error !== 'blocked_address'),
      [],
    );
    const connected = network.dialled.filter(({ host }) => host !== 'public.example');
    assert.deepEqual(connected, []);
    t.diagnostic(
      `${hosts.length} forms × 3 doors = ${hosts.length * 3} requests: ${connected.length} connections`,
    );
  });

  test(`31: every address behind a name → blocked, no connect (${answers.size} answers × 2 doors that resolve)`, async (t) => {
    const words = new Set<string>();
    for (const name of [...answers.keys(), 'there-is-none.example', 'localhost']) {
      const { status, body } = await embed(name);
      assert.equal(status, 400, name);
      words.add(JSON.stringify({ ...body, request_id: undefined }));
    }
    assert.equal(words.size, 1, [...words].join('\n'));
    const named = new Set([...answers.keys()].map((name) => `http://${name}/hook`));
    const rows = (await attempted()).filter((row) => named.has(row.payload_url));
    assert.deepEqual(
      [...new Set(rows.map(({ status, error }) => `${status} ${error}`))],
      // DNS may be mended, so these are tried again.
      ['retrying blocked_address'],
    );
    const connected = network.dialled.filter(({ host }) => host !== 'public.example');
    assert.deepEqual(connected, []);
    t.diagnostic(
      `${answers.size} answers × 2 doors = ${answers.size * 2} requests: ${connected.length} connections`,
    );
  });

  test('permits public addresses', async () => {
    const rows = await attempted();
    assert.equal(rows.find(({ payload_url: url }) => url.includes('public'))?.status, 'delivered');
    assert.deepEqual(network.dialled, [{ host: 'public.example', addresses: ['93.184.216.34'] }]);
    assertDeliveriesWhole(server);
  });
});
