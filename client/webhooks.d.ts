// Made by `npm run generate` from the contract of the server.

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
  /** The event, the same for every webhook that is told. */
  id: number;
  actor: User;
  timestamp: string;
  /** The delivery, the same on every attempt. */
  guid: string;
}

/** What is delivered, by its action. A later version of the server may send more actions and properties. */
export interface WebhookEvents {
  /** An app was made. */
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
  /** An app came back from the trash. */
  app_restored: Delivered<'app_restored', 'app.restored'> & {
    app: AppItem;
  };
  /** An app was deleted for good. */
  app_deleted: Delivered<'app_deleted', 'app.deleted'> & {
    app: AppItem;
  };
  /** The actor wants to be told what happens to the app. */
  app_subscribed: Delivered<'app_subscribed', 'app.subscribed'> & {
    app: AppItem;
  };
  /** The actor does not want to be told any more what happens to the app. */
  app_unsubscribed: Delivered<'app_unsubscribed', 'app.unsubscribed'> & {
    app: AppItem;
  };
  /** A user became a member of an app. */
  member_added: Delivered<'member_added', 'member.added'> & {
    member: AppMember;
    app: {
      id: number;
      uid: string;
      type: string;
    };
  };
  /** The access of a member of an app was changed. */
  member_updated: Delivered<'member_updated', 'member.updated'> & {
    member: AppMember;
    app: {
      id: number;
      uid: string;
      type: string;
    };
  };
  /** A user is no member of an app any more. */
  member_removed: Delivered<'member_removed', 'member.removed'> & {
    member: AppMember;
    app: {
      id: number;
      uid: string;
      type: string;
    };
  };
  /** A comment was made. */
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
  /** A comment came back from the trash. */
  comment_restored: Delivered<'comment_restored', 'comment.restored'> & {
    comment: CommentItem;
  };
  /** A comment was deleted for good. */
  comment_deleted: Delivered<'comment_deleted', 'comment.deleted'> & {
    comment: CommentItem;
  };
  /** A post was made. */
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
  /** A post came back from the trash. */
  post_restored: Delivered<'post_restored', 'post.restored'> & {
    post: PostItem;
  };
  /** A post was deleted for good. */
  post_deleted: Delivered<'post_deleted', 'post.deleted'> & {
    post: PostItem;
  };
  /** The actor wants to be told what happens to the post. */
  post_subscribed: Delivered<'post_subscribed', 'post.subscribed'> & {
    post: PostItem;
  };
  /** The actor does not want to be told any more what happens to the post. */
  post_unsubscribed: Delivered<'post_unsubscribed', 'post.unsubscribed'> & {
    post: PostItem;
  };
  /** A file was made. */
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
  /** A file came back from the trash. */
  file_restored: Delivered<'file_restored', 'file.restored'> & {
    file: FileItem;
  };
  /** A file was deleted for good. */
  file_deleted: Delivered<'file_deleted', 'file.deleted'> & {
    file: FileItem;
  };
  /** The actor wants to be told what happens to the file. */
  file_subscribed: Delivered<'file_subscribed', 'file.subscribed'> & {
    file: FileItem;
  };
  /** The actor does not want to be told any more what happens to the file. */
  file_unsubscribed: Delivered<'file_unsubscribed', 'file.unsubscribed'> & {
    file: FileItem;
  };
  /** A message was made. */
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
  /** A message came back from the trash. */
  message_restored: Delivered<'message_restored', 'message.restored'> & {
    message: MessageItem;
  };
  /** A message was deleted for good. */
  message_deleted: Delivered<'message_deleted', 'message.deleted'> & {
    message: MessageItem;
  };
  /** The actor reacted to a comment, a post or a message, which `entity` names. */
  reaction_added: Delivered<'reaction_added', 'reaction.added'> & {
    /** One emoji. */
    reaction: string;
    entity: Parent;
  };
  /** A reaction to a comment, a post or a message was taken away. */
  reaction_removed: Delivered<'reaction_removed', 'reaction.removed'> & {
    /** One emoji. */
    reaction: string;
    entity: Parent;
  };
  /** The actor voted for an option of a comment, a post or a message, which `entity` names. */
  option_voted: Delivered<'option_voted', 'option.voted'> & {
    option: Option;
    entity: Parent;
  };
  /** The actor took a vote back. */
  option_unvoted: Delivered<'option_unvoted', 'option.unvoted'> & {
    option: Option;
    entity: Parent;
  };
  /** The actor has read a conversation up to the message `marked_id`, or marked it as unread. */
  conversation_marked: Delivered<'conversation_marked', 'conversation.marked'> & {
    conversation: AppItem;
    marked_at?: string;
    marked_id?: number;
  };
  /** The messages of a conversation have reached a device of the actor. */
  conversation_delivered: Delivered<'conversation_delivered', 'conversation.delivered'> & {
    conversation: AppItem;
    delivered_at: string;
  };
  /** The actor pinned a conversation; of people, nobody else is told. */
  conversation_pinned: Delivered<'conversation_pinned', 'conversation.pinned'> & {
    conversation: AppItem;
  };
  /** The actor does not keep a conversation pinned any more. */
  conversation_unpinned: Delivered<'conversation_unpinned', 'conversation.unpinned'> & {
    conversation: AppItem;
  };
  /** A person is told of something that concerns them. */
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
  /** The actor has read all notifications up to `marked_id`. */
  notifications_marked: Delivered<'notifications_marked', 'notifications.marked'> & {
    marked_id: number;
  };
  /** Somebody wants to know whether this webhook works. Only that webhook is told. */
  webhook_pinged: Delivered<'webhook_pinged', 'webhook.pinged'> & {
    webhook: Webhook;
  };
}

/** The action of an event. */
export type WebhookAction = keyof WebhookEvents;

/** The body of a delivery. Its `action` says which one it is. */
export type WebhookEvent = WebhookEvents[WebhookAction];

export interface AppItem {
  id: number;
  /** The name of the type; its guid for a client that says `X-Weavy-Source: @weavy/uikit`. */
  type: 'chat' | 'comments' | 'files' | 'posts' | 'chat_room' | 'private_chat' | 'd65dd4bc-418e-403c-9f56-f9cf4da931ed' | '88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd' | '523edd88-4bbf-4547-b60f-2859a6d2ddc1' | '5ebfa152-de85-48da-82dd-30a1b560c313' | 'edb400ac-839b-45a7-b2a8-6a01820d1c44' | '7e14f418-8f15-46f4-b182-f619b671e470';
  uid: string;
  access: 'none' | 'read' | 'write';
  directory_id?: number;
  display_name: string;
  name?: string;
  description?: string;
  archive_url?: string;
  avatar_url?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  tags: Array<string>;
  created_at: string;
  created_by_id: number;
  modified_at?: string;
  modified_by_id?: number;
  permissions: Array<'list' | 'read' | 'create' | 'update' | 'delete' | 'admin'>;
  is_starred: boolean;
  is_subscribed: boolean;
  is_trashed: boolean;
  created_by?: User;
  modified_by?: User;
  members?: MemberList;
}

export interface AppMember {
  id: number;
  uid: string;
  access: 'none' | 'read' | 'write';
  display_name: string;
  avatar_url?: string;
  delivered_at?: string;
  marked_at?: string;
  marked_id?: number;
  presence: 'active' | 'away';
  is_bot: boolean;
}

export interface Attachment {
  id: number;
  app_id: number;
  version: number;
  name: string;
  kind: string;
  media_type: string;
  width?: number;
  height?: number;
  size: number;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  tags: Array<string>;
  provider?: string;
  raw?: string;
  /** Absent for what is kept elsewhere without an address to download it from. */
  download_url?: string;
  application_url?: string;
  embed_url?: string;
  external_url?: string;
  preview_format: string;
  preview_url?: string;
  thumbnail_url?: string;
  created_at: string;
  created_by_id: number;
  modified_at?: string;
  modified_by_id?: number;
  comment_count: number;
  comments: Array<{ [name: string]: unknown }>;
  is_subscribed: boolean;
  is_trashed: boolean;
}

export interface Breaker {
  state: 'closed' | 'open';
  /** What went wrong, in one sentence. */
  reason?: string;
  opened_at?: string;
  /** When one delivery is tried, to see whether it heals. */
  next_probe_at?: string;
}

export interface CommentItem {
  id: number;
  app_id: number;
  text?: string;
  html?: string;
  plain?: string;
  attachment_count: number;
  attachments: Array<Attachment>;
  embed_id?: number;
  meeting_id?: number;
  option_count: number;
  options: Array<Option>;
  reactions: Array<Reaction>;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  tags: Array<string>;
  created_at: string;
  created_by_id: number;
  modified_at?: string;
  modified_by_id?: number;
  is_trashed: boolean;
  parent?: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by?: User;
  modified_by?: User;
}

export interface Embed {
  id: number;
  description?: string;
  created_at: string;
  created_by_id: number;
  /** The host name of `original_url`. */
  host: string;
  /** The address as it was sent. */
  original_url: string;
  /** Whether there is nothing to show but a link with its preview. */
  is_link: boolean;
  /** `link` or `photo`. */
  type: string;
  /** The version of oEmbed that the page answered with. */
  version?: string;
  title?: string;
  author_name?: string;
  author_url?: string;
  provider_name?: string;
  provider_url?: string;
  /** For how many seconds the page says it stays so. */
  cache_age?: number;
  thumbnail_url?: string;
  thumbnail_width?: number;
  thumbnail_height?: number;
  /** The address of the picture of a photo. */
  url?: string;
  width?: number;
  height?: number;
  /** Never there: no markup of others is passed on. */
  html?: string;
}

export interface FileItem {
  id: number;
  app_id: number;
  version: number;
  name: string;
  kind: string;
  media_type: string;
  width?: number;
  height?: number;
  size: number;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  tags: Array<string>;
  provider?: string;
  raw?: string;
  /** Absent for what is kept elsewhere without an address to download it from. */
  download_url?: string;
  application_url?: string;
  embed_url?: string;
  external_url?: string;
  preview_format: string;
  preview_url?: string;
  thumbnail_url?: string;
  created_at: string;
  created_by_id: number;
  modified_at?: string;
  modified_by_id?: number;
  comment_count: number;
  comments: Array<{ [name: string]: unknown }>;
  is_subscribed: boolean;
  is_trashed: boolean;
  parent?: Parent;
  created_by?: User;
  modified_by?: User;
}

export interface Meeting {
  id: number;
  provider: string;
  /** What the provider calls it. */
  provider_id?: string;
  uuid?: string;
  /** Where people join; who has the address can join. */
  join_url?: string;
  ended_at?: string;
  recording_url?: string;
}

export interface MemberList {
  data?: Array<AppMember>;
  start?: number;
  end?: number;
  count?: number;
}

export interface MessageItem {
  id: number;
  app_id: number;
  text?: string;
  html?: string;
  plain?: string;
  attachment_count: number;
  attachments: Array<Attachment>;
  embed_id?: number;
  meeting_id?: number;
  option_count: number;
  options: Array<Option>;
  reactions: Array<Reaction>;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  tags: Array<string>;
  created_at: string;
  created_by_id: number;
  modified_at?: string;
  modified_by_id?: number;
  is_trashed: boolean;
  parent?: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by?: User;
  modified_by?: User;
}

export interface NotificationItem {
  id: number;
  /** What happened, in the word of the event, such as comment_created. */
  action: string;
  actor_id?: number;
  /** The sentence, with {0}, {1} and so on in the place of `args`. */
  template: string;
  /** Who did it, then the name of the app or file, then how the text begins; what is unknown is left out. */
  args: Array<string>;
  /** The sentence with its arguments. */
  text: string;
  /** The same as HTML. */
  html: string;
  /** The same without markup. */
  plain: string;
  link?: Parent;
  user_id: number;
  created_at: string;
  is_unread: boolean;
  actor?: User;
  user?: User;
}

export interface Option {
  id: number;
  text: string;
  vote_count: number;
  /** Whether the caller chose it. */
  has_voted: boolean;
  /** The first 100 people who chose it, in the order in which they did. Empty in a list; all of them are under /api/options/{id}/voters. */
  voters: Array<User>;
}

export interface Parent {
  id: number;
  type: string;
}

export interface PostItem {
  id: number;
  app_id: number;
  text?: string;
  html?: string;
  plain?: string;
  attachment_count: number;
  attachments: Array<Attachment>;
  embed_id?: number;
  meeting_id?: number;
  option_count: number;
  options: Array<Option>;
  reactions: Array<Reaction>;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  tags: Array<string>;
  created_at: string;
  created_by_id: number;
  modified_at?: string;
  modified_by_id?: number;
  is_trashed: boolean;
  parent?: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by?: User;
  modified_by?: User;
  comment_count: number;
  /** Always empty: the comments of a post are listed under /api/posts/{id}/comments. */
  comments: Array<{ [name: string]: unknown }>;
  /** Whether the caller is notified of comments on it. */
  is_subscribed: boolean;
}

export interface Reaction {
  id: number;
  /** One emoji. */
  content: string;
  created_at: string;
  created_by_id: number;
  /** How many people reacted to the same with this emoji. */
  count: number;
}

export interface User {
  id: number;
  uid: string;
  display_name: string;
  email?: string;
  given_name?: string;
  middle_name?: string;
  name?: string;
  family_name?: string;
  nickname?: string;
  phone_number?: string;
  comment?: string;
  directory_id?: number;
  picture_id?: number;
  /** Needs no credential and is good until the user gets another picture. */
  avatar_url?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  tags: Array<string>;
  presence: 'active' | 'away';
  created_at: string;
  modified_at?: string;
  is_bot: boolean;
  is_suspended: boolean;
  is_trashed: boolean;
}

export interface Webhook {
  id: number;
  payload_url: string;
  triggers: Array<string>;
  is_enabled: boolean;
  /** Whether a delivery waits until the one before it has succeeded or is given up. */
  ordered: boolean;
  breaker: Breaker;
}
