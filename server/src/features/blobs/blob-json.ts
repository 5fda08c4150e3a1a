import type { BlobRow } from '../../access/blob/blob.sql.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { hasThumbnail } from '../media/file-kinds.ts';
import type { BlobLinks } from './blob-links.ts';

function text(name: string, value: string | null): string {
  return value === null ? '' : `,"${name}":${jsonString(value)}`;
}

/** The addresses of a file stored elsewhere, as additional fields of an object; empty for an upload. */
export function renderExternalAddress(
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

/** A blob as clients see it. */
export function renderBlob(blob: Omit<BlobRow, 'createdById'>, links: BlobLinks): Json {
  const size = blob.width === null ? '' : `"width":${blob.width},"height":${blob.height},`;
  const thumbnail = hasThumbnail(blob) ? `,"thumbnail_url":${jsonString(links.to(blob, 'thumbnail'))}` : '';
  return json(
    `{"id":${blob.id},"name":${jsonString(blob.name)},"media_type":${jsonString(blob.mediaType)},` +
      `${size}"size":${blob.size}${thumbnail}${renderExternalAddress(blob)}}`,
  );
}
