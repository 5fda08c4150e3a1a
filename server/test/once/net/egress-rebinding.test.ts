import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { seededRandom } from 'confab-testing/harness/random.ts';
import {
  A,
  AAAA,
  alias,
  NXDOMAIN,
  SERVFAIL,
  startNameServer,
  type ZoneRecord,
} from 'confab-testing/network/name-server.ts';
import { patienceMs } from 'confab-testing/poll.ts';
import { canonicalAddress } from '../../../src/net/address.ts';
import type { Dial } from '../../../src/net/connector.ts';
import { createEgress } from '../../../src/net/egress.ts';
import { createResolver } from '../../../src/net/resolver.ts';
import { parseEgressRules } from '../../../src/net/rules.ts';
import { createWebReader } from '../../../src/net/web-reader.ts';
import { formatV4, isPublicV4, isPublicV6, spellings, V4_FORBIDDEN, V6_FORBIDDEN } from './ranges.ts';

const runs = 200;
const runsBeside = 20;
const requestsEach = 6;

/** An address from a name server, as the guard compares it, with the verdict of the integer arithmetic. */
type Given = { readonly address: string; readonly isPublic: boolean };

const seed = 20_260_105;

/** The responses for one name and type, in order: each name has its own schedule. */
function scheduleOf(name: string, type: number): () => (ZoneRecord & { given?: Given })[] | number {
  const random = seededRandom(seed + Number(/\d+/.exec(name)?.[0]) * 2 + (type === A ? 0 : 1));
  const oneOf = <T>(...values: readonly T[]): T => random.pick(values) ?? assert.fail();
  const bits = (count: number): bigint =>
    Array.from({ length: count / 16 }, () => BigInt(random.integer(0, 0xffff))).reduce(
      (sum, part) => (sum << 16n) | part,
      0n,
    );

  /** Two of ten are in a forbidden range, at its ends or anywhere in it. */
  function anyV4(): bigint {
    const { first, last } = oneOf(...V4_FORBIDDEN);
    const inside = oneOf(first, last, first + (bits(32) % (last - first + 1n)));
    return random.integer(1, 10) <= 2 ? inside : bits(32);
  }

  /** Public, forbidden, or with an embedded IPv4 address: mapped, compatible, NAT64, 6to4 or ISATAP. */
  function anyV6(): bigint {
    const { first, last } = oneOf(...V6_FORBIDDEN);
    const somewhere = (0x2606_4700n << 96n) | bits(64);
    return oneOf(
      ...Array.from({ length: 28 }, () => somewhere),
      oneOf(first, last),
      oneOf(1n, 0xfe80n << 112n, 0xfdn << 120n, 0xffn << 120n) | bits(16),
      (0xffffn << 32n) | anyV4(),
      anyV4(),
      (0x64_ff9bn << 96n) | anyV4(),
      (0x2002n << 112n) | (anyV4() << 80n),
      (0x2606_4700n << 96n) | (0x5efen << 32n) | anyV4(),
    );
  }

  return () => {
    if (random.oneIn(16)) return oneOf(SERVFAIL, NXDOMAIN);
    const chain = Array.from({ length: random.integer(0, 3) }, (_, index) =>
      alias(`hop-${index}.of.${name}`),
    );
    const count = random.oneIn(4) ? 0 : random.integer(1, 3);
    return [
      ...chain,
      ...Array.from({ length: count }, () => recordOf(type === AAAA ? anyV6() : anyV4(), type)),
    ];
  };
}

function recordOf(value: bigint, type: number): ZoneRecord & { readonly given: Given } {
  const length = type === A ? 4 : 16;
  const bytes = Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex');
  const text = type === A ? formatV4(value) : (spellings(value)[0] ?? '');
  const isPublic = type === A ? isPublicV4(value) : isPublicV6(value);
  return { type, bytes, given: { address: canonicalAddress(text) ?? text, isPublic } };
}

/** No second DNS query runs between the check of a response and the connection, whatever a name server would answer. */
describe('33: DNS rebinding', () => {
  const receiver = createServer(({ url }, response) => {
    // The reader is redirected twice, so that each hop resolves the name again.
    const next = /^\/hop-([12])$/.exec(url ?? '')?.[1];
    response.setHeader('connection', 'close');
    if (next === undefined) response.end('end');
    else response.writeHead(302, { location: next === '1' ? '/hop-2' : '/end' }).end();
  });
  let port = 0;
  before(async () => {
    receiver.listen(0, '127.0.0.2');
    await once(receiver, 'listening');
    const address = receiver.address();
    port = typeof address === 'object' && address !== null ? address.port : assert.fail();
  });
  after(async () => {
    const closed = once(receiver, 'close');
    receiver.close();
    receiver.closeAllConnections();
    await closed;
  });

  it(`${runs} runs of names that flap between public and forbidden, TTL 0, A and AAAA, chains of aliases → connect goes only to vetted addresses`, async (t) => {
    // The responses for each name since its last connection.
    const given = new Map<string, Given[]>();
    let questions = 0;
    const schedules = new Map<string, ReturnType<typeof scheduleOf>>();
    const nameServer = await startNameServer((name, type) => {
      questions += 1;
      const key = `${name} ${type}`;
      const next = schedules.get(key) ?? scheduleOf(name, type);
      schedules.set(key, next);
      const reply = next();
      const answers = typeof reply === 'number' ? [] : reply.flatMap((record) => record.given ?? []);
      given.set(name, [...(given.get(name) ?? []), ...answers]);
      return reply;
    });
    t.after(nameServer.close);

    const dialled: { host: string; addresses: readonly string[] }[] = [];
    const dial: Dial = async ({ hostname }, { addresses }) => {
      dialled.push({ host: hostname, addresses });
      const answers = given.get(hostname) ?? [];
      given.delete(hostname);
      assert.deepEqual(
        answers.filter(({ isPublic }) => !isPublic),
        [],
      );
      assert.deepEqual(addresses, answers.map(({ address }) => address).slice(0, 8));
      const socket = connect(port, '127.0.0.2');
      await once(socket, 'connect');
      return socket;
    };
    const resolver = createResolver({ servers: [nameServer.address], hostsPath: '/nowhere' });
    const egress = createEgress({ rules: parseEgressRules(), resolver, dial });
    t.after(() => egress.close());
    const reader = createWebReader({ egress, userAgent: 'Reader/1' });

    let [reached, refused, unknown] = [0, 0, 0];
    async function request(host: string, turn: number): Promise<void> {
      given.delete(host);
      if (turn % 2 === 0) {
        const result = await egress.post(`http://${host}/end`, { headers: {}, body: '{}' });
        const left = given.get(host) ?? [];
        const isForbidden = left.some(({ isPublic }) => !isPublic);
        // On a busy machine a response can come too late, or a query can be repeated and get another response:
        // in both cases there is no connection.
        const expected = ['dns_error', 'dns_not_found', 'dns_no_address', 'dns_timeout'];
        if (isForbidden) expected.push('blocked_address');
        if (result.answered) reached += 1;
        else
          assert.ok(expected.includes(result.errorCode), `${result.errorCode} after ${JSON.stringify(left)}`);
        if (isForbidden) refused += 1;
        else if (!result.answered) unknown += 1;
      } else {
        const signal = AbortSignal.timeout(patienceMs);
        const document = await reader.read(new URL(`http://${host}/hop-1`), {
          accept: '*/*',
          bytesMax: 100,
          signal,
        });
        if (document !== undefined) reached += 1;
        else if ((given.get(host) ?? []).some(({ isPublic }) => !isPublic)) refused += 1;
        else unknown += 1;
      }
    }
    async function run(index: number): Promise<void> {
      for (let turn = 0; turn < requestsEach; turn += 1) await request(`flapping-${index}.example`, turn);
    }
    // Some run concurrently, but too few to overload the name server.
    const indexes = Array.from({ length: runs }, (_, index) => index).values();
    await Promise.all(
      Array.from({ length: runsBeside }, async () => {
        for (const index of indexes) await run(index);
      }),
    );

    assert.equal(reached + refused + unknown, runs * requestsEach);
    assert.ok(
      reached > 100 && refused > 300 && dialled.length > reached,
      `${reached} reached, ${refused} refused`,
    );
    t.diagnostic(
      `${runs} runs, ${runs * requestsEach} requests, ${questions} questions: ${dialled.length} connections, none to a ` +
        `refused address; ${reached} requests reached, ${refused} refused, ${unknown} without an address`,
    );
  });
});
