/**
 * Which network addresses an outgoing request may reach.
 *
 * A request whose target a client chose (a webhook, an embed) is sent from inside the operator's network. So every address
 * that is not clearly on the public internet is refused unless the operator listed it (rules.ts). Only one parser reads
 * addresses: `net.isIP` and ipaddr.js disagree about `0177.0.0.1`, and two readings of one address are a bypass.
 */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';

/** An address in the form used for comparison. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network: an address in it and the length of its prefix in bits. */
export type Range = [Address, number];

/**
 * Ranges that are never public, each with its reason. Sources: the IANA IPv4 and IPv6 Special-Purpose Address
 * Registries, and the documents of the cloud providers for what they serve from elsewhere.
 */
const FORBIDDEN_RANGES: readonly { readonly cidr: string; readonly reason: string }[] = [
  { cidr: '0.0.0.0/8', reason: 'this network (RFC 791); connecting to 0.0.0.0 reaches loopback' },
  { cidr: '10.0.0.0/8', reason: 'private use (RFC 1918)' },
  {
    cidr: '100.64.0.0/10',
    reason: 'shared by carriers (RFC 6598); overlay networks and a cloud metadata service',
  },
  { cidr: '127.0.0.0/8', reason: 'loopback (RFC 1122)' },
  {
    cidr: '169.254.0.0/16',
    reason: 'link-local (RFC 3927); metadata and credential services of most clouds',
  },
  { cidr: '172.16.0.0/12', reason: 'private use (RFC 1918)' },
  { cidr: '192.0.0.0/24', reason: 'protocol assignments (RFC 6890)' },
  { cidr: '192.0.2.0/24', reason: 'documentation (RFC 5737)' },
  { cidr: '192.31.196.0/24', reason: 'AS112 sink (RFC 7535)' },
  { cidr: '192.52.193.0/24', reason: 'multicast tunnelling (RFC 7450)' },
  { cidr: '192.88.99.0/24', reason: 'relay anycast for 6to4, deprecated (RFC 7526)' },
  { cidr: '192.168.0.0/16', reason: 'private use (RFC 1918)' },
  { cidr: '192.175.48.0/24', reason: 'AS112 sink (RFC 7534)' },
  { cidr: '198.18.0.0/15', reason: 'benchmarking (RFC 2544)' },
  { cidr: '198.51.100.0/24', reason: 'documentation (RFC 5737)' },
  { cidr: '203.0.113.0/24', reason: 'documentation (RFC 5737)' },
  { cidr: '224.0.0.0/4', reason: 'multicast (RFC 5771)' },
  { cidr: '240.0.0.0/4', reason: 'reserved (RFC 1112), with the limited broadcast address (RFC 919)' },
  { cidr: '168.63.129.16/32', reason: 'host service of Azure, inside public space' },
  { cidr: '2001::/23', reason: 'protocol assignments (RFC 2928): Teredo, benchmarking, ORCHID and others' },
  { cidr: '2001:db8::/32', reason: 'documentation (RFC 3849)' },
  { cidr: '2002::/16', reason: '6to4 (RFC 3056), which carries any IPv4 address' },
  { cidr: '2620:4f:8000::/48', reason: 'AS112 sink (RFC 7534)' },
  { cidr: '3fff::/20', reason: 'documentation (RFC 9637)' },
];

const forbidden: readonly Range[] = FORBIDDEN_RANGES.map(({ cidr }) => ipaddr.parseCIDR(cidr));

/**
 * The only IPv6 space that is assigned for global unicast (RFC 4291). What lies outside needs no list: loopback,
 * IPv4-compatible, NAT64, discard, segment routing, unique local, link-local, site-local and multicast.
 */
const globalUnicast: Range = ipaddr.parseCIDR('2000::/3');

/**
 * Parses one address in its standard notation, v4-mapped IPv6 (RFC 4291) as the IPv4 address it reaches; undefined when
 * `text` is not an address or has a zone id.
 */
export function parseAddress(text: string): Address | undefined {
  // A zone id names an interface of this machine, which only a link-local or multicast address needs.
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  return ipaddr.process(isIP(text) === 6 ? text.replace(DOTTED_TAIL, inGroups) : text);
}

/**
 * Replaces the dotted part of an IPv6 address, because ipaddr.js reads `::192.0.2.1` (IPv4-compatible, RFC 4291) as
 * `::ffff:192.0.2.1`, a different address.
 */
const DOTTED_TAIL = /(?<=:)\d+\.\d+\.\d+\.\d+$/;

function inGroups(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Whether an address is in a network of its own family. */
export function isInside(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

/** The bits before the IPv4 address in an ISATAP interface id (RFC 5214), for all values of its two flags. */
const isatapFlags: ReadonlySet<number | undefined> = new Set([0, 0x100, 0x200, 0x300]);
const isatapMarker = 0x5efe;

/** The IPv4 address that an ISATAP address tunnels to, or undefined for any other address. */
export function isatapAddress(address: Address): ipaddr.IPv4 | undefined {
  if (address instanceof ipaddr.IPv4) return undefined;
  const [, , , , flags, marker] = address.parts;
  if (!isatapFlags.has(flags) || marker !== isatapMarker) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** Whether an address is on the public internet. */
export function isPublic(address: Address): boolean {
  if (forbidden.some((range) => isInside(address, range))) return false;
  if (address instanceof ipaddr.IPv4) return true;
  if (!isInside(address, globalUnicast)) return false;
  const tunnelled = isatapAddress(address);
  return tunnelled === undefined || isPublic(tunnelled);
}

/**
 * Whether `text` is an address on the public internet. False for text that is not an address in standard notation, or
 * that has a zone id.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isPublic(address);
}

/** The canonical spelling of an address, or undefined when `text` is not an address. */
export function canonicalAddress(text: string): string | undefined {
  return parseAddress(text)?.toString();
}

/** The addresses of this machine's interfaces: a request to one would reach a local service from inside. */
export function ownAddresses(): ReadonlySet<string> {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(interfaces.flatMap(({ address }) => canonicalAddress(address) ?? []));
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/**
 * The canonical spelling of a host name: ASCII, lower case, without the trailing dot of the root. Undefined when `host` is
 * an address or not a DNS name (RFC 1035, with the underscore that is common in practice).
 */
export function canonicalHost(host: string): string | undefined {
  // `domainToASCII` reads up to the first delimiter of a URL and decodes percent signs, as if `host` were part of one.
  if (/[/?#@:%\\\s]/.test(host)) return undefined;
  const name = domainToASCII(host).replace(/\.$/, '');
  return HOST_NAME.test(name) && isIP(name) === 0 ? name : undefined;
}

/** Whether the name is `localhost` or below it, which RFC 6761 reserves for loopback. */
export function isLocalhostName(host: string): boolean {
  return /(^|\.)localhost$/.test(canonicalHost(host) ?? '');
}
