import { createHash } from 'node:crypto';
import { Problem } from 'confab-contract/problem.ts';
import type { JsonBody } from '../bodies/body.ts';
import type { HttpRequest } from '../request.ts';

/** A key by which a client marks a request and its retries (draft-ietf-httpapi-idempotency-key-header). */
export type IdempotencyKey = {
  /** 1 to 255 visible ASCII characters. */
  readonly key: string;
  /** SHA-256 of the method, the address, the body and the form of the answer, which are the same in every retry. */
  readonly fingerprint: Uint8Array;
};

const charactersMax = 255;
// A string of RFC 9651, as the draft specifies, or the bare characters that most clients send. Two headers are joined
// with a comma and a space, which no key has.
const quoted = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;
const bare = /^[\x21\x23-\x7e][\x21-\x7e]*$/;

/** The key of a request, if it has one. Throws `invalid_idempotency_key`. */
export function idempotencyKeyOf(request: HttpRequest): IdempotencyKey | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  const text = String(header);
  const key = quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? bare.exec(text)?.[0];
  if (key === undefined || key.length > charactersMax)
    throw new Problem(
      'invalid_idempotency_key',
      `Idempotency-Key must be 1 to ${charactersMax} visible ASCII characters, bare or as a string in double quotes.`,
    );
  const bytes = (request.body as JsonBody | undefined)?.bytes ?? '';
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`).update(bytes);
  if (request.form !== undefined) hash.update('\nin the second form');
  return { key, fingerprint: hash.digest() };
}
