/** A blob as stored. */
export type BlobRow = {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly mediaType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly size: number;
  readonly createdById: number;
  /** Who keeps the bytes, and the addresses there; null for an upload. */
  readonly provider: string | null;
  readonly link: string | null;
  readonly download: string | null;
  readonly embed: string | null;
  readonly raw: string | null;
};

/** The columns of `BlobRow`. */
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
