import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type EgressRules,
  isListedAddress,
  isListedHost,
  isPermittedAddress,
  parseEgressRules,
} from '../../../src/net/rules.ts';
import { formatV4, isPublicV4, V4_FORBIDDEN, V4_MAX } from './ranges.ts';

const rulesOf = (allow: string): EgressRules => parseEgressRules({ allow });

/** The operator's list opens exactly its entries; everything else that is not public stays closed. */
describe('what the operator lists', () => {
  const none = rulesOf('');

  it('permits only public addresses when it is empty', () => {
    assert.equal(isPermittedAddress('8.8.8.8', none), true);
    assert.equal(isPermittedAddress('10.0.0.1', none), false);
    assert.equal(isListedAddress('8.8.8.8', none), false);
  });

  it('permits a whole network and nothing outside it', () => {
    const allow = rulesOf('10.1.0.0/16');
    const verdicts = ['10.0.255.255', '10.1.0.0', '10.1.255.255', '10.2.0.0', '::ffff:10.1.2.3'];
    assert.deepEqual(
      verdicts.map((text) => isPermittedAddress(text, allow)),
      [false, true, true, false, true],
    );
  });

  it('agrees with integer arithmetic on any network', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, V4_MAX),
        fc.integer({ min: 0, max: 32 }),
        fc.bigInt(0n, V4_MAX),
        fc.nat(2),
        (net, prefix, value, edge) => {
          const size = 1n << BigInt(32 - prefix);
          const first = net - (net % size);
          const allow = rulesOf(`${formatV4(net)}/${prefix}`);
          const near = [value, first, first + size - 1n][edge] ?? value;
          assert.equal(isListedAddress(formatV4(near), allow), near >= first && near < first + size);
        },
      ),
    );
  });

  it('reads single addresses, networks and names, and skips empty entries', () => {
    const allow = rulesOf(' 127.0.0.1 ,, fd00::/8,Hooks.Internal.,bücher.example,');
    assert.equal(isPermittedAddress('127.0.0.1', allow), true);
    assert.equal(isPermittedAddress('127.0.0.2', allow), false);
    assert.equal(isPermittedAddress('fd12::1', allow), true);
    assert.equal(isListedHost('hooks.internal', allow), true);
    assert.equal(isListedHost('HOOKS.internal.', allow), true);
    assert.equal(isListedHost('xn--bcher-kva.example', allow), true);
  });

  it('matches names exactly', () => {
    const allow = rulesOf('hooks.internal');
    const names = ['a.hooks.internal', 'hooks', 'internal', 'hooks.internal.example', 'xhooks.internal', ''];
    assert.deepEqual(
      names.map((name) => isListedHost(name, allow)),
      names.map(() => false),
    );
  });

  it('checks the address behind a NAT64 gateway even when its prefix is listed', () => {
    const allow = rulesOf('64:ff9b::/96');
    assert.equal(isPermittedAddress('64:ff9b::8.8.8.8', allow), true);
    assert.equal(isPermittedAddress('64:ff9b::127.0.0.1', allow), false);
    assert.equal(isPermittedAddress('64:ff9b::10.0.0.1', rulesOf('64:ff9b::/96,10.0.0.0/8')), true);
  });

  const BROKEN = [
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0',
    '300.1.1.1',
    '::1/129',
    '::ffff:10.0.0.0/104',
    '::ffff:10.0.0.0/8',
    'fe80::1%eth0',
    '*.example.com',
    'example.com:80',
    'http://example.com',
    'example.com/24',
    'user@example.com',
    'exa mple.com',
    'a..b',
    'ex%61mple.com',
    '[::1]',
  ];
  for (const entry of BROKEN) {
    it(`names the entry "${entry}" that it cannot read`, () => {
      assert.throws(
        () => rulesOf(`127.0.0.1,${entry}`),
        (error) =>
          error instanceof Error &&
          error.message.includes(`"${entry}"`) &&
          error.message.includes('CONFAB_EGRESS_ALLOW'),
      );
    });
  }

  it('refuses the addresses of this machine unless they are listed', () => {
    const own = new Set(['8.8.8.8', '2606:4700:4700::1111']);
    assert.equal(isPermittedAddress('8.8.8.8', none, own), false);
    assert.equal(isPermittedAddress('::ffff:8.8.8.8', none, own), false);
    assert.equal(isPermittedAddress('2606:4700:4700:0:0:0:0:1111', none, own), false);
    assert.equal(isPermittedAddress('8.8.4.4', none, own), true);
    assert.equal(isPermittedAddress('8.8.8.8', rulesOf('8.8.8.8'), own), true);
  });

  it('reads the addresses of this machine from its interfaces', () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    assert.notEqual(own.length, 0);
    assert.deepEqual(
      own.filter(({ address }) => isPermittedAddress(address, none)),
      [],
    );
  });
});

/** The examples of RFC 6052 section 2.4: 192.0.2.33 under each length of prefix. */
const NAT64_EXAMPLES: readonly (readonly [prefix: string, address: string])[] = [
  ['2001:db8::/32', '2001:db8:c000:221::'],
  ['2001:db8:100::/40', '2001:db8:1c0:2:21::'],
  ['2001:db8:122::/48', '2001:db8:122:c000:2:2100::'],
  ['2001:db8:122:300::/56', '2001:db8:122:3c0:0:221::'],
  ['2001:db8:122:344::/64', '2001:db8:122:344:c0:2:2100::'],
  ['2001:db8:122:344::/96', '2001:db8:122:344::192.0.2.33'],
  ['64:ff9b::/96', '64:ff9b::192.0.2.33'],
];

/** A declared gateway reaches exactly the IPv4 addresses that are permitted. */
describe('NAT64', () => {
  for (const [nat64, address] of NAT64_EXAMPLES)
    it(`reads 192.0.2.33 from ${address} under ${nat64}`, () => {
      const verdict = (allow: string) => isPermittedAddress(address, parseEgressRules({ nat64, allow }));
      assert.deepEqual(['192.0.2.32', '192.0.2.33', '192.0.2.34'].map(verdict), [false, true, false]);
    });

  it('agrees with integer arithmetic on any IPv4 address under any prefix', () => {
    const nat64 = '2a00:1:2:3::/64,2a00:8000::/32,2a00:4000:4000::/48,2a00:9:9:9::/96';
    const rules = parseEgressRules({ nat64 });
    const hex = (value: bigint) => (value & 0xffffn).toString(16);
    const carry: readonly ((v4: bigint) => string)[] = [
      (v4) => `2a00:1:2:3:${hex(v4 >> 24n)}:${hex(v4 >> 8n)}:${hex((v4 << 8n) & 0xff00n)}:0`,
      (v4) => `2a00:8000:${hex(v4 >> 16n)}:${hex(v4)}::`,
      (v4) => `2a00:4000:4000:${hex(v4 >> 16n)}:${hex((v4 >> 8n) & 0xffn)}:${hex((v4 & 0xffn) << 8n)}::`,
      (v4) => `2a00:9:9:9::${formatV4(v4)}`,
    ];
    const v4 = fc.oneof(
      fc.bigInt(0n, V4_MAX),
      fc.constantFrom(...V4_FORBIDDEN.flatMap(({ first, last }) => [first, last])),
    );
    fc.assert(
      fc.property(v4, fc.constantFrom(...carry), (value, toAddress) => {
        const address = toAddress(value);
        assert.equal(isPermittedAddress(address, rules), isPublicV4(value), address);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses the well-known prefix unless it is declared', () => {
    assert.equal(isPermittedAddress('64:ff9b::8.8.8.8', parseEgressRules()), false);
    assert.equal(
      isPermittedAddress('64:ff9b::8.8.8.8', parseEgressRules({ nat64: '64:ff9b:1::/48' })),
      false,
    );
  });

  it('refuses an address that breaks the layout of a declared prefix', () => {
    const rules = parseEgressRules({ nat64: '2a00:1:2:3::/64' });
    assert.equal(isPermittedAddress('2a00:1:2:3:8:808:800:0', rules), true);
    assert.equal(isPermittedAddress('2a00:1:2:3:108:808:800:0', rules), false);
  });

  it('refuses an address that leads inside through one of two overlapping prefixes', () => {
    // 8.8.8.8 in its last bytes, 127.0.0.1 in the middle.
    const address = '2a00:1:7f00:1::8.8.8.8';
    const verdict = (nat64: string) => isPermittedAddress(address, parseEgressRules({ nat64 }));
    assert.deepEqual(
      [verdict('2a00:1:7f00:1::/96'), verdict('2a00:1::/32'), verdict('2a00:1::/32,2a00:1:7f00:1::/96')],
      [true, false, false],
    );
  });

  it('refuses the addresses of this machine behind a gateway and behind a tunnel', () => {
    const own = new Set(['8.8.8.8']);
    const rules = parseEgressRules({ nat64: '64:ff9b::/96' });
    for (const [address, isOpen] of [
      ['64:ff9b::8.8.8.8', false],
      ['64:ff9b::8.8.4.4', true],
      ['2606:4700::5efe:8.8.8.8', false],
      ['2606:4700::5efe:8.8.4.4', true],
    ] as const)
      assert.equal(isPermittedAddress(address, rules, own), isOpen, address);
  });

  it('permits no further port for a declared or listed prefix', () => {
    for (const settings of [{ nat64: '64:ff9b::/96' }, { allow: '64:ff9b::/96' }]) {
      const rules = parseEgressRules(settings);
      assert.equal(isPermittedAddress('64:ff9b::8.8.8.8', rules), true);
      assert.equal(isListedAddress('64:ff9b::8.8.8.8', rules), false);
    }
  });

  for (const entry of [
    '64:ff9b::',
    '64:ff9b::/95',
    '10.0.0.0/32',
    '::ffff:10.0.0.0/96',
    '2a00:1:2:3:100::/96',
    'gateway.example',
  ])
    it(`names the prefix "${entry}" that it cannot read`, () => {
      assert.throws(() => parseEgressRules({ nat64: `64:ff9b::/96,${entry}` }), {
        message: new RegExp(`^CONFAB_EGRESS_NAT64: "${entry.replaceAll('.', '\\.')}"`),
      });
    });
});

/** The operator's ports apply to every host that is not listed; the error for an invalid list quotes it. */
describe('the ports of the operator', () => {
  it('are those that are listed', () => {
    assert.deepEqual(parseEgressRules({ ports: '443, 8443,' }).ports, new Set([443, 8443]));
    assert.equal(parseEgressRules({ ports: ' ' }).ports, undefined);
  });
  for (const entry of ['0', '65536', '-1', 'https', '80-90', '4 43'])
    it(`are not ${entry}`, () => {
      assert.throws(() => parseEgressRules({ ports: `443,${entry}` }), {
        message: `CONFAB_EGRESS_PORTS: "${entry}" is not a port, 1 to 65535.`,
      });
    });
});
