import type { Db, Tx } from '../../db/db.ts';
import { entryIndex } from '../../db/search-index.ts';
import { changeCount, dropCount, orphanBelow, orphanedTally } from '../../db/tallies.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { assertMayRemove } from '../access/access.ts';
import { removeAttachments } from '../attachments/attachments.ts';
import { hideBelow } from '../files/file-removal.ts';
import { type Entry, type EntryKind, entryKinds, readableEntry, recordEntry } from './entries.ts';
import {
  deleteEntries,
  deleteOptionsOfEntries,
  deleteSubscriptionsToEntries,
  deleteTagsOfEntries,
  entriesBelow,
} from './entry-removal.store.ts';

/**
 * Deleting an entry takes it away at once with all it holds. What hangs on it, such as the comments on a post or on an
 * attachment, is out of sight at once and taken away in batches, so that the one writer is not held by a post with a
 * hundred thousand comments. What is left to do is written in the counts, so a stop in between loses nothing.
 */

/** How many entries one transaction takes away: short comments with a tag take some ten milliseconds. */
const entriesPerBatch = 500;

/** Deletes an entry for good, in the trash or not, and answers what it was; throws `not_found` or `edit_forbidden`. */
export async function deleteEntry(
  tx: Tx,
  principal: Principal,
  resource: EntryKind,
  id: number,
  at: UnixMs,
): Promise<Entry> {
  const { entry, app } = await readableEntry(tx, principal, resource, id, 'any');
  assertMayRemove(principal, app, entry);
  await recordEntry(tx, principal, resource, entry, { action: `${resource.kind}_deleted`, at });
  const { kind, appId, parentType, parentId } = entry;
  await removeEntries(tx, { kind, ids: [id], at });
  const isTrashed = entry.trashedAt !== null;
  const by = { live: isTrashed ? 0 : -1, trashed: isTrashed ? -1 : 0 };
  await changeCount(tx, { kind, appId, parentType, parentId }, by);
  return entry;
}

/** Takes entries of one kind away with all they hold; who calls changes the counts of their parents. */
async function removeEntries(
  tx: Tx,
  { kind, ids, at }: { kind: string; ids: readonly number[]; at: UnixMs },
): Promise<void> {
  await hideBelow(tx, { type: kind, ids, isHidden: true });
  await orphanBelow(tx, { type: kind, ids, at });
  await removeAttachments(tx, { kind, ids }, at);
  await tx.run(deleteTagsOfEntries, { ids });
  await tx.run(deleteOptionsOfEntries, { ids });
  await tx.run(deleteSubscriptionsToEntries, { kind, ids });
  await tx.run(deleteEntries, { ids });
  for (const id of ids) tx.later(entryIndex, { id, words: null });
}

/** Takes away one batch of what hung on something that is deleted; answers whether there may be more. */
export async function removeOrphans({ db, clock }: { db: Db; clock: Clock }): Promise<boolean> {
  const tally = await orphanedTally(db.read, entryKinds);
  if (tally === undefined) return false;
  await db.write(async (tx) => {
    const { parentType, parentId, kind } = tally;
    const rows = await tx.all(entriesBelow, { parentType, parentId, kind, top: entriesPerBatch });
    if (rows.length > 0) {
      await removeEntries(tx, { kind, ids: rows.map(({ id }) => id), at: clock.now() });
      const trashed = rows.filter(({ trashedAt }) => trashedAt !== null).length;
      await changeCount(tx, tally, { live: trashed - rows.length, trashed: -trashed });
    }
    if (rows.length < entriesPerBatch) await dropCount(tx, tally);
  });
  return true;
}
