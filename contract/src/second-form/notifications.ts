import Type, { type Static } from 'typebox';
import { Parent } from '../entries.ts';
import { described, listOf, Metadata, Tags, UserRef } from '../fields.ts';
import { Notification, NotificationItem, notificationOperations } from '../notifications.ts';
import { operationsOf } from '../operation.ts';
import { replacing } from './replacing.ts';

const o = Type.Optional;

/** The limits of a notification that the host product creates. */
export const notificationLimits = { templateCharactersMax: 500, argsMax: 10, argCharactersMax: 200 } as const;

const { listNotifications, markNotifications } = notificationOperations;

/** The notifications of an app have a path of their own. */
const { app: _, ...ofEitherForm } = listNotifications.query.properties;

const filters = {
  ...ofEitherForm,
  tag: o(
    Type.Array(Type.String({ format: 'text' }), {
      description: 'Only notifications with this tag, or with one of these, at most 20.',
    }),
  ),
};

const directory = o(
  Type.String({
    description:
      'Only notifications about what is in apps of this directory, by its id or name. One that the caller does not see has none.',
  }),
);

const template = Type.String({
  minLength: 1,
  maxLength: notificationLimits.templateCharactersMax,
  description:
    'The sentence, with {0}, {1} and so on in the place of `args`. Newer clients show what is between `**` as strong and what is between `*` as emphasised.',
});

const NotificationCreate = Type.Object(
  {
    user: described(UserRef, 'The id or uid of the user to notify.'),
    template,
    args: o(
      Type.Array(Type.String({ maxLength: notificationLimits.argCharactersMax }), {
        maxItems: notificationLimits.argsMax,
        description: 'The values of the sentence, as plain text: at most 10 of at most 200 characters each.',
      }),
    ),
    link: o(
      described(
        Parent,
        'What the notification is about: a comment, post, message or file. It is shown to the user while they may see it. Absent for a notification about nothing here.',
      ),
    ),
    metadata: o(Metadata),
    tags: o(Tags),
  },
  { $id: 'NotificationCreate', description: 'The fields of a request that notifies a user.' },
);
/** The fields of a request that notifies a user. */
export type NotificationCreate = Static<typeof NotificationCreate>;

const listing = {
  list: listNotifications.list,
  success: { 200: listOf(NotificationItem, 'NotificationList') },
} as const;

const marking = {
  method: 'PUT',
  caller: 'user',
  effect: 'wait',
  query: markNotifications.query,
  success: { 200: null },
  errors: [401, 404],
} as const;

/** The operations of the second form on notifications. */
export const secondFormNotificationOperations = operationsOf('Notifications', {
  listNotificationsInSecondForm: {
    ...replacing(listNotifications),
    description:
      'Each notification has its actor and its user. A tag matches notifications that the host product created with it.',
    query: Type.Object({ ...filters, directory }),
    scans: [...listNotifications.scans, 'directory', 'tag'],
    ...listing,
  },
  createNotification: {
    method: 'POST',
    path: '/api/notifications',
    summary: 'Notifies a user.',
    description:
      'The user gets a sentence of the host product, in their list and at once. Its type is `activity`, and its actor is the user of the API key. It may link to an item.',
    caller: 'key',
    on: 'server',
    scopes: ['apps'],
    effect: 'change',
    body: NotificationCreate,
    success: { 201: Notification },
    errors: [400, 401, 403, 422],
    example: { user: 'ada', template: '**{0}** is out of stock', args: ['The blue chair'], tags: ['stock'] },
  },
  listAppNotifications: {
    method: 'GET',
    path: '/api/apps/{app}/notifications',
    summary: 'Lists the notifications of the caller about what is in an app, the newest first.',
    caller: 'user',
    on: { app: 'read' },
    effect: 'read',
    query: Type.Object(filters),
    scans: [...listNotifications.scans, 'tag'],
    errors: [401, 404],
    ...listing,
  },
  markAppNotifications: {
    ...marking,
    path: '/api/apps/{app}/notifications/mark',
    summary: 'Marks the notifications of the caller about an app as read, up to one of them or all.',
    on: { app: 'read' },
  },
  markDirectoryNotifications: {
    ...marking,
    path: '/api/directories/{directory}/notifications/mark',
    summary:
      'Marks the notifications of the caller about apps of a directory as read, up to one of them or all.',
    on: { directory: 'read' },
  },
});
