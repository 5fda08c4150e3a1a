import type { UnixMs } from 'confab-contract/values/time.ts';
import type { FileRow } from '../../access/file/file.sql.ts';
import { readersOf } from '../../access/held.ts';
import type { Read, Tx } from '../../db/db.ts';
import { type ActionOn, append } from '../../events/events.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { actorOf } from '../users/user-json.ts';
import { renderedUsers } from '../users/users.ts';
import { renderFile, renderFileParent } from './file-json.ts';

/** The caller for whom files are rendered, and what creates the addresses in them. */
export type FileView = { readonly caller: Principal; readonly links: BlobLinks };

/** The dependencies of changing a file and recording the change. */
export type FileChange = FileView & {
  readonly tx: Tx;
  readonly at: UnixMs;
  /** Whether nobody is notified, because an import makes the change. */
  readonly isSilent?: boolean;
};

/** Every object that `expand` can name; a single file has all of them. */
export const everything: ReadonlySet<string> = new Set(['parent', 'created_by', 'modified_by']);
const inEvents: ReadonlySet<string> = new Set(['parent']);

/** Renders files with the objects that `expand` names; the number of statements does not depend on how many there are. */
export async function renderFiles(
  read: Read,
  view: FileView,
  { files, expand }: { files: readonly FileRow[]; expand: ReadonlySet<string> },
): Promise<Json[]> {
  const { caller } = view;
  const creatorOf = (file: FileRow) => (expand.has('created_by') ? file.createdById : null);
  const editorOf = (file: FileRow) => (expand.has('modified_by') ? file.modifiedById : null);
  const ids = files.flatMap((file) => [creatorOf(file), editorOf(file)]).filter((id) => id !== null);
  const users = await renderedUsers(read, caller, ids);
  return files.map((file) =>
    renderFile(file, view, {
      parent: expand.has('parent') ? renderFileParent(file) : undefined,
      created_by: users.get(creatorOf(file) ?? 0),
      modified_by: users.get(editorOf(file) ?? 0),
    }),
  );
}

/** A file with every object that it can have. */
export async function fileDetail(read: Read, view: FileView, file: FileRow): Promise<Json> {
  return await renderOne(read, view, { file, expand: everything });
}

async function renderOne(
  read: Read,
  view: FileView,
  { file, expand }: { file: FileRow; expand: ReadonlySet<string> },
): Promise<Json> {
  const [rendered] = await renderFiles(read, view, { files: [file], expand });
  if (rendered === undefined) throw new Error('a file was not rendered');
  return rendered;
}

/** Appends the event of a change of a file, with the file after the change. */
export async function recordFile(change: FileChange, action: ActionOn<'file'>, file: FileRow): Promise<void> {
  const { tx, caller, at, links, isSilent = false } = change;
  // The log is in the first form, whoever made the change.
  const { form: _, ...teller } = caller;
  await append(tx, {
    action,
    at,
    isSilent,
    ...readersOf(file, action),
    actor: actorOf(caller),
    appId: file.appId,
    entity: { id: file.id, json: await renderOne(tx, { caller: teller, links }, { file, expand: inEvents }) },
  });
}
