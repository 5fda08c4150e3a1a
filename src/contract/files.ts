import Type, { type Static } from 'typebox';
import { Attachment, Parent } from './entries.ts';
import { Id, limits, listOf, Metadata, Tags, TrashedQuery } from './fields.ts';
import { operation } from './operation.ts';
import { User } from './users.ts';

const o = Type.Optional;

const itemFields = Attachment.properties;

/** A file of a files app, or an attachment of a comment or post. */
export const File = Type.Object(
  { ...itemFields, parent: Parent, created_by: User, modified_by: o(User) },
  { $id: 'File' },
);
export type File = Static<typeof File>;

/** A file in a list. */
const FileItem = Type.Object(
  { ...itemFields, parent: o(Parent), created_by: o(User), modified_by: o(User) },
  { $id: 'FileItem' },
);
const FileList = listOf(FileItem, 'FileList');

export const FileCreate = Type.Object(
  {
    blob_id: Id,
    name: o(
      Type.String({
        maxLength: limits.nameCharactersMax,
        description: 'Instead of the name of the upload. Folders and invisible characters are left out.',
      }),
    ),
    metadata: o(Metadata),
    tags: o(Tags),
    replace: o(
      Type.Boolean({ description: 'Whether a file of the same name gets the upload as its new version.' }),
    ),
  },
  { $id: 'FileCreate' },
);
export type FileCreate = Static<typeof FileCreate>;

const tag = 'Files';
const id = { id: 'id' } as const;
const list = {
  orderBy: ['id', 'name', 'size', 'created_at', 'modified_at', 'timestamp'],
  defaultOrder: { field: 'id', descending: false },
  expand: ['created_by', 'modified_by', 'parent'],
} as const;

export const fileOperations = {
  createFile: operation({
    id: 'createFile',
    method: 'POST',
    path: '/api/apps/{app}/files',
    tag,
    summary: 'Puts an upload into a files app.',
    description:
      'A name belongs to one file of an app. If it is taken the answer is 409, unless `replace` is true: then that file gets the upload as its new version and the answer is 200. A file of that name in the trash comes back with the upload as its new version.',
    caller: 'any',
    params: { app: 'ref' },
    body: FileCreate,
    success: { 200: File, 201: File },
    errors: [400, 401, 403, 404, 409, 422],
    example: { blob_id: 7, tags: ['draft'] },
  }),
  listAppFiles: operation({
    id: 'listAppFiles',
    method: 'GET',
    path: '/api/apps/{app}/files',
    tag,
    summary: 'Lists the files of a files app.',
    description: '`timestamp` sorts by the last change, which for most files is when they were made.',
    caller: 'any',
    params: { app: 'ref' },
    list,
    success: { 200: FileList },
    errors: [401, 404],
  }),
  listFiles: operation({
    id: 'listFiles',
    method: 'GET',
    path: '/api/files',
    tag,
    summary:
      'Lists the files of every files app the caller can see. Attachments stand in what they belong to.',
    caller: 'any',
    list,
    success: { 200: FileList },
    errors: [401],
  }),
  getFile: operation({
    id: 'getFile',
    method: 'GET',
    path: '/api/files/{id}',
    tag,
    summary: 'Gets a file or an attachment.',
    caller: 'any',
    params: id,
    query: TrashedQuery,
    success: { 200: File },
    errors: [401, 404],
  }),
  trashFile: operation({
    id: 'trashFile',
    method: 'POST',
    path: '/api/files/{id}/trash',
    tag,
    summary: 'Puts a file in the trash. An attachment is removed by editing what it belongs to.',
    caller: 'any',
    params: id,
    success: { 200: File },
    errors: [400, 401, 403, 404],
  }),
  restoreFile: operation({
    id: 'restoreFile',
    method: 'POST',
    path: '/api/files/{id}/restore',
    tag,
    summary: 'Takes a file out of the trash.',
    caller: 'any',
    params: id,
    success: { 200: File },
    errors: [400, 401, 403, 404],
  }),
};
