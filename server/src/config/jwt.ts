import { createPublicKey, type KeyObject } from 'node:crypto';
import { between, setting, text } from './values.ts';

/** The settings of access tokens that an identity provider of the host signs (JSON Web Tokens; decision 0057). */
export const jwtSettings = {
  jwtIssuer: setting('CONFAB_JWT_ISSUER', {
    kind: text('a text such as https://id.example.com'),
    sentence:
      'The issuer whose JSON Web Tokens are accepted as access tokens: the exact value of their claim `iss`. It requires CONFAB_JWT_AUDIENCE and one of the three keys below ([docs/users.md](users.md)).',
  }),
  jwtAudience: setting('CONFAB_JWT_AUDIENCE', {
    kind: text('a text such as confab'),
    sentence: 'The audience that these tokens must name in their claim `aud`.',
  }),
  jwtJwksUrl: setting('CONFAB_JWT_JWKS_URL', {
    kind: text('an https address'),
    sentence:
      'The address of the public keys of the issuer (JWKS). Confab reads them again when they rotate. The address must be https and public, or CONFAB_EGRESS_ALLOW must list its host.',
  }),
  jwtSecret: setting('CONFAB_JWT_SECRET', {
    kind: text('at least 32 bytes of text', sharedSecret),
    sentence:
      'The secret with which your own server signs the tokens, instead of public keys (HS256; from 48 bytes on also HS384, from 64 on also HS512).',
    isSecret: true,
  }),
  jwtPublicKey: setting('CONFAB_JWT_PUBLIC_KEY', {
    kind: text('a public key in PEM (line ends may be written `\\n`) or as a JWK', publicKey),
    sentence:
      'The single public key of the issuer, instead of an address: RSA with at least 2048 bits, EC on the curve P-256 or P-384, or Ed25519.',
  }),
  jwtDirectoryClaim: setting('CONFAB_JWT_DIRECTORY_CLAIM', {
    kind: text('the name of a claim'),
    sentence:
      'The claim that names the directory of the user. With this setting, a token without the claim is refused; by default tokens leave the directory as it is.',
  }),
  jwtLifeMinutes: setting('CONFAB_JWT_LIFE_MINUTES', {
    kind: between(1, 43_200),
    default: '1440',
    sentence: 'The most minutes between `iat` and `exp` of a token; tokens with a longer life are refused.',
  }),
  jwtSkewSeconds: setting('CONFAB_JWT_SKEW_SECONDS', {
    kind: between(0, 300),
    default: '30',
    sentence: 'How many seconds the clocks of the issuer and this server may differ.',
  }),
};

/** The fewest bytes of a secret: HMAC with SHA-256 needs as many as its output has (RFC 7518, section 3.2). */
const secretBytesMin = 32;

function sharedSecret(text: string): string {
  // A public key is known to everyone, so anyone could sign with it.
  if (/^\s*(?:-----BEGIN|\{)/.test(text))
    throw new Error('holds a key in PEM or JSON; a public key belongs in CONFAB_JWT_PUBLIC_KEY');
  if (Buffer.byteLength(text) < secretBytesMin) throw new Error(`must have at least ${secretBytesMin} bytes`);
  return text;
}

/** The fewest bits of an RSA key (RFC 7518, section 3.3). */
const rsaBitsMin = 2048;

function publicKey(text: string): KeyObject {
  const key = readPublicKey(text);
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const kind = key.asymmetricKeyType;
  if (kind === 'rsa' && modulusLength < rsaBitsMin) throw new Error(`must have at least ${rsaBitsMin} bits`);
  const isUsable =
    kind === 'rsa' ||
    kind === 'ed25519' ||
    (kind === 'ec' && ['prime256v1', 'secp384r1'].includes(namedCurve));
  if (!isUsable)
    throw new Error('must be an RSA key, an EC key of the curve P-256 or P-384, or an Ed25519 key');
  return key;
}

function readPublicKey(text: string): KeyObject {
  if (/PRIVATE KEY|"d"\s*:/.test(text))
    throw new Error('holds a private key; Confab needs the public one alone');
  try {
    return text.trimStart().startsWith('{')
      ? createPublicKey({ key: JSON.parse(text), format: 'jwk' })
      : createPublicKey(text.replaceAll('\\n', '\n'));
  } catch (error) {
    throw new Error('must be a public key in PEM or as a JWK', { cause: error });
  }
}
