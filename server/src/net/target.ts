/**
 * The check of a URL before anything is stored or sent: its syntax, and its host when that is an address or a name with
 * a fixed meaning. It resolves no name, so it never waits and reveals nothing about internal names; the connector checks
 * the resolved addresses.
 */
import { isIP } from 'node:net';
import { canonicalHost, isLocalhostName } from './address.ts';
import {
  EGRESS_SETTINGS,
  type EgressRules,
  isListedAddress,
  isListedHost,
  isPermittedAddress,
} from './rules.ts';

/** The most UTF-16 code units a target URL may have; the limit of `payload_url` in docs/decisions. */
const TARGET_URL_LENGTH_MAX = 2048;

/** The reasons to refuse a URL, with messages for the client, which repeat no part of the URL. */
export const TARGET_REFUSALS = {
  invalid_url: 'The URL must be absolute and valid, as in https://example.com/hook.',
  url_too_long: `The URL must have at most ${TARGET_URL_LENGTH_MAX} characters.`,
  url_has_control_characters: 'The URL must not contain control characters, spaces or backslashes.',
  unsupported_scheme: 'The URL must begin with https:// or http://.',
  url_has_credentials: 'The URL must not contain a user name or password.',
  url_has_fragment: 'The URL must not contain a fragment (#).',
  https_required:
    'The URL must begin with https://, because the operator of this server permits nothing else.',
  address_not_allowed: `The URL points to an address or name that is not allowed. The operator of this server can permit it with ${EGRESS_SETTINGS.allow}.`,
  port_not_allowed: `The URL names a port that is not allowed. The operator of this server can permit every port of a host with ${EGRESS_SETTINGS.allow}.`,
} as const;

/** The stable code of a refusal. */
export type TargetRefusalCode = keyof typeof TARGET_REFUSALS;

/** The verdict on a URL. The `url` is the parsed form that a request must use. */
export type TargetCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly code: TargetRefusalCode; readonly message: string };

/** Names of services that return credentials of the machine; refused without resolving them. */
const METADATA_HOSTS: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata.goog']);

/** The web's own ports below 1024. All others there belong to services that a forged request could harm. */
const LOW_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Ports from 1024 on whose services read commands from an HTTP body or answer without credentials. */
export const SERVICE_PORTS: ReadonlyMap<number, string> = new Map([
  [1433, 'SQL Server'],
  [1521, 'Oracle'],
  [2049, 'NFS'],
  [2181, 'ZooKeeper'],
  [2375, 'Docker'],
  [2376, 'Docker over TLS'],
  [2379, 'etcd'],
  [2380, 'etcd peers'],
  [3306, 'MySQL'],
  [3389, 'remote desktop'],
  [4369, 'Erlang port mapper'],
  [5432, 'PostgreSQL'],
  [5672, 'AMQP'],
  [5900, 'VNC'],
  [5984, 'CouchDB'],
  [6000, 'X11'],
  [6379, 'Redis'],
  [6443, 'Kubernetes'],
  [6667, 'IRC'],
  [9042, 'Cassandra'],
  [9092, 'Kafka'],
  [9200, 'Elasticsearch'],
  [9300, 'Elasticsearch nodes'],
  [10250, 'Kubernetes node'],
  [11211, 'memcached'],
  [27017, 'MongoDB'],
  [27018, 'MongoDB shard'],
  [27019, 'MongoDB configuration'],
]);

/**
 * Characters that the parser silently drops, folds or encodes (WHATWG URL 4.4): it reads `exa<tab>mple.com` as
 * `example.com` and `http:\\h` as `http://h/`. A URL whose meaning differs from its text is refused.
 */
const SILENTLY_CHANGED = /[\p{Cc} \\]/u;

/**
 * Checks a URL as the target of an outgoing request, as text and without resolving names.
 *
 * A verdict is deterministic: the same text and rules give the same one, except that this machine's own addresses are
 * read each time.
 */
export function checkTarget(text: string, rules: EgressRules): TargetCheck {
  const verdict = judgeText(text);
  if (!(verdict instanceof URL)) return refuse(verdict);
  const isOtherScheme = rules.isHttpsOnly && verdict.protocol !== 'https:';
  const code = isOtherScheme ? 'https_required' : judgeHost(verdict, rules);
  return code === undefined ? { ok: true, url: verdict } : refuse(code);
}

/** The most URLs that a check remembers, each with at most `TARGET_URL_LENGTH_MAX` characters. */
const REMEMBERED_MAX = 1000;

/**
 * `checkTarget` for one set of rules, as a function that remembers the URLs it permitted: a sender checks the same few
 * again and again, and reading one costs 3 to 6 µs. An address that the rules do not list is checked each time, because
 * an interface of this machine may get it.
 */
export function createTargetCheck(rules: EgressRules): (text: string) => TargetCheck {
  const remembered = new Map<string, TargetCheck>();
  return (text) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const check = checkTarget(text, rules);
    if (check.ok && isLasting(check.url, rules)) {
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      remembered.set(text, check);
    }
    return check;
  };
}

/** Whether the verdict on a URL depends on the rules alone. */
function isLasting({ hostname }: URL, rules: EgressRules): boolean {
  const address = literalAddress(hostname);
  return address === undefined || isListedAddress(address, rules);
}

/** The IP literal of a parsed host (`URL.hostname`), without brackets. */
function literalAddress(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}

function refuse(code: TargetRefusalCode): TargetCheck {
  return { ok: false, code, message: TARGET_REFUSALS[code] };
}

function judgeText(text: string): URL | TargetRefusalCode {
  if (text.length > TARGET_URL_LENGTH_MAX) return 'url_too_long';
  if (SILENTLY_CHANGED.test(text)) return 'url_has_control_characters';
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || !text.isWellFormed()) return 'invalid_url';
  if (scheme !== 'http' && scheme !== 'https') return 'unsupported_scheme';
  // The parser accepts any number of slashes for these schemes: `http:127.0.0.1` and `http:///h` have a host.
  const authority = /^[a-z]+:\/\/([^/?#]+)/i.exec(text)?.[1];
  const url = URL.parse(text);
  if (authority === undefined || url === null) return 'invalid_url';
  // Only the raw text shows an empty user name or an empty fragment.
  if (authority.includes('@')) return 'url_has_credentials';
  if (text.includes('#')) return 'url_has_fragment';
  return url;
}

function judgeHost(url: URL, rules: EgressRules): TargetRefusalCode | undefined {
  const address = literalAddress(url.hostname);
  if (address === undefined && canonicalHost(url.hostname) === undefined) return 'invalid_url';
  const isListed =
    address === undefined ? isListedName(url.hostname, rules) : isListedAddress(address, rules);
  const port = portOf(url);
  if (isListed) return port === 0 ? 'port_not_allowed' : undefined;
  const isPermitted =
    address === undefined ? isOrdinaryName(url.hostname) : isPermittedAddress(address, rules);
  if (!isPermitted) return 'address_not_allowed';
  const isOpenPort = rules.ports === undefined ? isOrdinaryPort(port) : rules.ports.has(port);
  return isOpenPort ? undefined : 'port_not_allowed';
}

/** Whether the operator permits the name, or it is `localhost` and the operator permits loopback. */
function isListedName(host: string, rules: EgressRules): boolean {
  if (isListedHost(host, rules)) return true;
  return isLocalhostName(host) && (isListedAddress('127.0.0.1', rules) || isListedAddress('::1', rules));
}

/** A name of one label can only be internal: public names have a top-level domain above them. */
function isOrdinaryName(host: string): boolean {
  const name = canonicalHost(host) ?? '';
  return name.includes('.') && !isLocalhostName(name) && !METADATA_HOSTS.has(name);
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function isOrdinaryPort(port: number): boolean {
  return LOW_PORTS.has(port) || (port >= 1024 && !SERVICE_PORTS.has(port));
}
