import { timestamp } from '../../kernel/clock.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { kindOf, previewFormatOf } from '../blobs/file-kinds.ts';
import type { FileRow } from './files.store.ts';

/** More members of a file, rendered, by name: parent, created_by and the like. */
export type FileMembers = { readonly [name: string]: Json | undefined };

/** A file in the words of the wire (specification section 2.5, with `members` beside the fields of an attachment). */
export function renderFile(file: FileRow, links: BlobLinks, members: FileMembers = {}): Json {
  const format = previewFormatOf(file.name, file.mediaType);
  const address = jsonString(links.to({ key: file.blobKey, name: file.name }));
  const optional = [
    file.width === null ? '' : `"width":${file.width},"height":${file.height},`,
    file.metadata === null ? '' : `"metadata":${file.metadata},`,
    format === 'none' ? '' : `"preview_url":${address},`,
    format === 'image' ? `"thumbnail_url":${address},` : '',
    file.modifiedAt === null
      ? ''
      : `"modified_at":"${timestamp(file.modifiedAt)}","modified_by_id":${file.modifiedById},`,
    ...Object.entries(members).map(([name, value]) => (value === undefined ? '' : `"${name}":${value},`)),
  ].join('');
  return json(
    `{"id":${file.id},"app_id":${file.appId},"version":${file.version},"name":${jsonString(file.name)},` +
      `"kind":"${kindOf(file.name)}","media_type":${jsonString(file.mediaType)},"size":${file.size},` +
      `"tags":${file.tags},"download_url":${address},"preview_format":"${format}",${optional}` +
      `"created_at":"${timestamp(file.createdAt)}","created_by_id":${file.createdById},` +
      `"comment_count":${file.commentCount},"comments":[],"is_subscribed":${file.isSubscribed === 1},` +
      `"is_trashed":${file.trashedAt !== null}}`,
  );
}

/** What a file belongs to. */
export function renderFileParent(file: Pick<FileRow, 'parentId' | 'parentType'>): Json {
  return json(`{"id":${file.parentId},"type":"${file.parentType}"}`);
}
