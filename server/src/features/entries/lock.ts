import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import type { Moderatable } from '../../access/item-rights.ts';
import type { Json } from '../../kernel/json.ts';
import { setEntryLocked } from './entries.store.ts';
import type { Links, Move } from './entries.ts';
import { contentOf, renderContent } from './entry-json.ts';
import { entryDetail, recordEntry } from './entry-view.ts';

/** Locks a post with its comments from a time on, or unlocks it with null, and returns it in full. */
export async function setPostLocked(
  call: Move<Moderatable<ReadableEntry>>,
  { links }: Links,
  lockedAt: number | null,
): Promise<Json> {
  const { tx, on } = call;
  const change = { ...call, links };
  if (on.entry.lockedAt === lockedAt) return await entryDetail({ ...change, read: tx }, on.entry);
  const facts = { ...on.entry, lockedAt };
  const locked = { ...facts, content: renderContent(facts, contentOf(on.entry.content)) };
  await tx.run(setEntryLocked, locked);
  return await recordEntry(change, locked, { action: lockedAt === null ? 'post_unlocked' : 'post_locked' });
}
