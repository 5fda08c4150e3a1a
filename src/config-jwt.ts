import { createPublicKey, type KeyObject } from 'node:crypto';
import { between, setting } from './config-values.ts';

/** The settings of access tokens that an identity provider of the host signs (JSON Web Tokens; decision 0057). */
export const jwtSettings = {
  jwtIssuer: setting(
    'CONFAB_JWT_ISSUER',
    {
      sentence:
        'Accepts JSON Web Tokens of this issuer as access tokens: the exact value of their claim `iss`. It needs CONFAB_JWT_AUDIENCE and one of the three keys below ([docs/users.md](users.md)).',
      values: 'a text such as https://id.example.com',
    },
    (text) => text,
  ),
  jwtAudience: setting(
    'CONFAB_JWT_AUDIENCE',
    {
      sentence: 'The audience that these tokens must name in their claim `aud`.',
      values: 'a text such as confab',
    },
    (text) => text,
  ),
  jwtJwksUrl: setting(
    'CONFAB_JWT_JWKS_URL',
    {
      sentence:
        'The address of the public keys of the issuer (JWKS). Confab reads them again when they rotate. The address must begin with https and be public, or its host must stand in CONFAB_EGRESS_ALLOW.',
      values: 'an https address',
    },
    (text) => text,
  ),
  jwtSecret: setting(
    'CONFAB_JWT_SECRET',
    {
      sentence:
        'Instead of public keys, the secret with which your own server signs the tokens (HS256, with 48 bytes also HS384, with 64 also HS512). As a flag it can be seen in the list of processes: prefer the variable.',
      values: 'at least 32 bytes of text',
      isSecret: true,
    },
    sharedSecret,
  ),
  jwtPublicKey: setting(
    'CONFAB_JWT_PUBLIC_KEY',
    {
      sentence:
        'Instead of an address, the one public key of the issuer: RSA of at least 2048 bits, EC of the curve P-256 or P-384, or Ed25519.',
      values: 'a public key in PEM (line ends may be written `\\n`) or as a JWK',
    },
    publicKey,
  ),
  jwtDirectoryClaim: setting(
    'CONFAB_JWT_DIRECTORY_CLAIM',
    {
      sentence:
        'The claim that names the directory of the user. With this setting, a token without the claim is refused; by default tokens leave the directory as it is.',
      values: 'the name of a claim',
    },
    (text) => text,
  ),
  jwtLifeMinutes: setting(
    'CONFAB_JWT_LIFE_MINUTES',
    {
      sentence:
        'How many minutes may lie between `iat` and `exp` of a token; one that lives longer is refused.',
      values: '1 to 43200',
    },
    between(1, 43_200, 1440),
  ),
  jwtSkewSeconds: setting(
    'CONFAB_JWT_SKEW_SECONDS',
    {
      sentence: 'How many seconds the clocks of the issuer and of this server may differ.',
      values: '0 to 300',
    },
    between(0, 300, 30),
  ),
};

/** The fewest bytes of a secret: HMAC with SHA-256 needs as many as its output has (RFC 7518, section 3.2). */
const secretBytesMin = 32;

function sharedSecret(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // A public key is known to everyone, so anyone could sign with it.
  if (/^\s*(?:-----BEGIN|\{)/.test(text))
    throw new Error('holds a key in PEM or JSON; a public key belongs in CONFAB_JWT_PUBLIC_KEY');
  if (Buffer.byteLength(text) < secretBytesMin) throw new Error(`must have at least ${secretBytesMin} bytes`);
  return text;
}

/** The fewest bits of an RSA key (RFC 7518, section 3.3). */
const rsaBitsMin = 2048;

function publicKey(text: string | undefined): KeyObject | undefined {
  if (text === undefined) return undefined;
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
