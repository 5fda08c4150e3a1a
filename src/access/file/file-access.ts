import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import {
  asModeratable,
  assertMayChange,
  assertMayRemove,
  assertNotHeld,
  assertNotModerated,
  assertNotOwn,
  asWritable,
  existsFor,
  findApp,
  matchesState,
  type ReadableApp,
  type WritableApp,
} from '../access.ts';
import { assertUnlocked } from '../locks.ts';
import { idOf, type Lookup, type TimedLookup } from '../lookup.ts';
import type { FileRow } from './file.sql.ts';
import { fileById } from './file-access.store.ts';

declare const proof: unique symbol;
declare const editable: unique symbol;
declare const removable: unique symbol;
declare const restorable: unique symbol;
declare const moderatable: unique symbol;
declare const approvable: unique symbol;
declare const reportable: unique symbol;

/** A file or attachment that the caller may see, in its app with the caller's access. */
export type ReadableFile = {
  readonly file: FileRow;
  readonly app: ReadableApp;
  readonly [proof]: 'file';
};

/** A file or attachment below which the caller may create content, because they may write in its app. */
export type WritableFile = ReadableFile & { readonly app: WritableApp };

/** A file of a files app that the caller may change; it is not in the trash. */
export type EditableFile = ReadableFile & { readonly [editable]: true };

/** A file of a files app that the caller may trash or delete. */
export type RemovableFile = ReadableFile & { readonly [removable]: true };

/** A file of a files app that the caller may take out of the trash. */
export type RestorableFile = ReadableFile & { readonly [restorable]: true };

/** A file of a files app that the caller decides on as a moderator of its app, so they may also trash and delete it. */
export type ModeratableFile = RemovableFile & { readonly [moderatable]: true };

/** A file of a files app that the caller may approve, which its author may not. */
export type ApprovableFile = ModeratableFile & { readonly [approvable]: true };

/** A file of a files app that the caller may report, because they see it and did not add it. */
export type ReportableFile = ReadableFile & { readonly [reportable]: true };

async function read(lookup: Lookup): Promise<ReadableFile> {
  const { read: store, caller, ref } = lookup;
  const file = await store.get(fileById, { userId: caller.user.id, id: idOf(ref) });
  if (file === undefined || !matchesState(lookup, file)) throw notFound('file');
  const app = await findApp(store, caller, { id: file.appId });
  if (app === undefined || !existsFor(caller, app, file)) throw notFound('file');
  return { file, app } as ReadableFile;
}

async function moderate(lookup: Lookup): Promise<ModeratableFile> {
  const found = await read({ ...lookup, isHeldIncluded: true });
  asModeratable(found.app);
  assertNoAttachment(found);
  return found as ModeratableFile;
}

/** An attachment changes with the entry that it belongs to; throws `validation_failed` for one. */
function assertNoAttachment({ file }: ReadableFile): void {
  if (file.parentType !== 'app')
    throw invalidField('', 'attachment', 'is an attachment: act on what it belongs to instead');
}

/**
 * The rights on files; each throws `not_found`, `write` throws `write_forbidden`, `moderate` and `approve` throw
 * `moderate_forbidden`, `report` throws `own_content`, and the others throw `edit_forbidden`. All but `read` and `write` throw `validation_failed` for
 * an attachment, `edit`, `restore` and `approve` throw `moderated` as well, and `write`, `edit` and `restore` `locked`.
 */
export const fileAccess = {
  read,

  async write(lookup: TimedLookup): Promise<WritableFile> {
    const found = await read(lookup);
    const app = asWritable(found.app);
    assertUnlocked(app, lookup.at, found.file);
    return { ...found, app };
  },

  async edit(lookup: TimedLookup): Promise<EditableFile> {
    // The author of a file that a moderator trashed gets `moderated`; any other file in the trash is `not_found`.
    const found = await read({ ...lookup, isTrashedIncluded: true, isHeldIncluded: true });
    assertNotModerated(lookup.caller, found.file);
    assertNotHeld(found.file);
    if (found.file.trashedAt !== null) throw notFound('file');
    assertMayChange(lookup.caller, found.app, found.file);
    assertUnlocked(found.app, lookup.at, found.file);
    assertNoAttachment(found);
    return found as EditableFile;
  },

  async remove(lookup: Lookup): Promise<RemovableFile> {
    const found = await read(lookup);
    assertMayRemove(lookup.caller, found.app, found.file);
    assertNoAttachment(found);
    return found as RemovableFile;
  },

  async restore(lookup: TimedLookup): Promise<RestorableFile> {
    const found = await read({ ...lookup, isTrashedIncluded: true, isHeldIncluded: true });
    assertMayRemove(lookup.caller, found.app, found.file);
    assertNotModerated(lookup.caller, found.file);
    assertUnlocked(found.app, lookup.at, found.file);
    assertNoAttachment(found);
    return found as RestorableFile;
  },

  moderate,

  async approve(lookup: Lookup): Promise<ApprovableFile> {
    const found = await moderate(lookup);
    assertNotModerated(lookup.caller, found.file);
    return found as ApprovableFile;
  },

  async report(lookup: Lookup): Promise<ReportableFile> {
    const found = await read(lookup);
    assertNotOwn(lookup.caller, found.file);
    assertNoAttachment(found);
    return found as ReportableFile;
  },
};

/** The file as it stands after a change in the same transaction; it must be there. */
export async function reloadedFile(tx: Tx, caller: Principal, id: number): Promise<FileRow> {
  const file = await tx.get(fileById, { userId: caller.user.id, id });
  if (file === undefined) throw new Error('a file is gone inside its own transaction');
  return file;
}
