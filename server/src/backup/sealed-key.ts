import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

/**
 * The key of webhook secrets, sealed with a passphrase for a backup: scrypt makes the key of AES-256-GCM from it. It is
 * bound to the id of its backup.
 */

const algorithm = 'aes-256-gcm';
/** 128 MiB of memory and about 0.4 s for each passphrase that is tried. */
const costs = { N: 2 ** 17, r: 8, p: 1, maxmem: 192 * 1024 * 1024 } as const;

type Sealed = {
  readonly format: 'scrypt-aes-256-gcm';
  readonly salt: string;
  readonly nonce: string;
  readonly tag: string;
  readonly text: string;
};

/** Seals the text of a file of keys. */
export function sealKeyText(text: string, passphrase: string, backupId: string): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(algorithm, scryptSync(passphrase, salt, 32, costs), nonce);
  cipher.setAAD(Buffer.from(backupId));
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const sealed: Sealed = {
    format: 'scrypt-aes-256-gcm',
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    text: bytes.toString('base64'),
  };
  return `${JSON.stringify(sealed)}\n`;
}

/** Opens what `sealKeyText` made. Throws an Error for the operator when the passphrase is another one. */
export function openKeyText(sealedText: string, passphrase: string, backupId: string): string {
  const { salt, nonce, tag, text } = JSON.parse(sealedText) as Sealed;
  const bytes = (base64: string) => Buffer.from(base64, 'base64');
  const key = scryptSync(passphrase, bytes(salt), 32, costs);
  const decipher = createDecipheriv(algorithm, key, bytes(nonce), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(backupId)).setAuthTag(bytes(tag));
  try {
    return decipher.update(bytes(text), undefined, 'utf8') + decipher.final('utf8');
  } catch (error) {
    throw new Error(
      `the key of webhook secrets in the backup ${backupId} is sealed with another passphrase`,
      {
        cause: error,
      },
    );
  }
}
