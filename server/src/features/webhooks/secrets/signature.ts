import { createHmac, type Hmac, randomBytes } from 'node:crypto';
import { invalidField } from 'confab-contract/problem.ts';

/**
 * The headers with which receivers verify a delivery. Two conventions are always sent: the hex digest of the exact body
 * (as GitHub sends it, and under this product's own name), and Standard Webhooks, which also signs id and time. Stripe's,
 * which signs time and body, is optional.
 */

const standardPrefix = 'whsec_';
/** The lengths of a key that Standard Webhooks allows. */
const standardKeyBytesMin = 24;
const standardKeyBytesMax = 64;

const controlCharacter = /\p{Cc}/u;

/** The length of a generated key. */
const madeKeyBytes = 32;

/** The input of a signature. `at` is the time of the attempt in Unix milliseconds. */
export type Signable = {
  readonly guid: string;
  readonly body: string;
  readonly at: number;
  /** The valid secrets, the current one first; empty for an unsigned delivery. */
  readonly secrets: readonly string[];
};

/** How signatures are sent. */
export type Signing = {
  /** The beginning of the names of this product's own headers, such as `X-Weavy`. */
  readonly headerPrefix: string;
  /** Whether `Stripe-Signature` is sent as well. */
  readonly isStripe: boolean;
};

/** Generates a secret: `whsec_` and the base64 of 32 random bytes. */
export function makeWebhookSecret(): string {
  return standardPrefix + randomBytes(madeKeyBytes).toString('base64');
}

/** Reads the secret of a request; throws `validation_failed` at `/secret` when it cannot be a key. */
export function readSecret(input: string): string {
  const fault = secretFault(input);
  if (fault !== undefined) throw invalidField('/secret', 'secret', fault);
  return input;
}

/**
 * Why `secret` cannot be a key, or undefined when it can. It must have no control characters, which do not survive
 * pasting, and after `whsec_` the base64 of 24 to 64 bytes, which verifiers decode.
 */
function secretFault(secret: string): string | undefined {
  if (controlCharacter.test(secret)) return 'must not contain control characters';
  if (!secret.startsWith(standardPrefix)) return undefined;
  const text = secret.slice(standardPrefix.length);
  const key = Buffer.from(text, 'base64');
  const isBase64 = key.toString('base64') === text;
  if (isBase64 && key.length >= standardKeyBytesMin && key.length <= standardKeyBytesMax) return undefined;
  return `must be ${standardPrefix} and the base64 of ${standardKeyBytesMin} to ${standardKeyBytesMax} bytes, or begin otherwise`;
}

/**
 * Begins the Standard Webhooks signature; only the prefix decides whether the secret is decoded. The key is passed as
 * text with its encoding, because a Buffer costs five times as much here (27 against 5 µs for a pair of digests).
 */
function standardHmac(secret: string): Hmac {
  return secret.startsWith(standardPrefix)
    ? createHmac('sha256', secret.slice(standardPrefix.length), { encoding: 'base64' })
    : createHmac('sha256', secret);
}

/**
 * The headers that identify and sign one attempt, without signatures if there is no secret. The hex digests are keyed
 * with the whole secret as UTF-8, including its prefix. While a secret is being rotated, conventions that allow several
 * signatures carry one for each secret; the hex digest is made with the current one.
 */
export function signatureHeaders(
  { guid, body, at, secrets }: Signable,
  { headerPrefix, isStripe }: Signing,
): Record<string, string> {
  const seconds = String(Math.floor(at / 1000));
  const identity = { 'webhook-id': guid, 'webhook-timestamp': seconds };
  const [first] = secrets;
  if (first === undefined) return identity;
  const hex = `sha256=${createHmac('sha256', first).update(body).digest('hex')}`;
  const signed = `${guid}.${seconds}.${body}`;
  const standard = secrets.map((secret) => `v1,${standardHmac(secret).update(signed).digest('base64')}`);
  return {
    ...identity,
    'webhook-signature': standard.join(' '),
    'X-Hub-Signature-256': hex,
    [`${headerPrefix}-Signature`]: hex,
    ...(isStripe ? { 'Stripe-Signature': stripeSignature({ seconds, body, secrets }) } : {}),
  };
}

/** Time and body under the whole secret as UTF-8, one digest for each secret. */
function stripeSignature({
  seconds,
  body,
  secrets,
}: {
  seconds: string;
  body: string;
  secrets: readonly string[];
}): string {
  const digests = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'),
  );
  return [`t=${seconds}`, ...digests.map((digest) => `v1=${digest}`)].join(',');
}
