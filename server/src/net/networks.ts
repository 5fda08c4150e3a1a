import ipaddr from 'ipaddr.js';
import { parseAddress } from './address.ts';

/**
 * Networks of clients as CIDR in one spelling, so that equal networks are equal texts. An IPv6 client is its /64, because one
 * machine can have all of it (`networkOf` of `http/limits/client-address.ts`).
 */

/** The lengths of prefixes in bits. */
const bits = {
  ipv4: { min: 16, max: 32 },
  ipv6: { min: 32, max: 64 },
} as const;

/** The network of a client, as `AddressOf` spells its address. Throws an Error for any other text. */
export function networkOfClient(client: string): string {
  const address = parseAddress(client.includes(':') ? `${client}::` : client);
  if (address === undefined) throw new Error('a client without an address');
  return `${address.toString()}/${bits[address.kind()].max}`;
}

/**
 * The network that one customer of a provider can have, for a client as `AddressOf` spells it: an IPv4 address, or of IPv6 the
 * first 48 bits.
 */
export function lineOfClient(client: string): string {
  return client.includes(':') ? client.split(':').slice(0, 3).join(':') : client;
}

/** The network that an address or CIDR names, without what is beyond its prefix; undefined for any other text. */
export function readNetwork(
  text: string,
): { readonly network: string; readonly isTooWide: boolean } | undefined {
  const [, host = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(host);
  if (address === undefined) return undefined;
  const { min, max } = bits[address.kind()];
  const whole = address.kind() === 'ipv4' ? 32 : 128;
  const prefix = length === undefined ? whole : Number(length);
  if (prefix > whole) return undefined;
  return { network: prefixOf(address, Math.min(prefix, max)), isTooWide: prefix < min };
}

/** The networks that hold a network of a client, itself included and the narrowest first, as far as they can be banned. */
export function networksAround(network: string): string[] {
  const [address] = ipaddr.parseCIDR(network);
  const { min, max } = bits[address.kind()];
  return Array.from({ length: max - min + 1 }, (_, step) => prefixOf(address, max - step));
}

function prefixOf(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): string {
  const cidr = `${address.toString()}/${length}`;
  const { IPv4, IPv6 } = ipaddr;
  const first =
    address.kind() === 'ipv4' ? IPv4.networkAddressFromCIDR(cidr) : IPv6.networkAddressFromCIDR(cidr);
  return `${first.toString()}/${length}`;
}
