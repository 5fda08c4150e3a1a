import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Tx } from '../../db/db.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { dropBlobs, useBlobs } from '../blobs/blobs.ts';

/** A blob can be the picture of one user, as it can be the content of one file: the row claims and releases it. */

/** The transaction in which a user gets or loses a picture. */
type PictureWrite = { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs };

/**
 * Claims the picture of `after`; call it in the transaction that stores the user, before the row. Throws
 * `validation_failed` for a blob that is in use or belongs to another user.
 */
export async function usePicture(
  { tx, caller, at }: PictureWrite,
  { before, after }: { readonly before: User | undefined; readonly after: User },
): Promise<void> {
  const id = after.pictureId;
  if (id === null || id === before?.pictureId) return;
  await useBlobs(tx, caller, { ids: [id], appId: null, pointerOf: () => '/picture', at });
}

/** Releases the picture that `before` has and `after` does not; call it after the row is stored. */
export async function releasePicture(
  { tx, at }: PictureWrite,
  { before, after }: { readonly before: User; readonly after: User },
): Promise<void> {
  if (before.pictureId !== null && before.pictureId !== after.pictureId)
    await dropBlobs(tx, [before.pictureId], at);
}
