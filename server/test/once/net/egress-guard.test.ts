import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import {
  ANY_POST,
  CANARY,
  fakeResolver,
  type Listening,
  listen,
  openEgress,
  RECEIVER,
  silentResolver,
} from 'confab-testing/network/loopback.ts';
import { createEgress, type EgressResult } from '../../../src/net/egress.ts';
import { createResolver } from '../../../src/net/resolver.ts';
import { parseEgressRules } from '../../../src/net/rules.ts';

/** A receiver and, at the same port of the forbidden address, a canary that must never be connected to. */
async function startBoth(t: TestContext): Promise<{ receiver: Listening; canary: Listening }> {
  const receiver = await listen(
    t,
    createServer((_, response) => response.writeHead(200, { connection: 'close' }).end()),
  );
  const canary = await listen(
    t,
    createServer((_, response) => response.end()),
    {
      host: CANARY,
      port: receiver.port,
    },
  );
  return { receiver, canary };
}

function word(result: EgressResult): number | string {
  return result.answered ? result.statusCode : result.errorCode;
}

/** No spelling of an address and no DNS response leads to an address that is not permitted. */
describe('egress guard: addresses', () => {
  const SPELLINGS = [
    '127.0.0.9',
    '127.9',
    '2130706441',
    '0x7f000009',
    '0177.0.0.011',
    '127.0.0.9.',
    '127。0。0。9',
    '%31%32%37.0.0.9',
    '[::ffff:127.0.0.9]',
    '[::ffff:7f00:9]',
    '[::127.0.0.9]',
    '[64:ff9b::127.0.0.9]',
  ];
  for (const host of SPELLINGS) {
    it(`permanently refuses the literal ${host} and opens no socket`, async (t) => {
      const { receiver, canary } = await startBoth(t);
      const resolver = fakeResolver({});
      const result = await openEgress(t, { resolver }).post(`http://${host}:${receiver.port}/`, ANY_POST);
      assert.equal(word(result), 'blocked_address');
      assert.equal(!result.answered && result.permanent, true);
      assert.deepEqual(resolver.asked, []);
      assert.equal(canary.connections.length, 0);
    });
  }

  const ANSWERS: Readonly<Record<string, readonly string[]>> = {
    'an internal address': [CANARY],
    'a mapped internal address': [`::ffff:${CANARY}`],
    'a good and a bad one': [RECEIVER, CANARY],
    'a bad and a good one': [CANARY, RECEIVER],
    'a good A and a bad AAAA': [RECEIVER, '::1'],
    'one bad at the end of a thousand': [...Array.from({ length: 999 }, () => RECEIVER), CANARY],
    'text that is no address': ['not an address'],
    'a scoped address': ['fe80::1%lo'],
    'an address in octal': ['0177.0.0.2'],
  };
  for (const [title, answers] of Object.entries(ANSWERS)) {
    it(`refuses a name that has ${title}`, async (t) => {
      const { receiver, canary } = await startBoth(t);
      const egress = openEgress(t, { resolver: fakeResolver({ 'hooks.example': [answers] }) });
      const result = await egress.post(`http://hooks.example:${receiver.port}/`, ANY_POST);
      assert.equal(word(result), 'blocked_address');
      assert.equal(!result.answered && result.permanent, false);
      assert.equal(canary.connections.length + receiver.connections.length, 0);
    });
  }

  it('reaches a name whose every answer is permitted', async (t) => {
    const { receiver } = await startBoth(t);
    const answers = Array.from({ length: 1000 }, () => RECEIVER);
    const egress = openEgress(t, { resolver: fakeResolver({ 'hooks.example': [answers] }) });
    assert.equal(word(await egress.post(`http://hooks.example:${receiver.port}/`, ANY_POST)), 200);
    assert.equal(receiver.connections.length, 1);
  });

  it('tries the next address when the first refuses', async (t) => {
    const { receiver } = await startBoth(t);
    const resolver = fakeResolver({ 'hooks.example': [['127.0.0.3', RECEIVER]] });
    const egress = openEgress(t, { resolver, allowed: `127.0.0.3,${RECEIVER}` });
    assert.equal(word(await egress.post(`http://hooks.example:${receiver.port}/`, ANY_POST)), 200);
  });

  it('reaches a listed name at any address', async (t) => {
    const { receiver, canary } = await startBoth(t);
    const resolver = fakeResolver({ 'hooks.example.': [[CANARY]], 'other.example': [[CANARY]] });
    const egress = openEgress(t, { resolver, allowed: 'hooks.example' });
    assert.equal(word(await egress.post(`http://HOOKS.example.:${receiver.port}/`, ANY_POST)), 200);
    assert.equal(canary.connections.length, 1);
    assert.equal(
      word(await egress.post(`http://other.example:${receiver.port}/`, ANY_POST)),
      'blocked_address',
    );
    assert.equal(canary.connections.length, 1);
  });

  it('reaches a listed IPv6 address', async (t) => {
    const receiver = await listen(
      t,
      createServer((_, response) => response.end()),
      { host: '::1' },
    );
    const egress = openEgress(t, { allowed: '::1' });
    assert.equal(word(await egress.post(`http://[0:0:0:0:0:0:0:1]:${receiver.port}/`, ANY_POST)), 200);
  });

  it('reaches a mapped literal of a listed address', async (t) => {
    const { receiver } = await startBoth(t);
    assert.equal(
      word(await openEgress(t).post(`http://[::ffff:127.0.0.2]:${receiver.port}/`, ANY_POST)),
      200,
    );
  });

  it('reaches localhost in the family that the operator permits', async (t) => {
    const receiver = await listen(
      t,
      createServer((_, response) => response.end()),
      { host: '127.0.0.1' },
    );
    const resolver = createResolver();
    const open = openEgress(t, { resolver, allowed: '127.0.0.0/8' });
    assert.equal(word(await open.post(`http://localhost:${receiver.port}/`, ANY_POST)), 200);
    const closed = openEgress(t, { resolver, allowed: RECEIVER });
    assert.equal(word(await closed.post(`http://localhost:${receiver.port}/`, ANY_POST)), 'blocked_address');
  });
});

/** No second DNS query runs between the check of a response and the connection. */
describe('egress guard: rebinding', () => {
  it('refuses the forbidden answer that follows a permitted one', async (t) => {
    const { receiver, canary } = await startBoth(t);
    const resolver = fakeResolver({ 'rebind.example': [[RECEIVER], [CANARY]] });
    const egress = openEgress(t, { resolver });
    const url = `http://rebind.example:${receiver.port}/`;
    assert.equal(word(await egress.post(url, ANY_POST)), 200);
    assert.equal(word(await egress.post(url, ANY_POST)), 'blocked_address');
    assert.deepEqual([receiver.connections.length, canary.connections.length], [1, 0]);
  });

  it('resolves once for each connection', async (t) => {
    const { receiver } = await startBoth(t);
    const resolver = fakeResolver({ 'rebind.example': [[RECEIVER], [CANARY]] });
    await openEgress(t, { resolver }).post(`http://rebind.example:${receiver.port}/`, ANY_POST);
    assert.deepEqual(resolver.asked, ['rebind.example']);
  });
});

/** The URL is checked at every request, before any name is resolved. */
describe('egress guard: targets', () => {
  const REFUSED: Readonly<Record<string, string>> = {
    'ftp://hooks.example/': 'unsupported_scheme',
    'http://u:p@hooks.example/': 'url_has_credentials',
    'http://hooks.example:22/': 'port_not_allowed',
    'http://hooks.example/\n': 'url_has_control_characters',
    'http:hooks.example': 'invalid_url',
    'http://intranet/': 'address_not_allowed',
  };
  for (const [url, cause] of Object.entries(REFUSED)) {
    it(`permanently refuses ${JSON.stringify(url)}`, async (t) => {
      const resolver = fakeResolver({ 'hooks.example': [[RECEIVER]] });
      const { durationMs, ...result } = await openEgress(t, { resolver }).post(url, ANY_POST);
      assert.deepEqual(result, { answered: false, errorCode: 'blocked_address', permanent: true, cause });
      assert.ok(durationMs >= 0);
      assert.deepEqual(resolver.asked, []);
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`returns ${status} with its location and does not follow it`, async (t) => {
      const { canary, receiver } = await startBoth(t);
      const location = `http://${CANARY}:${receiver.port}/`;
      const redirecting = await listen(
        t,
        createServer((_, response) => response.writeHead(status, { location }).end()),
      );
      const result = await openEgress(t).post(`http://${RECEIVER}:${redirecting.port}/`, ANY_POST);
      assert.equal(word(result), status);
      assert.equal(result.answered && result.headers.location, location);
      assert.equal(canary.connections.length, 0);
    });
  }

  it('ignores proxy variables of the environment', async (t) => {
    const { receiver, canary } = await startBoth(t);
    const proxy = `http://${CANARY}:${canary.port}`;
    const program = `
      import { parseEgressRules } from '${import.meta.resolve('../../../src/net/rules.ts')}';
      import { createEgress } from '${import.meta.resolve('../../../src/net/egress.ts')}';
      const resolver = { resolve: () => Promise.reject(new Error('not asked')) };
      const egress = createEgress({ rules: parseEgressRules({ allow: '${RECEIVER}' }), resolver });
      const result = await egress.post('http://${RECEIVER}:${receiver.port}/', { headers: {}, body: '' });
      console.log(result.statusCode);
      await egress.close();`;
    const env = Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, proxy]),
    );
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { env: { ...env, NODE_USE_ENV_PROXY: '1' } },
    );
    assert.equal(stdout, '200\n');
    assert.equal(canary.connections.length, 0);
  });
});

/** Each failure of resolution has its own code; the error of a broken resolver is thrown. */
describe('egress guard: resolution', () => {
  it('answers dns_not_found for a name that does not exist', async (t) => {
    const result = await openEgress(t).post('http://gone.example/', ANY_POST);
    assert.equal(word(result), 'dns_not_found');
    assert.equal(!result.answered && result.permanent, false);
  });

  it('answers dns_no_address for an empty answer', async (t) => {
    const egress = openEgress(t, { resolver: fakeResolver({ 'empty.example': [[]] }) });
    assert.equal(word(await egress.post('http://empty.example/', ANY_POST)), 'dns_no_address');
  });

  it('returns dns_timeout when the time for resolution is used up', async (t) => {
    const egress = openEgress(t, { resolver: silentResolver, timeouts: { dnsMs: 50 } });
    assert.equal(word(await egress.post('http://slow.example/', ANY_POST)), 'dns_timeout');
  });

  it('returns timeout when the total time is used up first', async (t) => {
    const egress = openEgress(t, { resolver: silentResolver, timeouts: { dnsMs: 3000, totalMs: 50 } });
    const result = await egress.post('http://slow.example/', ANY_POST);
    assert.equal(word(result), 'timeout');
    assert.ok(result.durationMs < 2500, `${result.durationMs} ms`);
  });

  it('rethrows an error of the resolver that is not a failure of resolution', async () => {
    const resolver = { resolve: () => Promise.reject(new TypeError('broken')) };
    const egress = createEgress({ rules: parseEgressRules(), resolver });
    await assert.rejects(egress.post('http://hooks.example/', ANY_POST), { message: 'broken' });
    await egress.close();
  });
});
