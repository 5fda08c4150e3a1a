import type { Read } from '../../db/db.ts';
import type { Json } from '../../kernel/json.ts';
import { isShrinkable } from '../media/file-kinds.ts';
import { renderBlob } from './blob-json.ts';
import type { BlobLinks } from './blob-links.ts';
import { blobsByIds } from './blobs.store.ts';

/** The facts about a blob that decide whether and how others can use it. */
export type BlobFacts = {
  readonly key: string;
  /** Whether it is a picture that can be shrunk. */
  readonly isPicture: boolean;
  readonly digest: string | null;
};

/** The facts about a blob of any user, in use or not; undefined when there is none. */
export async function findBlobFacts(read: Read, id: number): Promise<BlobFacts | undefined> {
  const [blob] = await read.all(blobsByIds, { ids: [id] });
  return blob && { key: blob.key, isPicture: isShrinkable(blob), digest: blob.digest };
}

/** Rendered blobs by id; one statement for any number of them, none for an empty list. */
export async function renderedBlobs(
  read: Read,
  links: BlobLinks,
  ids: readonly number[],
): Promise<Map<number, Json>> {
  if (ids.length === 0) return new Map();
  const rows = await read.all(blobsByIds, { ids });
  return new Map(rows.map((row) => [row.id, renderBlob(row, links)]));
}
