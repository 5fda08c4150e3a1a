/**
 * Verifies deliveries of Confab: plain JavaScript without dependencies, for Node, Deno and Bun. The types, with those of
 * every event, are in webhooks.d.ts, which is made from the contract of the server.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';

const standardPrefix = 'whsec_';
const version = 'v1,';

/** How far the time of a request may be from the receiver's, in seconds, when nobody says. */
const toleranceSecondsDefault = 300;

/** Why a request is refused; `code` is for programs and the message for people. */
export class WebhookVerificationError extends Error {
  /**
   * @param {string} message
   * @param {{ code: string, cause?: unknown }} options
   */
  constructor(message, { code, ...options }) {
    super(message, options);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

/**
 * The one value of a header, whatever holds the headers and however their names are written.
 * @param {any} headers
 * @param {string} name in small letters
 * @returns {string}
 */
function headerOf(headers, name) {
  /** @type {unknown} */
  let value;
  if (typeof headers?.get === 'function') value = headers.get(name);
  else if (typeof headers === 'object' && headers !== null)
    value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (Array.isArray(value) && value.length === 1) value = value[0];
  if (typeof value === 'string' && value !== '') return value;
  if (Array.isArray(value) && value.length > 1)
    throw new WebhookVerificationError(`the header ${name} is there more than once`, {
      code: 'header_repeated',
    });
  throw new WebhookVerificationError(
    name === 'webhook-signature'
      ? 'the header webhook-signature is missing: the webhook has no secret, or something on the way took the header away'
      : `the header ${name} is missing: this is no request of Confab, or something on the way took the header away`,
    { code: 'header_missing' },
  );
}

/**
 * The bytes that were signed.
 * @param {unknown} body
 * @returns {Uint8Array}
 */
function bytesOf(body) {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new WebhookVerificationError(
    'the body must be the text or the bytes as they arrived: what a JSON parser made of them cannot be verified',
    { code: 'body_not_raw' },
  );
}

/**
 * The key of a secret: what follows `whsec_` is base64, any other secret is its own UTF-8.
 * @param {unknown} secret
 * @returns {Uint8Array}
 */
function keyOf(secret) {
  if (typeof secret !== 'string' || secret === '')
    throw new WebhookVerificationError('there is no secret to verify with', { code: 'secret_missing' });
  if (!secret.startsWith(standardPrefix)) return Buffer.from(secret, 'utf8');
  const text = secret.slice(standardPrefix.length);
  const key = Buffer.from(text, 'base64');
  if (key.length === 0 || key.toString('base64') !== text)
    throw new WebhookVerificationError('what follows whsec_ in the secret is no base64', {
      code: 'secret_invalid',
    });
  return key;
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
function isSame(one, other) {
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * @param {string} text
 * @param {number} nowMs
 * @param {number} toleranceSeconds
 */
function assertRecent(text, nowMs, toleranceSeconds) {
  const seconds = Number(text);
  const late = Math.round(nowMs / 1000) - seconds;
  if (-late > toleranceSeconds)
    throw new WebhookVerificationError(
      `the request was signed ${-late} seconds ahead of this clock, and ${toleranceSeconds} are allowed: one of the clocks is wrong`,
      { code: 'timestamp_too_new' },
    );
  // With NaN no comparison holds, and no time is accepted.
  if (!(late <= toleranceSeconds))
    throw new WebhookVerificationError(
      `the request was signed ${late} seconds ago, and ${toleranceSeconds} are allowed: it was held up or sent again by somebody, or this clock is fast`,
      { code: 'timestamp_too_old' },
    );
}

/** @type {typeof import('./webhooks.js').verify} */
export function verify({ body, headers, secret, secrets, toleranceSeconds, now }) {
  const bytes = bytesOf(body);
  // The characters of one text would be secrets that anyone can guess.
  const several = typeof secrets === 'string' ? [secrets] : (secrets ?? []);
  const keys = [...several, ...(secret === undefined ? [] : [secret])].map(keyOf);
  if (keys.length === 0) keyOf(undefined);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((part) => part.startsWith(version))
    .map((part) => Buffer.from(part.slice(version.length), 'base64'));
  if (!/^[0-9]{1,12}$/.test(timestamp))
    throw new WebhookVerificationError(
      `the header webhook-timestamp is no number of seconds: ${timestamp.slice(0, 40)}`,
      { code: 'timestamp_invalid' },
    );
  if (signatures.length === 0)
    throw new WebhookVerificationError('the header webhook-signature holds no signature of version v1', {
      code: 'signature_unknown',
    });
  const isSigned = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest();
    return signatures.some((signature) => isSame(signature, expected));
  });
  if (!isSigned)
    throw new WebhookVerificationError(
      'the signature does not fit: the secret is another one, or the body is not byte for byte what was sent',
      { code: 'signature_mismatch' },
    );
  assertRecent(timestamp, now ?? Date.now(), toleranceSeconds ?? toleranceSecondsDefault);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    throw new WebhookVerificationError('the body is signed and no JSON', {
      code: 'body_not_json',
      cause: error,
    });
  }
}
