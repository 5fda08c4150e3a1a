import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { BlobLinks } from './blob-links.ts';
import type { BlobRow } from './blobs.store.ts';
import { hasThumbnail } from './file-kinds.ts';

function text(name: string, value: string | null): string {
  return value === null ? '' : `,"${name}":${jsonString(value)}`;
}

/** Where something that is kept elsewhere is to be found, as members after others; nothing for an upload. */
export function renderOtherPlace(
  blob: Pick<BlobRow, 'provider' | 'link' | 'download' | 'embed' | 'raw'>,
): string {
  if (blob.provider === null) return '';
  return (
    text('provider', blob.provider) +
    text('external_url', blob.link) +
    text('download_url', blob.download) +
    text('embed_url', blob.embed) +
    text('raw', blob.raw)
  );
}

/** A blob in the words of the wire. */
export function renderBlob(blob: Omit<BlobRow, 'createdById'>, links: BlobLinks): Json {
  const size = blob.width === null ? '' : `"width":${blob.width},"height":${blob.height},`;
  const thumbnail = hasThumbnail(blob) ? `,"thumbnail_url":${jsonString(links.to(blob, 'thumbnail'))}` : '';
  return json(
    `{"id":${blob.id},"name":${jsonString(blob.name)},"media_type":${jsonString(blob.mediaType)},` +
      `${size}"size":${blob.size}${thumbnail}${renderOtherPlace(blob)}}`,
  );
}
