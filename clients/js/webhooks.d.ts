// Made by `npm run generate` from the contract of the server.

import type {
  Actor,
  AnswerItem,
  AppItem,
  AppMember,
  Attachment,
  BanMark,
  Breaker,
  CommentItem,
  Embed,
  FileItem,
  HeldItem,
  Meeting,
  MemberList,
  MessageItem,
  NotificationItem,
  Option,
  Parent,
  PostItem,
  Reaction,
  ReportItem,
  ReportText,
  Rule,
  RuleMatch,
  RuleSet,
  User,
  Webhook,
} from './index.js';

export type {
  Actor,
  AnswerItem,
  AppItem,
  AppMember,
  Attachment,
  BanMark,
  Breaker,
  CommentItem,
  Embed,
  FileItem,
  HeldItem,
  Meeting,
  MemberList,
  MessageItem,
  NotificationItem,
  Option,
  Parent,
  PostItem,
  Reaction,
  ReportItem,
  ReportText,
  Rule,
  RuleMatch,
  RuleSet,
  User,
  Webhook,
};

/** Why a request is refused. */
export type VerificationCode =
  | 'body_not_raw'
  | 'body_not_json'
  | 'header_missing'
  | 'header_repeated'
  | 'secret_missing'
  | 'secret_invalid'
  | 'timestamp_invalid'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_unknown'
  | 'signature_mismatch';

/** What `verify` throws: `code` is for programs, the message says to people what is wrong. */
export class WebhookVerificationError extends Error {
  constructor(message: string, options: { code: VerificationCode; cause?: unknown });
  readonly code: VerificationCode;
}

/** Headers of a request: those of the Fetch standard, or an object of any spelling. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface VerifyOptions {
  /** The body as it arrived, before any JSON parser. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: RequestHeaders;
  /** The secret of the webhook. */
  readonly secret?: string;
  /** The secrets that are accepted, instead of `secret`, while one replaces the other. */
  readonly secrets?: readonly string[];
  /** How far the time of the request may be from that of this machine; 300 when absent. `Infinity` looks at no time. */
  readonly toleranceSeconds?: number;
  /** The time to compare with, in milliseconds since 1970; the clock of this machine when absent. */
  readonly now?: number;
}

/** Verifies a request and answers its event. Throws a `WebhookVerificationError` when it is not to be trusted. */
export function verify(options: VerifyOptions): WebhookEvent;

/** What every delivery holds. */
export interface Delivered<Action, Type> {
  action: Action;
  /** The action with a dot. */
  type: Type;
  /** The id of the event, the same for every webhook that receives it. */
  id: number;
  actor: Actor;
  /** When the event happened. */
  timestamp: string;
  /** The guid of the delivery, the same on every attempt. */
  guid: string;
}

/** What is delivered, by its action. A later version of the server may send more actions and properties. */
export interface WebhookEvents {
  /** An app was created. */
  app_created: Delivered<'app_created', 'app.created'> & {
    app: AppItem;
  };
  /** An app was changed. */
  app_updated: Delivered<'app_updated', 'app.updated'> & {
    app: AppItem;
  };
  /** An app was put in the trash. */
  app_trashed: Delivered<'app_trashed', 'app.trashed'> & {
    app: AppItem;
  };
  /** An app was restored from the trash. */
  app_restored: Delivered<'app_restored', 'app.restored'> & {
    app: AppItem;
  };
  /** An app was deleted permanently. */
  app_deleted: Delivered<'app_deleted', 'app.deleted'> & {
    app: AppItem;
  };
  /** The actor subscribed to an app. */
  app_subscribed: Delivered<'app_subscribed', 'app.subscribed'> & {
    app: AppItem;
  };
  /** The actor unsubscribed from an app. */
  app_unsubscribed: Delivered<'app_unsubscribed', 'app.unsubscribed'> & {
    app: AppItem;
  };
  /** An app was locked: from `locked_at` on, only moderators write in it. */
  app_locked: Delivered<'app_locked', 'app.locked'> & {
    app: AppItem;
  };
  /** An app was unlocked. */
  app_unlocked: Delivered<'app_unlocked', 'app.unlocked'> & {
    app: AppItem;
  };
  /** A user became a member of an app. */
  member_added: Delivered<'member_added', 'member.added'> & {
    member: AppMember;
    /** The app of the member. */
    app: {
      /** The id of the app. */
      id: number;
      /** The uid of the app. */
      uid: string;
      /** The type of the app. */
      type: string;
    };
  };
  /** The access or the role of a member of an app was changed. */
  member_updated: Delivered<'member_updated', 'member.updated'> & {
    member: AppMember;
    /** The app of the member. */
    app: {
      /** The id of the app. */
      id: number;
      /** The uid of the app. */
      uid: string;
      /** The type of the app. */
      type: string;
    };
  };
  /** A user was removed from an app or left it. */
  member_removed: Delivered<'member_removed', 'member.removed'> & {
    member: AppMember;
    /** The app of the member. */
    app: {
      /** The id of the app. */
      id: number;
      /** The uid of the app. */
      uid: string;
      /** The type of the app. */
      type: string;
    };
  };
  /** A comment was created. */
  comment_created: Delivered<'comment_created', 'comment.created'> & {
    comment: CommentItem;
  };
  /** A comment was changed. */
  comment_updated: Delivered<'comment_updated', 'comment.updated'> & {
    comment: CommentItem;
  };
  /** A comment was put in the trash. */
  comment_trashed: Delivered<'comment_trashed', 'comment.trashed'> & {
    comment: CommentItem;
  };
  /** A comment was restored from the trash. */
  comment_restored: Delivered<'comment_restored', 'comment.restored'> & {
    comment: CommentItem;
  };
  /** A comment was deleted permanently. */
  comment_deleted: Delivered<'comment_deleted', 'comment.deleted'> & {
    comment: CommentItem;
  };
  /** A post was created. */
  post_created: Delivered<'post_created', 'post.created'> & {
    post: PostItem;
  };
  /** A post was changed. */
  post_updated: Delivered<'post_updated', 'post.updated'> & {
    post: PostItem;
  };
  /** A post was put in the trash. */
  post_trashed: Delivered<'post_trashed', 'post.trashed'> & {
    post: PostItem;
  };
  /** A post was restored from the trash. */
  post_restored: Delivered<'post_restored', 'post.restored'> & {
    post: PostItem;
  };
  /** A post was deleted permanently. */
  post_deleted: Delivered<'post_deleted', 'post.deleted'> & {
    post: PostItem;
  };
  /** The actor subscribed to a post. */
  post_subscribed: Delivered<'post_subscribed', 'post.subscribed'> & {
    post: PostItem;
  };
  /** The actor unsubscribed from a post. */
  post_unsubscribed: Delivered<'post_unsubscribed', 'post.unsubscribed'> & {
    post: PostItem;
  };
  /** A file was created. */
  file_created: Delivered<'file_created', 'file.created'> & {
    file: FileItem;
  };
  /** A file was changed. */
  file_updated: Delivered<'file_updated', 'file.updated'> & {
    file: FileItem;
  };
  /** A file was put in the trash. */
  file_trashed: Delivered<'file_trashed', 'file.trashed'> & {
    file: FileItem;
  };
  /** A file was restored from the trash. */
  file_restored: Delivered<'file_restored', 'file.restored'> & {
    file: FileItem;
  };
  /** A file was deleted permanently. */
  file_deleted: Delivered<'file_deleted', 'file.deleted'> & {
    file: FileItem;
  };
  /** The actor subscribed to a file. */
  file_subscribed: Delivered<'file_subscribed', 'file.subscribed'> & {
    file: FileItem;
  };
  /** The actor unsubscribed from a file. */
  file_unsubscribed: Delivered<'file_unsubscribed', 'file.unsubscribed'> & {
    file: FileItem;
  };
  /** A message was created. */
  message_created: Delivered<'message_created', 'message.created'> & {
    message: MessageItem;
  };
  /** A message was changed. */
  message_updated: Delivered<'message_updated', 'message.updated'> & {
    message: MessageItem;
  };
  /** A message was put in the trash. */
  message_trashed: Delivered<'message_trashed', 'message.trashed'> & {
    message: MessageItem;
  };
  /** A message was restored from the trash. */
  message_restored: Delivered<'message_restored', 'message.restored'> & {
    message: MessageItem;
  };
  /** A message was deleted permanently. */
  message_deleted: Delivered<'message_deleted', 'message.deleted'> & {
    message: MessageItem;
  };
  /** A comment was held: only its author and moderators see it until it is approved. */
  comment_held: Delivered<'comment_held', 'comment.held'> & {
    comment: CommentItem;
  };
  /** A comment that was held was approved. */
  comment_approved: Delivered<'comment_approved', 'comment.approved'> & {
    comment: CommentItem;
  };
  /** A post was locked: from `locked_at` on, only moderators write below it. */
  post_locked: Delivered<'post_locked', 'post.locked'> & {
    post: PostItem;
  };
  /** A post was unlocked. */
  post_unlocked: Delivered<'post_unlocked', 'post.unlocked'> & {
    post: PostItem;
  };
  /** A post was held: only its author and moderators see it until it is approved. */
  post_held: Delivered<'post_held', 'post.held'> & {
    post: PostItem;
  };
  /** A post that was held was approved. */
  post_approved: Delivered<'post_approved', 'post.approved'> & {
    post: PostItem;
  };
  /** A message was held: only its author and moderators see it until it is approved. */
  message_held: Delivered<'message_held', 'message.held'> & {
    message: MessageItem;
  };
  /** A message that was held was approved. */
  message_approved: Delivered<'message_approved', 'message.approved'> & {
    message: MessageItem;
  };
  /** A file was locked: from `locked_at` on, only moderators write below it. */
  file_locked: Delivered<'file_locked', 'file.locked'> & {
    file: FileItem;
  };
  /** A file was unlocked. */
  file_unlocked: Delivered<'file_unlocked', 'file.unlocked'> & {
    file: FileItem;
  };
  /** A file was held: only its author and moderators see it until it is approved. */
  file_held: Delivered<'file_held', 'file.held'> & {
    file: FileItem;
  };
  /** A file that was held was approved. */
  file_approved: Delivered<'file_approved', 'file.approved'> & {
    file: FileItem;
  };
  /** The actor reported a comment, post, message or file. No user sees this event. */
  report_created: Delivered<'report_created', 'report.created'> & {
    report: ReportItem;
    /** Why the actor reported it, such as `spam`. */
    reason: string;
  };
  /** A moderator decided on a report. No user sees this event. */
  report_resolved: Delivered<'report_resolved', 'report.resolved'> & {
    report: ReportItem;
  };
  /** The actor reacted to the comment, post or message in `entity`. */
  reaction_added: Delivered<'reaction_added', 'reaction.added'> & {
    /** The reaction: one emoji. */
    reaction: string;
    entity: Parent;
  };
  /** A reaction to the comment, post or message in `entity` was removed. */
  reaction_removed: Delivered<'reaction_removed', 'reaction.removed'> & {
    /** The reaction: one emoji. */
    reaction: string;
    entity: Parent;
  };
  /** The actor voted for an option of the comment, post or message in `entity`. */
  option_voted: Delivered<'option_voted', 'option.voted'> & {
    option: Option;
    entity: Parent;
  };
  /** The actor withdrew a vote for an option of the comment, post or message in `entity`. */
  option_unvoted: Delivered<'option_unvoted', 'option.unvoted'> & {
    option: Option;
    entity: Parent;
  };
  /** The actor has read a conversation up to the message `marked_id`, or marked it as unread. */
  conversation_marked: Delivered<'conversation_marked', 'conversation.marked'> & {
    conversation: AppItem;
    /** When the actor marked the conversation as read. Absent when it was marked as unread. */
    marked_at?: string;
    /** The id of the last message that the actor has read. Absent when it was marked as unread. */
    marked_id?: number;
  };
  /** The messages of a conversation were delivered to a device of the actor. */
  conversation_delivered: Delivered<'conversation_delivered', 'conversation.delivered'> & {
    conversation: AppItem;
    /** When the messages arrived. */
    delivered_at: string;
  };
  /** The actor pinned a conversation. Other users do not see this event. */
  conversation_pinned: Delivered<'conversation_pinned', 'conversation.pinned'> & {
    conversation: AppItem;
  };
  /** The actor unpinned a conversation. Other users do not see this event. */
  conversation_unpinned: Delivered<'conversation_unpinned', 'conversation.unpinned'> & {
    conversation: AppItem;
  };
  /** A user got a notification. */
  notification_created: Delivered<'notification_created', 'notification.created'> & {
    notification: NotificationItem;
  };
  /** A notification was marked as read or unread. */
  notification_updated: Delivered<'notification_updated', 'notification.updated'> & {
    notification: NotificationItem;
  };
  /** A notification was deleted. */
  notification_deleted: Delivered<'notification_deleted', 'notification.deleted'> & {
    notification: NotificationItem;
  };
  /** The actor marked all notifications up to `marked_id` as read. */
  notifications_marked: Delivered<'notifications_marked', 'notifications.marked'> & {
    /** The id of the newest notification that was marked. */
    marked_id: number;
  };
  /** Notifications left the list of `user`, because their subject was deleted, put in the trash or held. */
  notifications_removed: Delivered<'notifications_removed', 'notifications.removed'> & {
    user: User;
    /** The ids of the notifications, at most 400. */
    notification_ids: Array<number>;
  };
  /** Notifications are back in the list of `user`, because their subject is shown again. */
  notifications_restored: Delivered<'notifications_restored', 'notifications.restored'> & {
    user: User;
    /** The ids of the notifications, at most 400. */
    notification_ids: Array<number>;
  };
  /** Rules or the moderation hook of the operator matched an accepted text, and reported or held it. */
  rules_matched: Delivered<'rules_matched', 'rules.matched'> & {
    match: RuleMatch;
  };
  /** An address was banned for a while, or the time of its ban was changed. The event does not have the address. */
  address_banned: Delivered<'address_banned', 'address.banned'> & {
    ban: BanMark;
  };
  /** A ban was ended before its time. */
  address_unbanned: Delivered<'address_unbanned', 'address.unbanned'> & {
    ban: BanMark;
  };
  /** The rules that screen texts were replaced. */
  rules_updated: Delivered<'rules_updated', 'rules.updated'> & {
    rules: RuleSet;
  };
  /** The actor tested a webhook with a ping. Only that webhook receives this event. */
  webhook_pinged: Delivered<'webhook_pinged', 'webhook.pinged'> & {
    webhook: Webhook;
  };
}

/** The action of an event. */
export type WebhookAction = keyof WebhookEvents;

/** The body of a delivery. Its `action` says which one it is. */
export type WebhookEvent = WebhookEvents[WebhookAction];
