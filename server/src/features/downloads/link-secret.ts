import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/db.ts';
import { insertSetting, settingOf } from '../../db/settings.ts';

const setting = 'blob_link_secret';

/** The secret that signs the addresses of blobs, created at the first start of a store. */
export async function linkSecret(db: Db): Promise<string> {
  const secret = randomBytes(32).toString('hex');
  return await db.write(async (tx) => {
    await tx.run(insertSetting, { name: setting, value: secret });
    const row = await tx.get(settingOf, { name: setting });
    if (row === undefined) throw new Error('the secret of the addresses was not kept');
    return row.value;
  });
}
