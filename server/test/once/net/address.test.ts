import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress } from '../../../src/net/address.ts';
import {
  around,
  formatV4,
  isPublicV4,
  isPublicV6,
  spellings,
  V4_FORBIDDEN,
  V4_MAX,
  V6_FORBIDDEN,
  V6_GLOBAL,
  V6_MAX,
} from './ranges.ts';

/** The verdict agrees with integer arithmetic at both ends of every range and in between. */
describe('32: each range of the list: first, last, one below, one above', () => {
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
      .tuple(
        fc.bigInt(0n, (1n << 64n) - 1n),
        fc.constantFrom(0x5efen, 0x02005efen, 0x01005efen, 0x03005efen),
        v4,
      )
      .map(([prefix, marker, tail]) => (prefix << 64n) | (marker << 32n) | tail);
    const underGlobal = fc.bigInt(V6_GLOBAL.first, V6_GLOBAL.last);
    const nearEdges = fc
      .tuple(fc.constantFrom(...[...V6_FORBIDDEN, V6_GLOBAL].flatMap(around)), fc.bigInt(-300n, 300n))
      .map(([edge, offset]) => edge + offset);
    const mapped = v4.map((value) => (0xffffn << 32n) | value);
    const compatible = v4;
    const any = fc.oneof(fc.bigInt(0n, V6_MAX), underGlobal, nearEdges, isatap, mapped, compatible);
    fc.assert(
      fc.property(any, fc.nat(5), (value, spelling) => {
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
    '::8.8.8.8',
    '::808:808',
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
    '2606:4700::300:5efe:192.168.0.1',
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
