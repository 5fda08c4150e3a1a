import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Seals secrets that the store must be able to return, such as signing secrets of webhooks. It uses AES-256-GCM with a
 * random nonce and a key that is stored outside the database. Each secret is bound to its owner, so it cannot be opened
 * for another one. A box has several keys while one is being replaced: the first seals, all open.
 */

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/**
 * The prefix of a sealed text. Secrets that clients choose cannot start with it, because control characters are refused
 * in them. The number is the version of the format.
 */
export const sealMark = '\u0001sealed1:';
const keyIdCharacters = 8;

/** The length of the key id in a sealed text. */
export const sealCharacters: number = sealMark.length + keyIdCharacters;

/** A key, and the id by which sealed texts refer to it, which reveals nothing about the key. */
export type SecretKey = { readonly id: string; readonly bytes: Buffer };

/** Where a box without keys gets its keys. */
export type KeySource = {
  /** The existing keys, possibly none. */
  find(): readonly SecretKey[];
  /** The existing keys; durably creates a first one if there is none. */
  make(): readonly SecretKey[];
};

/** Seals and opens secrets. `binding` identifies the owner of a secret; opening it needs the same binding. */
export type SecretBox = {
  /** The keys of this box, the sealing one first; empty if none was configured or created. */
  readonly keyIds: readonly string[];
  /** Whether this box can create a first key. */
  readonly canMakeKey: boolean;
  /** Creates a first key if the box has none and can create one. */
  makeKey(): void;
  /** Throws when there is no key. */
  seal(text: string, binding: string): string;
  /**
   * Returns the opened secret; an unsealed text is returned unchanged. Throws an Error for the operator when no key of
   * this box opens it.
   */
  open(stored: string, binding: string): string;
};

/** The prefix of texts that are sealed with a key. */
function sealOf(keyId: string): string {
  return sealMark + keyId;
}

/** The id of the key that sealed a text; undefined when it is not sealed. */
export function keyIdOf(stored: string): string | undefined {
  return stored.startsWith(sealMark) ? stored.slice(sealMark.length, sealCharacters) : undefined;
}

/** A key of 32 random bytes, in the format of files and settings. */
export function makeKeyText(): string {
  return randomBytes(keyBytes).toString('base64');
}

function readKey(text: string): SecretKey {
  const encoding = /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64';
  const bytes = Buffer.from(text, encoding);
  if (
    bytes.length !== keyBytes ||
    bytes.toString(encoding) !== (encoding === 'hex' ? text.toLowerCase() : text)
  )
    throw new Error('must hold keys of 32 bytes in base64 or hex, as "openssl rand -base64 32" makes them');
  const id = createHash('sha256').update('confab secrets key').update(bytes).digest('hex');
  return { id: id.slice(0, keyIdCharacters), bytes };
}

/** Reads keys that are separated by commas or white space. Throws an Error that states the format. */
export function readKeys(text: string): SecretKey[] {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(readKey);
  if (keys.length === 0) throw new Error('holds no key');
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('holds the same key twice');
  return keys;
}

/**
 * The most opened secrets that a box caches: opening costs 19 µs, twice as much as signing, and each webhook is signed
 * for repeatedly.
 */
const openedMax = 1000;

/**
 * A box with these keys; the first one seals. A box without keys reads the source whenever it needs one, because
 * another node may have created it.
 */
export function createSecretBox(initialKeys: readonly SecretKey[], source?: KeySource): SecretBox {
  let keyRing = initialKeys;
  const opened = new Map<string, string>();

  function keys(): readonly SecretKey[] {
    if (keyRing.length === 0 && source !== undefined) keyRing = source.find();
    return keyRing;
  }

  function open(stored: string, binding: string, keyId: string): string {
    const key = keys().find(({ id }) => id === keyId);
    if (key === undefined)
      throw new Error(`the secret of ${binding} is sealed with the key ${keyId}, which is not here`);
    const all = Buffer.from(stored.slice(sealCharacters + 1), 'base64');
    const tag = all.subarray(nonceBytes, nonceBytes + tagBytes);
    try {
      const decipher = createDecipheriv(algorithm, key.bytes, all.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(binding))
        .setAuthTag(tag);
      return decipher.update(all.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new Error(`the secret of ${binding} was changed in the store, or is that of something else`, {
        cause: error,
      });
    }
  }

  return {
    get keyIds() {
      return keys().map(({ id }) => id);
    },
    canMakeKey: source !== undefined,
    makeKey() {
      if (keys().length === 0 && source !== undefined) keyRing = source.make();
    },

    seal(text, binding) {
      const [first] = keys();
      if (first === undefined) throw new Error('there is no key to seal secrets with');
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, first.bytes, nonce).setAAD(Buffer.from(binding));
      const sealed = [cipher.update(text, 'utf8'), cipher.final()];
      const all = Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
      return `${sealOf(first.id)}:${all.toString('base64')}`;
    },

    open(stored, binding) {
      const keyId = keyIdOf(stored);
      if (keyId === undefined) return stored;
      const name = `${binding}\n${stored}`;
      const known = opened.get(name);
      if (known !== undefined) return known;
      const text = open(stored, binding, keyId);
      if (opened.size >= openedMax) opened.clear();
      opened.set(name, text);
      return text;
    },
  };
}
