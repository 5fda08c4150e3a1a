import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { Db } from '../../db/db.ts';
import { insertSetting, settingOf } from '../../db/settings.ts';

const setting = 'receipt_key';

/** The private key that signs receipts (PKCS #8, base64), made at the first use of a store. */
async function privateKey(db: Db): Promise<string> {
  const known = await db.read.get(settingOf, { name: setting });
  if (known !== undefined) return known.value;
  const privateKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' });
  return await db.write(async (tx) => {
    await tx.run(insertSetting, { name: setting, value: privateKey.toString('base64') });
    const row = await tx.get(settingOf, { name: setting });
    if (row === undefined) throw new Error('the key of the receipts was not kept');
    return row.value;
  });
}

/**
 * Creates the signature of receipts: a JSON Web Signature (RFC 7515, compact serialisation, RFC 8037 for Ed25519) with
 * the public key in its header. The key stays the same for the life of a store.
 */
export async function receiptSigner(db: Db): Promise<(receipt: object) => string> {
  const der = Buffer.from(await privateKey(db), 'base64');
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { crv, kty, x } = createPublicKey(key).export({ format: 'jwk' });
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const header = encoded({ alg: 'EdDSA', typ: 'confab-receipt', jwk: { crv, kty, x } });
  return (receipt) => {
    const signed = `${header}.${encoded(receipt)}`;
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
  };
}
