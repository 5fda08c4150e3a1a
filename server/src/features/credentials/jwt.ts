import type { KeyObject } from 'node:crypto';
import { Problem } from 'confab-contract/problem.ts';
import { ownUidFault, uidFault } from 'confab-contract/values/ids.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { directoryOfVisitors } from '../../kernel/principal.ts';
import { readProfileClaims } from '../users/profile-claims.ts';
import type { UserChange } from '../users/user-change.ts';
import { refused, UnknownCredential } from './refusals.ts';

/**
 * JSON Web Tokens of the host's identity provider (RFC 7519, with the advice of RFC 8725): only the algorithms that fit
 * the configured key, never `none`; keys that a token itself names or carries are ignored.
 */

/** The source of keys that verify tokens: a secret, one public key, or the keys that a provider publishes. */
export type JwtKey = Uint8Array | KeyObject | JWTVerifyGetKey;

/** The rules for tokens. */
export type JwtRules = {
  readonly issuer: string;
  readonly audience: string;
  readonly key: JwtKey;
  /** The claim that names the directory of the user; tokens leave directories alone when absent. */
  readonly directoryClaim: string | undefined;
  readonly lifeMsMax: number;
  readonly skewMs: number;
};

/** The claims of a verified token. Times are Unix milliseconds; the end includes the clock skew. */
export type JwtClaims = {
  readonly uid: string;
  readonly issuedAt: UnixMs;
  readonly expiresAt: UnixMs;
  readonly profile: UserChange;
};

/** The most characters of a token; providers stay below 2 KiB, and with many groups below 8 KiB. */
const tokenCharactersMax = 8192;

const publicAlgorithms = {
  rsa: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  ed25519: ['EdDSA', 'Ed25519'],
} as const;

/** The algorithms of HMAC with the bytes that their key needs (RFC 7518, section 3.2). */
const secretAlgorithms = [
  ['HS256', 32],
  ['HS384', 48],
  ['HS512', 64],
] as const;

function algorithmsOf(key: JwtKey): string[] {
  if (key instanceof Uint8Array)
    return secretAlgorithms.filter(([, bytes]) => key.length >= bytes).map(([name]) => name);
  if (typeof key === 'function') return Object.values(publicAlgorithms).flat();
  const kind = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType;
  return [...publicAlgorithms[kind as keyof typeof publicAlgorithms]];
}

/** Makes the function that verifies a token; it throws `invalid_credential`, with a detail that repeats nothing. */
export function createJwtVerifier(
  rules: JwtRules,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): (token: string) => Promise<JwtClaims> {
  const { issuer, audience, skewMs } = rules;
  const { key } = rules;
  const keyOf = typeof key === 'function' ? key : async () => key;
  const algorithms = algorithmsOf(key);
  return async (token) => {
    if (token.length > tokenCharactersMax)
      throw refused(`The access token has more than ${tokenCharactersMax} characters.`);
    const signature = token.slice(token.lastIndexOf('.') + 1);
    // Unused bits of the last character would let one token have several texts.
    if (Buffer.from(signature, 'base64url').toString('base64url') !== signature)
      throw new UnknownCredential(badSignature);
    const now = clock.now();
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms,
      issuer,
      audience,
      clockTolerance: skewMs / 1000,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'iat', 'exp'],
    }).catch((error: unknown) => {
      if (error instanceof Problem) throw error;
      // A key of the provider that is too short or malformed, which no caller can help.
      if (!(error instanceof errors.JOSEError))
        log.warn({ err: error }, 'an access token could not be verified');
      throw isSigned(error) ? refused(detailOf(error)) : new UnknownCredential(detailOf(error));
    });
    return claimsOf(payload, rules, now);
  };
}

/** Whether the issuer has signed the token that was refused: claims are judged after the signature. */
function isSigned(error: unknown): boolean {
  return error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed;
}

const badSignature = 'The signature of the access token is not valid.';

function detailOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The access token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.reason === 'missing'
      ? `The access token has no claim ${error.claim}.`
      : `The claim ${error.claim} of the access token is not accepted here.`;
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'The algorithm of the access token is not accepted here.';
  if (error instanceof errors.JWSSignatureVerificationFailed) return badSignature;
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'The access token names no key of the identity provider.';
  return 'The access token is not a JSON Web Token that is accepted here.';
}

function claimsOf(payload: JWTPayload, rules: JwtRules, now: UnixMs): JwtClaims {
  const { sub: uid, iat, exp } = payload;
  const { directoryClaim, lifeMsMax, skewMs } = rules;
  if (typeof uid !== 'string' || typeof iat !== 'number' || typeof exp !== 'number')
    throw refused('The claims sub, iat and exp of the access token are a text and two numbers.');
  if (iat * 1000 > now + skewMs) throw refused('The access token was issued in the future.');
  if ((exp - iat) * 1000 > lifeMsMax)
    throw refused('The access token is valid for longer than is accepted here.');
  const fault = ownUidFault('user', uid);
  if (fault !== undefined) throw refused(`The claim sub of the access token ${fault}.`);
  const profile = readProfileClaims(payload);
  return {
    uid,
    issuedAt: iat * 1000,
    expiresAt: exp * 1000 + skewMs,
    profile:
      directoryClaim === undefined
        ? profile
        : { ...profile, directory: { uid: directoryIn(payload, directoryClaim) } },
  };
}

/**
 * The name of a directory. One of digits is refused, because it would be taken for the id of another directory, and that
 * of the directory of visitors, which is not open to users of a product.
 */
function directoryIn(payload: JWTPayload, claim: string): string {
  const name = payload[claim];
  if (typeof name !== 'string' || uidFault(name) !== undefined)
    throw refused(`The claim ${claim} of the access token names no directory.`);
  if (name === directoryOfVisitors)
    throw refused(
      `The claim ${claim} of the access token names the directory of visitors, which is reserved.`,
    );
  return name;
}
