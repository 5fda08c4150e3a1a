/**
 * The operator's rules for outgoing requests, and the verdict on a host that follows from them.
 *
 * A NAT64 gateway (RFC 6052) turns an IPv6 address into the IPv4 address that it carries and connects to that. Its
 * prefix is therefore checked by the address that it carries, whether declared or listed: a gateway inside the network
 * also reaches the network's internal addresses.
 */
import ipaddr from 'ipaddr.js';
import {
  type Address,
  canonicalHost,
  isatapAddress,
  isInside,
  isPublic,
  ownAddresses,
  parseAddress,
  type Range,
} from './address.ts';

/** The names of the operator's settings, for messages that explain how to permit a refused request. */
export const EGRESS_SETTINGS = {
  allow: 'CONFAB_EGRESS_ALLOW',
  nat64: 'CONFAB_EGRESS_NAT64',
  ports: 'CONFAB_EGRESS_PORTS',
  httpsOnly: 'CONFAB_WEBHOOK_HTTPS_ONLY',
} as const;

/**
 * The rules for one kind of outgoing requests, created by `parseEgressRules`. Without settings no internal address is
 * permitted.
 */
export type EgressRules = {
  readonly ranges: readonly Range[];
  /** Host names in the spelling of `canonicalHost`. */
  readonly hosts: ReadonlySet<string>;
  /** The prefixes of NAT64 gateways in the operator's network. */
  readonly nat64: readonly Range[];
  /** The only permitted ports of unlisted hosts; undefined permits the ports that are usual on the web. */
  readonly ports: ReadonlySet<number> | undefined;
  readonly isHttpsOnly: boolean;
};

/** The settings as the operator wrote them. */
export type EgressSettings = {
  /** Networks in CIDR notation, single addresses and exact host names, separated by commas. */
  readonly allow?: string;
  /** Prefixes in CIDR notation, separated by commas. */
  readonly nat64?: string;
  /** Ports separated by commas; empty for the ports that are usual on the web. */
  readonly ports?: string;
  readonly isHttpsOnly?: boolean;
};

/** The well-known prefix of NAT64, which applies even if it is not declared. */
const wellKnownNat64: Range = ipaddr.parseCIDR('64:ff9b::/96');

/** The positions of the bytes of the IPv4 address, by the length of the prefix (RFC 6052 section 2.2). */
const nat64Layouts: ReadonlyMap<number, readonly number[]> = new Map([
  [32, [4, 5, 6, 7]],
  [40, [5, 6, 7, 9]],
  [48, [6, 7, 9, 10]],
  [56, [7, 9, 10, 11]],
  [64, [9, 10, 11, 12]],
  [96, [12, 13, 14, 15]],
]);

/** The byte between the halves of an address, which no layout uses because it must be zero. */
const nat64ZeroByte = 8;

/** The IPv4 address that a gateway of a prefix connects to, or undefined when the address breaks the layout. */
function carriedBy(address: Address, prefixBits: number): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  const layout = nat64Layouts.get(prefixBits);
  if (layout === undefined || bytes[nat64ZeroByte] !== 0) return undefined;
  return new ipaddr.IPv4(layout.map((at) => bytes[at] ?? 0));
}

/**
 * Whether the address is one of NAT64, and the addresses that its gateways connect to; one without any is never
 * permitted.
 */
function translations(address: Address, rules: EgressRules): (ipaddr.IPv4 | undefined)[] {
  const prefixes = [...rules.nat64];
  if (rules.ranges.some((range) => isInside(address, range))) prefixes.push(wellKnownNat64);
  return prefixes.filter((prefix) => isInside(address, prefix)).map(([, bits]) => carriedBy(address, bits));
}

function isListed(address: Address | undefined, rules: EgressRules): boolean {
  if (address === undefined) return false;
  const carried = translations(address, rules);
  if (carried.length > 0) return carried.every((inner) => isListed(inner, rules));
  return rules.ranges.some((range) => isInside(address, range));
}

function isPermitted(address: Address | undefined, rules: EgressRules, own: ReadonlySet<string>): boolean {
  if (address === undefined) return false;
  const carried = translations(address, rules);
  if (carried.length > 0) return carried.every((inner) => isPermitted(inner, rules, own));
  const targets = [address, isatapAddress(address) ?? address];
  return isListed(address, rules) || (isPublic(address) && !targets.some((one) => own.has(one.toString())));
}

/** Whether `text` is an address inside a range that the operator listed, or leads to one through NAT64. */
export function isListedAddress(text: string, rules: EgressRules): boolean {
  return isListed(parseAddress(text), rules);
}

/**
 * Whether a connection to `text` may be opened: the operator listed it, or it is public and no interface of this
 * machine has it. Interfaces change while the server runs, so `own` is read at each call; pass it to check many.
 */
export function isPermittedAddress(
  text: string,
  rules: EgressRules,
  own: ReadonlySet<string> = ownAddresses(),
): boolean {
  return isPermitted(parseAddress(text), rules, own);
}

/** Whether `text` has the well-known prefix of NAT64, which the operator of a network without IPv4 must declare. */
export function isWellKnownNat64(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isInside(address, wellKnownNat64);
}

/** Whether the operator listed exactly this name; case and a trailing dot do not matter. */
export function isListedHost(host: string, rules: EgressRules): boolean {
  const name = canonicalHost(host);
  return name !== undefined && rules.hosts.has(name);
}

function parseRange(entry: string): Range | undefined {
  const [address, prefix, ...rest] = entry.split('/');
  if (address === undefined || rest.length > 0) return undefined;
  const parsed = parseAddress(address);
  if (parsed === undefined) return undefined;
  const widest = parsed.kind() === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return [parsed, widest];
  // A mapped network would match nothing, because addresses are compared unmapped.
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > widest || address.includes(':') !== (widest === 128))
    return undefined;
  return [parsed, Number(prefix)];
}

function entriesOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function parseAllowed(text: string | undefined): Pick<EgressRules, 'ranges' | 'hosts'> {
  const ranges: Range[] = [];
  const hosts = new Set<string>();
  for (const entry of entriesOf(text)) {
    const range = parseRange(entry);
    const host = range === undefined ? canonicalHost(entry) : undefined;
    if (range !== undefined) ranges.push(range);
    else if (host !== undefined) hosts.add(host);
    else
      throw new Error(
        `${EGRESS_SETTINGS.allow}: "${entry}" is not a CIDR network, an address or a host name without port or wildcard.`,
      );
  }
  return { ranges, hosts };
}

function parseNat64(text: string | undefined): Range[] {
  return entriesOf(text).map((entry) => {
    const range = entry.includes('/') ? parseRange(entry) : undefined;
    const [address, bits] = range ?? [undefined, 0];
    const isLaidOut = address?.kind() === 'ipv6' && address.toByteArray()[nat64ZeroByte] === 0;
    if (range === undefined || !isLaidOut || !nat64Layouts.has(bits))
      throw new Error(
        `${EGRESS_SETTINGS.nat64}: "${entry}" is not an IPv6 prefix of 32, 40, 48, 56, 64 or 96 bits whose bits 64 to 71 are zero.`,
      );
    return range;
  });
}

function parsePorts(text: string | undefined): Set<number> | undefined {
  const entries = entriesOf(text);
  for (const entry of entries)
    if (!/^\d{1,5}$/.test(entry) || Number(entry) < 1 || Number(entry) > 65_535)
      throw new Error(`${EGRESS_SETTINGS.ports}: "${entry}" is not a port, 1 to 65535.`);
  return entries.length === 0 ? undefined : new Set(entries.map(Number));
}

/**
 * Parses the operator's settings; empty entries are skipped.
 *
 * @throws Error naming the setting and the first invalid entry.
 */
export function parseEgressRules(settings: EgressSettings = {}): EgressRules {
  return {
    ...parseAllowed(settings.allow),
    nat64: parseNat64(settings.nat64),
    ports: parsePorts(settings.ports),
    isHttpsOnly: settings.isHttpsOnly ?? false,
  };
}
