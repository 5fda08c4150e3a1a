import Type, { type Static } from 'typebox';
import { changing, deleting, getting, subscribing } from './common-operations.ts';
import {
  Access,
  boolean,
  described,
  Id,
  limits,
  listOf,
  MemberRole,
  Metadata,
  Permissions,
  string,
  Tags,
  Timestamp,
  TrashedQuery,
  TrueFalseNull,
  uidOf,
} from './fields.ts';
import { lockedAt, lockOperation } from './locks.ts';
import { operationsOf } from './operation.ts';
import { PageTitle } from './page-title.ts';
import { resolvingFields } from './resolving.ts';
import { profileFields, User, userUid } from './users.ts';
import { VisitorApp } from './visitors.ts';

const o = Type.Optional;

const inPlaces = ['chat', 'comments', 'files', 'posts'] as const;
/** The names of the app types. */
export const appTypeNames = [...inPlaces, 'chat_room', 'private_chat', 'agent_chat'] as const;
/** One of the app types. */
export type AppType = (typeof appTypeNames)[number];

/** The guids that existing clients use for the app types, in the order of the names. */
export const appTypeGuids = [
  'd65dd4bc-418e-403c-9f56-f9cf4da931ed',
  '88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd',
  '523edd88-4bbf-4547-b60f-2859a6d2ddc1',
  '5ebfa152-de85-48da-82dd-30a1b560c313',
  'edb400ac-839b-45a7-b2a8-6a01820d1c44',
  '7e14f418-8f15-46f4-b182-f619b671e470',
  '2352a1c6-abc6-420e-8b85-ca7d5aed8779',
] as const;
/** One of the guids of app types. */
export type AppTypeGuid = (typeof appTypeGuids)[number];

/** A member in the list of an app's members. */
export const AppMember = Type.Object(
  {
    id: described(Id, 'The id of the user.'),
    uid: Type.String({ description: 'The uid of the user.', examples: ['ada'] }),
    access: described(
      Access,
      'What the member may do in the app: nothing (`none`), read (`read`), or also create content (`write`). It replaces the access level of the app, whether it is more or less.',
    ),
    role: o(
      described(
        MemberRole,
        "What the member may do beyond `access`, while that is `write`: decide on everyone's content (`moderator`), or also change the app and its members (`manager`). Absent for most members.",
      ),
    ),
    display_name: string("The member's name for display."),
    avatar_url: o(
      string("The address of the user's picture; needs no credential. Absent for a user without a picture."),
    ),
    delivered_at: o(
      described(
        Timestamp,
        'When a client of the member last reported that it had received the messages of the chat. Absent until then, and in other apps.',
      ),
    ),
    marked_at: o(
      described(
        Timestamp,
        'When the member last marked the chat as read. Absent until then, and in other apps.',
      ),
    ),
    marked_id: o(
      described(
        Id,
        'The id of the last message that the member has read. Absent when the chat has not been read or was marked as unread.',
      ),
    ),
    presence: Type.Unsafe<'active' | 'away'>({
      type: 'string',
      enum: ['active', 'away'],
      description: 'Whether the user has a live connection to the server (`active`) or not (`away`).',
    }),
    is_bot: boolean('Whether the user is a program rather than a person.'),
  },
  { $id: 'AppMember', description: 'A member of an app.' },
);

/** The content of an app that moderators must approve. */
const Approval = Type.Unsafe<'everything' | 'newcomers' | 'guests' | 'rules'>({
  type: 'string',
  enum: ['everything', 'newcomers', 'guests', 'rules'],
});

/** What people without a credential may do in an app. */
const Visitors = Type.Unsafe<'read' | 'write'>({ type: 'string', enum: ['read', 'write'] });

/** The flat fields of an app. */
export const appItemFields = {
  id: described(Id, 'The id of the app.'),
  type: Type.Unsafe<AppType>({
    type: 'string',
    enum: [...appTypeNames, ...appTypeGuids],
    description: 'The name of the type, or its guid for a client that sends `X-Weavy-Source: @weavy/uikit`.',
  }),
  uid: Type.String({
    description: 'The unique name that the host product gave the app.',
    examples: ['product-42'],
  }),
  access: described(
    Access,
    'What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). If the app has a directory, this applies to the users of that directory only.',
  ),
  directory_id: o(
    described(Id, 'The id of the directory that `access` is limited to. Absent when it is not limited.'),
  ),
  display_name: string(
    'The name to show: `name`, or `uid` if there is none. A conversation without a name is called by the names of its members.',
  ),
  name: o(string('The name of the app, at most 256 characters. Absent when it has none.')),
  description: o(string('What the app is about, at most 4096 characters. Absent when it has none.')),
  archive_url: o(string('Not used: always absent.')),
  avatar_url: o(
    string("The address of the app's picture, or the other person's in a private chat; needs no credential."),
  ),
  metadata: o(
    described(Metadata, 'Free-form properties of the app, as the client sent them. Absent when it has none.'),
  ),
  tags: Type.Array(Type.String(), {
    description: 'The tags of the app, in the order in which they were set.',
  }),
  created_at: described(Timestamp, 'When the app was created.'),
  created_by_id: described(
    Id,
    'The id of the user who created the app; that of `system` for an app made with an API key.',
  ),
  modified_at: o(described(Timestamp, 'When the app was last changed. Absent until the first change.')),
  modified_by_id: o(
    described(Id, 'The id of the user who last changed the app. Absent until the first change.'),
  ),
  locked_at: lockedAt,
  approval: o(
    described(
      Approval,
      'The content that is held until a moderator approves it: `everything` that users write here, the first items of `newcomers`, the items of `guests`, or texts that `rules` match. When absent, only rules that hold texts everywhere apply.',
    ),
  ),
  approval_count: o(
    Type.Integer({
      minimum: 1,
      description: 'How many approved items make a newcomer known. Only where `approval` is `newcomers`.',
    }),
  ),
  visitors: o(
    described(
      Visitors,
      'What people without a credential may do: read the comments of the app (`read`), or also write some once they have signed in as visitors (`write`). Absent where they may do nothing.',
    ),
  ),
  ...resolvingFields,
  permissions: described(Permissions, 'What the caller may do in the app.'),
  is_starred: boolean('Whether the caller has starred the app.'),
  is_subscribed: boolean('Whether the caller is notified of activity in the app.'),
  is_trashed: boolean('Whether the app is in the trash.'),
};

export const MemberList = listOf(AppMember, 'MemberList');

/** The fields that a single app has in addition to the flat ones. */
export const appDetailFields = {
  created_by: described(User, 'The user who created the app.'),
  modified_by: o(described(User, 'The user who last changed the app. Absent until the first change.')),
  members: described(MemberList, 'The first 25 members, and how many there are.'),
};

/** An app in a list: the flat fields, and the others only where `expand` names them. */
export const AppItem = Type.Object(
  {
    ...appItemFields,
    created_by: o(described(User, 'The user who created the app. Only where `expand` asks for it.')),
    modified_by: o(
      described(
        User,
        'The user who last changed the app. Only where `expand` asks for it; absent until the first change.',
      ),
    ),
    members: o(
      described(MemberList, 'The first 25 members, and how many there are. Only where `expand` asks for it.'),
    ),
  },
  { $id: 'AppItem', description: 'An app in a list.' },
);

/** An app. */
export const App = Type.Object(
  { ...appItemFields, ...appDetailFields },
  { $id: 'App', description: 'A container of content, with members and an access level for everyone else.' },
);
export type App = Static<typeof App>;

const AppList = listOf(AppItem, 'AppList');

const inputFields = {
  access: o(
    described(
      Access,
      'What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). `none` when absent on create.',
    ),
  ),
  directory: o(
    string(
      'The id or name of a directory. It limits `access` to the users of that directory, which cannot be `visitors`. Where a user opens the app and names none, it is the directory of that user; only API keys open an app to all users of a server with directories.',
    ),
  ),
  name: o(
    Type.String({
      maxLength: limits.nameCharactersMax,
      description: 'The name of the app. A name that is empty or blank counts as none.',
    }),
  ),
  description: o(
    Type.String({ maxLength: limits.descriptionCharactersMax, description: 'The subject of the app.' }),
  ),
  metadata: o(Metadata),
  tags: o(Tags),
  approval: o(
    described(
      Approval,
      'The content that is held until a moderator approves it: `everything` that users write here; texts of `newcomers` until `approval_count` of them are approved here or, for an app without a manager, in another one whose uid has the same host before the first `~`; what `guests` write, who are visitors with nothing but a name; or texts that `rules` of `PUT /api/moderation/rules` match, including rules that only report elsewhere. An edit holds an item where a new one by the same user would be held. Content of moderators, managers and API keys is never held, and content of trusted users (`is_trusted`) is held for `everything` and `rules` alone. When absent on create, only rules that hold texts everywhere apply.',
    ),
  ),
  approval_count: o(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'How many approved items end the status of a newcomer; 1 when absent on create.',
    }),
  ),
  visitors: o(
    described(
      Visitors,
      'What people without a credential may do in a comments app: read its comments (`read`), or also write some once they have signed in as visitors (`write`). It counts while `access` lets users read and the app has no directory. Nothing when absent on create.',
    ),
  ),
  ...resolvingFields,
};

const typeField = string(
  'The type of the app, which cannot be changed: chat, comments, files, posts, chat_room or private_chat in any case, or its guid.',
);

const Uid = uidOf('app', 'product-42');

const AppCreate = Type.Object(
  { uid: Uid, type: typeField, ...inputFields },
  { $id: 'AppCreate', description: 'The fields of a request that creates an app.' },
);
export const AppPatch = Type.Object(
  { uid: o(Uid), ...inputFields },
  { $id: 'AppPatch', description: 'The fields of an app that a client can change.' },
);
export type AppPatch = Static<typeof AppPatch>;
export const AppPut = Type.Object(
  { type: typeField, uid: o(Uid), page_title: o(PageTitle), ...inputFields },
  {
    $id: 'AppPut',
    description: 'The fields of an app that a client can set, whether the app exists or not.',
  },
);
export type AppPut = Static<typeof AppPut>;

export const AppInit = Type.Object(
  {
    app: Type.Object(
      { uid: Uid, type: typeField, ...inputFields },
      { description: 'The app, as in a request to create one.' },
    ),
    user: Type.Object(
      { uid: userUid, ...profileFields },
      { description: 'The user, as in a request to create one.' },
    ),
  },
  { $id: 'AppInit', description: 'An app and a user who becomes a member of it.' },
);
export type AppInit = Static<typeof AppInit>;

export const appOperations = operationsOf('Apps', {
  createApp: {
    method: 'POST',
    path: '/api/apps',
    summary: 'Creates an app. Its creator becomes a member with write access and its manager.',
    caller: 'any',
    scopes: ['apps'],
    on: 'caller',
    effect: 'change',
    body: AppCreate,
    success: { 201: App },
    errors: [400, 401, 403, 422],
    problems: ['directory_forbidden'],
    example: { uid: 'product-42', type: 'comments', access: 'write', name: 'Product 42' },
  },
  getApp: {
    ...getting(App),
    path: '/api/apps/{app}',
    summary: 'Gets an app by its id or uid.',
    on: { app: 'read', trashed: 'asked' },
    query: TrashedQuery,
  },
  updateApp: {
    method: 'PATCH',
    path: '/api/apps/{app}',
    summary: 'Changes the fields that are present; null clears one.',
    caller: 'any',
    on: { app: 'manage' },
    effect: 'change',
    body: AppPatch,
    neverNull: ['uid'],
    success: { 200: App },
    errors: [400, 401, 403, 404, 422],
    problems: ['directory_forbidden'],
    example: { name: 'Product 42, second edition' },
  },
  upsertApp: {
    method: 'PUT',
    path: '/api/apps/{app}',
    summary: 'Updates the app with the uid in the path, or creates it.',
    description:
      'Of concurrent calls for a free uid, exactly one gets 201.  Absent fields keep their value. A `uid` in the body renames an existing app; for a new one it must equal the uid in the path. Any caller who can see the app may send a call that changes nothing. An app in the trash stays there. Visitors may only open a page of comments of a listed origin, with `page=true` and nothing but the type: any other request of theirs is refused with `users_only`, and a page that they may not open with `page_forbidden`.',
    caller: 'any',
    scopes: ['apps'],
    on: { own: 'It creates the app where none has the uid, and refuses a hidden one with 403.' },
    effect: 'change',
    params: { app: 'text' },
    query: Type.Object({
      page: o(
        boolean(
          '`true` creates a missing app as a page: it belongs to nobody, and its access is `write`, limited to the directory of the caller if there is one. This applies only to a contextual type and a body without other fields; any other call creates an app that belongs to the caller, with the access `none` unless the body sets it. The default is true for an access token with the header `X-Weavy-Source: @weavy/uikit…`, otherwise false.',
        ),
      ),
    }),
    body: AppPut,
    neverNull: ['uid'],
    success: { 200: App, 201: App },
    signedIn: VisitorApp,
    errors: [400, 401, 403, 422],
    problems: ['manage_forbidden', 'directory_forbidden', 'page_forbidden'],
    example: { type: 'comments' },
  },
  initApp: {
    method: 'POST',
    path: '/api/apps/init',
    summary: 'Creates or changes an app and a user, and makes the user a member, all in one transaction.',
    description:
      'Fields that are present change the app and the user. An existing member keeps their access; a new one gets `write`.',
    caller: 'key',
    scopes: ['apps', 'users'],
    on: 'server',
    effect: 'change',
    body: AppInit,
    success: { 200: App },
    errors: [400, 401, 403, 422],
    example: { app: { uid: 'product-42', type: 'comments' }, user: { uid: 'ada', name: 'Ada Lovelace' } },
  },
  deleteApp: {
    ...deleting,
    path: '/api/apps/{app}',
    summary: 'Deletes an app permanently, with everything in it, whether or not it is in the trash.',
    description:
      'The app disappears at once and its uid is free again; its content is removed in the background. One event, `app_deleted`, covers all of it.',
    on: { app: 'manage', trashed: 'included' },
  },
  listApps: {
    method: 'GET',
    path: '/api/apps',
    summary: 'Lists the apps the caller can see.',
    caller: 'any',
    on: 'visible',
    effect: 'read',
    query: Type.Object({
      contextual: o(
        Type.Unsafe<boolean | null>({
          ...TrueFalseNull,
          description: '`true` lists contextual apps only, `false` the others. Absent or `null` lists both.',
        }),
      ),
      type: o(Type.Array(Type.String(), { description: 'Guids or names of app types; absent lists all.' })),
    }),
    list: {
      orderBy: ['id', 'uid', 'type', 'name', 'display_name', 'created_at', 'modified_at'],
      expand: ['created_by', 'modified_by', 'members'],
    },
    success: { 200: AppList },
    errors: [401],
  },
  subscribeApp: {
    ...subscribing(App),
    path: '/api/apps/{app}/subscribe',
    summary: 'Subscribes the caller to notifications of the app.',
    on: { app: 'read' },
  },
  unsubscribeApp: {
    ...subscribing(App),
    path: '/api/apps/{app}/unsubscribe',
    summary: 'Ends the subscription of the caller.',
    on: { app: 'read' },
  },
  trashApp: {
    ...changing(App),
    path: '/api/apps/{app}/trash',
    summary:
      'Puts the app in the trash, where it is hidden until it is restored. Doing it twice is the same as once.',
    on: { app: 'manage', trashed: 'included' },
  },
  restoreApp: {
    ...changing(App),
    path: '/api/apps/{app}/restore',
    summary: 'Takes the app out of the trash.',
    on: { app: 'manage', trashed: 'included' },
  },
  lockApp: {
    ...changing(App),
    ...lockOperation,
    path: '/api/apps/{app}/lock',
    summary: 'Locks an app, at once or from a time on.',
    on: { app: 'moderate' },
  },
  unlockApp: {
    ...changing(App),
    path: '/api/apps/{app}/unlock',
    summary: 'Unlocks an app.',
    on: { app: 'moderate' },
  },
});
