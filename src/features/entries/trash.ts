import type { Tx } from '../../db/db.ts';
import { changeCount } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { takesOver } from '../access/access.ts';
import type { EntryRow } from '../access/entry.sql.ts';
import type { RemovableEntry, RestorableEntry } from '../access/entry-access.ts';
import { hideBelow } from '../files/file-removal.ts';
import { setEntryTrashed } from './entries.store.ts';
import type { EntryChange, Links } from './entries.ts';
import { contentOf, renderContent } from './entry-json.ts';
import { entryDetail, recordEntry } from './entry-view.ts';

type Move = Omit<EntryChange, 'links'>;

/** Puts an entry in the trash and returns it in full. */
export async function trashEntry(call: Move & { readonly on: RemovableEntry }, parts: Links): Promise<Json> {
  return (await setTrashed(call, parts, { isTrashed: true })).detail;
}

/** Takes an entry out of the trash and returns it in full. */
export async function restoreEntry(
  call: Move & { readonly on: RestorableEntry },
  parts: Links,
): Promise<Json> {
  return (await setTrashed(call, parts, { isTrashed: false })).detail;
}

/**
 * Trashes or restores an entry. Doing it twice changes nothing, with one exception: what its author has trashed becomes
 * moderated when somebody else trashes it as well.
 */
export async function setTrashed(
  { tx, caller, at, on }: Move & { readonly on: RemovableEntry | RestorableEntry },
  { links }: Links,
  { isTrashed }: { readonly isTrashed: boolean },
): Promise<{ readonly detail: Json; readonly isChanged: boolean }> {
  const { entry } = on;
  const isMoved = (entry.trashedAt !== null) !== isTrashed;
  if (!isMoved && !takesOver(caller, entry))
    return { detail: await entryDetail({ read: tx, caller, links }, entry), isChanged: false };
  const facts = {
    ...entry,
    trashedAt: isTrashed ? (entry.trashedAt ?? at) : null,
    trashedById: isTrashed ? caller.user.id : null,
  };
  const changed = { ...facts, content: renderContent(facts, contentOf(entry.content)) };
  await tx.run(setEntryTrashed, changed);
  if (isMoved) await countMove(tx, entry, { isTrashed });
  const action = isTrashed ? (`${entry.kind}_trashed` as const) : (`${entry.kind}_restored` as const);
  return { detail: await recordEntry({ tx, caller, at, links }, changed, { action }), isChanged: true };
}

/** Counts an entry among those in the trash or those that are not, and hides or shows what hangs on it. */
async function countMove(tx: Tx, entry: EntryRow, { isTrashed }: { isTrashed: boolean }): Promise<void> {
  const { id, parentType, parentId, kind, appId } = entry;
  const sign = isTrashed ? 1 : -1;
  await changeCount(tx, { parentType, parentId, kind, appId }, { live: -sign, trashed: sign });
  // Nothing but attachments hangs on a comment.
  if (kind === 'post' || entry.attachmentCount > 0)
    await hideBelow(tx, { type: kind, ids: [id], isHidden: isTrashed });
}
