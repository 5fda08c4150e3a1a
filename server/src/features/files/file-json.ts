import { timestamp } from 'confab-contract/values/time.ts';
import type { FileRow } from '../../access/file/file.sql.ts';
import { isHeld } from '../../access/held.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { commentsOfFile, fileFields } from '../../second-form/shapes/file.ts';
import { renderExternalAddress } from '../blobs/blob-json.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { isShrinkable, kindOf, type PreviewFormat, previewFormatOf } from '../media/file-kinds.ts';
import { type QueuedItem, queuedItem } from '../moderation/queue.ts';

/** Additional rendered fields of a file by name, such as parent and created_by. */
export type FileExtras = { readonly [name: string]: Json | undefined };

/** The address that shows a file: that of a preview, of the file itself, or at its provider. */
function previewAddress(file: FileRow, links: BlobLinks, format: PreviewFormat): string | null {
  const linked = { key: file.blobKey, name: file.name };
  if (format === 'none') return null;
  if (format === 'embed') return file.embed;
  if (format === 'text' || format === 'code') return links.to(linked, 'preview');
  if (format === 'image' && isShrinkable(file)) return links.to(linked, 'preview');
  return links.to(linked);
}

/** The fields of a file with addresses of its bytes. */
function renderAddresses(file: FileRow, links: BlobLinks): string {
  const format = previewFormatOf(file);
  const preview = previewAddress(file, links, format);
  const linked = { key: file.blobKey, name: file.name };
  return [
    file.provider === null ? `"download_url":${jsonString(links.to(linked))},` : '',
    `"preview_format":"${format}",`,
    preview === null ? '' : `"preview_url":${jsonString(preview)},`,
    format === 'image' && isShrinkable(file)
      ? `"thumbnail_url":${jsonString(links.to(linked, 'thumbnail'))},`
      : '',
  ].join('');
}

/** What the second form shows besides. */
function newerFields({ appId, version, modifiedAt }: FileRow, extras: FileExtras): string {
  return fileFields({ appId, version, updatedAt: modifiedAt, updatedBy: extras['modified_by'] });
}

/** For whom a file is rendered, and what makes the addresses in it. */
type FileRendering = { readonly caller: Pick<Principal, 'form'>; readonly links: BlobLinks };

/** A file as clients see it (specification section 2.5, with `extras` in addition to the fields of an attachment). */
export function renderFile(
  file: FileRow,
  { caller: { form }, links }: FileRendering,
  extras: FileExtras = {},
): Json {
  const optional = [
    file.width === null ? '' : `"width":${file.width},"height":${file.height},`,
    file.metadata === null ? '' : `"metadata":${file.metadata},`,
    file.modifiedAt === null
      ? ''
      : `"modified_at":"${timestamp(file.modifiedAt)}","modified_by_id":${file.modifiedById},`,
    file.lockedAt === null ? '' : `"locked_at":"${timestamp(file.lockedAt)}",`,
    ...Object.entries(extras).map(([name, value]) => (value === undefined ? '' : `"${name}":${value},`)),
  ].join('');
  return json(
    `{"id":${file.id},"app_id":${file.appId},"version":${file.version},"name":${jsonString(file.name)},` +
      `"kind":"${kindOf(file.name)}","media_type":${jsonString(file.mediaType)},"size":${file.size},` +
      `"tags":${file.tags},${renderAddresses(file, links)}${optional}` +
      `"created_at":"${timestamp(file.createdAt)}","created_by_id":${file.createdById},` +
      `"comment_count":${file.commentCount},"comments":${form === undefined ? '[]' : commentsOfFile(file.commentCount)},"is_subscribed":${file.isSubscribed === 1},` +
      `${isHeld(file) ? '"is_trashed":false,"is_held":true' : `"is_trashed":${file.trashedAt !== null}`}` +
      `${renderExternalAddress(file)}${form === undefined ? '' : newerFields(file, extras)}}`,
  );
}

/** A file as moderators see it in their queue. */
export function queuedFile(file: FileRow): QueuedItem {
  return queuedItem(file, { type: 'file', name: file.name });
}

/** The app or entry that a file belongs to. */
export function renderFileParent(file: Pick<FileRow, 'parentId' | 'parentType'>): Json {
  return json(`{"id":${file.parentId},"type":"${file.parentType}"}`);
}
