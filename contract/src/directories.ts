import Type from 'typebox';
import { getting } from './common-operations.ts';
import { described, Id, listOf, uidOf } from './fields.ts';
import { operationsOf } from './operation.ts';

/** A group of users who see each other. A user belongs to at most one, and an app can be limited to one. */
export const Directory = Type.Object(
  {
    id: described(Id, 'The id of the directory.'),
    name: Type.String({ description: 'The unique name of the directory.', examples: ['acme'] }),
  },
  { $id: 'Directory', description: 'A group of users who see each other.' },
);

const DirectoryList = listOf(Directory, 'DirectoryList');

const Name = uidOf('directory', 'acme');

const DirectoryCreate = Type.Object(
  { name: Name },
  { $id: 'DirectoryCreate', description: 'The fields of a request that creates a directory.' },
);
const DirectoryPatch = Type.Object(
  { name: Type.Optional(Name) },
  { $id: 'DirectoryPatch', description: 'The fields of a directory that a client can change.' },
);

export const directoryOperations = operationsOf('Directories', {
  createDirectory: {
    method: 'POST',
    path: '/api/directories',
    summary: 'Creates a directory.',
    description: 'The name `visitors` is reserved for the directory of visitors.',
    caller: 'key',
    scopes: ['users'],
    on: 'server',
    effect: 'change',
    body: DirectoryCreate,
    success: { 201: Directory },
    errors: [400, 401, 403, 409, 422],
    problems: ['name_taken'],
    example: { name: 'acme' },
  },
  listDirectories: {
    method: 'GET',
    path: '/api/directories',
    summary: 'Lists directories: all of them for an API key, the one they belong to for a user.',
    description: 'Directories have neither tags nor a trash, so a list filtered by one of these is empty.',
    caller: 'any',
    on: 'visible',
    effect: 'read',
    list: { orderBy: ['id', 'name', 'created_at'], expand: [] },
    success: { 200: DirectoryList },
    errors: [401],
  },
  getDirectory: {
    ...getting(Directory),
    path: '/api/directories/{directory}',
    summary: 'Gets a directory by id or name. A user can get only their own.',
    on: { directory: 'read' },
  },
  updateDirectory: {
    method: 'PATCH',
    path: '/api/directories/{directory}',
    summary: 'Renames a directory.',
    caller: 'key',
    on: { directory: 'manage' },
    effect: 'change',
    body: DirectoryPatch,
    neverNull: ['name'],
    success: { 200: Directory },
    errors: [400, 401, 403, 404, 409, 422],
    problems: ['name_taken'],
    example: { name: 'acme-europe' },
  },
  deleteDirectory: {
    method: 'DELETE',
    path: '/api/directories/{directory}',
    summary: 'Deletes a directory that no user and no app belongs to.',
    description:
      'A directory in use is refused, because an app without its directory would be open to every user of the server.',
    caller: 'key',
    on: { directory: 'manage' },
    effect: 'change',
    success: { 204: null },
    errors: [400, 401, 403, 404, 422],
  },
});
