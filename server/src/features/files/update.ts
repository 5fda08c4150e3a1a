import { type FilePatch, fileOperations } from 'confab-contract/files.ts';
import type { Clearable } from 'confab-contract/operation.ts';
import type { FileRow } from '../../access/file/file.sql.ts';
import { reloadedFile } from '../../access/file/file-access.ts';
import { handler } from '../../binding/handler.ts';
import { fileIndex } from '../../db/search-index.ts';
import type { Input } from '../../kernel/input.ts';
import { isSameJson } from '../../kernel/json.ts';
import { sortKey } from '../../kernel/sort-key.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { dropBlobs, useBlobs } from '../blobs/blobs.ts';
import { setContent } from './file-content.ts';
import { fileReaders, nameTaken, setFileTags } from './file-fields.ts';
import { type FileChange, fileDetail } from './file-view.ts';
import { fileWords } from './file-words.ts';
import { fileByName, updateFile as writeFields } from './files.store.ts';
import { recordEdit } from './hold.ts';

/** The changes of a file; an absent field stays unchanged. */
type Patch = {
  readonly blobId: number | undefined;
  readonly isKept: boolean;
  readonly name: string | undefined;
  readonly metadata: string | null | undefined;
  readonly tags: readonly string[] | undefined;
};

/** The fields of a file apart from its content. */
type Fields = Pick<FileRow, 'name' | 'metadata' | 'tags'>;

function patchOf(input: Clearable<FilePatch>): Patch {
  return {
    blobId: input.blob_id ?? undefined,
    isKept: input.backup === true,
    name: input.name ?? undefined,
    metadata:
      input.metadata === undefined || input.metadata === null
        ? input.metadata
        : JSON.stringify(input.metadata),
    tags: input.tags === undefined ? undefined : (input.tags ?? []),
  };
}

const prepare = (input: Input<Clearable<FilePatch>>) => input.read(fileReaders).map(patchOf);

/** Changes the content or the fields of a file. A body that changes nothing is no edit and has no event. */
export const updateFile = handler(
  fileOperations.updateFile,
  prepare,
  async (call, { links }: { links: BlobLinks }) => {
    const { tx, on, caller, body } = call;
    const { blobId, isKept } = body;
    const { file } = on;
    const change = { ...call, links };
    const fields = fieldsAfter(file, body);
    const isEdited =
      fields.name !== file.name || !isSameJson(fields.metadata, file.metadata) || fields.tags !== file.tags;
    if (!isEdited && blobId === undefined) return await fileDetail(tx, change, file);
    // The content goes first, because the version keeps the name that the file had.
    if (blobId !== undefined) await changeContent(change, file, { blobId, isKept });
    if (isEdited) await changeFields(change, file, fields);
    return await recordEdit(change, on.app, { file: await reloadedFile(tx, caller, file.id) });
  },
);

function fieldsAfter(file: FileRow, { name, metadata, tags }: Patch): Fields {
  return {
    name: name ?? file.name,
    metadata: metadata === undefined ? file.metadata : metadata,
    tags: tags === undefined ? file.tags : JSON.stringify(tags),
  };
}

/** Replaces the content of a file; the present one is kept as a version or dropped. */
async function changeContent(
  change: FileChange,
  file: FileRow,
  content: { blobId: number; isKept: boolean },
): Promise<void> {
  const { tx, caller, at } = change;
  await useBlobs(tx, caller, { ids: [content.blobId], appId: file.appId, pointerOf: () => '/blob_id', at });
  await setContent(change, file, content);
  await dropBlobs(tx, [file.blobId], at);
}

async function changeFields(
  { tx, caller, at }: FileChange,
  file: FileRow,
  { name, metadata, tags }: Fields,
): Promise<void> {
  const { id, appId } = file;
  const userId = caller.user.id;
  if (name !== file.name) {
    const other = await tx.get(fileByName, { userId, appId, name });
    if (other !== undefined) throw nameTaken(name);
    tx.defer(fileIndex, { id, words: fileWords(appId, name) });
  }
  const fields = { name, nameKey: sortKey(name), metadata, tags };
  await tx.run(writeFields, { ...fields, id, modifiedAt: at, modifiedById: userId });
  if (tags !== file.tags) await setFileTags(tx, file, JSON.parse(tags) as string[]);
}
