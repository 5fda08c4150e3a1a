import type { Tx } from '../../db/db.ts';
import { changeCount } from '../../db/tallies.ts';
import type { FileRow } from '../access/file.sql.ts';
import { countChange, type State } from '../access/held.ts';
import { hideBelow } from './file-removal.ts';

/** The count of the files of an app. */
export function tallyOf(appId: number) {
  return { parentType: 'app', parentId: appId, kind: 'file', appId };
}

/** Counts a file that goes from one state to another, and hides or shows the comments on it. */
export async function moveCount(
  tx: Tx,
  before: FileRow,
  after: Pick<State, 'trashedAt' | 'heldAt'>,
): Promise<void> {
  await changeCount(tx, tallyOf(before.appId), countChange(before, after));
  const isHidden = after.trashedAt !== null;
  if (isHidden !== (before.trashedAt !== null))
    await hideBelow(tx, { type: 'file', ids: [before.id], isHidden });
}
