/** The content of a file or of one of its versions, as its blob tells. */
export type ContentRow = {
  readonly blobKey: string;
  readonly mediaType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly size: number;
  readonly provider: string | null;
  readonly link: string | null;
  readonly download: string | null;
  readonly embed: string | null;
  readonly raw: string | null;
};

/** The columns of `ContentRow`. */
export const contentColumns = [
  'blobs.key as blobKey',
  'blobs.media_type as mediaType',
  'blobs.width',
  'blobs.height',
  'blobs.size',
  'blobs.provider',
  'blobs.link',
  'blobs.download',
  'blobs.embed',
  'blobs.raw',
] as const;
