/** Spellings of internal addresses and names as the host of a URL. */

const addresses = ['127.0.0.1', '10.20.30.40', '169.254.169.254', '192.168.0.1'] as const;

const hex = (value: number): string => value.toString(16);
const digits = (text: string, zero: string): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));

/** Every spelling of one IPv4 address, and the IPv6 addresses that embed it. */
function spellingsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const value = ((a * 256 + b) * 256 + c) * 256 + d;
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)];
  const octal = (part: number): string => `0${part.toString(8)}`;
  return [
    address,
    `${address}.`,
    `${value}`,
    `0x${hex(value)}`,
    `0X${hex(value).toUpperCase()}`,
    `0${value.toString(8)}`,
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((part) => `000${octal(part)}`).join('.'),
    `0x${hex(a)}.${octal(b)}.${c}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${hex(a)}.${(b * 256 + c) * 256 + d}`,
    digits(address, '０'),
    digits(address, '𝟎'),
    digits(address, '𝟢'),
    digits(address, '𝟶'),
    address.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1)),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '｡'),
    address.replaceAll('.', '%2e'),
    address.replace(/\d/g, (digit) => `%3${digit}`),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[::FFFF:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${address}]`,
    `[0000:0000:0000:0000:0000:ffff:${high.padStart(4, '0')}:${low.padStart(4, '0')}]`,
    `[::${address}]`,
    `[::${high}:${low}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${high}:${low}::]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::]`,
    `[2606:4700::5efe:${address}]`,
    `[2606:4700::200:5efe:${high}:${low}]`,
    `[fe80::5efe:${address}]`,
  ];
}

/** The first and the last address of every IPv4 network that is not public. */
const edges = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['168.63.129.16', '100.100.100.200'],
].flat();

/** Addresses of IPv6 that are not public. */
const sixes = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::2',
  '64:ff9b:1::1',
  '100::1',
  '100:0:0:1::1',
  '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001::1',
  '2001:2::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db8::1',
  '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  '2002::1',
  '2620:4f:8000::1',
  '3fff::1',
  '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff00::1',
  'ff02::1',
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
];

/** Names with a fixed internal meaning; those other than `localhost` are permitted where they are listed. */
export const innerNames: readonly string[] = [
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
  'kubernetes',
  'intranet',
  'db',
];

const localNames = [
  'localhost',
  'localhost.',
  'LocalHost',
  'lo%63alhost',
  'ⓛocalhost',
  'ｌｏｃａｌｈｏｓｔ',
  'a.localhost',
  'a.b.localhost.',
];

/** Hosts that are refused by their text. */
export const refusedHosts: readonly string[] = [
  ...addresses.flatMap(spellingsOf),
  ...edges,
  ...sixes.map((address) => `[${address}]`),
  ...localNames,
  ...innerNames,
];

/** Addresses that a name server may return and to which no connection may be opened. */
export const refusedAnswers: readonly string[] = [
  ...edges,
  ...sixes,
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::10.0.0.1',
  '::8.8.8.8',
  '64:ff9b::8.8.8.8',
  '64:ff9b::10.0.0.1',
  '2606:4700::5efe:10.0.0.1',
  '2606:4700::200:5efe:a00:1',
];
