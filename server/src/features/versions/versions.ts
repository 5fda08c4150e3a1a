import { notFound } from 'confab-contract/problem.ts';
import type { FileRow } from '../../access/file/file.sql.ts';
import type { ReadableFile } from '../../access/file/file-access.ts';
import type { Read, Tx } from '../../db/db.ts';
import { type VersionRow, versionByNumber } from './versions.store.ts';

/**
 * The versions of a file are its present and its earlier contents. The present content is the version with the number
 * that the file has. That number is the highest: the present content cannot be deleted, and a restored content gets the
 * next number. So a number always means the same content.
 */

/** An earlier version of a file by its number; throws `not_found`. */
export async function getVersion(
  read: Pick<Read | Tx, 'get'>,
  { file }: ReadableFile,
  number: number,
): Promise<VersionRow> {
  const version = await read.get(versionByNumber, { fileId: file.id, number });
  if (version === undefined) throw notFound('version');
  return version;
}

/** The file with an earlier content in place of the present one. */
export function withContent(file: FileRow, { number, at, userId, ...content }: VersionRow): FileRow {
  return { ...file, ...content, version: number, modifiedAt: at, modifiedById: userId };
}
