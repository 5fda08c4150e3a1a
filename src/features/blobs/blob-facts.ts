import type { Read } from '../../db/db.ts';
import type { Json } from '../../kernel/json.ts';
import { renderBlob } from './blob-json.ts';
import type { BlobLinks } from './blob-links.ts';
import { blobsByIds } from './blobs.store.ts';
import { isShrinkable } from './file-kinds.ts';
import { detectMediaType, sampleBytesMax } from './media-type.ts';
import { readPictureSize } from './picture-size.ts';

/** What others need to know of a blob before they use it. */
export type BlobFacts = {
  readonly key: string;
  /** Whether it is a picture that can be shown smaller. */
  readonly isPicture: boolean;
  readonly digest: string | null;
};

/** What there is to know of a blob, whoever has it and whatever became of it; undefined when there is none. */
export async function findBlobFacts(read: Read, id: number): Promise<BlobFacts | undefined> {
  const [blob] = await read.all(blobsByIds, { ids: [id] });
  return blob && { key: blob.key, isPicture: isShrinkable(blob), digest: blob.digest };
}

/** Whether bytes are a picture that can be shown smaller, by their beginning. */
export async function isPicture(bytes: Uint8Array): Promise<boolean> {
  const mediaType = await detectMediaType(bytes.subarray(0, sampleBytesMax), 'picture');
  const size = readPictureSize(bytes, mediaType);
  return size !== undefined && isShrinkable({ ...size, mediaType, provider: null });
}

/** Blobs in the words of the wire, by id. One statement for any number of them. */
export async function renderedBlobs(
  read: Read,
  links: BlobLinks,
  ids: readonly number[],
): Promise<Map<number, Json>> {
  if (ids.length === 0) return new Map();
  const rows = await read.all(blobsByIds, { ids });
  return new Map(rows.map((row) => [row.id, renderBlob(row, links)]));
}
