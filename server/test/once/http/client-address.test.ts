import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { configFrom } from '../../../src/config/config.ts';
import { createAddressOf } from '../../../src/http/limits/client-address.ts';

/** The address that is counted for a request from `remoteAddress`. */
function counted(setting: string | undefined, remoteAddress: string, forwarded?: string): string | undefined {
  const { trustedProxies } = configFrom(setting === undefined ? {} : { CONFAB_TRUSTED_PROXIES: setting });
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return createAddressOf(trustedProxies)({
    socket: { remoteAddress },
    headers,
  } as unknown as IncomingMessage);
}

// What a client can make up is never believed, and nobody is counted for the proxy that everybody comes through.
describe('the address of a client', () => {
  const proxies = '10.0.0.0/8, 2001:db8:1::/48, 127.0.0.1';
  const rows: readonly (readonly [
    setting: string | undefined,
    peer: string,
    forwarded: string | undefined,
    is: string | undefined,
  ])[] = [
    // Without a setting the header is ignored, and an internal address may be a proxy.
    [undefined, '198.51.100.7', undefined, '198.51.100.7'],
    [undefined, '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    [undefined, '::ffff:198.51.100.7', undefined, '198.51.100.7'],
    ...[
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.7.7',
      '100.64.0.1',
      'fd00::1',
      'fe80::1',
    ].map((peer) => [undefined, peer, '203.0.113.9', undefined] as const),
    [undefined, '172.32.0.1', undefined, '172.32.0.1'],
    // With `none` every address counts.
    ['none', '10.1.2.3', '203.0.113.9', '10.1.2.3'],
    // From the right, up to the first that is no proxy.
    [proxies, '10.1.2.3', '203.0.113.9', '203.0.113.9'],
    [proxies, '10.1.2.3', '192.0.2.1, 203.0.113.9', '203.0.113.9'],
    [proxies, '10.1.2.3', '192.0.2.1, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
    [proxies, '10.1.2.3', '10.5.5.5, 10.9.9.9', '10.5.5.5'],
    [proxies, '2001:db8:1::5', '203.0.113.9', '203.0.113.9'],
    [proxies, '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    [proxies, '10.1.2.3', undefined, '10.1.2.3'],
    // With ports, as some proxies add them, and in any spelling.
    [proxies, '10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
    [proxies, '10.1.2.3', '[2001:DB8:2:0003::1]:4711', '2001:db8:2:3'],
    [proxies, '10.1.2.3', '::ffff:203.0.113.9', '203.0.113.9'],
    // What is no address ends the search at the last proxy.
    [proxies, '10.1.2.3', 'unknown', '10.1.2.3'],
    [proxies, '10.1.2.3', '203.0.113.9, unknown, 10.9.9.9', '10.9.9.9'],
    [proxies, '10.1.2.3', '', '10.1.2.3'],
    // A machine can have all addresses of a /64.
    ['none', '2001:db8:9:1:aaaa::1', undefined, '2001:db8:9:1'],
    ['none', '2001:db8:9:1:bbbb:c:d:e', undefined, '2001:db8:9:1'],
    ['none', '2001:db8::1', undefined, '2001:db8:0:0'],
    // The zeros that a spelling leaves out can be in the first half.
    ['none', '2001:0:0:a:1:2:3:4', undefined, '2001:0:0:a'],
    ['none', '2001:0:0:a::4', undefined, '2001:0:0:a'],
  ];
  for (const [setting, peer, forwarded, is] of rows)
    test(`${peer} with "${forwarded ?? ''}" behind ${setting ?? 'nothing known'} is ${is ?? 'not counted'}`, () => {
      assert.equal(counted(setting, peer, forwarded), is);
    });

  test('is that of each header, though they are remembered', () => {
    const { trustedProxies } = configFrom({ CONFAB_TRUSTED_PROXIES: '127.0.0.1' });
    const addressOf = createAddressOf(trustedProxies);
    const socket = { remoteAddress: '127.0.0.1' };
    const of = (text: string) =>
      addressOf({ socket, headers: { 'x-forwarded-for': text } } as unknown as IncomingMessage);
    for (let round = 0; round < 2; round += 1)
      for (let index = 0; index < 2500; index += 1)
        assert.equal(of(`203.0.${index >> 8}.${index & 255}`), `203.0.${index >> 8}.${index & 255}`);
  });
});
