import { invalidField, notFound } from 'confab-contract/problem.ts';
import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import {
  asWritable,
  existsFor,
  findApp,
  matchesState,
  type ReadableApp,
  type WritableApp,
} from '../access.ts';
import { itemRights } from '../item-rights.ts';
import { assertUnlocked } from '../locks.ts';
import { idOf, type Lookup, type TimedLookup } from '../lookup.ts';
import type { FileRow } from './file.sql.ts';
import { fileById } from './file-access.store.ts';

declare const proof: unique symbol;

/** A file or attachment that the caller may see, in its app with the caller's access. */
export type ReadableFile = {
  readonly file: FileRow;
  readonly app: ReadableApp;
  readonly [proof]: 'file';
};

/** A file or attachment below which the caller may create content, because they may write in its app. */
export type WritableFile = ReadableFile & { readonly app: WritableApp };

async function read(lookup: Lookup): Promise<ReadableFile> {
  const { read: store, caller, ref } = lookup;
  const file = await store.get(fileById, { userId: caller.user.id, id: idOf(ref) });
  if (file === undefined || !matchesState(lookup, file)) throw notFound('file');
  const app = await findApp(store, caller, { id: file.appId });
  if (app === undefined || !existsFor(caller, app, file)) throw notFound('file');
  return { file, app } as ReadableFile;
}

/** An attachment changes with the entry that it belongs to; throws `validation_failed` for one. */
function assertNoAttachment({ file }: ReadableFile): void {
  if (file.parentType !== 'app')
    throw invalidField('', 'attachment', 'is an attachment: act on what it belongs to instead');
}

/**
 * The rights on files: those of `itemRights`, which throw `validation_failed` for an attachment, `read`, which throws
 * `not_found`, and `write`, which also throws `write_forbidden` and `locked`.
 */
export const fileAccess = {
  ...itemRights({ name: 'file', read, itemOf: ({ file }) => file, assertIndependent: assertNoAttachment }),
  read,

  async write(lookup: TimedLookup): Promise<WritableFile> {
    const target = await read(lookup);
    const app = asWritable(target.app);
    assertUnlocked(app, lookup.at, target.file);
    return { ...target, app };
  },
};

/** The file as it stands after a change in the same transaction; it must be there. */
export async function reloadedFile(tx: Tx, caller: Principal, id: number): Promise<FileRow> {
  const file = await tx.get(fileById, { userId: caller.user.id, id });
  if (file === undefined) throw new Error('a file is gone inside its own transaction');
  return file;
}
