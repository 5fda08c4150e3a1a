import { Problem } from 'confab-contract/problem.ts';
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
} from 'jose';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Egress } from '../../net/egress.ts';

/**
 * The public keys of an identity provider (JWKS, RFC 7517). They are read at the first token, again in the background
 * when they are old, and at once for a token that names an unknown key, so a provider can rotate its keys at any time.
 * While the provider cannot be reached, the keys of the last reading stay in use.
 */

/** The age at which the keys are read again, which bounds how long a withdrawn key is accepted, in milliseconds. */
const refreshMs = 10 * 60_000;
/** The pause after a reading that failed or lacked the key of the token, so that wrong tokens cause few readings. */
const pauseMs = 10_000;
/** The most time that a reading takes; the requests of unverified tokens wait for it. */
const timeoutMs = 5000;
/** Providers publish a few keys of some hundred bytes each, the largest with certificates some tens of kilobytes. */
const bytesMax = 256 * 1024;

/** The keys of a provider. */
export type ProviderKeys = {
  /**
   * The key that a token names. Throws `identity_provider_unavailable` when it cannot be read now, and an error of jose
   * when the provider has no such key.
   */
  keyOf(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey>;
  /** Reads old keys again in the background; costs nothing otherwise. */
  refresh(): void;
};

/** The options for reading keys. */
type Parts = {
  readonly url: string;
  readonly egress: Egress;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the keys are others than before. */
  readonly onChange: () => void;
};

/** Keeps the keys that a provider publishes at `url`. */
export function createProviderKeys({ clock, log, onChange, ...source }: Parts): ProviderKeys {
  let keys: { readonly text: string; readonly find: ReturnType<typeof createLocalJWKSet> } | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  let reading: Promise<void> | undefined;

  const pause = () => {
    pausedUntil = clock.now() + pauseMs;
  };

  async function readOnce(): Promise<void> {
    const text = await fetchKeys(source);
    hasFailed = typeof text !== 'string';
    if (typeof text !== 'string') {
      pause();
      log.warn({ url: source.url, ...text }, 'the keys of the identity provider could not be read');
      return;
    }
    readAt = clock.now();
    if (text === keys?.text) return;
    keys = { text, find: createLocalJWKSet(JSON.parse(text)) };
    onChange();
  }

  /** Requests that need the keys at the same time share one reading. */
  function read(): Promise<void> {
    reading ??= readOnce().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return {
    refresh() {
      const now = clock.now();
      if (keys !== undefined && now - readAt > refreshMs && now >= pausedUntil) void read();
    },
    async keyOf(header, token) {
      try {
        if (keys !== undefined) return await keys.find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      if (reading !== undefined || clock.now() >= pausedUntil) await read();
      if (keys === undefined || hasFailed)
        throw new Problem(
          'identity_provider_unavailable',
          'The keys of the identity provider cannot be read at the moment.',
        );
      try {
        return await keys.find(header, token);
      } catch (error) {
        pause();
        throw error;
      }
    },
  };
}

/** Reads the document with the keys as text; or why it cannot be used, for the log. */
async function fetchKeys({
  url,
  egress,
  userAgent,
}: Pick<Parts, 'url' | 'egress' | 'userAgent'>): Promise<string | { readonly reason: string }> {
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': userAgent };
  const answer = await egress.get(url, { headers, bodyBytesMax: bytesMax, timeoutMs });
  if (!answer.answered) return { reason: [answer.errorCode, answer.cause].filter(Boolean).join(' ') };
  if (answer.statusCode !== 200) return { reason: `status ${answer.statusCode}` };
  if (answer.truncated) return { reason: `more than ${bytesMax} bytes` };
  const text = answer.body.toString();
  return isKeySet(text) ? text : { reason: 'no JSON Web Key Set' };
}

/** Whether a text is a JWKS with keys. An empty set would lock every user out. */
function isKeySet(text: string): boolean {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    createLocalJWKSet({ keys: keys as [] });
    return Array.isArray(keys) && keys.length > 0;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof errors.JWKSInvalid)
      return false;
    throw error;
  }
}
