import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  isListedAddress,
  isListedHost,
  isPermittedAddress,
  isPublicAddress,
  parseAllowList,
} from '../../src/net/address.ts';

/** The block list written a second time, as integers, so that a slip in either copy shows. */
const V4_FORBIDDEN = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '168.63.129.16/32',
].map((cidr) => bounds(cidr, 32));

/** Inside 2000::/3; everything outside it is forbidden. */
const V6_FORBIDDEN = [
  '2001:0:0:0:0:0:0:0/23',
  '2001:db8:0:0:0:0:0:0/32',
  '2002:0:0:0:0:0:0:0/16',
  '3fff:0:0:0:0:0:0:0/20',
  '2620:4f:8000:0:0:0:0:0/48',
].map((cidr) => bounds(cidr, 128));

const V6_GLOBAL = bounds('2000:0:0:0:0:0:0:0/3', 128);

type Bounds = { readonly cidr: string; readonly first: bigint; readonly last: bigint };

function bounds(cidr: string, bits: 32 | 128): Bounds {
  const [address = '', prefix = ''] = cidr.split('/');
  const first =
    bits === 32
      ? address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
      : address.split(':').reduce((sum, part) => sum * 65536n + BigInt(`0x${part}`), 0n);
  return { cidr, first, last: first + (1n << BigInt(bits - Number(prefix))) - 1n };
}

function isWithin(value: bigint, { first, last }: Bounds): boolean {
  return value >= first && value <= last;
}

function isPublicV4(value: bigint): boolean {
  return !V4_FORBIDDEN.some((range) => isWithin(value, range));
}

function isPublicV6(value: bigint): boolean {
  const high = value >> 32n;
  if (high === 0xffffn) return isPublicV4(value & 0xffffffffn);
  if (!isWithin(value, V6_GLOBAL) || V6_FORBIDDEN.some((range) => isWithin(value, range))) return false;
  const marker = high & 0xffffffffn;
  return (marker !== 0x5efen && marker !== 0x02005efen) || isPublicV4(value & 0xffffffffn);
}

function formatV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function groups(value: bigint): string[] {
  return [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 65535n).toString(16));
}

/** The spellings of RFC 4291 section 2.2: all groups, padded, upper case, a dotted tail, and the longest run folded. */
function spellings(value: bigint): string[] {
  const parts = groups(value);
  const full = parts.join(':');
  return [
    full,
    parts.map((part) => part.padStart(4, '0')).join(':'),
    full.toUpperCase(),
    `${parts.slice(0, 6).join(':')}:${formatV4(value & 0xffffffffn)}`,
    full.replace(/(^|:)0(:0)+(:|$)/, '::'),
  ];
}

function around({ first, last }: Bounds): bigint[] {
  return [first - 1n, first, last, last + 1n];
}

const V4_MAX = (1n << 32n) - 1n;
const V6_MAX = (1n << 128n) - 1n;

/** The verdict agrees with integer arithmetic at both ends of every range and in between. */
describe('isPublicAddress', () => {
  for (const range of V4_FORBIDDEN) {
    it(`judges the four edges of ${range.cidr}`, () => {
      const edges = around(range).filter((value) => value >= 0n && value <= V4_MAX);
      assert.deepEqual(
        edges.map((value) => isPublicAddress(formatV4(value))),
        edges.map(isPublicV4),
      );
      assert.equal(isPublicAddress(formatV4(range.first)), false);
      assert.equal(isPublicAddress(formatV4(range.last)), false);
    });
  }

  for (const range of [...V6_FORBIDDEN, V6_GLOBAL]) {
    it(`judges the four edges of ${range.cidr}`, () => {
      const edges = around(range).flatMap(spellings);
      assert.deepEqual(
        edges.map(isPublicAddress),
        around(range).flatMap((value) => spellings(value).map(() => isPublicV6(value))),
      );
    });
  }

  it('agrees with integer arithmetic on any IPv4 address', () => {
    const nearEdges = fc
      .tuple(fc.constantFrom(...V4_FORBIDDEN.flatMap(around)), fc.bigInt(-300n, 300n))
      .map(([edge, offset]) => (edge + offset + V4_MAX + 1n) % (V4_MAX + 1n));
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(0n, V4_MAX), nearEdges), (value) => {
        assert.equal(isPublicAddress(formatV4(value)), isPublicV4(value));
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with integer arithmetic on any IPv6 address in any spelling', () => {
    const v4 = fc.oneof(fc.bigInt(0n, V4_MAX), fc.constantFrom(...V4_FORBIDDEN.map(({ first }) => first)));
    const isatap = fc
      .tuple(fc.bigInt(0n, (1n << 64n) - 1n), fc.constantFrom(0x5efen, 0x02005efen), v4)
      .map(([prefix, marker, tail]) => (prefix << 64n) | (marker << 32n) | tail);
    const underGlobal = fc.bigInt(V6_GLOBAL.first, V6_GLOBAL.last);
    const nearEdges = fc
      .tuple(fc.constantFrom(...[...V6_FORBIDDEN, V6_GLOBAL].flatMap(around)), fc.bigInt(-300n, 300n))
      .map(([edge, offset]) => edge + offset);
    const mapped = v4.map((value) => (0xffffn << 32n) | value);
    const any = fc.oneof(fc.bigInt(0n, V6_MAX), underGlobal, nearEdges, isatap, mapped);
    fc.assert(
      fc.property(any, fc.nat(4), (value, spelling) => {
        const text = spellings(value)[spelling] ?? '';
        assert.equal(isPublicAddress(text), isPublicV6(value), text);
      }),
      { numRuns: 5000 },
    );
  });

  const FORBIDDEN = [
    '::',
    '::1',
    '::7f00:1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '100:0:0:1::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
    '2001::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2002:7f00:1::1',
    '2606:4700::5efe:7f00:1',
    '2606:4700::200:5efe:10.0.0.1',
    '168.63.129.16',
    '100.100.100.200',
    '169.254.169.254',
    '169.254.170.2',
  ];
  for (const text of FORBIDDEN) {
    it(`refuses ${text}`, () => assert.equal(isPublicAddress(text), false));
  }

  const PUBLIC = [
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '168.63.129.15',
    '168.63.129.17',
    '::ffff:8.8.8.8',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2606:4700::5efe:808:808',
    '2a00:1450::1',
  ];
  for (const text of PUBLIC) {
    it(`accepts ${text}`, () => assert.equal(isPublicAddress(text), true));
  }

  const NO_ADDRESS = [
    '',
    'example.com',
    '0177.0.0.1',
    '127.1',
    '2130706433',
    '1.1.1',
    '2606:4700::1%eth0',
    '[::1]',
    ' 1.1.1.1',
  ];
  for (const text of NO_ADDRESS) {
    it(`does not take "${text}" for an address`, () => assert.equal(isPublicAddress(text), false));
  }
});

/** The operator opens exactly what is listed, and what is not public stays closed otherwise. */
describe('AllowList', () => {
  const none = parseAllowList('');

  it('permits a public address and no other when it is empty', () => {
    assert.equal(isPermittedAddress('8.8.8.8', none), true);
    assert.equal(isPermittedAddress('10.0.0.1', none), false);
    assert.equal(isListedAddress('8.8.8.8', none), false);
  });

  it('permits the whole of a network and nothing beside it', () => {
    const allow = parseAllowList('10.1.0.0/16');
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
          const allow = parseAllowList(`${formatV4(net)}/${prefix}`);
          const near = [value, first, first + size - 1n][edge] ?? value;
          assert.equal(isListedAddress(formatV4(near), allow), near >= first && near < first + size);
        },
      ),
    );
  });

  it('reads single addresses, networks and names, and skips empty entries', () => {
    const allow = parseAllowList(' 127.0.0.1 ,, fd00::/8,Hooks.Internal.,bücher.example,');
    assert.equal(isPermittedAddress('127.0.0.1', allow), true);
    assert.equal(isPermittedAddress('127.0.0.2', allow), false);
    assert.equal(isPermittedAddress('fd12::1', allow), true);
    assert.equal(isListedHost('hooks.internal', allow), true);
    assert.equal(isListedHost('HOOKS.internal.', allow), true);
    assert.equal(isListedHost('xn--bcher-kva.example', allow), true);
  });

  it('matches names exactly', () => {
    const allow = parseAllowList('hooks.internal');
    const names = ['a.hooks.internal', 'hooks', 'internal', 'hooks.internal.example', 'xhooks.internal', ''];
    assert.deepEqual(
      names.map((name) => isListedHost(name, allow)),
      names.map(() => false),
    );
  });

  it('judges what a NAT64 gateway would reach even when its prefix is listed', () => {
    const allow = parseAllowList('64:ff9b::/96');
    assert.equal(isPermittedAddress('64:ff9b::8.8.8.8', allow), true);
    assert.equal(isPermittedAddress('64:ff9b::127.0.0.1', allow), false);
    assert.equal(isPermittedAddress('64:ff9b::10.0.0.1', parseAllowList('64:ff9b::/96,10.0.0.0/8')), true);
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
        () => parseAllowList(`127.0.0.1,${entry}`),
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
    assert.equal(isPermittedAddress('8.8.8.8', parseAllowList('8.8.8.8'), own), true);
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
