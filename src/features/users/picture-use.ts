import type { Tx } from '../../db/db.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { dropBlobs, useBlobs } from '../blobs/blobs.ts';

/** A blob is the picture of one person as it is the content of one file: taken into use and let go with its row. */

/**
 * Takes the picture of `after` into use; must run in the transaction that stores it, ahead of that. Throws
 * `validation_failed` for a blob that is somebody else's or used already.
 */
export async function takePicture(
  tx: Tx,
  change: { before: User | undefined; after: User },
  doing: { principal: Principal; at: UnixMs },
): Promise<void> {
  const id = change.after.pictureId;
  if (id === null || id === change.before?.pictureId) return;
  await useBlobs(tx, doing.principal, { ids: [id], pointerOf: () => '/picture', at: doing.at });
}

/** Lets go of the picture that `before` had and `after` has no more; must run after the row was stored. */
export async function leavePicture(
  tx: Tx,
  { before, after }: { before: User; after: User },
  at: UnixMs,
): Promise<void> {
  if (before.pictureId !== null && before.pictureId !== after.pictureId)
    await dropBlobs(tx, [before.pictureId], at);
}
