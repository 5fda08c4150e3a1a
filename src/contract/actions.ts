/**
 * Every action of the event log: the one catalogue from which the triggers of webhooks, the schemas and descriptions of
 * events, the types of `append`, the audiences of notifications and the rights of live connections are derived.
 */

/** The groups that a webhook can name as a trigger. */
export const triggerGroups = [
  'comments',
  'posts',
  'messages',
  'files',
  'reactions',
  'polls',
  'notifications',
  'conversations',
  'apps',
  'members',
] as const;

/** One action of the log. */
export type ActionFacts = {
  /** The group that webhooks name as a trigger; absent for what is in the log alone, which no webhook can ask for. */
  readonly group?: (typeof triggerGroups)[number];
  /** What the event is about: a property of the payload has this name. */
  readonly entity: string;
  /** Whether the event is about many of these at once, so that the payload has none of them. */
  readonly isAboutMany?: true;
  /** The other properties that every payload has. */
  readonly extra?: readonly string[];
  /** The other properties that a payload can have. */
  readonly optional?: readonly string[];
  /**
   * Whom notifications are for, besides the users mentioned in the text; absent where nobody is notified. `thread`: the
   * author of the comment that is answered, the author of what a comment is on and its subscribers; `author`: of what the
   * reaction or the poll belongs to; `subscribers`: of the entity; `subscribers_of_app` and `members`: of the app of the
   * event; `mentioned`: nobody else.
   */
  readonly audience?: 'thread' | 'author' | 'subscribers' | 'subscribers_of_app' | 'members' | 'mentioned';
  /** Whose rights and credentials it can change: those of all users in the app, of one member, or of one user. */
  readonly rights?: 'app' | 'member' | 'user';
  /** When it happens, in one sentence. */
  readonly sentence: string;
};

/** Every action with what is known of it. */
export const actions = {
  app_created: { group: 'apps', entity: 'app', sentence: 'An app was made.' },
  app_updated: { group: 'apps', entity: 'app', rights: 'app', sentence: 'An app was changed.' },
  app_trashed: { group: 'apps', entity: 'app', rights: 'app', sentence: 'An app was put in the trash.' },
  app_restored: { group: 'apps', entity: 'app', rights: 'app', sentence: 'An app came back from the trash.' },
  app_deleted: { group: 'apps', entity: 'app', rights: 'app', sentence: 'An app was deleted permanently.' },
  app_subscribed: {
    group: 'apps',
    entity: 'app',
    sentence: 'The actor wants to be told what happens to the app.',
  },
  app_unsubscribed: {
    group: 'apps',
    entity: 'app',
    sentence: 'The actor does not want to be told any more what happens to the app.',
  },
  app_starred: { entity: 'app', sentence: 'The actor starred an app; nobody else is told.' },
  app_unstarred: { entity: 'app', sentence: 'The actor took the star of an app away; nobody else is told.' },
  member_added: {
    group: 'members',
    entity: 'member',
    extra: ['app'],
    rights: 'member',
    sentence: 'A user became a member of an app.',
  },
  member_updated: {
    group: 'members',
    entity: 'member',
    extra: ['app'],
    rights: 'member',
    sentence: 'The access of a member of an app was changed.',
  },
  member_removed: {
    group: 'members',
    entity: 'member',
    extra: ['app'],
    rights: 'member',
    sentence: 'A user is no member of an app any more.',
  },
  comment_created: {
    group: 'comments',
    entity: 'comment',
    audience: 'thread',
    sentence: 'A comment was made.',
  },
  comment_updated: {
    group: 'comments',
    entity: 'comment',
    audience: 'mentioned',
    sentence: 'A comment was changed.',
  },
  comment_trashed: { group: 'comments', entity: 'comment', sentence: 'A comment was put in the trash.' },
  comment_restored: { group: 'comments', entity: 'comment', sentence: 'A comment came back from the trash.' },
  comment_deleted: { group: 'comments', entity: 'comment', sentence: 'A comment was deleted permanently.' },
  post_created: {
    group: 'posts',
    entity: 'post',
    audience: 'subscribers_of_app',
    sentence: 'A post was made.',
  },
  post_updated: { group: 'posts', entity: 'post', audience: 'mentioned', sentence: 'A post was changed.' },
  post_trashed: { group: 'posts', entity: 'post', sentence: 'A post was put in the trash.' },
  post_restored: { group: 'posts', entity: 'post', sentence: 'A post came back from the trash.' },
  post_deleted: { group: 'posts', entity: 'post', sentence: 'A post was deleted permanently.' },
  post_subscribed: {
    group: 'posts',
    entity: 'post',
    sentence: 'The actor wants to be told what happens to the post.',
  },
  post_unsubscribed: {
    group: 'posts',
    entity: 'post',
    sentence: 'The actor does not want to be told any more what happens to the post.',
  },
  file_created: {
    group: 'files',
    entity: 'file',
    audience: 'subscribers_of_app',
    sentence: 'A file was made.',
  },
  file_updated: { group: 'files', entity: 'file', audience: 'subscribers', sentence: 'A file was changed.' },
  file_trashed: { group: 'files', entity: 'file', sentence: 'A file was put in the trash.' },
  file_restored: { group: 'files', entity: 'file', sentence: 'A file came back from the trash.' },
  file_deleted: { group: 'files', entity: 'file', sentence: 'A file was deleted permanently.' },
  file_subscribed: {
    group: 'files',
    entity: 'file',
    sentence: 'The actor wants to be told what happens to the file.',
  },
  file_unsubscribed: {
    group: 'files',
    entity: 'file',
    sentence: 'The actor does not want to be told any more what happens to the file.',
  },
  message_created: {
    group: 'messages',
    entity: 'message',
    audience: 'members',
    sentence: 'A message was made.',
  },
  message_updated: {
    group: 'messages',
    entity: 'message',
    audience: 'mentioned',
    sentence: 'A message was changed.',
  },
  message_trashed: { group: 'messages', entity: 'message', sentence: 'A message was put in the trash.' },
  message_restored: { group: 'messages', entity: 'message', sentence: 'A message came back from the trash.' },
  message_deleted: { group: 'messages', entity: 'message', sentence: 'A message was deleted permanently.' },
  reaction_added: {
    group: 'reactions',
    entity: 'reaction',
    extra: ['entity'],
    audience: 'author',
    sentence: 'The actor reacted to a comment, a post or a message, which `entity` names.',
  },
  reaction_removed: {
    group: 'reactions',
    entity: 'reaction',
    extra: ['entity'],
    sentence: 'A reaction to a comment, a post or a message was taken away.',
  },
  option_voted: {
    group: 'polls',
    entity: 'option',
    extra: ['entity'],
    audience: 'author',
    sentence: 'The actor voted for an option of a comment, a post or a message, which `entity` names.',
  },
  option_unvoted: {
    group: 'polls',
    entity: 'option',
    extra: ['entity'],
    sentence: 'The actor took a vote back.',
  },
  conversation_marked: {
    group: 'conversations',
    entity: 'conversation',
    optional: ['marked_at', 'marked_id'],
    sentence: 'The actor has read a conversation up to the message `marked_id`, or marked it as unread.',
  },
  conversation_delivered: {
    group: 'conversations',
    entity: 'conversation',
    extra: ['delivered_at'],
    sentence: 'The messages of a conversation have reached a device of the actor.',
  },
  conversation_pinned: {
    group: 'conversations',
    entity: 'conversation',
    sentence: 'The actor pinned a conversation; of people, nobody else is told.',
  },
  conversation_unpinned: {
    group: 'conversations',
    entity: 'conversation',
    sentence: 'The actor does not keep a conversation pinned any more.',
  },
  notification_created: {
    group: 'notifications',
    entity: 'notification',
    sentence: 'A person is told of something that concerns them.',
  },
  notification_updated: {
    group: 'notifications',
    entity: 'notification',
    sentence: 'A notification was marked as read or unread.',
  },
  notification_deleted: {
    group: 'notifications',
    entity: 'notification',
    sentence: 'A notification was deleted.',
  },
  notifications_marked: {
    group: 'notifications',
    entity: 'notification',
    isAboutMany: true,
    extra: ['marked_id'],
    sentence: 'The actor has read all notifications up to `marked_id`.',
  },
  user_created: { entity: 'user', sentence: 'A user was made.' },
  user_updated: { entity: 'user', rights: 'user', sentence: 'A user was changed.' },
  user_trashed: { entity: 'user', rights: 'user', sentence: 'A user was put in the trash.' },
  user_restored: { entity: 'user', rights: 'user', sentence: 'A user came back from the trash.' },
  tokens_revoked: { entity: 'user', rights: 'user', sentence: 'All access tokens of a user were revoked.' },
  token_issued: { entity: 'user', extra: ['expires_in'], sentence: 'An access token of a user was issued.' },
  directory_created: { entity: 'directory', sentence: 'A directory of users was made.' },
  directory_updated: { entity: 'directory', sentence: 'A directory of users was renamed.' },
  directory_deleted: { entity: 'directory', sentence: 'A directory of users was deleted.' },
  blob_linked: { entity: 'blob', sentence: 'The actor brought a file that is kept elsewhere.' },
  embed_created: { entity: 'embed', sentence: 'The actor made an embed of an address.' },
  meeting_created: { entity: 'meeting', sentence: 'The actor made a video meeting.' },
  webhook_created: { entity: 'webhook', sentence: 'A webhook was registered.' },
  webhook_updated: { entity: 'webhook', sentence: 'A webhook was changed.' },
  webhook_deleted: { entity: 'webhook', sentence: 'A webhook was deleted, with its deliveries.' },
  webhook_paused: {
    entity: 'webhook',
    sentence: 'The receiver of a webhook keeps failing: its breaker is open.',
  },
  webhook_resumed: {
    entity: 'webhook',
    sentence: 'The receiver of a webhook answers again: its breaker is closed.',
  },
  webhook_pinged: {
    entity: 'webhook',
    sentence: 'Somebody wants to know whether this webhook works. Only that webhook is told.',
  },
  delivery_redelivered: {
    entity: 'delivery',
    extra: ['webhook'],
    sentence: 'A delivery is to be sent again.',
  },
  deliveries_redelivered: {
    entity: 'webhook',
    extra: ['redelivered'],
    sentence: 'Some deliveries of a webhook are to be sent again.',
  },
} as const satisfies { readonly [action: string]: ActionFacts };

/** The closed set of actions. */
export type Action = keyof typeof actions;

/** The names of all actions. */
export const actionNames = Object.keys(actions) as Action[];

/** What is known of an action. */
export function factsOf(action: Action): ActionFacts {
  return actions[action];
}

/** What is known of the action of this name; undefined where the catalogue has none. */
export function findFacts(name: string): ActionFacts | undefined {
  return Object.hasOwn(actions, name) ? actions[name as Action] : undefined;
}
