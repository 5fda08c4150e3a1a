import Type, { type Static } from 'typebox';
import { getting } from './common-operations.ts';
import { Parent } from './entries.ts';
import { boolean, described, Id, listOf, string, Timestamp, TrueFalseNull } from './fields.ts';
import { operationsOf } from './operation.ts';
import { User } from './users.ts';

const o = Type.Optional;

const itemFields = {
  id: described(Id, 'The id of the notification.'),
  action: string('The action of the event, such as `comment_created`.'),
  actor_id: o(
    described(
      Id,
      'The id of the user who caused it. Absent when the caller may no longer see what it is about.',
    ),
  ),
  template: string('The sentence, with {0}, {1} and so on in the place of `args`.'),
  args: Type.Array(Type.String(), {
    description:
      'Who did it, then the name of the app or file, then how the text begins; what is unknown is left out.',
  }),
  text: string('The sentence with its arguments.'),
  html: string('The sentence with its arguments, as HTML that is safe to show.'),
  plain: string('The sentence with its arguments, without markup.'),
  link: o(described(Parent, 'What the notification is about. Absent when the caller may no longer see it.')),
  user_id: described(Id, 'The id of the user who is notified.'),
  created_at: described(Timestamp, 'When the notification was created.'),
  is_unread: boolean('Whether the notification is unread.'),
};

/** The reasons of notifications. */
export const Notification = Type.Object(
  {
    ...itemFields,
    actor: o(
      described(
        User,
        'The user who caused it. Absent when the caller may no longer see what the notification is about.',
      ),
    ),
    user: described(User, 'The user who is notified.'),
  },
  {
    $id: 'Notification',
    description:
      'A notification of a user. If the user may no longer see its subject, `actor_id`, `actor` and `link` are absent.',
  },
);
export type Notification = Static<typeof Notification>;

export const NotificationItem = Type.Object(
  {
    ...itemFields,
    actor: o(
      described(
        User,
        'The user who caused it. Only where `expand` asks for it; absent when the caller may no longer see what the notification is about.',
      ),
    ),
    user: o(described(User, 'The user who is notified. Only where `expand` asks for it.')),
  },
  { $id: 'NotificationItem', description: 'A notification in a list.' },
);
const NotificationList = listOf(NotificationItem, 'NotificationList');

export const notificationOperations = operationsOf('Notifications', {
  listNotifications: {
    method: 'GET',
    path: '/api/notifications',
    summary: 'Lists the notifications of the caller, the newest first.',
    description:
      'Notifications about an item that is held or in the trash, or is below such an item, are in no list until the item is shown again; notifications about a deleted item are gone. If the caller may no longer read the app, a notification stays in the list but does not reveal its subject. Notifications have neither tags nor a trash, so a tag or trashed=true matches none.',
    caller: 'user',
    on: 'caller',
    effect: 'read',
    query: Type.Object({
      action: o(string('Only notifications of this action, such as `comment_created`.')),
      type: o(
        Type.Unsafe<'activity' | 'mention' | 'reaction'>({
          type: 'string',
          enum: ['activity', 'mention', 'reaction'],
          description: 'Only mentions, only reactions, or only what is neither.',
        }),
      ),
      app: o(
        Type.String({
          description:
            'Only notifications about what is in this app, by its id or uid. One that the caller does not see has none.',
        }),
      ),
      unread: o(
        Type.Unsafe<boolean | null>({
          ...TrueFalseNull,
          description:
            '`true` lists unread notifications only, `false` read ones. Absent or `null` lists both.',
        }),
      ),
    }),
    list: {
      orderBy: ['id', 'created_at'],
      defaultOrder: { field: 'id', descending: true },
      expand: ['actor', 'user'],
    },
    // What matches these is counted; the unread ones have an index and a count of their own.
    scans: ['action', 'type', 'app', 'unread=false'],
    success: { 200: NotificationList },
    errors: [401],
  },
  markNotifications: {
    method: 'PUT',
    path: '/api/notifications/mark',
    summary: 'Marks a notification of the caller and all earlier ones as read, or all of them without an id.',
    caller: 'user',
    on: 'caller',
    effect: 'wait',
    query: Type.Object({
      id: o(Type.String({ description: 'The id of the last notification to mark.', examples: ['42'] })),
    }),
    success: { 200: null },
    errors: [401, 404],
  },
  getNotification: {
    ...getting(Notification),
    path: '/api/notifications/{id}',
    summary: 'Gets a notification of the caller, or with an API key of any user.',
    on: { notification: 'read' },
  },
  deleteNotification: {
    method: 'DELETE',
    path: '/api/notifications/{id}',
    summary: 'Deletes a notification permanently.',
    caller: 'any',
    on: { notification: 'read' },
    effect: 'change',
    success: { 204: null },
    errors: [401, 404],
  },
  markNotification: {
    method: 'PUT',
    path: '/api/notifications/{id}/mark',
    summary: 'Marks a notification as read.',
    caller: 'any',
    on: { notification: 'read' },
    effect: 'change',
    concurrentBy: 'caller',
    success: { 200: Notification },
    errors: [401, 404],
  },
  unmarkNotification: {
    method: 'DELETE',
    path: '/api/notifications/{id}/mark',
    summary: 'Marks a notification as unread.',
    caller: 'any',
    on: { notification: 'read' },
    effect: 'change',
    concurrentBy: 'caller',
    success: { 200: Notification },
    errors: [401, 404],
  },
});
