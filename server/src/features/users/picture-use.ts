import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { dropBlobs, useBlobs } from '../blobs/blobs.ts';

/** A blob can be the picture of one user or app, as it can be the content of one file: the row claims and releases it. */

/** The transaction in which a user or an app gets or loses a picture. */
type PictureWrite = { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs };

/** A user or an app, as far as it has a picture. */
type Pictured = { readonly pictureId: number | null };

/**
 * Claims the picture of `after`; call it in the transaction that stores it, before the row. Its bytes count for
 * the app `appId`, if there is one. Throws `validation_failed` for a blob that is in use or belongs to another user.
 */
export async function usePicture(
  { tx, caller, at }: PictureWrite,
  {
    before,
    after,
    appId = null,
  }: { readonly before: Pictured | undefined; readonly after: Pictured; readonly appId?: number | null },
): Promise<void> {
  const id = after.pictureId;
  if (id === null || id === before?.pictureId) return;
  await useBlobs(tx, caller, { ids: [id], appId, pointerOf: () => '/picture', at });
}

/** Releases the picture that `before` has and `after` does not; call it after the row is stored. */
export async function releasePicture(
  { tx, at }: Pick<PictureWrite, 'tx' | 'at'>,
  { before, after }: { readonly before: Pictured; readonly after: Pictured },
): Promise<void> {
  if (before.pictureId !== null && before.pictureId !== after.pictureId)
    await dropBlobs(tx, [before.pictureId], at);
}
