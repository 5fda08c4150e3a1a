import Type, { type Static } from 'typebox';
import { Id, listOf } from './fields.ts';
import { operation } from './operation.ts';

/** A group of people who see each other. A user belongs to at most one, an app can be limited to one. */
export const Directory = Type.Object({ id: Id, name: Type.String() }, { $id: 'Directory' });

const DirectoryList = listOf(Directory, 'DirectoryList');

const Name = Type.String({
  format: 'uid',
  description: 'Unique; 1 to 256 characters without white space, at least one of them not a digit.',
  examples: ['acme'],
});

export const DirectoryCreate = Type.Object({ name: Name }, { $id: 'DirectoryCreate' });
export type DirectoryCreate = Static<typeof DirectoryCreate>;
export const DirectoryPatch = Type.Object({ name: Type.Optional(Name) }, { $id: 'DirectoryPatch' });
export type DirectoryPatch = Static<typeof DirectoryPatch>;

const tag = 'Directories';
const params = { directory: 'ref' } as const;

export const directoryOperations = {
  createDirectory: operation({
    id: 'createDirectory',
    method: 'POST',
    path: '/api/directories',
    tag,
    summary: 'Creates a directory.',
    caller: 'key',
    body: DirectoryCreate,
    success: { 201: Directory },
    errors: [400, 401, 403, 409, 422],
    example: { name: 'acme' },
  }),
  listDirectories: operation({
    id: 'listDirectories',
    method: 'GET',
    path: '/api/directories',
    tag,
    summary: 'Lists directories: all of them for an API key, their own for a user.',
    description: 'Directories have neither tags nor a trash, so asking for one of those finds nothing.',
    caller: 'any',
    list: {
      orderBy: ['id', 'name', 'created_at'],
      defaultOrder: { field: 'id', descending: false },
      expand: [],
    },
    success: { 200: DirectoryList },
    errors: [401],
  }),
  getDirectory: operation({
    id: 'getDirectory',
    method: 'GET',
    path: '/api/directories/{directory}',
    tag,
    summary: 'Gets a directory by id or name. A user may ask for their own only.',
    caller: 'any',
    params,
    success: { 200: Directory },
    errors: [401, 404],
  }),
  updateDirectory: operation({
    id: 'updateDirectory',
    method: 'PATCH',
    path: '/api/directories/{directory}',
    tag,
    summary: 'Renames a directory.',
    caller: 'key',
    params,
    body: DirectoryPatch,
    neverNull: ['name'],
    success: { 200: Directory },
    errors: [400, 401, 403, 404, 409, 422],
    example: { name: 'acme-europe' },
  }),
  deleteDirectory: operation({
    id: 'deleteDirectory',
    method: 'DELETE',
    path: '/api/directories/{directory}',
    tag,
    summary: 'Deletes a directory that no user and no app belongs to.',
    description:
      'One in use is refused, because an app without its directory would let in everybody its `access` names.',
    caller: 'key',
    params,
    success: { 204: null },
    errors: [400, 401, 403, 404, 422],
  }),
};
