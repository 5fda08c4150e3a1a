import type { Read, Tx } from '../../db/db.ts';
import { type Action, append } from '../../events/events.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import { assertMayChange, assertMayRemove, assertNotModerated } from '../access/access.ts';
import type { FileRow } from '../access/file.sql.ts';
import { fileAccess, type ReadableFile, reloadedFile } from '../access/file-access.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { actorOf } from '../users/user-json.ts';
import { renderedUsers } from '../users/users.ts';
import { renderFile, renderFileParent } from './file-json.ts';

/** Every member that `expand` can name: the form of a single file. */
export const everything: ReadonlySet<string> = new Set(['parent', 'created_by', 'modified_by']);
const payloadForm: ReadonlySet<string> = new Set(['parent']);

/** How files are found, shown and told of. */
export type FileView = ReturnType<typeof createFileView>;

/** What every part of the files feature does with a file: find it for a caller, render it, tell of its changes. */
export function createFileView(links: BlobLinks) {
  /** Renders files with what `expand` names; the number of statements does not depend on the number of files. */
  async function renderFiles(
    read: Read,
    viewer: Principal,
    files: readonly FileRow[],
    expand: ReadonlySet<string>,
  ): Promise<Json[]> {
    const users = await renderedUsers(
      read,
      viewer,
      files.flatMap((file) => [
        ...(expand.has('created_by') ? [file.createdById] : []),
        ...(expand.has('modified_by') && file.modifiedById !== null ? [file.modifiedById] : []),
      ]),
    );
    return files.map((file) =>
      renderFile(file, links, {
        parent: expand.has('parent') ? renderFileParent(file) : undefined,
        created_by: expand.has('created_by') ? users.get(file.createdById) : undefined,
        modified_by:
          expand.has('modified_by') && file.modifiedById !== null ? users.get(file.modifiedById) : undefined,
      }),
    );
  }

  async function renderOne(
    read: Read,
    viewer: Principal,
    file: FileRow,
    expand: ReadonlySet<string>,
  ): Promise<Json> {
    const [rendered] = await renderFiles(read, viewer, [file], expand);
    if (rendered === undefined) throw new Error('a file was not rendered');
    return rendered;
  }

  /** The file with the app it is in, if the caller may see it; throws `not_found`. */
  async function readableFile(
    read: Read,
    principal: Principal,
    id: number,
    trash: 'live' | 'any' = 'live',
  ): Promise<ReadableFile> {
    return await fileAccess.read({
      read,
      caller: principal,
      ref: { id },
      isTrashedIncluded: trash === 'any',
    });
  }

  return {
    renderFiles,
    renderOne,
    readableFile,

    /** A file of an app whose content and name the caller may change; throws `not_found`, `edit_forbidden` or `moderated`. */
    async editableFile(tx: Tx, principal: Principal, id: number): Promise<FileRow> {
      const { file, app } = await readableFile(tx, principal, id, 'any');
      assertNotModerated(principal, file);
      if (file.trashedAt !== null) throw notFound('file');
      assertMayChange(principal, app, file);
      return ofApp(file);
    },

    /** A file of an app that the caller may remove, or a version of it. */
    async removableFile(tx: Tx, principal: Principal, id: number, trash: 'live' | 'any'): Promise<FileRow> {
      const { file, app } = await readableFile(tx, principal, id, trash);
      assertMayRemove(principal, app, file);
      return ofApp(file);
    },

    /** Appends the event of a change of `file`. */
    async record(
      tx: Tx,
      principal: Principal,
      file: FileRow,
      event: { action: Action; at: UnixMs },
    ): Promise<void> {
      await append(tx, {
        ...event,
        actor: actorOf(principal.user),
        appId: file.appId,
        entity: { id: file.id, json: await renderOne(tx, principal, file, payloadForm) },
      });
    },

    reload: reloadedFile,
  };
}

/** The file, unless it is an attachment, which changes with what it belongs to; throws `validation_failed` then. */
function ofApp(file: FileRow): FileRow {
  if (file.parentType === 'app') return file;
  throw invalidField('', 'attachment', 'is an attachment: edit what it belongs to instead');
}
