import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fetched, fetchBackup } from './fetch.ts';
import { fileNames } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { openKeyText } from './sealed-key.ts';

/**
 * Restores a backup, with the whole log that continues from it, to a temporary folder, checks everything in it and removes
 * the folder. The key is opened if there is a passphrase. Throws `Damage` when the manifest is missing or damaged; other
 * damage is in the result.
 */
export async function verifyBackup({
  place,
  id,
  passphrase,
}: {
  readonly place: BackupPlace;
  readonly id: string;
  readonly passphrase: string | undefined;
}): Promise<Fetched> {
  const folder = await mkdtemp(join(tmpdir(), 'confab-verify-'));
  try {
    const fetched = await fetchBackup({ place, id, folder, upTo: Number.POSITIVE_INFINITY });
    if (fetched.damage.length === 0 && fetched.manifest.key === 'sealed' && passphrase !== undefined)
      openKeyText(await readFile(join(folder, fileNames.key), 'utf8'), passphrase, id);
    return fetched;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
