import { Problem } from 'confab-contract/problem.ts';
import type { FileRow } from '../../access/file/file.sql.ts';
import type { Tx } from '../../db/db.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import { readName } from '../media/file-name.ts';
import { deleteFileTags, insertFileTags } from './files.store.ts';

/** The readers of the fields that a create request and an update request have in common. */
export const fileReaders = { name: readName, tags: normaliseTags } as const;

/** The error for a name that another file of the app has. */
export function nameTaken(name: string): Problem {
  return new Problem('name_taken', `There is a file named "${name}" in this app.`);
}

/** Replaces the tags that a file is found by. */
export async function setFileTags(
  tx: Tx,
  { id, appId }: Pick<FileRow, 'id' | 'appId'>,
  tags: readonly string[],
): Promise<void> {
  await tx.run(deleteFileTags, { id });
  if (tags.length > 0) await tx.run(insertFileTags, { id, appId, tags });
}
