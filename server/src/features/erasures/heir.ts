import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { moveStored } from '../blobs/stored-bytes.ts';
import { contentOf, renderContent } from '../entries/entry-json.ts';
import { recordEntry } from '../entries/entry-view.ts';
import type { Counts, ErasingStep } from './erasures.ts';
import { deleteReactions, giveReactions, reactedEntries, takeReactions } from './owned-rows.store.ts';
import { entriesByIds, giveBlobs, giveFiles, setAuthor } from './walks.store.ts';

/** What an erasure gives to the heir of a user, in place of removing it. */

/**
 * Makes some entries of a user those of the heir. Each has an event, so that mirrors of the content follow; its words and
 * its times stay.
 */
export async function moveEntriesToHeir(
  tx: Tx,
  { ids, heirId }: { readonly ids: readonly number[]; readonly heirId: number },
  { person: { userId }, caller, at, links }: ErasingStep,
): Promise<void> {
  const inherits = (id: number | null) => (id === userId ? heirId : id);
  // Visitors alone have heirs, and events are for users and webhooks.
  const change = { tx, at, caller: { ...caller, kind: 'token' } satisfies Principal, links };
  await moveAttachments(tx, { ids, userId, heirId });
  for (const entry of await tx.all(entriesByIds, { ids })) {
    const facts = {
      ...entry,
      createdById: heirId,
      modifiedById: inherits(entry.modifiedById),
      trashedById: inherits(entry.trashedById),
    };
    const changed = { ...facts, content: renderContent(facts, contentOf(entry.content)) };
    await tx.run(setAuthor, changed);
    await recordEntry(change, changed, { action: `${entry.kind}_updated` });
  }
}

/** Makes what a user attached to some comments that of the heir, and counts its bytes there. */
async function moveAttachments(
  tx: Tx,
  {
    ids,
    userId,
    heirId,
  }: { readonly ids: readonly number[]; readonly userId: number; readonly heirId: number },
): Promise<void> {
  await tx.run(giveFiles, { entryIds: ids, userId, heirId });
  const blobs = await tx.all(giveBlobs, { entryIds: ids, userId, heirId });
  await moveStored(tx, blobs, { fromId: userId, toId: heirId });
}

/** Makes some reactions of a user those of the heir; of two to one entry, that of the heir stays. */
export async function moveReactionsToHeir(
  tx: Tx,
  rows: readonly { readonly id: number; readonly entryId: number }[],
  heirId: number,
): Promise<Counts> {
  const entryIds = rows.map(({ entryId }) => entryId);
  const reacted = new Set(
    (await tx.all(reactedEntries, { userId: heirId, entryIds })).map(({ entryId }) => entryId),
  );
  const movable = rows.filter(({ entryId }) => !reacted.has(entryId));
  const duplicates = rows.filter(({ entryId }) => reacted.has(entryId));
  await tx.run(giveReactions, { ids: movable.map(({ id }) => id), heirId });
  await tx.run(deleteReactions, { ids: duplicates.map(({ id }) => id) });
  await tx.run(takeReactions, { entryIds: duplicates.map(({ entryId }) => entryId) });
  return { reactions: rows.length };
}
