import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The text form of credentials: a prefix that says what it is, 32 random base62 characters and their CRC-32 as 6 more.
 * The checksum lets a typing mistake be refused without asking the store, and secret scanners recognise the shape.
 */

/**
 * `wys_` begins an API key, `wyu_` an access token; existing clients look at these prefixes. `wyc_` begins a session of the
 * console, `wyl_` a link that begins one. `wyv_` begins the access token of a visitor, `wyr_` the secret that renews it,
 * `wyo_` a code of a window that signs in, `wyt_` what a window waits with for the code of a mail, and `wym_` a link in one.
 */
const prefixes = {
  key: 'wys_',
  token: 'wyu_',
  session: 'wyc_',
  link: 'wyl_',
  visitor: 'wyv_',
  renewal: 'wyr_',
  code: 'wyo_',
  ticket: 'wyt_',
  mailed: 'wym_',
} as const;
const kinds = {
  wys_: 'key',
  wyu_: 'token',
  wyc_: 'session',
  wyl_: 'link',
  wyv_: 'visitor',
  wyr_: 'renewal',
  wyo_: 'code',
  wyt_: 'ticket',
  wym_: 'mailed',
} as const;

/** The kind of a credential. */
export type CredentialKind = keyof typeof prefixes;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomCharacters = 32;
const checkCharacters = 6;

function checkOf(text: string): string {
  let rest = crc32(text);
  let check = '';
  for (let i = 0; i < checkCharacters; i += 1) {
    check = alphabet.charAt(rest % 62) + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}

/** A new credential of a kind: 190 random bits. */
export function makeSecret(kind: CredentialKind): string {
  let body = prefixes[kind];
  for (let i = 0; i < randomCharacters; i += 1) body += alphabet.charAt(randomInt(62));
  return body + checkOf(body);
}

const shape = /^(wy[suclvrotm]_)[0-9A-Za-z]{38}$/;

/** The kind of a credential, or undefined when it was not made by `makeSecret` or was mistyped. */
export function kindOfSecret(secret: string): CredentialKind | undefined {
  const prefix = shape.exec(secret)?.[1] as keyof typeof kinds | undefined;
  if (prefix === undefined) return undefined;
  if (checkOf(secret.slice(0, -checkCharacters)) !== secret.slice(-checkCharacters)) return undefined;
  return kinds[prefix];
}

/** The hash of a credential that the store keeps. Its randomness makes a slow hash pointless. */
export function hashSecret(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer');
}

/** A credential as `makeSecret` makes them: its kind, and the hash by which the store knows it. */
export type ReadSecret = { readonly kind: CredentialKind; readonly hash: Uint8Array };

/** How many credentials are kept of each generation; there are two. */
const generationMax = 1000;

/**
 * Creates the function that reads a credential; undefined for a text that is none. The credentials that were sent last are
 * remembered with their hashes in this process, because each client sends its own with every request and hashing one
 * costs a tenth of reading a comment. Nothing but their texts and hashes is remembered, so a revoked one is refused as
 * before.
 */
export function secretReader(): (secret: string) => ReadSecret | undefined {
  let young = new Map<string, ReadSecret>();
  let old = young;
  return (secret) => {
    const known = young.get(secret);
    if (known !== undefined) return known;
    const kind = kindOfSecret(secret);
    if (kind === undefined) return undefined;
    const read = old.get(secret) ?? { kind, hash: hashSecret(secret) };
    if (young.size >= generationMax) {
      old = young;
      young = new Map();
    }
    young.set(secret, read);
    return read;
  };
}

/** `wyu_` may precede a JSON Web Token, because existing clients take no token without it. */
const jwtShape = /^(?:wyu_)?([\w-]+\.[\w-]+\.[\w-]*)$/;

/** The JSON Web Token in a credential, or undefined when the credential has another form. */
export function jwtIn(credential: string): string | undefined {
  return jwtShape.exec(credential)?.[1];
}
