import type { Read, Tx } from '../../db/db.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';

/** The entry that attachments belong to. */
export type AttachmentOwner = { readonly appId: number; readonly kind: string; readonly id: number };

/**
 * Turns blobs into attachments of an entry. Throws `validation_failed` with the pointer of the blob that does not
 * exist, is another user's, or is already used.
 */
export async function attachBlobs(
  _tx: Tx,
  _principal: Principal,
  _owner: AttachmentOwner,
  wanted: { blobIds: readonly number[]; at: UnixMs },
): Promise<void> {
  if (wanted.blobIds.length > 0)
    throw invalidField('/blobs/0', 'not_found', 'is no blob of yours that is free');
}

/**
 * Removes the attachments of an entry that are not among `keepIds`; answers how many stay. Throws `validation_failed`
 * with the pointer of an id that is no attachment of this entry.
 */
export async function keepAttachments(
  _tx: Tx,
  _owner: AttachmentOwner,
  _keepIds: readonly number[],
  _at: UnixMs,
): Promise<number> {
  return 0;
}

/** The rendered attachments of some entries of one kind by entry id, in the order they were attached; one statement. */
export async function attachmentsOf(
  _read: Read,
  _viewer: Principal,
  _kind: string,
  _entryIds: readonly number[],
): Promise<Map<number, string[]>> {
  return new Map();
}
