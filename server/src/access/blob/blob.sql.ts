import type { RowOf } from '../../db/statement.ts';

/** The columns of a blob. */
export const blobColumns = [
  'blobs.id',
  'blobs.key',
  'blobs.name',
  'blobs.media_type as mediaType',
  'blobs.width',
  'blobs.height',
  'blobs.size',
  'blobs.created_by_id as createdById',
  'blobs.provider',
  'blobs.link',
  'blobs.download',
  'blobs.embed',
  'blobs.raw',
] as const;

/** A blob as stored. `provider` and the addresses are null for an upload. */
export type BlobRow = RowOf<'blobs', typeof blobColumns>;
