import Type, { type Static } from 'typebox';
import { Blob } from './blobs.ts';
import { changing, getting } from './common-operations.ts';
import { Directory } from './directories.ts';
import {
  boolean,
  count,
  described,
  Id,
  limits,
  listOf,
  Metadata,
  string,
  Tags,
  Text,
  Timestamp,
  TrashedQuery,
  TrueFalseNull,
  uidOf,
  via,
} from './fields.ts';
import { operationsOf } from './operation.ts';
import { VisitorFacts, VisitorWays, WayQuery } from './visitor-facts.ts';

const o = Type.Optional;

/** Limits of the fields of a user in a request, in characters. */
const characters = {
  emailMax: 256,
  partOfNameMax: 64,
  nicknameMax: 32,
  phoneNumberMax: 32,
  // A picture of 512 KiB in base64, with what stands before it.
  pictureMax: 700_000,
} as const;

/** A user in `created_by` and `modified_by`. Decision 0035 and a test define what other users see of one. */
export const User = Type.Object(
  {
    id: described(Id, 'The id of the user.'),
    uid: Type.String({
      description: 'The unique name that the host product gave the user.',
      examples: ['ada'],
    }),
    display_name: string(
      'The name to show: `name`, else the given and family names, else the nickname, else the part of the email address before the @, else the uid.',
    ),
    email: o(string('The email address. Absent when it is not known.')),
    given_name: o(string('The given name, at most 64 characters. Absent when it is not known.')),
    middle_name: o(string('The middle name, at most 64 characters. Absent when it is not known.')),
    name: o(string('The whole name, at most 256 characters. Absent when it is not known.')),
    family_name: o(string('The family name, at most 64 characters. Absent when it is not known.')),
    nickname: o(string('The nickname, at most 32 characters. Absent when there is none.')),
    phone_number: o(string('The phone number, at most 32 characters. Absent when it is not known.')),
    comment: o(string('A note of the host product, at most 64 KiB in UTF-8. Absent when there is none.')),
    directory_id: o(
      described(
        Id,
        'The id of the directory that the user belongs to. Absent when the user belongs to none.',
      ),
    ),
    picture_id: o(
      described(
        Id,
        "The id of the blob that is the user's picture. Absent when there is no picture, or it is an address on the web.",
      ),
    ),
    avatar_url: o(
      string(
        "The address of the user's picture; needs no credential and stays valid until the user gets another picture. Absent for a user without a picture.",
      ),
    ),
    metadata: o(
      described(
        Metadata,
        'Free-form properties of the user, as the client sent them. Absent when there are none.',
      ),
    ),
    tags: o(
      Type.Array(Type.String(), {
        description: 'The tags of the user, in the order in which they were set.',
      }),
    ),
    way: o(
      string(
        'How a visitor signs in: `guest`, `email` or the name of a provider. Absent for a user of your product.',
      ),
    ),
    is_guest: o(
      Type.Literal(true, {
        description: 'True for a visitor who only gave a name. Absent for others, and where there is `way`.',
      }),
    ),
    role: o(
      Type.Unsafe<'moderator'>({
        type: 'string',
        enum: ['moderator'],
        description:
          '`moderator` for a user who moderates every app of their directory that they see or, without a directory, every app that they see. Absent for most users.',
      }),
    ),
    presence: Type.Unsafe<'active' | 'away'>({
      type: 'string',
      enum: ['active', 'away'],
      description: 'Whether the user has a live connection to the server (`active`) or not (`away`).',
    }),
    created_at: o(described(Timestamp, 'When the user was created.')),
    modified_at: o(described(Timestamp, 'When the user was last changed. Absent until the first change.')),
    is_bot: boolean('Whether the user is a program rather than a person.'),
    is_trusted: o(
      Type.Literal(true, {
        description:
          'True for a user whose texts are shown at once in apps that hold those of newcomers or guests. Absent for everyone else.',
      }),
    ),
    is_suspended: o(boolean('Whether the user is suspended and so cannot do anything.')),
    is_trashed: o(boolean('Whether the user is in the trash and so cannot do anything.')),
  },
  {
    $id: 'User',
    description:
      'A user. API keys, and users reading about themselves, get every field. Other users get `id`, `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`, `presence` and `is_bot`, and of a guest `is_guest`.',
  },
);
export type User = Static<typeof User>;

/** A user as the actor of an event. */
export const Actor = Type.Object(
  {
    ...User.properties,
    kind: o(
      Type.Unsafe<'person' | 'bot' | 'api_key'>({
        type: 'string',
        enum: ['person', 'bot', 'api_key'],
        description:
          'Who made the change: the user (`person`), a program that is a user or the server itself (`bot`), or an API key, on behalf of the user or not (`api_key`). Absent from events of releases that did not record it.',
      }),
    ),
    api_key_id: o(
      described(
        Id,
        'The id of the API key with which the change was made. Absent for a change that a user made with an access token, and for users who read the event.',
      ),
    ),
    via: o(via('What a program made the change through: `mcp` or `agent`. Absent for plain HTTP.')),
  },
  { $id: 'Actor', description: 'The user who caused an event, as they were at that time.' },
);

/** A user as the response about one user. */
export const UserDetail = Type.Object(
  {
    ...User.properties,
    directory: o(described(Directory, 'The directory of the user. Absent when the user belongs to none.')),
    picture: o(described(Blob, 'The blob that `avatar_url` shows. Absent when it shows none.')),
    ways: o(VisitorWays),
    visitor: o(
      described(
        VisitorFacts,
        'What moderators know of the visitor. Only where an API key gets one, with `GET /api/users/{user}`.',
      ),
    ),
  },
  { $id: 'UserDetail', description: 'A user with the directory and the picture.' },
);

const UserList = listOf(User, 'UserList');

const ListedUser = Type.Object(
  {
    ...User.properties,
    visitor: o(
      described(
        VisitorFacts,
        'What moderators know of a visitor. Only for API keys, where `expand` asks for it.',
      ),
    ),
  },
  { $id: 'ListedUser', description: 'A user in the list of users.' },
);

const ListedUsers = listOf(ListedUser, 'ListedUsers');

/** A user who can be mentioned or invited. */
const AutocompleteUser = Type.Object(
  {
    id: described(Id, 'The id of the user.'),
    uid: Type.String({
      description: 'The unique name that the host product gave the user.',
      examples: ['ada'],
    }),
    display_name: string("The user's name for display."),
    avatar_url: o(
      string("The address of the user's picture; needs no credential. Absent for a user without a picture."),
    ),
    presence: Type.Unsafe<'active' | 'away'>({
      type: 'string',
      enum: ['active', 'away'],
      description: 'Whether the user has a live connection to the server (`active`) or not (`away`).',
    }),
    is_member: o(boolean('Whether the user is a member of the app that `id` names. Absent without `id`.')),
    access: o(
      Type.Unsafe<'none' | 'read' | 'write' | 'admin'>({
        type: 'string',
        enum: ['none', 'read', 'write', 'admin'],
        description:
          'What the user may do in the app that `id` names; `admin` is a user who manages it. Absent without `id`.',
      }),
    ),
  },
  { $id: 'AutocompleteUser', description: 'A user who can be mentioned or invited.' },
);

const AutocompleteList = listOf(AutocompleteUser, 'AutocompleteList');

/** The uid of a user in a request that sets it. */
export const userUid = uidOf('user', 'ada');

/** The fields of a user that any operation on users takes. */
export const profileFields = {
  email: o(
    Type.String({
      maxLength: characters.emailMax,
      description: 'The email address. Two users can have the same one.',
    }),
  ),
  given_name: o(
    Type.String({ maxLength: characters.partOfNameMax, description: 'The given name of the user.' }),
  ),
  middle_name: o(
    Type.String({ maxLength: characters.partOfNameMax, description: 'The middle name of the user.' }),
  ),
  family_name: o(
    Type.String({ maxLength: characters.partOfNameMax, description: 'The family name of the user.' }),
  ),
  name: o(Type.String({ maxLength: limits.nameCharactersMax, description: 'The whole name of the user.' })),
  nickname: o(Type.String({ maxLength: characters.nicknameMax, description: 'The nickname of the user.' })),
  phone_number: o(
    Type.String({ maxLength: characters.phoneNumberMax, description: 'The phone number of the user.' }),
  ),
  comment: o(described(Text, 'A note about the user, at most 64 KiB in UTF-8.')),
  picture: o(
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      maxLength: characters.pictureMax,
      description:
        'The id of a blob that is a PNG, JPEG, GIF or WebP; such a picture of at most 512 KiB as a `data:` address in base64; or an http or https address of at most 2048 characters.',
    }),
  ),
  directory: o(
    string(
      'The id or name of the directory that the user belongs to. A name that no directory has creates one. `visitors` is for visitors only.',
    ),
  ),
  metadata: o(Metadata),
  tags: o(Tags),
  is_bot: o(boolean('Whether the user is a program rather than a person; false when absent on create.')),
};

const stateFields = {
  is_trusted: o(
    boolean(
      'Whether texts of the user are shown at once in apps with the approval `newcomers` or `guests`. False when absent on create.',
    ),
  ),
  is_suspended: o(
    boolean(
      'Whether the user is suspended. A suspended user cannot do anything and is left out of lists. False when absent on create.',
    ),
  ),
  role: o(
    Type.Unsafe<'moderator'>({
      type: 'string',
      enum: ['moderator'],
      description:
        '`moderator` lets the user moderate every app of their directory that they see or, without a directory, every app that they see.',
    }),
  ),
};

export const UserCreate = Type.Object(
  { uid: userUid, ...profileFields, ...stateFields },
  { $id: 'UserCreate', description: 'The fields of a request that creates a user.' },
);
export type UserCreate = Static<typeof UserCreate>;
export const UserPatch = Type.Object(
  { uid: o(userUid), ...profileFields, ...stateFields },
  { $id: 'UserPatch', description: 'The fields of a user that a client can change.' },
);
export type UserPatch = Static<typeof UserPatch>;

const suspended = o(
  Type.Unsafe<boolean | null>({
    ...TrueFalseNull,
    description: '`true` lists suspended users only, `false` the others, `null` all. The default is `false`.',
  }),
);

const userOrder = {
  orderBy: ['id', 'uid', 'name', 'display_name', 'email', 'created_at', 'modified_at'],
  expand: [],
} as const;

// Each directory has an index of names alone, and only listed users are counted as they come.
const userScans = ['uid', 'email', 'created_at', 'modified_at', 'suspended', 'trashed=true', 'trashed=null'];

export const userOperations = operationsOf('Users', {
  createUser: {
    method: 'POST',
    path: '/api/users',
    summary: 'Creates a user.',
    caller: 'key',
    scopes: ['users'],
    on: 'server',
    effect: 'change',
    body: UserCreate,
    success: { 201: UserDetail },
    errors: [400, 401, 403, 422],
    example: { uid: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' },
  },
  listUsers: {
    method: 'GET',
    path: '/api/users',
    summary: 'Lists users.',
    description:
      'An API key lists every user. A user lists the users of their own directory or, without a directory, those who have none; with `CONFAB_PEOPLE=shared`, only those with whom they share an app. For a user, `q` searches only what users see of each other, `tag` matches only themselves, and an order by `email`, `created_at` or `modified_at` becomes the default order. The built-in user of the system is never listed.',
    caller: 'any',
    on: 'visible',
    effect: 'read',
    query: Type.Object({
      directory_id: o(Type.Integer({ description: 'Only the users of this directory.' })),
      suspended,
      way: WayQuery,
    }),
    list: { ...userOrder, expand: ['visitor'] },
    scans: [...userScans, 'way'],
    success: { 200: ListedUsers },
    errors: [401],
  },
  // Before the operations of `{user}`, so that a reader of the list does not take this path for a uid.
  autocompleteUsers: {
    ...getting(AutocompleteList),
    path: '/api/users/autocomplete',
    summary: 'Finds users by the first letters of the words of their names.',
    description:
      'Finds the users of the directory of the caller (without one, those who have none) and the members of the app that `id` names; an API key finds every user. Leaves out users who are suspended or in the trash. Ordered by id.',
    on: 'visible',
    query: Type.Object({
      q: o(string('The beginnings of words; absent or `*` finds every user.')),
      top: o(
        Type.Integer({
          minimum: 1,
          maximum: limits.topMax,
          description: 'The most users to list; 5 when absent.',
        }),
      ),
      skip: o(count('How many users are skipped; 0 by default.')),
      count: o(boolean('Whether to count all matching users. The default is false.')),
      id: o(
        Type.Integer({
          minimum: 1,
          description: 'The app that `is_member` and `access` are about; without it they are absent.',
        }),
      ),
    }),
    scans: ['q', 'count', 'skip'],
  },
  getUser: {
    method: 'GET',
    path: '/api/users/{user}',
    summary: 'Gets a user by id or uid.',
    caller: 'key',
    on: { user: 'read', trashed: 'asked' },
    effect: 'read',
    query: TrashedQuery,
    success: { 200: UserDetail },
    errors: [401, 403, 404],
  },
  updateUser: {
    method: 'PATCH',
    path: '/api/users/{user}',
    summary: 'Changes the fields that are present; null clears one.',
    caller: 'key',
    on: { user: 'manage' },
    effect: 'change',
    body: UserPatch,
    neverNull: ['uid'],
    success: { 200: UserDetail },
    errors: [400, 401, 403, 404, 422],
    example: { name: 'Ada King', is_suspended: false },
  },
  upsertUser: {
    method: 'PUT',
    path: '/api/users/{user}',
    summary: 'Updates the user with the uid in the path, or creates it.',
    description:
      'Of concurrent calls for a free uid, exactly one gets 201. Absent fields keep their value. A `uid` in the body renames an existing user; for a new one it must equal the uid in the path. A user in the trash stays there.',
    caller: 'key',
    scopes: ['users'],
    on: 'server',
    effect: 'change',
    params: { user: 'text' },
    body: UserPatch,
    neverNull: ['uid'],
    success: { 200: UserDetail, 201: UserDetail },
    errors: [400, 401, 403, 422],
    example: { name: 'Ada Lovelace', directory: 'acme' },
  },
  trashUser: {
    ...changing(UserDetail),
    path: '/api/users/{user}/trash',
    summary:
      'Puts the user in the trash. The user cannot do anything until restored. Doing it twice is the same as once.',
    caller: 'key',
    on: { user: 'manage', trashed: 'included' },
  },
  restoreUser: {
    ...changing(UserDetail),
    path: '/api/users/{user}/restore',
    summary: 'Takes the user out of the trash.',
    caller: 'key',
    on: { user: 'manage', trashed: 'included' },
  },
  getCaller: {
    method: 'GET',
    path: '/api/user',
    summary: 'Gets the user whose access token is used.',
    caller: 'user',
    on: 'caller',
    effect: 'read',
    success: { 200: UserDetail },
    signedIn: UserDetail,
    errors: [401],
  },
  listDirectoryMembers: {
    method: 'GET',
    path: '/api/directories/{directory}/members',
    tag: 'Directories',
    summary: 'Lists the users of a directory. A user may ask for their own directory only.',
    caller: 'any',
    on: { directory: 'read' },
    effect: 'read',
    query: Type.Object({ suspended }),
    list: userOrder,
    scans: userScans,
    success: { 200: UserList },
    errors: [401, 404],
  },
});
