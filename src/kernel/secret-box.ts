import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * How secrets are sealed that the store must give back, such as those that webhooks are signed with: AES-256-GCM with a
 * random nonce, under a key that is kept elsewhere than the store. Each is bound to what it belongs to, so that it opens
 * nowhere else. A box has several keys while one of them is being replaced: the first seals, all open.
 */

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/**
 * What a sealed text begins with. No secret that somebody chose can: control characters are refused in them. The number
 * is that of the format.
 */
export const sealMark = '\u0001sealed1:';
const keyIdCharacters = 8;

/** The length of what says with which key a text is sealed. */
export const sealCharacters: number = sealMark.length + keyIdCharacters;

/** A key, and the name by which a sealed text refers to it, which gives nothing of it away. */
export type SecretKey = { readonly id: string; readonly bytes: Buffer };

/** Where a box that has no key gets its keys from. */
export type KeySource = {
  /** The keys that are there; none where nobody has made one. */
  find(): readonly SecretKey[];
  /** The same, with a first one made, durably, where there is none. */
  make(): readonly SecretKey[];
};

/** Seals and opens. `binding` names what a secret belongs to; the same is needed to open it. */
export type SecretBox = {
  /** The keys of this box, the one that seals first; none where none was given or made. */
  readonly keyIds: readonly string[];
  /** Whether a first key can be made for this box. */
  readonly canMakeKey: boolean;
  /** Has a first key made where the box has none and one can be made. */
  makeKey(): void;
  /** Throws when there is no key. */
  seal(text: string, binding: string): string;
  /**
   * The text of what was sealed; what is not sealed is its own text. Throws an Error for the operator when no key of
   * this box opens it.
   */
  open(kept: string, binding: string): string;
};

/** What the texts begin with that are sealed with a key. */
function sealOf(keyId: string): string {
  return sealMark + keyId;
}

/** The id of the key that a text is sealed with; undefined when it is not sealed. */
export function keyIdOf(kept: string): string | undefined {
  return kept.startsWith(sealMark) ? kept.slice(sealMark.length, sealCharacters) : undefined;
}

/** A key made of 32 random bytes, as it stands in a file or a setting. */
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

/** Reads keys that are separated by commas or white space. Throws an Error that says what they must be. */
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
 * The most secrets that a box remembers as opened: opening costs 19 µs, twice what signing with the secret does, and a
 * webhook is sent for again and again.
 */
const openedMax = 1000;

/**
 * A box with these keys, of which the first seals. One without keys looks into the source whenever it needs one, because
 * another node may have made it.
 */
export function createSecretBox(given: readonly SecretKey[], source?: KeySource): SecretBox {
  let known = given;
  const opened = new Map<string, string>();

  function keys(): readonly SecretKey[] {
    if (known.length === 0 && source !== undefined) known = source.find();
    return known;
  }

  function open(kept: string, binding: string, keyId: string): string {
    const key = keys().find(({ id }) => id === keyId);
    if (key === undefined)
      throw new Error(`the secret of ${binding} is sealed with the key ${keyId}, which is not here`);
    const all = Buffer.from(kept.slice(sealCharacters + 1), 'base64');
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
      if (keys().length === 0 && source !== undefined) known = source.make();
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

    open(kept, binding) {
      const keyId = keyIdOf(kept);
      if (keyId === undefined) return kept;
      const name = `${binding}\n${kept}`;
      const known = opened.get(name);
      if (known !== undefined) return known;
      const text = open(kept, binding, keyId);
      if (opened.size >= openedMax) opened.clear();
      opened.set(name, text);
      return text;
    },
  };
}
