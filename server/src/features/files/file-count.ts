import type { UnixMs } from 'confab-contract/values/time.ts';
import type { FileRow } from '../../access/file/file.sql.ts';
import { countChange, isHeld, type State } from '../../access/held.ts';
import type { Tx } from '../../db/db.ts';
import { changeCount } from '../../db/tallies.ts';
import { refreshNotifications } from '../notifications/refresh.ts';
import { hideBelow } from './file-removal.ts';

/** The count of the files of an app. */
export function tallyOf(appId: number) {
  return { parentType: 'app', parentId: appId, kind: 'file', appId };
}

/**
 * Counts a file that goes from one state to another, and hides or shows the comments on it and all notifications. Must run
 * after the state is written.
 */
export async function moveCount(
  { tx, at }: { readonly tx: Tx; readonly at: UnixMs },
  before: FileRow,
  after: Pick<State, 'trashedAt' | 'heldAt'>,
): Promise<void> {
  await changeCount(tx, tallyOf(before.appId), countChange(before, after));
  const isHidden = after.trashedAt !== null;
  const isMoved = isHidden !== (before.trashedAt !== null);
  // Refusing hides nothing more, but ends the wait of which notifications tell.
  if (!isMoved && isHeld(before) === isHeld(after)) return;
  const file = { type: 'file', ids: [before.id] };
  const below = isMoved ? await hideBelow(tx, { ...file, isHidden }) : [];
  for (const things of [file, ...below]) await refreshNotifications({ tx, at }, things);
}
