import type { Tx } from '../../db/db.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import { filesOfApp } from './app-files.store.ts';
import { removeFiles } from './attachments.ts';
import { unindexFiles } from './files.store.ts';

/**
 * Removes the first files of an app for good, with their versions and with what was said about them; answers how many
 * there were. Must run in a transaction, after the app is out of sight; the counts of the app go with the app.
 */
export async function removeFilesOfApp(
  tx: Tx,
  appId: number,
  { top, at }: { top: number; at: UnixMs },
): Promise<number> {
  const files = await tx.all(filesOfApp, { appId, top });
  if (files.length === 0) return 0;
  await removeFiles(tx, files, at);
  tx.later(unindexFiles, { ids: files.map((file) => file.id) });
  return files.length;
}
