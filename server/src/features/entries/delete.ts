import type { UnixMs } from 'confab-contract/values/time.ts';
import type { EntryKind, EntryRow } from '../../access/entry/entry.sql.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import { countIn } from '../../access/held.ts';
import type { Removable } from '../../access/item-rights.ts';
import type { Read, Tx } from '../../db/db.ts';
import { entryIndex } from '../../db/search-index.ts';
import { changeCount, dropCount, orphanBelow, orphanedTally, type Tally } from '../../db/tallies.ts';
import { appendAll } from '../../events/append-all.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { removeAttachments } from '../attachments/attachments.ts';
import { hideBelow } from '../files/file-removal.ts';
import { closeReportsOf } from '../moderation/queue.ts';
import { refreshNotifications } from '../notifications/refresh.ts';
import { endSubscriptions } from '../notifications/subscriptions.ts';
import { blank, type JsonFields } from '../redactions/blank.ts';
import { queueRedaction } from '../redactions/redactions.ts';
import { actorOf } from '../users/user-json.ts';
import { deleteEntries, deleteOptionsOfEntries, deleteTagsOfEntries, entriesBelow } from './delete.store.ts';
import { type EntryChange, entryKinds, type Links } from './entries.ts';
import { recordDeletion } from './entry-view.ts';
import { findLastMessage } from './last-message.store.ts';
import { countRemoved } from './removed-counts.ts';
import { deletePlaces } from './replies.store.ts';
import { findInThreads, leaveThreads } from './replies.ts';

/**
 * Deleting an entry removes it at once with everything in it. Content below it, such as the comments on a post or on an
 * attachment, is hidden at once and removed in batches, so that a post with a hundred thousand comments does not block
 * the one writer. The counts store the remaining work, so nothing is lost when the server stops in between.
 */

/** How many entries one transaction removes: short comments with a tag take some ten milliseconds. */
const entriesPerBatch = 500;

/** Deletes an entry permanently, in the trash or not. */
export async function deleteEntry(
  { tx, caller, at, on }: Omit<EntryChange, 'links'> & { readonly on: Removable<ReadableEntry> },
  { links }: Links,
): Promise<undefined> {
  const { entry } = on;
  await recordDeletion({ tx, caller, at, links }, entry);
  const { id, kind, appId, parentType, parentId } = entry;
  await removeFromThreads(tx, { kind, ids: [id], at });
  const { live, trashed } = countIn(entry);
  await changeCount(tx, { kind, appId, parentType, parentId }, { live: -live, trashed: -trashed });
  if (kind === 'message') await tx.run(findLastMessage, { appId });
}

/**
 * Removes entries of one kind with everything in them. The caller updates the counts of their parents. What the log
 * repeats of their texts is removed later.
 */
async function removeEntries(
  tx: Tx,
  { kind, ids, at }: { kind: EntryKind; ids: readonly number[]; at: UnixMs },
): Promise<void> {
  await hideBelow(tx, { type: kind, ids, isHidden: true });
  await orphanBelow(tx, { type: kind, ids, at });
  await removeAttachments(tx, { kind, ids }, at);
  await queueRedaction(tx, { type: kind, ids, at });
  await tx.run(deleteTagsOfEntries, { ids });
  await tx.run(deleteOptionsOfEntries, { ids });
  await endSubscriptions(tx, { type: kind, ids });
  await closeReportsOf(tx, { type: kind, ids, at });
  await tx.run(deleteEntries, { ids });
  for (const id of ids) tx.defer(entryIndex, { id, words: null });
  await refreshNotifications({ tx, at }, { type: kind, ids });
}

/** Removes entries as `removeEntries` does, and leaves the threads that they are in as they are without them. */
async function removeFromThreads(tx: Tx, removed: Parameters<typeof removeEntries>[1]): Promise<void> {
  const { kind, ids, at } = removed;
  const threaded = kind === 'comment' ? await findInThreads(tx, ids) : [];
  await removeEntries(tx, removed);
  if (threaded.length > 0) await leaveThreads(tx, threaded, at);
}

/** An entry with what decides how it counts for its parent. */
export type CountedEntry = Pick<
  EntryRow,
  'id' | 'kind' | 'appId' | 'parentType' | 'parentId' | 'trashedAt' | 'heldAt'
>;

/** Removes entries of any kind and parent with everything in them, and counts them less; appends no event. */
async function removeCounted(tx: Tx, entries: readonly CountedEntry[], at: UnixMs): Promise<void> {
  for (const [kind, some] of Map.groupBy(entries, (entry) => entry.kind))
    await removeFromThreads(tx, { kind, ids: some.map(({ id }) => id), at });
  const byParent = Map.groupBy(
    entries,
    ({ kind, parentType, parentId }) => `${kind} ${parentType} ${parentId}`,
  );
  for (const some of byParent.values()) if (some[0] !== undefined) await countRemoved(tx, some[0], some);
  const chats = new Set(entries.filter(({ kind }) => kind === 'message').map(({ appId }) => appId));
  for (const appId of chats) await tx.run(findLastMessage, { appId });
}

/**
 * Deletes entries as `removeCounted` does, and appends the event of each deletion: with what the entry was and where, and
 * without its words.
 */
export async function deleteWithEvents(
  tx: Tx,
  entries: readonly (CountedEntry & { readonly content: string })[],
  { caller, at }: { readonly caller: Pick<Principal, 'user' | 'apiKeyId'>; readonly at: UnixMs },
): Promise<void> {
  await removeCounted(tx, entries, at);
  for (const [kind, some] of Map.groupBy(entries, (entry) => entry.kind)) {
    const events = some.map((entry) => ({
      actor: actorOf(caller),
      appId: entry.appId,
      entity: { id: entry.id, json: wordlessEntry(entry) },
    }));
    // The actions of the three kinds carry the same.
    await appendAll(tx, { action: `${kind}_deleted` as 'comment_deleted', at }, events);
  }
}

function wordlessEntry({
  id,
  kind,
  parentId,
  parentType,
  content,
}: CountedEntry & { readonly content: string }): Json {
  const parent = { id: parentId, type: parentType };
  const parts = { attachments: [], options: [], reactions: [] };
  const ofPost = kind === 'post' ? { comment_count: 0, comments: [], is_subscribed: false } : {};
  return json(
    JSON.stringify(blank({ id, parent, ...(JSON.parse(content) as JsonFields), ...ofPost, ...parts })),
  );
}

/** Removes one batch of the content below deleted items; returns whether there was any. */
export async function removeOrphans(tx: Tx, at: UnixMs): Promise<boolean> {
  const tally = await orphanedTally(tx, entryKinds);
  if (tally === undefined) return false;
  const { parentType, parentId, kind } = tally;
  const rows = await tx.all(entriesBelow, { parentType, parentId, kind, top: entriesPerBatch });
  if (rows.length > 0) {
    await removeEntries(tx, { kind, ids: rows.map(({ id }) => id), at });
    await countRemoved(tx, tally, rows);
  }
  if (rows.length < entriesPerBatch) await dropThreads(tx, tally);
  return true;
}

/** Whether content below deleted items is left. */
export async function hasOrphans(read: Read): Promise<boolean> {
  return (await orphanedTally(read, entryKinds)) !== undefined;
}

/** Removes what threads leave below a deleted item once its entries are gone, and its count last. */
async function dropThreads(tx: Tx, tally: Tally & { readonly kind: EntryKind }): Promise<void> {
  const { parentType, parentId } = tally;
  if (tally.kind === 'comment') {
    const places = await tx.changed(deletePlaces, { parentType, parentId, top: entriesPerBatch });
    if (places === entriesPerBatch) return;
    for (const kind of ['answer', 'resolved']) await dropCount(tx, { ...tally, kind });
  }
  await dropCount(tx, tally);
}
