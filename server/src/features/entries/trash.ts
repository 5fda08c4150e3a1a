import type { EntryRow } from '../../access/entry/entry.sql.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import { countChange, isHeld, type State, shown, trashedState } from '../../access/held.ts';
import type { Approvable, Removable, Restorable } from '../../access/item-rights.ts';
import { authorOf } from '../../access/user/user-access.ts';
import { changeCount } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { hideBelow } from '../files/file-removal.ts';
import { countApproved } from '../moderation/approvals.ts';
import { leaveQueue } from '../moderation/queue.ts';
import { refreshNotifications } from '../notifications/refresh.ts';
import { setEntryState } from './entries.store.ts';
import type { Links, Move } from './entries.ts';
import { contentOf, renderContent } from './entry-json.ts';
import { entryDetail, partsBefore, recordEntry } from './entry-view.ts';
import { findLastMessage } from './last-message.store.ts';
import { recountAnswer } from './replies.ts';
import { recountResolved, reopenAnswered } from './resolving.ts';

/**
 * Puts an entry in the trash and returns it in full. Repeating it changes nothing, with one exception: an entry that its
 * author trashed becomes moderated when another user trashes it as well.
 */
export async function trashEntry(call: Move<Removable<ReadableEntry>>, { links }: Links): Promise<Json> {
  const { caller, at, on } = call;
  const change = { ...call, links };
  const state = trashedState(on.entry, { byId: caller.user.id, at });
  if (state === undefined) return await entryDetail({ ...change, read: call.tx }, on.entry);
  const parts = await partsBefore(change, on.entry);
  const changed = await setState(call, state);
  return await recordEntry(change, changed, { action: `${changed.kind}_trashed`, parts });
}

/** Takes an entry out of the trash, or approves a held one, and returns it in full. Repeating it changes nothing. */
export async function restoreEntry(
  call: Move<Restorable<ReadableEntry> | Approvable<ReadableEntry>>,
  { links }: Links,
): Promise<Json> {
  const { tx, caller, on } = call;
  const { kind, trashedAt, isUnannounced, createdById } = on.entry;
  if (trashedAt === null) return await entryDetail({ ...call, read: call.tx, links }, on.entry);
  const change = { ...call, links };
  const author = isUnannounced === 1 ? { ...change, caller: await authorOf(tx, createdById) } : undefined;
  const [parts, partsOfAuthor] = await Promise.all([
    partsBefore(change, on.entry),
    author && partsBefore(author, on.entry),
  ]);
  const changed = await setState(call, shown);
  if (isUnannounced === 1) await countApproved(tx, on.app, createdById);
  if (author === undefined) await recordEntry(change, changed, { action: `${kind}_restored`, parts });
  else {
    await recordEntry(author, changed, { action: `${kind}_created`, parts: partsOfAuthor });
    await reopenAnswered(author, changed, on.app);
  }
  if (isHeld(on.entry)) return await recordEntry(change, changed, { action: `${kind}_approved`, parts });
  return await entryDetail({ read: tx, caller, links }, changed);
}

/** Writes the state of an entry with all that depends on it, and returns the entry. */
export async function setState(move: Move<ReadableEntry>, state: State): Promise<EntryRow> {
  const {
    tx,
    on: { entry },
  } = move;
  const facts = { ...entry, ...state };
  const changed = { ...facts, content: renderContent(facts, contentOf(entry.content)) };
  await tx.run(setEntryState, changed);
  const { id, parentType, parentId, kind, appId } = entry;
  await changeCount(tx, { parentType, parentId, kind, appId }, countChange(entry, changed));
  await recountAnswer(tx, entry, changed);
  await recountResolved(tx, entry, changed);
  const isHidden = changed.trashedAt !== null;
  // A comment has only attachments below it.
  if (isHidden !== (entry.trashedAt !== null)) {
    const hasBelow = kind === 'post' || entry.attachmentCount > 0;
    const below = hasBelow ? await hideBelow(tx, { type: kind, ids: [id], isHidden }) : [];
    for (const things of below) await refreshNotifications(move, things);
  }
  // Refusing hides nothing more, but ends the wait of which notifications tell.
  if (isHidden !== (entry.trashedAt !== null) || isHeld(entry) !== isHeld(changed))
    await refreshNotifications(move, { type: kind, ids: [id] });
  await leaveQueue(move, { type: kind, id }, { before: entry, after: changed });
  if (kind === 'message') await tx.run(findLastMessage, { appId });
  return changed;
}
