import Type, { type Static } from 'typebox';
import { changing, deleting, getting, subscribing } from './common-operations.ts';
import { Attachment, Parent } from './entries.ts';
import { boolean, described, Id, limits, listOf, Metadata, Tags, TrashedQuery } from './fields.ts';
import { lockOperation } from './locks.ts';
import { operationsOf } from './operation.ts';
import { User } from './users.ts';

const o = Type.Optional;

const itemFields = Attachment.properties;

/** A file of a files app, or an attachment of a comment or post. */
export const File = Type.Object(
  {
    ...itemFields,
    parent: described(Parent, 'The app that the file is in, or what it is attached to.'),
    created_by: described(User, 'The user who created the file.'),
    modified_by: o(described(User, 'The user who last changed the file. Absent until the first change.')),
  },
  { $id: 'File', description: 'A file of a files app, or an attachment.' },
);
export type File = Static<typeof File>;

/** A file in a list. */
export const FileItem = Type.Object(
  {
    ...itemFields,
    parent: o(
      described(
        Parent,
        'The app that the file is in, or what it is attached to. Only where `expand` asks for it.',
      ),
    ),
    created_by: o(described(User, 'The user who created the file. Only where `expand` asks for it.')),
    modified_by: o(
      described(
        User,
        'The user who last changed the file. Only where `expand` asks for it; absent until the first change.',
      ),
    ),
  },
  { $id: 'FileItem', description: 'A file in a list.' },
);
export const FileList = listOf(FileItem, 'FileList');

export const FileCreate = Type.Object(
  {
    blob_id: described(
      Id,
      "The id of the upload that becomes the file; one of the caller's that nothing uses.",
    ),
    name: o(
      Type.String({
        maxLength: limits.nameCharactersMax,
        description:
          'The name of the file; that of the upload when absent. Folders and invisible characters are left out.',
      }),
    ),
    metadata: o(Metadata),
    tags: o(Tags),
    replace: o(
      boolean(
        'Whether a file of the same name in the app gets the upload as its new version; false when absent.',
      ),
    ),
  },
  { $id: 'FileCreate', description: 'The fields of a request that puts an upload into a files app.' },
);
export type FileCreate = Static<typeof FileCreate>;

export const FilePatch = Type.Object(
  {
    blob_id: o(
      described(
        Id,
        "The id of the upload that becomes the content of the file; one of the caller's that nothing uses.",
      ),
    ),
    name: o(
      Type.String({
        maxLength: limits.nameCharactersMax,
        description: 'Another name for the file. Folders and invisible characters are left out.',
      }),
    ),
    metadata: o(Metadata),
    tags: o(Tags),
    backup: o(
      boolean(
        'Whether the content that `blob_id` replaces is kept as an earlier version; otherwise it is lost. False when absent.',
      ),
    ),
  },
  { $id: 'FilePatch', description: 'The fields of a file that a client can change.' },
);
export type FilePatch = Static<typeof FilePatch>;

/** The response of the list of versions, which is not a page. */
const FileVersions = Type.Array(File, {
  $id: 'FileVersions',
  description: 'The versions of a file, the current one first.',
});

/** The fields by which files and attachments can be sorted. */
export const fileList = {
  orderBy: ['id', 'name', 'size', 'created_at', 'modified_at', 'timestamp'],
  expand: ['created_by', 'modified_by', 'parent'],
} as const;

// The size of a file is in the row of its blob.
const fileScans = ['size'];

export const fileOperations = operationsOf('Files', {
  createFile: {
    method: 'POST',
    path: '/api/apps/{app}/files',
    summary: 'Puts an upload into a files app.',
    description:
      'A name belongs to one file of an app. If it is taken the answer is 409, unless `replace` is true: then that file gets the upload as its new version and the answer is 200. A file of that name in the trash comes back with the upload as its new version.',
    caller: 'any',
    on: { app: 'write', holding: 'file' },
    effect: 'change',
    body: FileCreate,
    success: { 200: File, 201: File },
    errors: [400, 401, 403, 404, 409, 422],
    problems: ['edit_forbidden', 'moderated', 'name_taken'],
    example: { blob_id: 7, tags: ['draft'] },
  },
  listAppFiles: {
    method: 'GET',
    path: '/api/apps/{app}/files',
    summary: 'Lists the files of a files app.',
    description: '`timestamp` sorts by the last change, which for most files is when they were made.',
    caller: 'any',
    on: { app: 'read' },
    effect: 'list',
    list: fileList,
    scans: fileScans,
    success: { 200: FileList },
    errors: [401, 404],
  },
  listFiles: {
    method: 'GET',
    path: '/api/files',
    summary:
      'Lists the files of every files app the caller can see. Attachments stand in what they belong to.',
    caller: 'any',
    on: 'visible',
    effect: 'read',
    list: { ...fileList, isSparse: true },
    scans: fileScans,
    success: { 200: FileList },
    errors: [401],
  },
  getFile: {
    ...getting(File),
    path: '/api/files/{id}',
    summary: 'Gets a file or an attachment.',
    on: { file: 'read', trashed: 'asked' },
    query: TrashedQuery,
  },
  trashFile: {
    ...changing(File),
    path: '/api/files/{id}/trash',
    summary: 'Puts a file in the trash. To remove an attachment, edit the item that it belongs to.',
    on: { file: 'remove', trashed: 'included' },
  },
  restoreFile: {
    ...changing(File),
    path: '/api/files/{id}/restore',
    summary: 'Takes a file out of the trash.',
    on: { file: 'restore' },
  },
  holdFile: {
    ...changing(File),
    path: '/api/files/{id}/hold',
    summary: 'Holds a file: only its author and moderators see it until it is approved.',
    on: { file: 'moderate' },
  },
  approveFile: {
    ...changing(File),
    path: '/api/files/{id}/approve',
    summary: 'Approves a file that is held, so that everyone sees it.',
    on: { file: 'approve' },
  },
  lockFile: {
    ...changing(File),
    ...lockOperation,
    path: '/api/files/{id}/lock',
    summary: 'Locks a file with its comments, at once or from a time on.',
    on: { file: 'moderate' },
  },
  unlockFile: {
    ...changing(File),
    path: '/api/files/{id}/unlock',
    summary: 'Unlocks a file.',
    on: { file: 'moderate' },
  },
  updateFile: {
    method: 'PATCH',
    path: '/api/files/{id}',
    summary: 'Changes the fields of a file that are present; null clears metadata and tags.',
    description:
      'With `blob_id` the file gets another content and the next version number. A name that another file of the app has is answered 409. Where a new file by the caller would be held, the edit holds the file: `is_held` is true in the answer.',
    caller: 'any',
    on: { file: 'edit' },
    effect: 'change',
    body: FilePatch,
    neverNull: ['blob_id', 'name'],
    success: { 200: File },
    errors: [400, 401, 403, 404, 409, 422],
    problems: ['name_taken'],
    example: { name: 'plan-2.pdf', blob_id: 8, backup: true },
  },
  deleteFile: {
    ...deleting,
    path: '/api/files/{id}',
    summary: 'Deletes a file permanently, in the trash or not, with its versions and the comments on it.',
    on: { file: 'remove', trashed: 'included' },
  },
  subscribeFile: {
    ...subscribing(File),
    path: '/api/files/{id}/subscribe',
    summary: 'Subscribes the caller to notifications of the file.',
    on: { file: 'read' },
  },
  unsubscribeFile: {
    ...subscribing(File),
    path: '/api/files/{id}/unsubscribe',
    summary: 'Ends the subscription of the caller.',
    on: { file: 'read' },
  },
  listFileVersions: {
    method: 'GET',
    path: '/api/files/{id}/versions',
    summary: 'Lists the versions of a file, the current one first and then the earlier ones, newest first.',
    description:
      '`modified_at` and `modified_by` of an earlier version say when and by whom its content was put in. Numbers count from 1 and are never given again.',
    caller: 'any',
    on: { file: 'read' },
    effect: 'list',
    query: Type.Object({
      top: o(
        Type.Integer({
          minimum: 1,
          maximum: limits.topMax,
          description: 'The most versions to list; 100 when absent.',
        }),
      ),
      skip: o(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'How many versions are skipped; 0 by default.',
        }),
      ),
    }),
    success: { 200: FileVersions },
    errors: [401, 404],
  },
  getFileVersion: {
    ...getting(File),
    path: '/api/files/{id}/versions/{version}',
    summary: 'Gets one version of a file by its number.',
    on: { file: 'read' },
  },
  deleteFileVersion: {
    ...deleting,
    path: '/api/files/{id}/versions/{version}',
    summary: 'Deletes an earlier version permanently. The current one cannot be deleted (400).',
    on: { file: 'remove' },
  },
  restoreFileVersion: {
    ...changing(File),
    path: '/api/files/{id}/versions/{version}/restore',
    summary: 'Makes the content of an earlier version the current one, as a new version.',
    description:
      'The content it replaces becomes an earlier version, and the name stays. Restoring the current version changes nothing.',
    on: { file: 'edit' },
  },
});
