/**
 * Names to addresses, without the system's `getaddrinfo`.
 *
 * `dns.lookup` runs getaddrinfo on the shared thread pool: eight lookups at a dead name server delayed a healthy lookup
 * by 11.9 s. These queries run on the event loop (c-ares) and do not wait for each other. c-ares does not read the hosts
 * file, so it is read first, as the system would.
 */

import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { canonicalAddress, canonicalHost, isLocalhostName } from './address.ts';

/** Finds the addresses of host names. Tests of DNS rebinding use a fake implementation. */
export interface Resolver {
  /**
   * All addresses of `host`, at least one, in order of preference.
   *
   * @throws ResolveError with a `ResolveErrorCode`; when `signal` aborts, which ends the query at once, it is `dns_timeout`.
   */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
}

/**
 * Why there is no address: the name does not exist, has no address, the servers do not respond, or they fail. A text that
 * cannot be a name is `dns_not_found`.
 */
export type ResolveErrorCode = 'dns_not_found' | 'dns_no_address' | 'dns_timeout' | 'dns_error';

/** A name could not be resolved. */
export class ResolveError extends Error {
  readonly code: ResolveErrorCode;
  constructor(code: ResolveErrorCode, options?: ErrorOptions) {
    super('The host name could not be resolved.', options);
    this.name = 'ResolveError';
    this.code = code;
  }
}

/** The sources of answers; the system's by default. */
export type ResolverOptions = {
  /** Name servers as `address` or `address:port`. */
  readonly servers?: readonly string[];
  readonly hostsPath?: string;
};

/** One query waits this long for one server, doubled at the second try: 3 s together, the caller's usual budget. */
const QUERY_TIMEOUT_MS = 1000;
const QUERY_TRIES = 2;

/** A resolver that reads the hosts file, then DNS. It needs no cache: a pooled connection resolves once for many requests. */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const hostsPath = options.hostsPath ?? '/etc/hosts';
  return {
    async resolve(host, signal) {
      const name = canonicalHost(host);
      if (name === undefined) throw new ResolveError('dns_not_found');
      // RFC 6761: such names are never queried, and no hosts file can redirect them.
      if (isLocalhostName(name)) return ['127.0.0.1', '::1'];
      const listed = findInHosts(await readHosts(hostsPath), name);
      return listed.length > 0 ? listed : await query(name, { signal, servers: options.servers });
    },
  };
}

async function readHosts(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // A system without the file (a minimal container) has no such names.
    if (codeOf(error) === 'ENOENT') return '';
    throw new ResolveError('dns_error', { cause: error });
  }
}

function findInHosts(text: string, name: string): string[] {
  const addresses: string[] = [];
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (canonicalAddress(address) !== undefined && names.some((alias) => canonicalHost(alias) === name)) {
      addresses.push(address);
    }
  }
  return addresses;
}

async function query(
  name: string,
  { signal, servers }: { signal: AbortSignal; servers: readonly string[] | undefined },
): Promise<string[]> {
  // `cancel` ends all queries of an instance, so each name has its own instance.
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  if (signal.aborted) throw new ResolveError('dns_timeout');
  signal.addEventListener('abort', cancel, { once: true });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  signal.removeEventListener('abort', cancel);

  // One family is enough: no connection is opened to an unknown address.
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failures: unknown[] = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason] : [],
  );
  throw resolveErrorOf(failures);
}

/** Combines the failures of both families. A server that fails for one family may still know an address in it. */
function resolveErrorOf(failures: readonly unknown[]): ResolveError {
  const find = (...codes: string[]) => failures.find((failure) => codes.includes(codeOf(failure) ?? ''));
  const silence = find('ETIMEOUT', 'ECANCELLED');
  if (silence !== undefined) return new ResolveError('dns_timeout', { cause: silence });
  const other = failures.find((failure) => !['ENOTFOUND', 'ENODATA'].includes(codeOf(failure) ?? ''));
  if (other !== undefined) return new ResolveError('dns_error', { cause: other });
  const empty = find('ENODATA');
  return empty === undefined
    ? new ResolveError('dns_not_found', { cause: failures[0] })
    : new ResolveError('dns_no_address', { cause: empty });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
