import Type, { type Static } from 'typebox';
import { App, AppPut, appOperations } from '../apps.ts';
import { conversationOperations } from '../conversations.ts';
import { described, limits, string, TrueFalseNull, UserRef, uidOf } from '../fields.ts';
import { operationsOf } from '../operation.ts';
import { replacing } from './replacing.ts';

const o = Type.Optional;
const { createApp, getApp, listApps, updateApp, upsertApp } = appOperations;
const { uid: _uid, ...createFields } = createApp.body.properties;

const AppCreateInSecondForm = Type.Object(
  {
    ...createFields,
    uid: o(
      described(uidOf('app', 'product-42'), 'The unique name of the app. Only conversations can do without.'),
    ),
    members: o(
      Type.Array(UserRef, {
        maxItems: limits.membersMax,
        description:
          'The other members, by id or uid. The caller is a member in any case. An agent chat has the agent here.',
      }),
    ),
  },
  {
    $id: 'AppCreateInSecondForm',
    description: 'The fields of a request that creates an app or a conversation.',
  },
);
export type AppCreateInSecondForm = Static<typeof AppCreateInSecondForm>;

const AppPatchInSecondForm = Type.Object(
  {
    ...updateApp.body.properties,
    picture: o(
      Type.Unsafe<string | number>({
        type: ['string', 'integer'],
        maxLength: 32,
        description: 'The id of an unused blob of the caller that is a PNG, JPEG, GIF or WebP.',
      }),
    ),
  },
  {
    $id: 'AppPatchInSecondForm',
    description: 'The fields of an app that a client of the second form can change.',
  },
);

const query = Type.Object({
  ...listApps.query.properties,
  uid: o(
    Type.Array(Type.String(), {
      description:
        'Only the apps with these uids, at most 50. `false` lists the conversations of the caller, which the product did not name.',
    }),
  ),
  unread: o(
    Type.Unsafe<boolean | null>({
      ...TrueFalseNull,
      description: '`true` lists unread conversations of the caller only, `false` read ones.',
    }),
  ),
  member: o(string('Only conversations of the caller with this user, by id or uid.')),
});

const own = {
  caller: 'user',
  on: { app: 'read' },
  effect: 'change',
  concurrentBy: 'caller',
  success: { 204: null },
  errors: [401, 404],
} as const;

/** The operations of the second form on apps and on conversations, which are apps there. */
export const secondFormAppOperations = operationsOf('Apps', {
  listAppsInSecondForm: {
    ...replacing(listApps),
    description:
      'With `uid=false`, `unread` or `member`, and where `type` names only types of conversations, a user gets the conversations that they are a member of.',
    query,
    list: {
      ...listApps.list,
      orderBy: [...listApps.list.orderBy, 'pinned_at', 'rev'],
      takesSeveral: true,
    },
  },
  getAppInSecondForm: { ...replacing(getApp), description: 'A chat is shown as a conversation.' },
  createAppInSecondForm: {
    ...replacing(createApp),
    summary: 'Creates an app, or starts a conversation.',
    description:
      'A chat room, private chat or agent chat needs no uid. Two users have at most one private chat, which is returned when it exists.',
    body: AppCreateInSecondForm,
    success: { 200: App, 201: App },
    problems: ['directory_forbidden', 'write_forbidden'],
    example: { type: 'chat_room', members: [17, 18], name: 'Lunch' },
  },
  upsertAppInSecondForm: {
    ...replacing(upsertApp),
    description:
      'A user opens a missing app of a contextual type as a page, also with a `name`, which it then has, and a `directory`, which is that of the user in any case. Both are ignored where the user may not change the app.',
    body: AppPut,
  },
  updateAppInSecondForm: {
    ...replacing(updateApp),
    description: 'Where `picture` is given, the app has another picture, or with null none.',
    body: AppPatchInSecondForm,
  },
  markApp: {
    ...own,
    method: 'PUT',
    path: '/api/apps/{app}/mark',
    summary: 'Marks a chat as read up to a message. It has no effect for who is no member.',
    query: conversationOperations.markConversation.query,
    errors: [401, 404, 422],
  },
  unmarkApp: {
    ...own,
    method: 'DELETE',
    path: '/api/apps/{app}/mark',
    summary: 'Marks a chat as unread. It has no effect for who is no member.',
  },
  markConversationInSecondForm: {
    ...replacing(conversationOperations.markConversation),
    description:
      'It has no effect for who is no member: versions 23 to 25 of the client mark every chat that they show.',
    on: { app: 'read' },
  },
  pinApp: {
    ...own,
    method: 'PUT',
    path: '/api/apps/{app}/pin',
    summary: 'Pins a chat: it comes first in the list of the caller. It has no effect for who is no member.',
  },
  unpinApp: { ...own, method: 'DELETE', path: '/api/apps/{app}/pin', summary: 'Unpins a chat.' },
  typeInApp: {
    ...own,
    method: 'PUT',
    path: '/api/apps/{app}/typing',
    summary: 'Notifies the other users of a chat that the caller is writing a message.',
    description: 'It has no effect for who may not write there.',
    effect: 'read',
  },
  leaveApp: {
    method: 'POST',
    path: '/api/apps/{app}/remove',
    summary: 'Removes a conversation from those of the caller, by ending their membership.',
    description: 'A private chat comes back when either of the two opens it again.',
    caller: 'user',
    on: { app: 'leave' },
    effect: 'change',
    concurrentBy: 'app',
    success: { 204: null },
    errors: [401, 403, 404],
  },
});
