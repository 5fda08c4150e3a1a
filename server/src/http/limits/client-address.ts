import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket, SocketAddress } from 'node:net';

/** The address of the client of a request, behind proxies that the operator trusts. */

/** Returns the address by which the client of a request is counted; undefined where it may stand for everybody. */
export type AddressOf = (request: IncomingMessage) => string | undefined;

/** Addresses of this machine and of private networks. Without a setting, one of them may be a proxy. */
const internal = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  internal.addSubnet(network, bits, 'ipv4');
internal.addAddress('::1', 'ipv6');
internal.addSubnet('fc00::', 7, 'ipv6');
internal.addSubnet('fe80::', 10, 'ipv6');

/** The other end of a connection: the address by which it is counted, and whether it is a proxy. */
type Peer = { readonly network: string | undefined; readonly isProxy: boolean };

/** The most header values that are remembered, and the longest one. */
const knownMax = 1000;
const knownCharactersMax = 100;

/**
 * Creates the function that finds the address of a client. `X-Forwarded-For` is read from the right, because each proxy
 * appends the address of its caller. The client is the first address that is not a trusted proxy; addresses further left
 * may be forged.
 *
 * Without a setting (`undefined`) the header is ignored and internal addresses are not counted, because one of them may be
 * a proxy through which everybody comes.
 */
export function createAddressOf(proxies: BlockList | undefined): AddressOf {
  const peers = new WeakMap<Socket, Peer>();
  const known = new Map<string, string>();

  function peerOf(socket: Socket): Peer {
    let peer = peers.get(socket);
    if (peer === undefined) {
      const address = addressIn(socket.remoteAddress ?? '');
      const isCounted = address !== undefined && (proxies !== undefined || !isIn(internal, address));
      peer = {
        network: isCounted ? networkOf(address) : undefined,
        isProxy: address !== undefined && isIn(proxies, address),
      };
      peers.set(socket, peer);
    }
    return peer;
  }

  /** The first address from the right that is no proxy, the last readable one where all are; undefined for none. */
  function clientIn(forwarded: string): string | undefined {
    let client: string | undefined;
    for (const hop of forwarded.split(',').reverse()) {
      const address = addressIn(hop.trim());
      if (address === undefined) break;
      client = address;
      if (!isIn(proxies, address)) break;
    }
    return client === undefined ? undefined : networkOf(client);
  }

  return ({ socket, headers }) => {
    const { network, isProxy } = peerOf(socket);
    const forwarded = headers['x-forwarded-for'];
    if (!isProxy || forwarded === undefined) return network;
    const text = String(forwarded);
    const client = known.get(text) ?? clientIn(text);
    if (client === undefined) return network;
    if (known.size >= knownMax) known.clear();
    if (text.length <= knownCharactersMax) known.set(text, client);
    return client;
  };
}

function isIn(list: BlockList | undefined, address: string): boolean {
  return list?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') === true;
}

/** An address with or without its port, in its usual spelling; a mapped IPv4 address as such. Undefined for other texts. */
function addressIn(text: string): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const mapped = /^::ffff:([\d.]+)$/i.exec(bare)?.[1];
  const address = (mapped ?? bare).replace(/%.*$/, '');
  if (isIP(address) === 4) return address;
  return isIP(address) === 6 ? new SocketAddress({ address, family: 'ipv6' }).address : undefined;
}

/** The address by which a client is counted: of IPv6 the first 64 bits, because one machine can have all of a /64. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^.*:/, '');
  const [first = [], last = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
