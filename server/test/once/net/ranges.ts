/** A second copy of the block list, as integers, so that a mistake in either shows, and its verdicts. */

/** Forbidden IPv4. */
export const V4_FORBIDDEN = [
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

/** Forbidden IPv6 inside 2000::/3; everything outside it is forbidden. */
export const V6_FORBIDDEN = [
  '2001:0:0:0:0:0:0:0/23',
  '2001:db8:0:0:0:0:0:0/32',
  '2002:0:0:0:0:0:0:0/16',
  '3fff:0:0:0:0:0:0:0/20',
  '2620:4f:8000:0:0:0:0:0/48',
].map((cidr) => bounds(cidr, 128));

/** The range assigned for global unicast. */
export const V6_GLOBAL = bounds('2000:0:0:0:0:0:0:0/3', 128);

/** A network and its two ends. */
export type Bounds = { readonly cidr: string; readonly first: bigint; readonly last: bigint };

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

/** Whether an IPv4 address is public. */
export function isPublicV4(value: bigint): boolean {
  return !V4_FORBIDDEN.some((range) => isWithin(value, range));
}

/** Whether an IPv6 address is public. */
export function isPublicV6(value: bigint): boolean {
  const high = value >> 32n;
  if (high === 0xffffn) return isPublicV4(value & 0xffffffffn);
  if (!isWithin(value, V6_GLOBAL) || V6_FORBIDDEN.some((range) => isWithin(value, range))) return false;
  // ISATAP, with all values of its two flags.
  const marker = high & 0xfcffffffn;
  return marker !== 0x5efen || isPublicV4(value & 0xffffffffn);
}

/** An IPv4 address as text. */
export function formatV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function groups(value: bigint): string[] {
  return [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 65535n).toString(16));
}

/** The spellings of RFC 4291 section 2.2: all groups, padded, upper case, and with a run of zeros folded or a dotted tail or both. */
export function spellings(value: bigint): string[] {
  const parts = groups(value);
  const full = parts.join(':');
  const dotted = `${parts.slice(0, 6).join(':')}:${formatV4(value & 0xffffffffn)}`;
  return [
    full,
    parts.map((part) => part.padStart(4, '0')).join(':'),
    full.toUpperCase(),
    full.replace(/(^|:)0(:0)+(:|$)/, '::'),
    dotted,
    dotted.replace(/(^|:)0(:0)+:/, '::'),
  ];
}

/** The four edges of a network: one below, first, last, one above. */
export function around({ first, last }: Bounds): bigint[] {
  return [first - 1n, first, last, last + 1n];
}

/** The last IPv4 address. */
export const V4_MAX = (1n << 32n) - 1n;
/** The last IPv6 address. */
export const V6_MAX = (1n << 128n) - 1n;
