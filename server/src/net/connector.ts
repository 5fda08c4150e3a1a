/**
 * Opens the sockets of outgoing requests, only to checked addresses.
 *
 * One connection: the host becomes a set of addresses (a literal is its own set, because a `lookup` hook is never
 * called for literals; a name is resolved here), every address is checked, and the socket is opened with a lookup that
 * returns exactly this set. No second resolution happens between check and connect, so an answer that changes (DNS
 * rebinding) changes nothing. One forbidden address refuses the whole set: a name that mixes both is an attack or a
 * mistake. TLS verifies the certificate against the host name as usual.
 */
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { canonicalAddress, isLocalhostName, ownAddresses } from './address.ts';
import { addressRefusal, type OnRefused } from './refusals.ts';
import { ResolveError, type ResolveErrorCode, type Resolver } from './resolver.ts';
import { type EgressRules, isListedHost, isPermittedAddress } from './rules.ts';
import { undici } from './undici.ts';

/** Why no connection was opened; `EgressErrorCode` documents each code. */
export type ConnectErrorCode =
  | ResolveErrorCode
  | 'blocked_address'
  | 'connect_refused'
  | 'connect_timeout'
  | 'reset'
  | 'tls_error';

/** A connection was refused by the guard or failed. `cause` is the error of the resolver or the socket. */
export class ConnectFailure extends Error {
  readonly errorCode: ConnectErrorCode;
  constructor(errorCode: ConnectErrorCode, options?: ErrorOptions) {
    super(`No connection: ${errorCode}.`, options);
    this.name = 'ConnectFailure';
    this.errorCode = errorCode;
  }
}

/** The options of a connector. Times are milliseconds; `connectTimeoutMs` covers TCP and TLS, to within a second. */
export type ConnectorOptions = {
  readonly rules: EgressRules;
  readonly resolver: Resolver;
  readonly dial?: Dial | undefined;
  readonly onRefused?: OnRefused | undefined;
  readonly dnsTimeoutMs: number;
  readonly connectTimeoutMs: number;
};

/**
 * Opens a socket to one of `addresses`, which are checked and in canonical spelling, and to no other address. Tests have
 * a second implementation, which records every connection.
 */
export type Dial = (
  target: buildConnector.Options,
  options: { readonly addresses: readonly string[]; readonly timeoutMs: number },
) => Promise<Socket>;

/** The most addresses tried for one connection. A name may have thousands, and all attempts share one deadline. */
const ADDRESSES_TRIED_MAX = 8;

/** The wait before the next address is tried. Node's 250 ms is less than one round trip to the far side of the world. */
const NEXT_ADDRESS_MS = 500;

/** A connector for an undici dispatcher. It fails only with `ConnectFailure`, unless the resolver has a bug. */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  return (target, callback) => {
    open(target, options).then(
      (socket) => callback(null, socket),
      (error: unknown) =>
        callback(error instanceof Error ? error : new Error('The connector failed.', { cause: error }), null),
    );
  };
}

async function open(target: buildConnector.Options, options: ConnectorOptions): Promise<Socket> {
  const addresses = await vettedAddresses(target.hostname, options);
  const dial = options.dial ?? dialJudged;
  return await dial(target, { addresses, timeoutMs: options.connectTimeoutMs });
}

/** The addresses of `host` in canonical spelling, all of them permitted. */
async function vettedAddresses(
  host: string,
  { rules, resolver, dnsTimeoutMs, onRefused }: ConnectorOptions,
): Promise<string[]> {
  const answers = isIP(host) === 0 ? await resolve(host, { resolver, dnsTimeoutMs }) : [host];
  const own = ownAddresses();
  const isPermitted = (address: string): boolean => isPermittedAddress(address, rules, own);
  const permitted = isIP(host) === 0 && isListedHost(host, rules) ? answers : answers.filter(isPermitted);
  // `localhost` always has addresses in both families, of which the operator may permit only one.
  const isEnough = isLocalhostName(host) ? permitted.length > 0 : permitted.length === answers.length;
  if (!isEnough) {
    onRefused?.(
      addressRefusal(
        host,
        answers.filter((address) => !isPermitted(address)),
      ),
    );
    throw new ConnectFailure('blocked_address');
  }
  return permitted.flatMap((address) => canonicalAddress(address) ?? []).slice(0, ADDRESSES_TRIED_MAX);
}

async function resolve(
  host: string,
  { resolver, dnsTimeoutMs }: { resolver: Resolver; dnsTimeoutMs: number },
): Promise<string[]> {
  try {
    const answers = await resolver.resolve(host, AbortSignal.timeout(dnsTimeoutMs));
    if (answers.length === 0) throw new ResolveError('dns_no_address');
    return answers;
  } catch (error) {
    throw error instanceof ResolveError ? new ConnectFailure(error.code, { cause: error.cause }) : error;
  }
}

/** Opens real sockets. It checks the connected address again, in case the lookup was bypassed. */
const dialJudged: Dial = async (target, options) => {
  const socket = await connectPinned(target, options);
  const remote = socket.remoteAddress;
  if (remote !== undefined && options.addresses.includes(canonicalAddress(remote) ?? '')) return socket;
  socket.destroy();
  // If the peer has already reset the connection, the socket has no address to compare.
  throw new ConnectFailure(remote === undefined ? 'reset' : 'blocked_address');
};

function connectPinned(
  target: buildConnector.Options,
  { addresses, timeoutMs }: Parameters<Dial>[1],
): Promise<Socket> {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const [first] = pinned;
    if (all === true || first === undefined) callback(null, pinned);
    else callback(null, first.address, first.family);
  };
  // Built for each connection, because its lookup is. With pooled sockets, cached TLS sessions would save little.
  const connect = undici().buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: timeoutMs,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment does not disable verification.
    rejectUnauthorized: true,
  });
  return new Promise((fulfil, reject) => {
    connect(target, (error, socket) => {
      if (error === null) fulfil(socket);
      else reject(new ConnectFailure(connectErrorCode(error, target.protocol), { cause: error }));
    });
  });
}

function connectErrorCode(error: Error, protocol: string): ConnectErrorCode {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'connect_timeout';
  if (code === 'ECONNRESET' || code === 'ECONNABORTED' || code === 'EPIPE') return 'reset';
  // System error codes have no underscore; those of OpenSSL and certificate verification do. EPROTO comes from OpenSSL.
  const isFromSystem = /^E[A-Z0-9]+$/.test(code) && code !== 'EPROTO';
  return isFromSystem || protocol !== 'https:' ? 'connect_refused' : 'tls_error';
}
