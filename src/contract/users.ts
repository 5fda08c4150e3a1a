import Type, { type Static } from 'typebox';
import { Blob } from './blobs.ts';
import { Directory } from './directories.ts';
import {
  Id,
  limits,
  listOf,
  Metadata,
  Tags,
  Text,
  Timestamp,
  TrashedQuery,
  TrueFalseNull,
  Uid,
} from './fields.ts';
import { operation } from './operation.ts';

const o = Type.Optional;

/** Limits of what a request can say about a user, in characters. */
const characters = {
  emailMax: 256,
  partOfNameMax: 64,
  nicknameMax: 32,
  phoneNumberMax: 32,
  // A picture of 512 KiB in base64, with what stands before it.
  pictureMax: 700_000,
} as const;

/** A user as it stands in `created_by` and `modified_by`. */
export const User = Type.Object(
  {
    id: Id,
    uid: Type.String(),
    display_name: Type.String(),
    email: o(Type.String()),
    given_name: o(Type.String()),
    middle_name: o(Type.String()),
    name: o(Type.String()),
    family_name: o(Type.String()),
    nickname: o(Type.String()),
    phone_number: o(Type.String()),
    comment: o(Type.String()),
    directory_id: o(Id),
    picture_id: o(Id),
    avatar_url: o(
      Type.String({ description: 'Needs no credential and is good until the user gets another picture.' }),
    ),
    metadata: o(Metadata),
    tags: Type.Array(Type.String()),
    presence: Type.Unsafe<'active' | 'away'>({ type: 'string', enum: ['active', 'away'] }),
    created_at: Timestamp,
    modified_at: o(Timestamp),
    is_bot: Type.Boolean(),
    is_suspended: Type.Boolean(),
    is_trashed: Type.Boolean(),
  },
  { $id: 'User' },
);
export type User = Static<typeof User>;

/** A user where one is asked for. */
const UserDetail = Type.Object(
  { ...User.properties, directory: o(Directory), picture: o(Blob) },
  { $id: 'UserDetail', description: '`picture` is there when `avatar_url` shows a blob.' },
);

const UserList = listOf(User, 'UserList');

/** Somebody who can be mentioned or invited. */
const AutocompleteUser = Type.Object(
  {
    id: Id,
    uid: Type.String(),
    display_name: Type.String(),
    avatar_url: o(Type.String()),
    presence: Type.Unsafe<'active' | 'away'>({ type: 'string', enum: ['active', 'away'] }),
    is_member: o(Type.Boolean({ description: 'Whether the person is a member of the app that `id` names.' })),
    access: o(
      Type.Unsafe<'none' | 'read' | 'write' | 'admin'>({
        type: 'string',
        enum: ['none', 'read', 'write', 'admin'],
        description: 'What the person may do in the app that `id` names; admin is who manages it.',
      }),
    ),
  },
  { $id: 'AutocompleteUser' },
);

const AutocompleteList = listOf(AutocompleteUser, 'AutocompleteList');

/** What a request can say about a person, whatever the operation. */
export const profileFields = {
  email: o(Type.String({ maxLength: characters.emailMax, description: 'Need not be unique.' })),
  given_name: o(Type.String({ maxLength: characters.partOfNameMax })),
  middle_name: o(Type.String({ maxLength: characters.partOfNameMax })),
  family_name: o(Type.String({ maxLength: characters.partOfNameMax })),
  name: o(Type.String({ maxLength: limits.nameCharactersMax })),
  nickname: o(Type.String({ maxLength: characters.nicknameMax })),
  phone_number: o(Type.String({ maxLength: characters.phoneNumberMax })),
  comment: o(Text),
  picture: o(
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      maxLength: characters.pictureMax,
      description:
        'The id of a blob that is a PNG, JPEG, GIF or WebP; such a picture of at most 512 KiB as a `data:` address in base64; or an http or https address of at most 2048 characters.',
    }),
  ),
  directory: o(
    Type.String({
      description:
        'Id or name of the one directory the user belongs to. A name that no directory has makes the directory.',
    }),
  ),
  metadata: o(Metadata),
  tags: o(Tags),
  is_bot: o(Type.Boolean()),
};

const stateFields = {
  is_suspended: o(
    Type.Boolean({ description: 'A suspended user cannot do anything and is left out of lists.' }),
  ),
};

export const UserCreate = Type.Object({ uid: Uid, ...profileFields, ...stateFields }, { $id: 'UserCreate' });
export type UserCreate = Static<typeof UserCreate>;
export const UserPatch = Type.Object({ uid: o(Uid), ...profileFields, ...stateFields }, { $id: 'UserPatch' });
export type UserPatch = Static<typeof UserPatch>;

const user = { user: 'ref' } as const;
const tag = 'Users';

const suspended = o(
  Type.Unsafe<boolean | null>({
    ...TrueFalseNull,
    description: 'true lists suspended users, null all of them; the default is false.',
  }),
);

const userOrder = {
  orderBy: ['id', 'uid', 'name', 'display_name', 'email', 'created_at', 'modified_at'],
  defaultOrder: { field: 'id', descending: false },
  expand: [],
} as const;

export const userOperations = {
  createUser: operation({
    id: 'createUser',
    method: 'POST',
    path: '/api/users',
    tag,
    summary: 'Creates a user.',
    caller: 'key',
    body: UserCreate,
    success: { 201: UserDetail },
    errors: [400, 401, 403, 422],
    example: { uid: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' },
  }),
  listUsers: operation({
    id: 'listUsers',
    method: 'GET',
    path: '/api/users',
    tag,
    summary: 'Lists users.',
    description:
      'An API key sees everybody. A user sees the people of their own directory, and without a directory those who have none. The built-in user of the system is never listed.',
    caller: 'any',
    query: Type.Object({
      directory_id: o(Type.Integer({ description: 'Only the users of this directory.' })),
      suspended,
    }),
    list: userOrder,
    success: { 200: UserList },
    errors: [401],
  }),
  // Before the operations of `{user}`, because this path is no uid to a reader of the list.
  autocompleteUsers: operation({
    id: 'autocompleteUsers',
    method: 'GET',
    path: '/api/users/autocomplete',
    tag,
    summary: 'Finds people by how the words of their names begin.',
    description:
      'People of the directory of the caller, or without one those who have none, and the members of the app that `id` names; an API key finds everybody. Nobody suspended or in the trash. In the order of their ids.',
    caller: 'any',
    query: Type.Object({
      q: o(Type.String({ description: 'How the words begin; absent lists everybody.' })),
      top: o(Type.Integer({ minimum: 1, maximum: limits.topMax, description: 'The default is 5.' })),
      skip: o(Type.Integer({ minimum: 0 })),
      count: o(Type.Boolean({ description: 'Whether to count all of them. The default is false.' })),
      id: o(
        Type.Integer({
          minimum: 1,
          description: 'The app whose membership `is_member` and `access` tell; without it they are absent.',
        }),
      ),
    }),
    success: { 200: AutocompleteList },
    errors: [401, 404],
  }),
  getUser: operation({
    id: 'getUser',
    method: 'GET',
    path: '/api/users/{user}',
    tag,
    summary: 'Gets a user by id or uid.',
    caller: 'key',
    params: user,
    query: TrashedQuery,
    success: { 200: UserDetail },
    errors: [401, 403, 404],
  }),
  updateUser: operation({
    id: 'updateUser',
    method: 'PATCH',
    path: '/api/users/{user}',
    tag,
    summary: 'Changes the fields that are present; null clears one.',
    caller: 'key',
    params: user,
    body: UserPatch,
    neverNull: ['uid'],
    success: { 200: UserDetail },
    errors: [400, 401, 403, 404, 422],
    example: { name: 'Ada King', is_suspended: false },
  }),
  upsertUser: operation({
    id: 'upsertUser',
    method: 'PUT',
    path: '/api/users/{user}',
    tag,
    summary: 'Updates the user with the uid in the path, or creates it.',
    description:
      'Of concurrent calls for a free uid exactly one answers 201. Absent fields keep their value; a `uid` in the body renames. A user in the trash stays there.',
    caller: 'key',
    params: { user: 'text' },
    body: UserPatch,
    neverNull: ['uid'],
    success: { 200: UserDetail, 201: UserDetail },
    errors: [400, 401, 403, 422],
    example: { name: 'Ada Lovelace', directory: 'acme' },
  }),
  trashUser: operation({
    id: 'trashUser',
    method: 'POST',
    path: '/api/users/{user}/trash',
    tag,
    summary: 'Puts the user in the trash, who can do nothing from then on; once there, they stay there.',
    caller: 'key',
    params: user,
    success: { 200: UserDetail },
    errors: [400, 401, 403, 404],
  }),
  restoreUser: operation({
    id: 'restoreUser',
    method: 'POST',
    path: '/api/users/{user}/restore',
    tag,
    summary: 'Takes the user out of the trash.',
    caller: 'key',
    params: user,
    success: { 200: UserDetail },
    errors: [400, 401, 403, 404],
  }),
  getCaller: operation({
    id: 'getCaller',
    method: 'GET',
    path: '/api/user',
    tag,
    summary: 'Gets the user whose access token is used.',
    caller: 'user',
    success: { 200: UserDetail },
    errors: [401],
  }),
  listDirectoryMembers: operation({
    id: 'listDirectoryMembers',
    method: 'GET',
    path: '/api/directories/{directory}/members',
    tag: 'Directories',
    summary: 'Lists the users of a directory. A user may ask for their own directory only.',
    caller: 'any',
    params: { directory: 'ref' },
    query: Type.Object({ suspended }),
    list: userOrder,
    success: { 200: UserList },
    errors: [401, 404],
  }),
};
