import { Problem } from 'confab-contract/problem.ts';
import type { Principal } from './principal.ts';

/** Rate limits as every layer uses them: the subject, the kind of operation, and the remaining requests. */

/**
 * The kinds of operations that are counted separately: reading, searching, changing, uploading, calls of live
 * connections, unknown credentials, signing in, pictures of visitors, pages that visitors open, and erasures
 * by visitors.
 */
export const rateKinds = [
  'read',
  'search',
  'write',
  'upload',
  'live',
  'credential',
  'signin',
  'picture',
  'page',
  'erasure',
] as const;

/** One of them. */
export type RateKind = (typeof rateKinds)[number];

/** The subject of a limit: a user, a directory-wide moderator, an API key, or the address of a client. */
export type RateCaller = 'person' | 'moderator' | 'key' | 'address';

/** How many requests of each kind are accepted in a window; a kind without a number has no limit. */
export type Rates = { readonly [K in RateKind]?: number };

/** The highest limit that can be set. */
export const rateMax = 1_000_000;

/**
 * The length of the window of each kind, in seconds. Guesses have a longer window, because an attacker can
 * guess slowly. Pictures and pages are counted for a day, because each takes space in the store; erasures
 * are, because each is work for the server.
 */
export const windowSecondsOf: { readonly [K in RateKind]: number } = {
  read: 60,
  search: 60,
  write: 60,
  upload: 60,
  live: 60,
  credential: 600,
  signin: 600,
  picture: 86_400,
  page: 86_400,
  erasure: 86_400,
};

/**
 * The limits of a server without settings. A busy user sends a few requests a second, and drops a few hundred files at
 * once at most. A messenger listens to thousands of channels when it connects. An address can belong to a large office.
 */
export const defaultRates: { readonly [R in RateCaller]: Rates } = {
  person: {
    read: 3000,
    search: 600,
    write: 300,
    upload: 300,
    live: 20_000,
    picture: 10,
    page: 20,
    erasure: 5,
  },
  moderator: { read: 6000, search: 1200, write: 3000, upload: 600, live: 20_000 },
  key: { read: 60_000, search: 6000, write: 30_000, upload: 6000 },
  address: {
    read: 30_000,
    search: 6000,
    write: 6000,
    upload: 3000,
    live: 200_000,
    credential: 60,
    signin: 60,
    picture: 50,
    page: 100,
    erasure: 50,
  },
};

/** The outcome of one request under one limit. */
export type RateOutcome = {
  readonly role: RateCaller;
  readonly kind: RateKind;
  /** The most requests in a window. */
  readonly quota: number;
  /** How many more the window has room for. */
  readonly remaining: number;
  /** Until the window ends, in seconds, at least 1. */
  readonly seconds: number;
  readonly isRefused: boolean;
};

/** The rate limits of a server, for all its nodes. */
export type RateLimits = {
  /**
   * Counts one request of a subject, unless it is refused; undefined if there is no limit. Returns a promise
   * only if it has to ask other nodes.
   */
  take(role: RateCaller, id: string, kind: RateKind): RateOutcome | Promise<RateOutcome> | undefined;
  /**
   * The same, synchronously: instead of asking other nodes first, it accepts the request and settles it with
   * them later.
   */
  takeNow(role: RateCaller, id: string, kind: RateKind): RateOutcome | undefined;
  /** The result that `take` would have, as far as this node knows, without counting. */
  peek(role: RateCaller, id: string, kind: RateKind): RateOutcome | undefined;
};

/** Rates as text, in the form of the settings. */
export function ratesText(rates: Rates): string {
  const named = rateKinds.flatMap((kind) => (rates[kind] === undefined ? [] : [`${kind}=${rates[kind]}`]));
  return named.length === 0 ? 'off' : named.join(',');
}

/** The role and the id under which a caller is counted. A key counts as itself, even on behalf of a user. */
export function rateSubjectOf({ kind, user, apiKeyId }: Principal): readonly [role: RateCaller, id: string] {
  if (kind === 'key') return ['key', `key ${apiKeyId}`];
  return [user.role === 'moderator' ? 'moderator' : 'person', `person ${user.id}`];
}

/** The id under which the address of a client is counted. */
export function addressId(address: string): string {
  return `address ${address}`;
}

/**
 * Counts a request of one kind for its caller and, if known, for its address. Throws `rate_limited`. It may
 * wait for other nodes, so do not call it in a transaction.
 */
export async function countCaller(
  limits: RateLimits,
  kind: RateKind,
  { principal, clientAddress }: { readonly principal: Principal; readonly clientAddress: string | undefined },
): Promise<void> {
  const subjects = [
    rateSubjectOf(principal),
    ...(clientAddress === undefined ? [] : [['address', addressId(clientAddress)] as const]),
  ];
  for (const [role, id] of subjects) {
    const usage = await limits.take(role, id, kind);
    if (usage?.isRefused === true) throw rateLimited(usage);
  }
}

/** The fields of a response that describe limits to the client (draft-ietf-httpapi-ratelimit-headers-11). */
export function rateFieldsOf(all: readonly RateOutcome[]) {
  let limits = '';
  let policies = '';
  for (const { role, kind, quota, remaining, seconds } of all) {
    const separator = limits === '' ? '' : ', ';
    limits += `${separator}"${role}-${kind}";r=${remaining};t=${seconds}`;
    policies += `${separator}"${role}-${kind}";q=${quota};w=${windowSecondsOf[kind]}`;
  }
  return { ratelimit: limits, 'ratelimit-policy': policies };
}

const nounOf: { readonly [R in RateCaller]: string } = {
  person: 'a person',
  moderator: 'a moderator',
  key: 'an API key',
  address: 'an address',
};

/** The 429 for a request beyond a limit. */
export function rateLimited(usage: RateOutcome): Problem {
  const { role, kind, quota, seconds } = usage;
  const what = kind === 'credential' ? 'unknown credentials' : `requests of the kind "${kind}"`;
  return new Problem(
    'rate_limited',
    `At most ${quota} ${what} of ${nounOf[role]} are taken in ${windowSecondsOf[kind]} seconds. Try again in ${seconds} seconds.`,
    { headers: { 'retry-after': String(seconds), ...rateFieldsOf([usage]) } },
  );
}
