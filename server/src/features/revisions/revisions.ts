import { revisionLimits } from 'confab-contract/revisions.ts';
import type { EntryRow } from '../../access/entry/entry.sql.ts';
import type { Tx } from '../../db/db.ts';
import { attachmentIds } from '../attachments/attachments.ts';
import { pollOptions } from '../options/poll.ts';
import { deleteOldRevisions, insertRevision } from './revisions.store.ts';

/**
 * The revisions of an entry are what it said before each of its edits. An edit stores what it replaces, so creating an
 * entry stores none, and the first edit of an imported entry, or of one from an earlier release, keeps what that said.
 * They are removed with the entry.
 */

/** The content of an entry, in the form that is stored when an edit replaces it. */
export type Revision = {
  readonly entryId: number;
  readonly createdAt: number;
  readonly createdById: number;
  readonly content: string;
};

/** The content of an entry for a revision. Read it in the transaction of an edit, before the edit changes anything. */
export async function revisionOf(
  tx: Tx,
  entry: EntryRow,
  { html, plain, ...words }: { readonly html?: string; readonly plain?: string },
): Promise<Revision> {
  const content = {
    ...words,
    ...(entry.anchor === null ? {} : { anchor: JSON.parse(entry.anchor) }),
    attachment_ids: entry.attachmentCount === 0 ? [] : await attachmentIds(tx, entry),
    options: entry.optionCount === 0 ? [] : await pollOptions(tx, entry.id),
  };
  return {
    entryId: entry.id,
    createdAt: entry.modifiedAt ?? entry.createdAt,
    createdById: entry.modifiedById ?? entry.createdById,
    content: JSON.stringify(content),
  };
}

/** Stores a revision, and removes the oldest of the same entry beyond `revisionLimits`. */
export async function keepRevision(tx: Tx, revision: Revision): Promise<void> {
  await tx.run(insertRevision, revision);
  await tx.run(deleteOldRevisions, { entryId: revision.entryId, ...revisionLimits });
}
