import type { Tx } from '../../db/db.ts';
import { changeCount } from '../../db/tallies.ts';
import type { Action } from '../../events/events.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { assertMayRemove, assertNotModerated, takesOver } from '../access/access.ts';
import { hideBelow } from '../files/file-removal.ts';
import { setEntryTrashed } from './entries.store.ts';
import { type Entry, type EntryKind, readableEntry, recordEntry } from './entries.ts';
import { contentOf, renderContent } from './entry-json.ts';

/**
 * Trashes or restores an entry; doing it twice changes nothing, except that what its author trashed becomes moderated
 * when somebody else trashes it as well. Throws `not_found`, `edit_forbidden` or `moderated`.
 */
export async function setEntryTrash(
  tx: Tx,
  principal: Principal,
  resource: EntryKind,
  id: number,
  { isTrashed, at }: { isTrashed: boolean; at: UnixMs },
): Promise<{ entry: Entry; isChanged: boolean }> {
  const { entry, app } = await readableEntry(tx, principal, resource, id, 'any');
  assertMayRemove(principal, app, entry);
  if (!isTrashed) assertNotModerated(principal, entry);
  const isMoved = (entry.trashedAt !== null) !== isTrashed;
  if (!isMoved && !takesOver(principal, entry)) return { entry, isChanged: false };
  const facts = {
    ...entry,
    trashedAt: isTrashed ? (entry.trashedAt ?? at) : null,
    trashedById: isTrashed ? principal.user.id : null,
  };
  const changed = { ...facts, content: renderContent(facts, contentOf(entry.content)) };
  await tx.run(setEntryTrashed, changed);
  if (isMoved) await countMove(tx, entry, { isTrashed });
  const action = isTrashed ? `${resource.kind}_trashed` : `${resource.kind}_restored`;
  await recordEntry(tx, principal, resource, changed, { action: action as Action, at });
  return { entry: changed, isChanged: true };
}

/** Counts an entry among those in the trash or those that are not, and hides or shows what hangs on it. */
async function countMove(tx: Tx, entry: Entry, { isTrashed }: { isTrashed: boolean }): Promise<void> {
  const { id, parentType, parentId, kind, appId } = entry;
  const sign = isTrashed ? 1 : -1;
  await changeCount(tx, { parentType, parentId, kind, appId }, { live: -sign, trashed: sign });
  // Nothing but attachments hangs on a comment.
  if (kind === 'post' || entry.attachmentCount > 0)
    await hideBelow(tx, { type: kind, ids: [id], isHidden: isTrashed });
}
