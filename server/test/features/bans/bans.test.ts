import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { refusesBanned } from 'confab-contract/operation.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { freshName } from 'confab-testing/visitors.ts';
import { insertBan } from '../../../src/features/bans/bans.store.ts';
import { networkOf } from '../../../src/http/limits/client-address.ts';
import { networkOfClient, networksAround, readNetwork } from '../../../src/net/networks.ts';

let now = Date.parse('2026-11-21T08:00:00.000Z');
const server = useServer(
  {
    CONFAB_SIGN_IN: 'guest',
    CONFAB_SIGN_IN_PUZZLE: 'no',
    CONFAB_TRUSTED_PROXIES: '127.0.0.1',
    CONFAB_LIMITS_ADDRESS: 'off',
  },
  { clock: { now: () => now } },
);
const watch = useStoreWatch(server);
const open = { access: 'write', visitors: 'write' };
const dayMs = 86_400_000;

const from = (address: string, as: string | null = null): Sending => ({
  headers: { 'x-forwarded-for': address },
  as,
});

async function signIn(address: string) {
  const body = { name: freshName() };
  return await server.call('POST', '/api/sign-in/guest', body, from(address));
}

async function signedIn(address: string) {
  const { status, body, text } = await signIn(address);
  assert.equal(status, 200, text);
  return body;
}

const ban = async (body: object) => await server.create('/api/bans', body);

// A moderator keeps an address from writing for a while; whoever only reads notices nothing.
describe('a banned address', () => {
  it('neither signs in nor writes, says until when, and still reads', async () => {
    const app = await makeApp(server, open);
    const path = `/api/apps/${app.id}/comments`;
    const guest = await signedIn('198.51.100.1');
    const as = from('198.51.100.1', guest.access_token);
    assert.equal((await server.call('POST', path, { text: 'before' }, as)).status, 201);
    const made = await ban({ address: '198.51.100.1', seconds: 600, reason: 'spam' });
    assert.deepEqual(made, {
      id: made.id,
      address: '198.51.100.1/32',
      reason: 'spam',
      created_at: '2026-11-21T08:00:00.000Z',
      expires_at: '2026-11-21T08:10:00.000Z',
    });
    const refused = await server.call('POST', path, { text: 'now' }, as);
    assertProblem(refused, 403, 'address_banned');
    assert.match(refused.text, /until 2026-11-21T08:10:00\.000Z/);
    assertProblem(await signIn('198.51.100.1'), 403, 'address_banned');
    for (const way of [as, from('198.51.100.1')])
      assert.equal((await server.call('GET', path, undefined, way)).body.data.length, 1);
    const elsewhere = from('198.51.100.2', guest.access_token);
    assert.equal((await server.call('POST', path, { text: 'elsewhere' }, elsewhere)).status, 201);
    const user = await makeUser(server);
    const ofProduct = from('198.51.100.1', user.token);
    assert.equal((await server.call('POST', path, { text: 'a user' }, ofProduct)).status, 201);
    now += 600_000;
    assert.equal((await server.call('POST', path, { text: 'after' }, as)).status, 201);
    assert.deepEqual((await server.read('/api/bans')).data, []);
  });

  it('is refused by every operation with which visitors change something, and lets them leave', async () => {
    const { access_token: token, user } = await signedIn('198.51.100.10');
    await ban({ address: '198.51.100.10', seconds: 60 });
    const tried: string[] = [];
    for (const operation of operationList.filter(refusesBanned)) {
      const path = operation.path.replaceAll(/\{\w+\}/g, '1');
      const as = operation.caller === 'anyone' ? null : token;
      const answer = await server.call(operation.method, path, {}, from('198.51.100.10', as));
      assertProblem(answer, 403, 'address_banned');
      tried.push(operation.id);
    }
    for (const id of ['signInAsGuest', 'renewSignIn', 'makePuzzle', 'createAppComment', 'updateVisitor'])
      assert.ok(tried.includes(id), id);
    const as = from('198.51.100.10', token);
    assert.equal((await server.call('DELETE', `/api/users/${user.id}`, undefined, as)).status, 202);
  });

  it('can be that of a visitor, which API keys alone see, and which is forgotten', async () => {
    const guest = await signedIn('198.51.100.20');
    const path = `/api/users/${guest.user.id}`;
    assert.deepEqual((await server.read(path)).visitor, {
      approved_count: 0,
      address: '198.51.100.20/32',
      signed_in_at: new Date(now).toISOString(),
    });
    const self = await server.call('GET', '/api/user', undefined, from('198.51.100.20', guest.access_token));
    assert.equal(self.body.visitor, undefined);
    assert.doesNotMatch(JSON.stringify(guest), /198\.51/);
    const renewal = { renewal_secret: guest.renewal_secret };
    await server.call('POST', '/api/sign-in/renewal', renewal, from('198.51.100.21'));
    assert.equal((await server.read(path)).visitor.address, '198.51.100.21/32');
    const made = await ban({ user: guest.user.uid, seconds: 60 });
    assert.equal(made.address, '198.51.100.21/32');
    assertProblem(await signIn('198.51.100.21'), 403, 'address_banned');
    const events = watch.rows("select payload from events where action = 'address_banned'");
    assert.doesNotMatch(JSON.stringify(events), /198\.51/);
    const erased = await signedIn('198.51.100.22');
    await server.call('DELETE', `/api/users/${erased.user.id}`);
    const kept = () => watch.rows('select user_id as id from visitor_addresses').map(({ id }) => id);
    assert.equal(kept().includes(erased.user.id), false);
    assert.equal(kept().includes(guest.user.id), true);
    now += 30 * dayMs;
    assert.equal((await server.read(path)).visitor.address, undefined);
    const gone = await server.call('POST', '/api/bans', { user: guest.user.id, seconds: 60 });
    assertProblem(gone, 422, 'validation_failed');
  });

  it('is forgotten with its ban by the server, also where nobody signs in', async () => {
    const { user } = await signedIn('198.51.100.25');
    const { id } = await ban({ address: '198.51.100.25', seconds: 60 });
    now += 31 * dayMs;
    await server.restart();
    const left = () => [
      ...watch.rows(`select id from bans where id = ${id}`),
      ...watch.rows(`select user_id from visitor_addresses where user_id = ${user.id}`),
      ...watch.rows(`select user_id from visitor_secrets where user_id = ${user.id}`),
    ];
    const isForgotten = await poll('the end of all', () => (left().length === 0 ? true : undefined));
    assert.ok(isForgotten);
  });

  it('is listed, banned anew with the same id, and freed', async () => {
    const first = await ban({ address: '198.51.100.30', seconds: 60, reason: 'spam' });
    const expires_at = new Date(now + 366 * dayMs).toISOString();
    const second = await ban({ address: '198.51.100.30/32', expires_at });
    assert.deepEqual([second.id, second.expires_at, second.reason], [first.id, expires_at, undefined]);
    const other = await ban({ address: '198.51.100.31', seconds: 60 });
    const { data, count } = await server.read('/api/bans?top=2');
    assert.ok(count >= 2);
    assert.deepEqual([data[0]?.id, data[1]?.id], [other.id, first.id]);
    for (const query of ['q=x', 'tag=x', 'trashed=true'])
      assert.deepEqual((await server.read(`/api/bans?${query}`)).data, []);
    assert.equal((await server.call('DELETE', `/api/bans/${first.id}`)).status, 204);
    assert.equal((await signIn('198.51.100.30')).status, 200);
    assertProblem(await signIn('198.51.100.31'), 403, 'address_banned');
    assertProblem(await server.call('DELETE', `/api/bans/${first.id}`), 404, 'not_found');
  });

  it('writes in no form of a page either, whose guests have an address too', async () => {
    const app = await makeApp(server, open);
    const send = async (address: string) =>
      await fetch(`${server.url}/pages/${app.uid}`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address },
        body: new URLSearchParams({ name: freshName(), text: 'words' }),
        redirect: 'manual',
      });
    assert.equal((await send('198.51.100.60')).status, 303);
    const { data } = await server.read(`/api/apps/${app.id}/comments?expand=created_by`);
    await ban({ user: data[0].created_by.id, seconds: 60 });
    const refused = await send('198.51.100.60');
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /can only read until/);
    assert.equal((await send('198.51.100.61')).status, 303);
  });

  it('can be a network, of IPv6 always that of a machine', async () => {
    await ban({ address: '198.18.0.0/16', seconds: 60 });
    assertProblem(await signIn('198.18.255.1'), 403, 'address_banned');
    assert.equal((await signIn('198.19.0.1')).status, 200);
    const made = await ban({ address: '2001:db8:1:2:3::4', seconds: 60 });
    assert.equal(made.address, '2001:db8:1:2::/64');
    assertProblem(await signIn('2001:db8:1:2:ffff::1'), 403, 'address_banned');
    assert.equal((await signIn('2001:db8:1:3::1')).status, 200);
    await ban({ address: '2001:db8:8000::/33', seconds: 60 });
    assertProblem(await signIn('2001:db8:ffff:9::1'), 403, 'address_banned');
  });

  it('is one, for one time', async () => {
    for (const body of [
      { address: '198.51.100.40' },
      { seconds: 60 },
      { address: '198.51.100.40', user: 1, seconds: 60 },
      { address: '198.51.100.40', seconds: 60, expires_at: new Date(now + dayMs).toISOString() },
      { address: '198.51.100.40', expires_at: new Date(now).toISOString() },
      { address: '198.51.100.40', expires_at: new Date(now + 367 * dayMs).toISOString() },
    ])
      assertProblem(await server.call('POST', '/api/bans', body), 422, 'validation_failed');
  });

  it('is one of 10,000 at most', async () => {
    await server.running.db.write(async (tx) => {
      for (let each = 0; each < 10_000; each += 1)
        await tx.insert(insertBan, {
          address: `100.64.${each}/32`,
          reason: null,
          createdAt: now,
          expiresAt: now + dayMs,
        });
    });
    const full = await server.call('POST', '/api/bans', { address: '198.51.100.50', seconds: 60 });
    assertProblem(full, 422, 'validation_failed');
    assert.match(full.text, /At most 10000 addresses/);
    now += dayMs;
    await ban({ address: '198.51.100.50', seconds: 60 });
  });
});

// Equal networks are equal texts, and a client is found in each network around it.
describe('networks', () => {
  const networkNamed = (text: string) => readNetwork(text)?.network;

  it('are read in one spelling, and wide ones are told apart', () => {
    assert.equal(networkNamed('203.0.113.77/24'), '203.0.113.0/24');
    assert.equal(networkNamed('::ffff:203.0.113.77'), '203.0.113.77/32');
    assert.equal(networkNamed('2001:DB8:0:0:1::/80'), '2001:db8::/64');
    assert.equal(readNetwork('10.0.0.0/15')?.isTooWide, true);
    assert.equal(readNetwork('2001::/31')?.isTooWide, true);
    for (const text of ['', '/', '1.2.3', '1.2.3.4/33', '010.1.1.1', 'fe80::1%1', '::/129', '1.2.3.4/8/8'])
      assert.equal(readNetwork(text), undefined, text);
  });

  it('are those around a client', () => {
    const client = networkOfClient(networkOf('2001:db8::1'));
    assert.equal(client, '2001:db8::/64');
    const around = networksAround(client);
    assert.equal(around.length, 33);
    assert.equal(around.at(-1), '2001:db8::/32');
    assert.equal(networksAround('203.0.113.7/32').at(-1), '203.0.0.0/16');
  });
});
