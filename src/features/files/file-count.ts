import type { Tx } from '../../db/db.ts';
import { changeCount } from '../../db/tallies.ts';
import type { FileRow } from '../access/file.sql.ts';
import { hideBelow } from './file-removal.ts';

/** The count of the files of an app. */
export function tallyOf(appId: number) {
  return { parentType: 'app', parentId: appId, kind: 'file', appId };
}

/** Counts a file as trashed or as live, and hides or shows the comments on it. */
export async function moveCount(tx: Tx, file: FileRow, { isTrashed }: { isTrashed: boolean }): Promise<void> {
  const sign = isTrashed ? 1 : -1;
  await changeCount(tx, tallyOf(file.appId), { live: -sign, trashed: sign });
  await hideBelow(tx, { type: 'file', ids: [file.id], isHidden: isTrashed });
}
