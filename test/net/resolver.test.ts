import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { canonicalAddress } from '../../src/net/address.ts';
import { createResolver, type Resolver } from '../../src/net/resolver.ts';

const A = 1;
const CNAME = 5;
const AAAA = 28;
const NXDOMAIN = 3;
const SERVFAIL = 2;

type Zone = (name: string, type: number) => readonly { type: number; bytes: Buffer }[] | number | 'silent';

function a(address: string): { type: number; bytes: Buffer } {
  return { type: A, bytes: Buffer.from(address.split('.').map(Number)) };
}

function aaaa(address: string): { type: number; bytes: Buffer } {
  const groups = address.split(':').map((group) => Number.parseInt(group, 16));
  return { type: AAAA, bytes: Buffer.from(groups.flatMap((group) => [group >> 8, group & 255])) };
}

/** The question of a query: labels with their lengths, a zero, type and class (RFC 1035 section 4.1). */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(query: Buffer, reply: Exclude<ReturnType<Zone>, 'silent'>): Buffer {
  const records = typeof reply === 'number' ? [] : reply;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (typeof reply === 'number' ? reply : 0), 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  const answers = records.map(({ type, bytes }) => {
    // The name points to the question; class IN, no time to live.
    const fixed = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, bytes.length >> 8, bytes.length & 255]);
    return Buffer.concat([fixed, bytes]);
  });
  return Buffer.concat([header, query.subarray(12, readQuestion(query).end), ...answers]);
}

/** A name server on loopback that answers from `zone` and notes what it was asked. */
async function startNameServer(t: TestContext, zone: Zone): Promise<{ address: string; asked: string[] }> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, peer) => {
    const { name, type } = readQuestion(query);
    asked.push(`${name} ${type}`);
    const reply = zone(name, type);
    if (reply !== 'silent') socket.send(answer(query, reply), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

async function resolverFor(
  t: TestContext,
  zone: Zone,
  hosts = '',
): Promise<{ resolver: Resolver; asked: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'confab-hosts-'));
  t.after(() => rm(folder, { recursive: true }));
  const hostsPath = join(folder, 'hosts');
  await writeFile(hostsPath, hosts);
  const { address, asked } = await startNameServer(t, zone);
  return { resolver: createResolver({ servers: [address], hostsPath }), asked };
}

const patient = (): AbortSignal => AbortSignal.timeout(10_000);

/** Every address of a name is found, in both families, and each kind of failure has its code. */
describe('createResolver: DNS', () => {
  it('joins the answers of both families', async (t) => {
    const { resolver, asked } = await resolverFor(t, (_, type) =>
      type === A ? [a('192.0.2.1'), a('192.0.2.2')] : [aaaa('2001:db8:0:0:0:0:0:1')],
    );
    const addresses = await resolver.resolve('hooks.example', patient());
    assert.deepEqual(addresses.map(canonicalAddress).sort(), ['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    assert.deepEqual(asked.sort(), ['hooks.example 1', 'hooks.example 28']);
  });

  it('follows an alias to its addresses', async (t) => {
    const alias = { type: CNAME, bytes: Buffer.from('\x05inner\x07example\0', 'latin1') };
    const inner = Buffer.concat([
      Buffer.from('\x05inner\x07example\0', 'latin1'),
      Buffer.from([0, A, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 9]),
    ]);
    const socket = createSocket('udp4');
    socket.on('message', (query, peer) => {
      const reply = Buffer.concat([answer(query, [alias]), inner]);
      reply.writeUInt16BE(2, 6);
      const isA = readQuestion(query).type === A;
      socket.send(isA ? reply : answer(query, []), peer.port, peer.address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    t.after(() => socket.close());
    const resolver = createResolver({
      servers: [`127.0.0.1:${socket.address().port}`],
      hostsPath: '/nowhere',
    });
    assert.deepEqual(await resolver.resolve('outer.example', patient()), ['127.0.0.9']);
  });

  it('is content with one family', async (t) => {
    const { resolver } = await resolverFor(t, (_, type) =>
      type === A ? [] : [aaaa('2001:db8:0:0:0:0:0:1')],
    );
    assert.deepEqual(await resolver.resolve('hooks.example', patient()), ['2001:db8::1']);
  });

  it('is content with one family when the other fails', async (t) => {
    const { resolver } = await resolverFor(t, (_, type) => (type === A ? [a('192.0.2.1')] : SERVFAIL));
    assert.deepEqual(await resolver.resolve('hooks.example', patient()), ['192.0.2.1']);
  });

  it('asks for the ASCII form without the trailing dot', async (t) => {
    const { resolver, asked } = await resolverFor(t, () => [a('192.0.2.1')]);
    await assert.doesNotReject(resolver.resolve('Bücher.example.', patient()));
    assert.equal(asked.includes('xn--bcher-kva.example 1'), true);
  });

  it('answers dns_error for a name that does not exist', async (t) => {
    const { resolver } = await resolverFor(t, () => NXDOMAIN);
    await assert.rejects(resolver.resolve('gone.example', patient()), { code: 'dns_error' });
  });

  it('answers dns_error for a server that fails', async (t) => {
    const { resolver } = await resolverFor(t, () => SERVFAIL);
    await assert.rejects(resolver.resolve('hooks.example', patient()), { code: 'dns_error' });
  });

  it('answers dns_error for a name without addresses', async (t) => {
    const { resolver } = await resolverFor(t, () => []);
    await assert.rejects(resolver.resolve('mail.example', patient()), { code: 'dns_error' });
  });

  it('answers dns_error for what is no name, without asking', async (t) => {
    const { resolver, asked } = await resolverFor(t, () => [a('192.0.2.1')]);
    await assert.rejects(resolver.resolve('a..b', patient()), { code: 'dns_error' });
    assert.deepEqual(asked, []);
  });

  it('answers dns_timeout as soon as the signal aborts', async (t) => {
    const { resolver } = await resolverFor(t, () => 'silent');
    const startedAt = performance.now();
    await assert.rejects(resolver.resolve('slow.example', AbortSignal.timeout(100)), { code: 'dns_timeout' });
    assert.ok(performance.now() - startedAt < 900);
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
    assert.ok(tookMs < 500, `${tookMs} ms`);
  });
});

/** The hosts file and localhost are answered without a query, as the system would. */
describe('createResolver: names of this machine', () => {
  const HOSTS =
    '# comment 192.0.2.8 hooks.internal\n192.0.2.9\thooks.internal Hooks # note\n2001:db8::9 hooks.internal\nfe80::1%lo0 hooks.internal\n\nbroken hooks.internal\n';

  it('takes every address of a name from the hosts file', async (t) => {
    const { resolver, asked } = await resolverFor(t, () => NXDOMAIN, HOSTS);
    assert.deepEqual(await resolver.resolve('HOOKS.internal.', patient()), ['192.0.2.9', '2001:db8::9']);
    assert.deepEqual(await resolver.resolve('hooks', patient()), ['192.0.2.9']);
    assert.deepEqual(asked, []);
  });

  it('asks for a name that the hosts file does not have', async (t) => {
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
    const { address } = await startNameServer(t, () => [a('192.0.2.1')]);
    const resolver = createResolver({ servers: [address], hostsPath: tmpdir() });
    await assert.rejects(resolver.resolve('hooks.example', patient()), { code: 'dns_error' });
  });
});
