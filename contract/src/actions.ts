import type { ActionFacts } from './action-facts.ts';
import { resolvingActions } from './resolving-actions.ts';

/**
 * Every action of the event log: the one catalogue from which the triggers of webhooks, the schemas and descriptions of
 * events, the types of `append`, the audiences of notifications and the rights of live connections are derived.
 */

/** Every action with its facts. */
export const actions = {
  app_created: { group: 'apps', entity: 'app', sentence: 'An app was created.' },
  app_updated: { group: 'apps', entity: 'app', rights: 'app', sentence: 'An app was changed.' },
  app_trashed: { group: 'apps', entity: 'app', rights: 'app', sentence: 'An app was put in the trash.' },
  app_restored: {
    group: 'apps',
    entity: 'app',
    rights: 'app',
    sentence: 'An app was restored from the trash.',
  },
  app_deleted: { group: 'apps', entity: 'app', rights: 'app', sentence: 'An app was deleted permanently.' },
  app_subscribed: {
    group: 'apps',
    entity: 'app',
    sentence: 'The actor subscribed to an app.',
  },
  app_unsubscribed: {
    group: 'apps',
    entity: 'app',
    sentence: 'The actor unsubscribed from an app.',
  },
  app_locked: {
    group: 'moderation',
    entity: 'app',
    sentence: 'An app was locked: from `locked_at` on, only moderators write in it.',
  },
  app_unlocked: { group: 'moderation', entity: 'app', sentence: 'An app was unlocked.' },
  app_starred: { entity: 'app', sentence: 'The actor starred an app. Other users do not see this event.' },
  app_unstarred: {
    entity: 'app',
    sentence: 'The actor removed the star from an app. Other users do not see this event.',
  },
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
    sentence: 'The access or the role of a member of an app was changed.',
  },
  member_removed: {
    group: 'members',
    entity: 'member',
    extra: ['app'],
    rights: 'member',
    sentence: 'A user was removed from an app or left it.',
  },
  comment_created: {
    group: 'comments',
    entity: 'comment',
    audience: 'thread',
    sentence: 'A comment was created.',
  },
  comment_updated: {
    group: 'comments',
    entity: 'comment',
    audience: 'mentioned',
    sentence: 'A comment was changed.',
  },
  ...resolvingActions,
  comment_trashed: { group: 'comments', entity: 'comment', sentence: 'A comment was put in the trash.' },
  comment_restored: {
    group: 'comments',
    entity: 'comment',
    sentence: 'A comment was restored from the trash.',
  },
  comment_deleted: { group: 'comments', entity: 'comment', sentence: 'A comment was deleted permanently.' },
  post_created: {
    group: 'posts',
    entity: 'post',
    audience: 'subscribers_of_app',
    sentence: 'A post was created.',
  },
  post_updated: { group: 'posts', entity: 'post', audience: 'mentioned', sentence: 'A post was changed.' },
  post_trashed: { group: 'posts', entity: 'post', sentence: 'A post was put in the trash.' },
  post_restored: { group: 'posts', entity: 'post', sentence: 'A post was restored from the trash.' },
  post_deleted: { group: 'posts', entity: 'post', sentence: 'A post was deleted permanently.' },
  post_subscribed: {
    group: 'posts',
    entity: 'post',
    sentence: 'The actor subscribed to a post.',
  },
  post_unsubscribed: {
    group: 'posts',
    entity: 'post',
    sentence: 'The actor unsubscribed from a post.',
  },
  file_created: {
    group: 'files',
    entity: 'file',
    audience: 'subscribers_of_app',
    sentence: 'A file was created.',
  },
  file_updated: { group: 'files', entity: 'file', audience: 'subscribers', sentence: 'A file was changed.' },
  file_trashed: { group: 'files', entity: 'file', sentence: 'A file was put in the trash.' },
  file_restored: { group: 'files', entity: 'file', sentence: 'A file was restored from the trash.' },
  file_deleted: { group: 'files', entity: 'file', sentence: 'A file was deleted permanently.' },
  file_subscribed: {
    group: 'files',
    entity: 'file',
    sentence: 'The actor subscribed to a file.',
  },
  file_unsubscribed: {
    group: 'files',
    entity: 'file',
    sentence: 'The actor unsubscribed from a file.',
  },
  message_created: {
    group: 'messages',
    entity: 'message',
    audience: 'members',
    sentence: 'A message was created.',
  },
  message_updated: {
    group: 'messages',
    entity: 'message',
    audience: 'mentioned',
    sentence: 'A message was changed.',
  },
  message_trashed: { group: 'messages', entity: 'message', sentence: 'A message was put in the trash.' },
  message_restored: {
    group: 'messages',
    entity: 'message',
    sentence: 'A message was restored from the trash.',
  },
  message_deleted: { group: 'messages', entity: 'message', sentence: 'A message was deleted permanently.' },
  comment_held: {
    group: 'moderation',
    entity: 'comment',
    audience: 'moderators',
    readers: 'moderators',
    sentence: 'A comment was held: only its author and moderators see it until it is approved.',
  },
  comment_approved: {
    group: 'moderation',
    entity: 'comment',
    readers: 'moderators',
    sentence: 'A comment that was held was approved.',
  },
  post_locked: {
    group: 'moderation',
    entity: 'post',
    sentence: 'A post was locked: from `locked_at` on, only moderators write below it.',
  },
  post_unlocked: { group: 'moderation', entity: 'post', sentence: 'A post was unlocked.' },
  post_held: {
    group: 'moderation',
    entity: 'post',
    audience: 'moderators',
    readers: 'moderators',
    sentence: 'A post was held: only its author and moderators see it until it is approved.',
  },
  post_approved: {
    group: 'moderation',
    entity: 'post',
    readers: 'moderators',
    sentence: 'A post that was held was approved.',
  },
  message_held: {
    group: 'moderation',
    entity: 'message',
    audience: 'moderators',
    readers: 'moderators',
    sentence: 'A message was held: only its author and moderators see it until it is approved.',
  },
  message_approved: {
    group: 'moderation',
    entity: 'message',
    readers: 'moderators',
    sentence: 'A message that was held was approved.',
  },
  file_locked: {
    group: 'moderation',
    entity: 'file',
    sentence: 'A file was locked: from `locked_at` on, only moderators write below it.',
  },
  file_unlocked: { group: 'moderation', entity: 'file', sentence: 'A file was unlocked.' },
  file_held: {
    group: 'moderation',
    entity: 'file',
    audience: 'moderators',
    readers: 'moderators',
    sentence: 'A file was held: only its author and moderators see it until it is approved.',
  },
  file_approved: {
    group: 'moderation',
    entity: 'file',
    readers: 'moderators',
    sentence: 'A file that was held was approved.',
  },
  report_created: {
    group: 'moderation',
    entity: 'report',
    extra: ['reason'],
    audience: 'moderators',
    sentence: 'The actor reported a comment, post, message or file. No user sees this event.',
  },
  report_resolved: {
    group: 'moderation',
    entity: 'report',
    sentence: 'A moderator decided on a report. No user sees this event.',
  },
  reaction_added: {
    group: 'reactions',
    entity: 'reaction',
    extra: ['entity'],
    audience: 'author',
    sentence: 'The actor reacted to the comment, post or message in `entity`.',
  },
  reaction_removed: {
    group: 'reactions',
    entity: 'reaction',
    extra: ['entity'],
    sentence: 'A reaction to the comment, post or message in `entity` was removed.',
  },
  option_voted: {
    group: 'polls',
    entity: 'option',
    extra: ['entity'],
    audience: 'author',
    sentence: 'The actor voted for an option of the comment, post or message in `entity`.',
  },
  option_unvoted: {
    group: 'polls',
    entity: 'option',
    extra: ['entity'],
    sentence: 'The actor withdrew a vote for an option of the comment, post or message in `entity`.',
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
    sentence: 'The messages of a conversation were delivered to a device of the actor.',
  },
  conversation_pinned: {
    group: 'conversations',
    entity: 'conversation',
    sentence: 'The actor pinned a conversation. Other users do not see this event.',
  },
  conversation_unpinned: {
    group: 'conversations',
    entity: 'conversation',
    sentence: 'The actor unpinned a conversation. Other users do not see this event.',
  },
  notification_created: {
    group: 'notifications',
    entity: 'notification',
    sentence: 'A user got a notification.',
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
    sentence: 'The actor marked all notifications up to `marked_id` as read.',
  },
  notifications_removed: {
    group: 'notifications',
    entity: 'notification',
    isAboutMany: true,
    extra: ['user', 'notification_ids'],
    sentence:
      'Notifications left the list of `user`, because their subject was deleted, put in the trash or held.',
  },
  notifications_restored: {
    group: 'notifications',
    entity: 'notification',
    isAboutMany: true,
    extra: ['user', 'notification_ids'],
    sentence: 'Notifications are back in the list of `user`, because their subject is shown again.',
  },
  user_created: { entity: 'user', sentence: 'A user was created.' },
  user_updated: { entity: 'user', rights: 'user', sentence: 'A user was changed.' },
  user_trashed: { entity: 'user', rights: 'user', sentence: 'A user was put in the trash.' },
  user_restored: { entity: 'user', rights: 'user', sentence: 'A user was restored from the trash.' },
  user_followed: {
    entity: 'user',
    sentence: 'The actor follows a user from then on. Other users do not see this event.',
  },
  user_unfollowed: {
    entity: 'user',
    sentence: 'The actor does not follow a user any longer. Other users do not see this event.',
  },
  user_erased: {
    entity: 'user',
    rights: 'user',
    sentence: 'A user is being erased: their profile is gone, and the rest is removed step by step.',
  },
  tokens_revoked: { entity: 'user', rights: 'user', sentence: 'All access tokens of a user were revoked.' },
  mail_updated: {
    entity: 'user',
    extra: ['mail'],
    optional: ['new_comments'],
    sentence: 'The actor changed their mail settings. Other users do not see this event.',
  },
  token_issued: { entity: 'user', extra: ['expires_in'], sentence: 'An access token of a user was issued.' },
  directory_created: { entity: 'directory', sentence: 'A directory of users was created.' },
  directory_updated: { entity: 'directory', sentence: 'A directory of users was renamed.' },
  directory_deleted: { entity: 'directory', sentence: 'A directory of users was deleted.' },
  blob_linked: { entity: 'blob', sentence: 'The actor linked a file that is stored elsewhere.' },
  embed_created: { entity: 'embed', sentence: 'The actor created an embed for a web address.' },
  meeting_created: { entity: 'meeting', sentence: 'The actor created a video meeting.' },
  rules_matched: {
    group: 'moderation',
    entity: 'match',
    readers: 'moderators',
    sentence:
      'Rules or the moderation hook of the operator matched an accepted text, and reported or held it.',
  },
  address_banned: {
    group: 'moderation',
    entity: 'ban',
    sentence:
      'An address was banned for a while, or the time of its ban was changed. The event does not have the address.',
  },
  address_unbanned: { group: 'moderation', entity: 'ban', sentence: 'A ban was ended before its time.' },
  rules_updated: {
    group: 'moderation',
    entity: 'rules',
    sentence: 'The rules that screen texts were replaced.',
  },
  site_updated: {
    entity: 'site',
    sentence: 'An API key changed which pages may show comments, or who may write there.',
  },
  import_created: { entity: 'import', sentence: 'A dry run of an import was requested.' },
  import_updated: {
    entity: 'import',
    sentence: 'The state of an import changed: it was tried, run or taken back.',
  },
  webhook_created: { entity: 'webhook', sentence: 'A webhook was registered.' },
  webhook_updated: { entity: 'webhook', sentence: 'A webhook was changed.' },
  webhook_deleted: { entity: 'webhook', sentence: 'A webhook was deleted with its deliveries.' },
  webhook_paused: {
    entity: 'webhook',
    sentence: 'Deliveries to a webhook are paused because its receiver keeps failing: the breaker is open.',
  },
  webhook_resumed: {
    entity: 'webhook',
    sentence: 'Deliveries to a webhook resume because its receiver responds again: the breaker is closed.',
  },
  webhook_pinged: {
    entity: 'webhook',
    sentence: 'The actor tested a webhook with a ping. Only that webhook receives this event.',
  },
  delivery_redelivered: {
    entity: 'delivery',
    extra: ['webhook'],
    sentence: 'A redelivery of one delivery was requested.',
  },
  deliveries_redelivered: {
    entity: 'webhook',
    extra: ['redelivered'],
    sentence: 'A redelivery of several deliveries of a webhook was requested.',
  },
} as const satisfies { readonly [action: string]: ActionFacts };

/** The closed set of actions. */
export type Action = keyof typeof actions;

/** The names of all actions. */
export const actionNames = Object.keys(actions) as Action[];

/** The facts of an action. */
export function factsOf(action: Action): ActionFacts {
  return actions[action];
}

/** The facts of the action with this name; undefined when there is none. */
export function findFacts(name: string): ActionFacts | undefined {
  return Object.hasOwn(actions, name) ? actions[name as Action] : undefined;
}
