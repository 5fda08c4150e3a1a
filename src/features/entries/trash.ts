import type { Tx } from '../../db/db.ts';
import { changeCount } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { makesModerated } from '../access/access.ts';
import type { EntryRow } from '../access/entry.sql.ts';
import type { ReadableEntry, RemovableEntry, RestorableEntry } from '../access/entry-access.ts';
import { hideBelow } from '../files/file-removal.ts';
import { setEntryTrashed } from './entries.store.ts';
import type { EntryChange, Links } from './entries.ts';
import { contentOf, renderContent } from './entry-json.ts';
import { entryDetail, recordEntry } from './entry-view.ts';

type Move = Omit<EntryChange, 'links'>;

/** The entry in full after it was trashed or restored, and whether anything changed. */
type Moved = { readonly detail: Json; readonly isChanged: boolean };

/**
 * Puts an entry in the trash. Repeating it changes nothing, with one exception: an entry that its author trashed
 * becomes moderated when another user trashes it as well.
 */
export async function trashEntry(call: Move & { readonly on: RemovableEntry }, parts: Links): Promise<Moved> {
  const { caller, at } = call;
  const { entry } = call.on;
  const isMoved = entry.trashedAt === null;
  if (!isMoved && !makesModerated(caller, entry)) return await unchanged(call, parts);
  const trash = { trashedAt: entry.trashedAt ?? at, trashedById: caller.user.id };
  return await setTrash(call, parts, { ...trash, isMoved });
}

/** Takes an entry out of the trash. Repeating it changes nothing. */
export async function restoreEntry(
  call: Move & { readonly on: RestorableEntry },
  parts: Links,
): Promise<Moved> {
  if (call.on.entry.trashedAt === null) return await unchanged(call, parts);
  return await setTrash(call, parts, { trashedAt: null, trashedById: null, isMoved: true });
}

async function unchanged(
  { tx, caller, on }: Move & { readonly on: ReadableEntry },
  { links }: Links,
): Promise<Moved> {
  return { detail: await entryDetail({ read: tx, caller, links }, on.entry), isChanged: false };
}

async function setTrash(
  { tx, caller, at, on: { entry } }: Move & { readonly on: RemovableEntry | RestorableEntry },
  { links }: Links,
  { isMoved, ...trash }: Pick<EntryRow, 'trashedAt' | 'trashedById'> & { readonly isMoved: boolean },
): Promise<Moved> {
  const facts = { ...entry, ...trash };
  const changed = { ...facts, content: renderContent(facts, contentOf(entry.content)) };
  await tx.run(setEntryTrashed, changed);
  const isTrashed = changed.trashedAt !== null;
  if (isMoved) await countMove(tx, entry, { isTrashed });
  const action = isTrashed ? (`${entry.kind}_trashed` as const) : (`${entry.kind}_restored` as const);
  return { detail: await recordEntry({ tx, caller, at, links }, changed, { action }), isChanged: true };
}

/** Counts an entry as trashed or as live, and hides or shows the content below it. */
async function countMove(tx: Tx, entry: EntryRow, { isTrashed }: { isTrashed: boolean }): Promise<void> {
  const { id, parentType, parentId, kind, appId } = entry;
  const sign = isTrashed ? 1 : -1;
  await changeCount(tx, { parentType, parentId, kind, appId }, { live: -sign, trashed: sign });
  // A comment has only attachments below it.
  if (kind === 'post' || entry.attachmentCount > 0)
    await hideBelow(tx, { type: kind, ids: [id], isHidden: isTrashed });
}
