import Type, { type Static } from 'typebox';
import {
  Access,
  Id,
  limits,
  listOf,
  Metadata,
  Permissions,
  Tags,
  Timestamp,
  TrashedQuery,
  TrueFalseNull,
  Uid,
} from './fields.ts';
import { operation } from './operation.ts';
import { profileFields, User } from './users.ts';

const o = Type.Optional;

/** The names of the app types. */
export const appTypeNames = ['chat', 'comments', 'files', 'posts', 'chat_room', 'private_chat'] as const;
/** One of the app types. */
export type AppType = (typeof appTypeNames)[number];

/** The guids by which existing clients know the app types, in the order of the names. */
const appTypeGuids = [
  'd65dd4bc-418e-403c-9f56-f9cf4da931ed',
  '88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd',
  '523edd88-4bbf-4547-b60f-2859a6d2ddc1',
  '5ebfa152-de85-48da-82dd-30a1b560c313',
  'edb400ac-839b-45a7-b2a8-6a01820d1c44',
  '7e14f418-8f15-46f4-b182-f619b671e470',
] as const;
/** One of the guids of app types. */
export type AppTypeGuid = (typeof appTypeGuids)[number];

/** A member in the list of an app's members. */
export const AppMember = Type.Object(
  {
    id: Id,
    uid: Type.String(),
    access: Access,
    display_name: Type.String(),
    avatar_url: o(Type.String()),
    delivered_at: o(Timestamp),
    marked_at: o(Timestamp),
    marked_id: o(Id),
    presence: Type.Unsafe<'active' | 'away'>({ type: 'string', enum: ['active', 'away'] }),
    is_bot: Type.Boolean(),
  },
  { $id: 'AppMember' },
);

/** The flat fields of an app. */
export const appItemFields = {
  id: Id,
  type: Type.Unsafe<AppType>({
    type: 'string',
    enum: [...appTypeNames, ...appTypeGuids],
    description: 'The name of the type; its guid for a client that says `X-Weavy-Source: @weavy/uikit`.',
  }),
  uid: Type.String(),
  access: Access,
  directory_id: o(Id),
  display_name: Type.String(),
  name: o(Type.String()),
  description: o(Type.String()),
  archive_url: o(Type.String()),
  avatar_url: o(Type.String()),
  metadata: o(Metadata),
  tags: Type.Array(Type.String()),
  created_at: Timestamp,
  created_by_id: Id,
  modified_at: o(Timestamp),
  modified_by_id: o(Id),
  permissions: Permissions,
  is_starred: Type.Boolean(),
  is_subscribed: Type.Boolean(),
  is_trashed: Type.Boolean(),
};

export const MemberList = listOf(AppMember, 'MemberList');

/** What stands in a single app beside the flat fields. */
export const appDetailFields = { created_by: User, modified_by: o(User), members: MemberList };

/** An app in a list: the flat fields, and the others only where `expand` asks for them. */
export const AppItem = Type.Object(
  { ...appItemFields, created_by: o(User), modified_by: o(User), members: o(MemberList) },
  { $id: 'AppItem' },
);

/** An app. */
export const App = Type.Object({ ...appItemFields, ...appDetailFields }, { $id: 'App' });
export type App = Static<typeof App>;

const AppList = listOf(AppItem, 'AppList');

const inputFields = {
  access: o(Access),
  directory: o(Type.String({ description: 'Id or name of a user directory; limits whom `access` lets in.' })),
  name: o(Type.String({ maxLength: limits.nameCharactersMax })),
  description: o(Type.String({ maxLength: limits.descriptionCharactersMax })),
  metadata: o(Metadata),
  tags: o(Tags),
};

const typeField = Type.String({
  description: 'The name in any case, or the guid: chat, comments, files, posts, chat_room or private_chat.',
});

export const AppCreate = Type.Object({ uid: Uid, type: typeField, ...inputFields }, { $id: 'AppCreate' });
export type AppCreate = Static<typeof AppCreate>;
export const AppPatch = Type.Object({ uid: o(Uid), ...inputFields }, { $id: 'AppPatch' });
export type AppPatch = Static<typeof AppPatch>;
export const AppPut = Type.Object({ type: typeField, uid: o(Uid), ...inputFields }, { $id: 'AppPut' });
export type AppPut = Static<typeof AppPut>;

// Metadata is left out, because its limits are judged for a whole body only.
const { metadata: _appMetadata, ...initAppFields } = inputFields;
const { metadata: _userMetadata, ...initUserFields } = profileFields;

export const AppInit = Type.Object(
  {
    app: Type.Object({ uid: Uid, type: typeField, ...initAppFields }),
    user: Type.Object({ uid: Uid, ...initUserFields }),
  },
  { $id: 'AppInit' },
);
export type AppInit = Static<typeof AppInit>;

const app = { app: 'ref' } as const;
const tag = 'Apps';

export const appOperations = {
  createApp: operation({
    id: 'createApp',
    method: 'POST',
    path: '/api/apps',
    tag,
    summary: 'Creates an app. Its creator becomes a member with write access and manages it.',
    caller: 'any',
    body: AppCreate,
    success: { 201: App },
    errors: [400, 401, 403, 422],
    example: { uid: 'product-42', type: 'comments', access: 'write', name: 'Product 42' },
  }),
  getApp: operation({
    id: 'getApp',
    method: 'GET',
    path: '/api/apps/{app}',
    tag,
    summary: 'Gets an app by its id or uid.',
    caller: 'any',
    params: app,
    query: TrashedQuery,
    success: { 200: App },
    errors: [401, 404],
  }),
  updateApp: operation({
    id: 'updateApp',
    method: 'PATCH',
    path: '/api/apps/{app}',
    tag,
    summary: 'Changes the fields that are present; null clears one.',
    caller: 'any',
    params: app,
    body: AppPatch,
    neverNull: ['uid'],
    success: { 200: App },
    errors: [400, 401, 403, 404, 422],
    example: { name: 'Product 42, second edition' },
  }),
  upsertApp: operation({
    id: 'upsertApp',
    method: 'PUT',
    path: '/api/apps/{app}',
    tag,
    summary: 'Updates the app with the uid in the path, or creates it.',
    description:
      'Of concurrent calls for a free uid exactly one answers 201. Absent fields keep their value; a `uid` in the body renames. An app in the trash stays there.',
    caller: 'any',
    params: { app: 'text' },
    body: AppPut,
    neverNull: ['uid'],
    success: { 200: App, 201: App },
    errors: [400, 401, 403, 422],
    example: { type: 'comments' },
  }),
  initApp: operation({
    id: 'initApp',
    method: 'POST',
    path: '/api/apps/init',
    tag,
    summary:
      'Makes sure that an app and a user are there and that the user is a member: all of it, or nothing.',
    description:
      'Fields that are present change the app and the user. Somebody who is a member already keeps their access; who becomes one gets write.',
    caller: 'key',
    body: AppInit,
    success: { 200: App },
    errors: [400, 401, 403, 422],
    example: { app: { uid: 'product-42', type: 'comments' }, user: { uid: 'ada', name: 'Ada Lovelace' } },
  }),
  deleteApp: operation({
    id: 'deleteApp',
    method: 'DELETE',
    path: '/api/apps/{app}',
    tag,
    summary: 'Deletes an app for good, with everything in it, whether or not it is in the trash.',
    description:
      'Nobody sees it from the answer on and its uid is free again; its content is taken off the disk in the background. One event, `app_deleted`, tells of all of it.',
    caller: 'any',
    params: app,
    success: { 204: null },
    errors: [400, 401, 403, 404],
  }),
  listApps: operation({
    id: 'listApps',
    method: 'GET',
    path: '/api/apps',
    tag,
    summary: 'Lists the apps the caller can see.',
    caller: 'any',
    query: Type.Object({
      contextual: o(
        Type.Unsafe<boolean | null>({
          ...TrueFalseNull,
          description: 'true lists contextual apps only, false the others, absent or null both.',
        }),
      ),
      type: o(Type.Array(Type.String(), { description: 'Guids or names of app types; absent lists all.' })),
    }),
    list: {
      orderBy: ['id', 'uid', 'type', 'name', 'created_at', 'modified_at'],
      defaultOrder: { field: 'id', descending: false },
      expand: ['created_by', 'modified_by', 'members'],
    },
    success: { 200: AppList },
    errors: [401],
  }),
  subscribeApp: operation({
    id: 'subscribeApp',
    method: 'POST',
    path: '/api/apps/{app}/subscribe',
    tag,
    summary: 'Subscribes the caller to notifications of the app.',
    caller: 'user',
    params: app,
    success: { 200: App },
    errors: [401, 404],
  }),
  unsubscribeApp: operation({
    id: 'unsubscribeApp',
    method: 'POST',
    path: '/api/apps/{app}/unsubscribe',
    tag,
    summary: 'Ends the subscription of the caller.',
    caller: 'user',
    params: app,
    success: { 200: App },
    errors: [401, 404],
  }),
  trashApp: operation({
    id: 'trashApp',
    method: 'POST',
    path: '/api/apps/{app}/trash',
    tag,
    summary: 'Puts the app in the trash; once there, it stays there.',
    caller: 'any',
    params: app,
    success: { 200: App },
    errors: [400, 401, 403, 404],
  }),
  restoreApp: operation({
    id: 'restoreApp',
    method: 'POST',
    path: '/api/apps/{app}/restore',
    tag,
    summary: 'Takes the app out of the trash.',
    caller: 'any',
    params: app,
    success: { 200: App },
    errors: [400, 401, 403, 404],
  }),
};
