import type { Tx } from '../../db/db.ts';
import { fileIndex } from '../../db/search-index.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import { filesOfApp } from './app-files.store.ts';
import { removeFiles } from './attachments.ts';

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
  for (const { id } of files) tx.later(fileIndex, { id, words: null });
  return files.length;
}
