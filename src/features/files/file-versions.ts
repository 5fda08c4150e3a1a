import type { Db, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Json, jsonArray } from '../../kernel/json.ts';
import { countFitting } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import type { FileRow } from '../access/file.sql.ts';
import { dropBlobs } from '../blobs/blobs.ts';
import {
  deleteVersion,
  keepVersion,
  listVersions,
  type VersionRow,
  versionByNumber,
} from './file-versions.store.ts';
import { everything, type FileView } from './file-view.ts';
import { replaceContent } from './files.store.ts';

/**
 * Earlier contents of a file. The current content is a version as well, with the number that the file has: the highest,
 * because it cannot be deleted and what is restored gets the next one. So a number says for ever which content is meant.
 */

/** How many versions a list has when nobody says. */
const topDefault = 100;

/** The file as it was with an earlier content. */
function withContent(file: FileRow, { number, at, userId, ...content }: VersionRow): FileRow {
  return { ...file, ...content, version: number, modifiedAt: at, modifiedById: userId };
}

/** The part of the files feature that looks at earlier contents and brings them back. */
export function createFileVersions({ db, clock, view }: { db: Db; clock: Clock; view: FileView }) {
  const { editableFile, readableFile, record, reload, removableFile, renderFiles, renderOne } = view;

  async function getVersion(tx: Pick<Tx, 'get'>, file: FileRow, number: number): Promise<VersionRow> {
    const version = await tx.get(versionByNumber, { fileId: file.id, number });
    if (version === undefined) throw notFound('version');
    return version;
  }

  return {
    /** The current version first, then the earlier ones, newest first. */
    async listFileVersions(
      principal: Principal,
      id: number,
      { top = topDefault, skip = 0 }: { top?: number; skip?: number },
    ): Promise<Json> {
      const { file } = await readableFile(db.read, principal, id);
      const isCurrentShown = skip === 0;
      const read = await db.readForList();
      const earlier = await read.all(listVersions, {
        fileId: id,
        top: isCurrentShown ? top - 1 : top,
        skip: isCurrentShown ? 0 : skip - 1,
      });
      const files = earlier.map((version) => withContent(file, version));
      const shown = isCurrentShown ? [file, ...files] : files;
      const rendered = await renderFiles(read, principal, shown, everything);
      return jsonArray(rendered.slice(0, countFitting(rendered)));
    },

    async getFileVersion(principal: Principal, id: number, number: number): Promise<Json> {
      const { file } = await readableFile(db.read, principal, id);
      if (number === file.version) return await renderOne(db.read, principal, file, everything);
      const version = await db.read.get(versionByNumber, { fileId: id, number });
      if (version === undefined) throw notFound('version');
      return await renderOne(db.read, principal, withContent(file, version), everything);
    },

    async deleteFileVersion(principal: Principal, id: number, number: number): Promise<undefined> {
      await db.write(async (tx) => {
        const file = await removableFile(tx, principal, id, 'live');
        if (number === file.version)
          throw invalidField('', 'current_version', 'is the current version: restore another one first');
        const version = await getVersion(tx, file, number);
        const at = clock.now();
        await tx.run(deleteVersion, { fileId: id, number });
        await dropBlobs(tx, [version.blobId], at);
        await record(tx, principal, file, { action: 'file_updated', at });
      });
    },

    /** The content becomes the current one under a new number; of the current version nothing changes. */
    async restoreFileVersion(principal: Principal, id: number, number: number): Promise<Json> {
      return await db.write(async (tx) => {
        const file = await editableFile(tx, principal, id);
        if (number === file.version) return await renderOne(tx, principal, file, everything);
        const { blobId } = await getVersion(tx, file, number);
        const at = clock.now();
        await tx.run(keepVersion, { fileId: id });
        await tx.run(replaceContent, { id, blobId, at, userId: principal.user.id });
        const changed = await reload(tx, principal, id);
        await record(tx, principal, changed, { action: 'file_updated', at });
        return await renderOne(tx, principal, changed, everything);
      });
    },
  };
}
