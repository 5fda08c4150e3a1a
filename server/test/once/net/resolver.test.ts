import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  A,
  a,
  aaaa,
  alias,
  NXDOMAIN,
  SERVFAIL,
  startNameServer,
  type Zone,
} from 'confab-testing/network/name-server.ts';
import { patienceMs } from 'confab-testing/poll.ts';
import { canonicalAddress } from '../../../src/net/address.ts';
import { createResolver, type Resolver } from '../../../src/net/resolver.ts';

async function resolverFor(
  t: TestContext,
  zone: Zone,
  hosts = '',
): Promise<{ resolver: Resolver; asked: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'confab-hosts-'));
  t.after(() => rm(folder, { recursive: true }));
  const hostsPath = join(folder, 'hosts');
  await writeFile(hostsPath, hosts);
  const { address, asked, close } = await startNameServer(zone);
  t.after(close);
  return { resolver: createResolver({ servers: [address], hostsPath }), asked };
}

const patient = (): AbortSignal => AbortSignal.timeout(patienceMs);

/** The resolver finds all addresses of a name, in both families, and each kind of failure has its own code. */
describe('createResolver: DNS', () => {
  it('combines the answers of both families', async (t) => {
    const { resolver, asked } = await resolverFor(t, (_, type) =>
      type === A ? [a('192.0.2.1'), a('192.0.2.2')] : [aaaa('2001:db8:0:0:0:0:0:1')],
    );
    const addresses = await resolver.resolve('hooks.example', patient());
    assert.deepEqual(addresses.map(canonicalAddress).sort(), ['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    assert.deepEqual(asked.sort(), ['hooks.example 1', 'hooks.example 28']);
  });

  it('follows a chain of aliases to its addresses', async (t) => {
    const { resolver } = await resolverFor(t, (_, type) => [
      alias('middle.example'),
      alias('inner.example'),
      ...(type === A ? [a('127.0.0.9')] : []),
    ]);
    assert.deepEqual(await resolver.resolve('outer.example', patient()), ['127.0.0.9']);
  });

  it('accepts one family', async (t) => {
    const { resolver } = await resolverFor(t, (_, type) =>
      type === A ? [] : [aaaa('2001:db8:0:0:0:0:0:1')],
    );
    assert.deepEqual(await resolver.resolve('hooks.example', patient()), ['2001:db8::1']);
  });

  it('accepts one family when the other fails', async (t) => {
    const { resolver } = await resolverFor(t, (_, type) => (type === A ? [a('192.0.2.1')] : SERVFAIL));
    assert.deepEqual(await resolver.resolve('hooks.example', patient()), ['192.0.2.1']);
  });

  it('asks for the ASCII form without the trailing dot', async (t) => {
    const { resolver, asked } = await resolverFor(t, () => [a('192.0.2.1')]);
    await assert.doesNotReject(resolver.resolve('Bücher.example.', patient()));
    assert.equal(asked.includes('xn--bcher-kva.example 1'), true);
  });

  it('answers dns_not_found for a name that does not exist', async (t) => {
    const { resolver } = await resolverFor(t, () => NXDOMAIN);
    await assert.rejects(resolver.resolve('gone.example', patient()), { code: 'dns_not_found' });
  });

  it('answers dns_error for a server that fails', async (t) => {
    const { resolver } = await resolverFor(t, () => SERVFAIL);
    await assert.rejects(resolver.resolve('hooks.example', patient()), { code: 'dns_error' });
  });

  it('answers dns_no_address for a name without addresses', async (t) => {
    const { resolver } = await resolverFor(t, () => []);
    await assert.rejects(resolver.resolve('mail.example', patient()), { code: 'dns_no_address' });
  });

  it('answers dns_error when one family has no address and the other fails', async (t) => {
    const { resolver } = await resolverFor(t, (_, type) => (type === A ? [] : SERVFAIL));
    await assert.rejects(resolver.resolve('half.example', patient()), { code: 'dns_error' });
  });

  it('returns dns_not_found for text that is not a name, without a query', async (t) => {
    const { resolver, asked } = await resolverFor(t, () => [a('192.0.2.1')]);
    await assert.rejects(resolver.resolve('a..b', patient()), { code: 'dns_not_found' });
    assert.deepEqual(asked, []);
  });

  it('answers dns_timeout as soon as the signal aborts', async (t) => {
    const { resolver } = await resolverFor(t, () => 'silent');
    const startedAt = performance.now();
    await assert.rejects(resolver.resolve('slow.example', AbortSignal.timeout(100)), { code: 'dns_timeout' });
    assert.ok(performance.now() - startedAt < 1500);
  });

  it('answers dns_timeout for a signal that has aborted', async (t) => {
    const { resolver } = await resolverFor(t, () => [a('192.0.2.1')]);
    await assert.rejects(resolver.resolve('hooks.example', AbortSignal.abort()), { code: 'dns_timeout' });
  });

  it('does not let eight silent names delay another', async (t) => {
    const { resolver } = await resolverFor(t, (name) =>
      name.startsWith('slow') ? 'silent' : [a('192.0.2.1')],
    );
    const giveUp = new AbortController();
    const slow = Array.from({ length: 8 }, (_, index) =>
      resolver.resolve(`slow${index}.example`, giveUp.signal),
    );
    const settled = Promise.allSettled(slow);
    const startedAt = performance.now();
    await assert.doesNotReject(resolver.resolve('quick.example', patient()));
    const tookMs = performance.now() - startedAt;
    giveUp.abort();
    assert.deepEqual(new Set((await settled).map(({ status }) => status)), new Set(['rejected']));
    assert.ok(tookMs < 1500, `${tookMs} ms`);
  });
});

/** The hosts file and localhost need no query, as in the system's resolver. */
describe('createResolver: names of this machine', () => {
  const HOSTS =
    '# comment 192.0.2.8 hooks.internal\n192.0.2.9\thooks.internal Hooks # note\n2001:db8::9 hooks.internal\nfe80::1%lo0 hooks.internal\n\nbroken hooks.internal\n';

  it('takes every address of a name from the hosts file', async (t) => {
    const { resolver, asked } = await resolverFor(t, () => NXDOMAIN, HOSTS);
    assert.deepEqual(await resolver.resolve('HOOKS.internal.', patient()), ['192.0.2.9', '2001:db8::9']);
    assert.deepEqual(await resolver.resolve('hooks', patient()), ['192.0.2.9']);
    assert.deepEqual(asked, []);
  });

  it('queries a name that the hosts file does not have', async (t) => {
    const { resolver } = await resolverFor(t, () => [a('192.0.2.1')], HOSTS);
    assert.equal((await resolver.resolve('note', patient()))[0], '192.0.2.1');
  });

  it('resolves localhost and names below it to loopback, whatever the hosts file says', async (t) => {
    const { resolver, asked } = await resolverFor(
      t,
      () => [a('192.0.2.1')],
      '192.0.2.9 localhost a.localhost\n',
    );
    assert.deepEqual(await resolver.resolve('localhost', patient()), ['127.0.0.1', '::1']);
    assert.deepEqual(await resolver.resolve('A.localhost.', patient()), ['127.0.0.1', '::1']);
    assert.deepEqual(asked, []);
  });

  it('answers dns_error when the hosts file cannot be read', async (t) => {
    const { address, close } = await startNameServer(() => [a('192.0.2.1')]);
    t.after(close);
    const resolver = createResolver({ servers: [address], hostsPath: tmpdir() });
    await assert.rejects(resolver.resolve('hooks.example', patient()), { code: 'dns_error' });
  });
});
