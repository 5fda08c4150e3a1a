import type { EntryRow } from '../../access/entry/entry.sql.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import { heldState, isHeld } from '../../access/held.ts';
import type { Editable, Moderatable } from '../../access/item-rights.ts';
import type { Json } from '../../kernel/json.ts';
import { noAnchor } from '../anchors/anchor-body.ts';
import { enterQueue, type Holding } from '../moderation/queue.ts';
import type { Links, Move } from './entries.ts';
import { queuedEntry, renderContent } from './entry-json.ts';
import { entryDetail, partsBefore, recordEntry } from './entry-view.ts';
import { setState } from './trash.ts';

/**
 * Holds an entry, so that only its author and moderators see it, and returns it in full. Repeating it changes nothing.
 * Two events tell of it: one with the entry for those who still see it, and for the others one as of an entry that goes
 * to the trash, without what it says.
 */
export async function holdEntry(
  call: Move<Moderatable<ReadableEntry> | Editable<ReadableEntry>>,
  { links }: Links,
  { byId, ...why }: Holding & { readonly byId: number } = { reason: 'moderator', byId: call.caller.user.id },
): Promise<Json> {
  const { at, on } = call;
  const change = { ...call, links };
  if (isHeld(on.entry)) return await entryDetail({ ...call, read: call.tx, links }, on.entry);
  const [parts, without] = await Promise.all([
    partsBefore(change, on.entry),
    partsBefore(change, emptied(on.entry)),
  ]);
  const entry = await setState(call, heldState(why.reason, { byId, at, isUnannounced: 0 }));
  await enterQueue(call, queuedEntry(entry), why);
  await recordEntry(change, emptied(entry), { action: `${entry.kind}_trashed`, parts: without });
  return await recordEntry(change, entry, { action: `${entry.kind}_held`, parts });
}

/** An entry as one in the trash without its content. */
function emptied(entry: EntryRow): EntryRow {
  const nothing = { attachmentCount: 0, optionCount: 0, reactionCount: 0, embedId: null, meetingId: null };
  const facts = { ...entry, ...nothing, ...noAnchor, heldAt: null };
  return { ...facts, content: renderContent(facts, { tags: [] }) };
}
