import { invalidField } from 'confab-contract/problem.ts';
import { parseId } from 'confab-contract/values/ids.ts';
import type { AppView } from '../../access/access.ts';
import type { Read } from '../../db/db.ts';
import type { Picture } from '../../features/apps/app-body.ts';
import type { BlobLinks } from '../../features/blobs/blob-links.ts';
import { findOwnBlobs } from '../../features/blobs/blobs.ts';
import { isShrinkable } from '../../features/media/file-kinds.ts';
import { notPicture } from '../../features/media/media.ts';
import type { Principal } from '../../kernel/principal.ts';

/** The id of the blob that a request names as a picture. */
export function readPictureId(input: string | number): number {
  const id = parseId(String(input));
  if (id === undefined) throw invalidField('/picture', 'invalid', 'must be the id of a blob');
  return id;
}

/**
 * The picture that an app gets from a blob, or with null none. Throws `validation_failed` for a blob of another user and for
 * one that is no picture; whether it is free is seen when it is used.
 */
export async function pictureOf(
  { read, caller, links }: { readonly read: Read; readonly caller: Principal; readonly links: BlobLinks },
  app: AppView,
  id: number | null,
): Promise<Picture> {
  if (id === null) return { pictureId: null, pictureUrl: null };
  if (id === app.pictureId) return app;
  const blob = (await findOwnBlobs(read, caller, [id])).get(id);
  if (blob === undefined) throw invalidField('/picture', 'not_found', 'is no blob of yours that is free');
  if (!isShrinkable(blob)) throw notPicture('/picture');
  return { pictureId: id, pictureUrl: links.toPicture(blob.key) };
}
