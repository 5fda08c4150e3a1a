import { invalidField } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Read, Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { useBlobs } from '../blobs/blobs.ts';
import { renderFile } from '../files/file-json.ts';
import { removeFiles } from '../files/file-removal.ts';
import type { FileView } from '../files/file-view.ts';
import { attachmentsOfEntries, filesOfEntries, insertAttachments } from './attachments.store.ts';

/**
 * Attachments are files that belong to a comment, post or message. Everyone who can see the entry can see them. They
 * change by editing the entry, and lists of files leave them out.
 */

/** The entry that attachments belong to. */
export type AttachmentOwner = { readonly appId: number; readonly kind: string; readonly id: number };

/**
 * Turns blobs into attachments of an entry, in four statements for any number. Throws `validation_failed` with the
 * pointer of a blob that does not exist, belongs to another user, or is already used, and `storage_quota_reached`.
 */
export async function attachBlobs(
  { tx, caller, at }: { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs },
  { appId, kind, id }: AttachmentOwner,
  blobIds: readonly number[],
): Promise<void> {
  if (blobIds.length === 0) return;
  const pointerOf = (index: number) => `/blobs/${index}`;
  // What else visitors have uploaded is the picture of themselves, in the bytes that they sent.
  const isRemadeOnly = caller.kind === 'visitor';
  await useBlobs(tx, caller, { ids: blobIds, appId, pointerOf, at, isRemadeOnly });
  await tx.run(insertAttachments, { appId, kind, entryId: id, blobIds, at, userId: caller.user.id });
}

/**
 * Throws `validation_failed` for pictures of a visitor whose text waits for approval: their addresses would show nothing
 * until then, so a moderator would approve what nobody has seen.
 */
export function assertNoPictures({ kind }: Principal, blobIds: readonly number[]): void {
  if (kind === 'visitor' && blobIds.length > 0)
    throw invalidField('/blobs', 'not_allowed', 'cannot be added while what you write waits for approval');
}

/**
 * Removes the attachments of an entry that are not among `keepIds`, with the comments on them; returns how many remain.
 * Throws `validation_failed` with the pointer of an id that is not an attachment of this entry.
 */
export async function keepAttachments(
  { tx, at }: { readonly tx: Tx; readonly at: UnixMs },
  owner: AttachmentOwner,
  keepIds: readonly number[],
): Promise<number> {
  const present = await tx.all(filesOfEntries, { kind: owner.kind, entryIds: [owner.id] });
  const presentIds = new Set(present.map((file) => file.id));
  const wrong = keepIds.findIndex((id) => !presentIds.has(id));
  if (wrong !== -1) throw invalidField(`/attachments/${wrong}`, 'not_found', 'is no attachment of this');
  const keep = new Set(keepIds);
  const removed = present.filter((file) => !keep.has(file.id));
  if (removed.length === 0) return keep.size;
  await removeFiles(tx, removed, at);
  return keep.size;
}

/** The ids of the attachments of an entry, in the order in which they were attached. */
export async function attachmentIds(
  read: Read,
  { kind, id }: Pick<AttachmentOwner, 'kind' | 'id'>,
): Promise<number[]> {
  const files = await read.all(filesOfEntries, { kind, entryIds: [id] });
  return files.map((file) => file.id).sort((one, other) => one - other);
}

/** Removes every attachment of some entries of one kind permanently; must run in the transaction that deletes them. */
export async function removeAttachments(
  tx: Tx,
  owners: { kind: string; ids: readonly number[] },
  at: UnixMs,
): Promise<void> {
  await removeFiles(tx, await tx.all(filesOfEntries, { kind: owners.kind, entryIds: owners.ids }), at);
}

/** The rendered attachments of some entries of one kind by entry id, in the order they were attached; one statement. */
export async function attachmentsOf(
  view: FileView & { readonly read: Read },
  entries: { readonly kind: string; readonly ids: readonly number[] },
): Promise<Map<number, string[]>> {
  const { read, caller } = view;
  const rendered = new Map<number, string[]>();
  const rows = await read.all(attachmentsOfEntries, {
    userId: caller.user.id,
    kind: entries.kind,
    entryIds: entries.ids,
  });
  for (const row of rows) {
    const list = rendered.get(row.parentId);
    if (list === undefined) rendered.set(row.parentId, [renderFile(row, view)]);
    else list.push(renderFile(row, view));
  }
  return rendered;
}
