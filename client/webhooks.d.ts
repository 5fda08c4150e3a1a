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
  /** The access of a member of an app was changed. */
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
  /** The actor tested a webhook with a ping. Only that webhook receives this event. */
  webhook_pinged: Delivered<'webhook_pinged', 'webhook.pinged'> & {
    webhook: Webhook;
  };
}

/** The action of an event. */
export type WebhookAction = keyof WebhookEvents;

/** The body of a delivery. Its `action` says which one it is. */
export type WebhookEvent = WebhookEvents[WebhookAction];

export interface Actor {
  /** The id of the user. */
  id: number;
  /** The unique name that the host product gave the user. */
  uid: string;
  /** The name to show: `name`, else the given and family names, else the nickname, else the part of the e-mail address before the @, else the uid. */
  display_name: string;
  /** The e-mail address. Absent when it is not known. */
  email?: string;
  /** The given name, at most 64 characters. Absent when it is not known. */
  given_name?: string;
  /** The middle name, at most 64 characters. Absent when it is not known. */
  middle_name?: string;
  /** The whole name, at most 256 characters. Absent when it is not known. */
  name?: string;
  /** The family name, at most 64 characters. Absent when it is not known. */
  family_name?: string;
  /** The nickname, at most 32 characters. Absent when there is none. */
  nickname?: string;
  /** The phone number, at most 32 characters. Absent when it is not known. */
  phone_number?: string;
  /** A note of the host product about the user, at most 64 KiB in UTF-8. Absent when there is none. */
  comment?: string;
  /** The id of the directory that the user belongs to. Absent when the user belongs to none. */
  directory_id?: number;
  /** The id of the blob that is the user's picture. Absent when there is no picture, or it is an address on the web. */
  picture_id?: number;
  /** The address of the user's picture; needs no credential and stays valid until the user gets another picture. Absent for a user without a picture. */
  avatar_url?: string;
  /** Free-form properties of the user, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the user, in the order in which they were set. */
  tags?: Array<string>;
  /** Whether the user has a live connection to the server (`active`) or not (`away`). */
  presence: 'active' | 'away';
  /** When the user was created. */
  created_at?: string;
  /** When the user was last changed. Absent until the first change. */
  modified_at?: string;
  /** Whether the user is a program rather than a person. */
  is_bot: boolean;
  /** Whether the user is suspended and so cannot do anything. */
  is_suspended?: boolean;
  /** Whether the user is in the trash and so cannot do anything. */
  is_trashed?: boolean;
  /** Who made the change: the user (`person`), a program that is a user or the server itself (`bot`), or an API key, on behalf of the user or not (`api_key`). Absent from events of releases that did not record it. */
  kind?: 'person' | 'bot' | 'api_key';
  /** The id of the API key with which the change was made. Absent for a change that a user made with an access token, and for users who read the event. */
  api_key_id?: number;
}

export interface AppItem {
  /** The id of the app. */
  id: number;
  /** The name of the type, or its guid for a client that sends `X-Weavy-Source: @weavy/uikit`. */
  type: 'chat' | 'comments' | 'files' | 'posts' | 'chat_room' | 'private_chat' | 'd65dd4bc-418e-403c-9f56-f9cf4da931ed' | '88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd' | '523edd88-4bbf-4547-b60f-2859a6d2ddc1' | '5ebfa152-de85-48da-82dd-30a1b560c313' | 'edb400ac-839b-45a7-b2a8-6a01820d1c44' | '7e14f418-8f15-46f4-b182-f619b671e470';
  /** The unique name that the host product gave the app. */
  uid: string;
  /** What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). If the app has a directory, this applies to the users of that directory only. */
  access: 'none' | 'read' | 'write';
  /** The id of the directory that `access` is limited to. Absent when it is not limited. */
  directory_id?: number;
  /** The name to show: `name`, or `uid` if there is none. A conversation without a name is called by the names of its members. */
  display_name: string;
  /** The name of the app, at most 256 characters. Absent when it has none. */
  name?: string;
  /** What the app is about, at most 4096 characters. Absent when it has none. */
  description?: string;
  /** Not used: always absent. */
  archive_url?: string;
  /** The address of the other person's picture in a private chat; needs no credential. Absent otherwise. */
  avatar_url?: string;
  /** Free-form properties of the app, as the client sent them. Absent when it has none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the app, in the order in which they were set. */
  tags: Array<string>;
  /** When the app was created. */
  created_at: string;
  /** The id of the user who created the app; that of `system` for an app made with an API key. */
  created_by_id: number;
  /** When the app was last changed. Absent until the first change. */
  modified_at?: string;
  /** The id of the user who last changed the app. Absent until the first change. */
  modified_by_id?: number;
  /** What the caller may do in the app. */
  permissions: Array<'list' | 'read' | 'create' | 'update' | 'delete' | 'admin'>;
  /** Whether the caller has starred the app. */
  is_starred: boolean;
  /** Whether the caller is notified of activity in the app. */
  is_subscribed: boolean;
  /** Whether the app is in the trash. */
  is_trashed: boolean;
  created_by?: User;
  modified_by?: User;
  members?: MemberList;
}

export interface AppMember {
  /** The id of the user. */
  id: number;
  /** The uid of the user. */
  uid: string;
  /** What the member may do in the app: nothing (`none`), read (`read`), or also create content (`write`). It replaces the access level of the app, whether it is more or less. */
  access: 'none' | 'read' | 'write';
  /** The member's name for display. */
  display_name: string;
  /** The address of the user's picture; needs no credential. Absent for a user without a picture. */
  avatar_url?: string;
  /** When a client of the member last reported that it had received the messages of the chat. Absent until then, and in other apps. */
  delivered_at?: string;
  /** When the member last marked the chat as read. Absent until then, and in other apps. */
  marked_at?: string;
  /** The id of the last message that the member has read. Absent when the chat has not been read or was marked as unread. */
  marked_id?: number;
  /** Whether the user has a live connection to the server (`active`) or not (`away`). */
  presence: 'active' | 'away';
  /** Whether the user is a program rather than a person. */
  is_bot: boolean;
}

export interface Attachment {
  /** The id of the file. */
  id: number;
  /** The id of the app that the file is in. */
  app_id: number;
  /** The number of the current version. Versions count from 1. */
  version: number;
  /** The name of the file with its extension, at most 256 characters. */
  name: string;
  /** What the file is to a person, judged by its extension: `archive`, `audio`, `code`, `document`, `email`, `presentation`, `spreadsheet`, `image`, `text`, `video`, or `file` for anything else. */
  kind: string;
  /** The media type, judged by the bytes; for a file kept elsewhere, as it was declared. */
  media_type: string;
  /** The width of a picture, in pixels. Absent for anything else. */
  width?: number;
  /** The height of a picture, in pixels. Absent for anything else. */
  height?: number;
  /** The size in bytes. */
  size: number;
  /** Free-form properties of the file, as the client sent them. Absent when it has none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the file, in the order in which they were set. */
  tags: Array<string>;
  /** The name of the service that keeps the bytes. Absent for an upload. */
  provider?: string;
  /** What the provider says about the file, as it was sent or as JSON. Absent for an upload. */
  raw?: string;
  /** The address to download the file from. That of an upload needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent for a file kept elsewhere whose provider has none. */
  download_url?: string;
  /** Not used: always absent. */
  application_url?: string;
  /** The address at which the provider shows the file inside another page. Absent for an upload. */
  embed_url?: string;
  /** The address at which the provider shows the file. Absent for an upload. */
  external_url?: string;
  /** How `preview_url` can be shown: `image`, `code`, `text`, `audio`, `video`, `pdf`, `embed` (in a frame), or `none`. */
  preview_format: string;
  /** Where the file can be shown from; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent when `preview_format` is `none`. */
  preview_url?: string;
  /** The address of a small picture of the file; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent unless the file is a picture that can be reduced. */
  thumbnail_url?: string;
  /** When the file was created. */
  created_at: string;
  /** The id of the user who created the file. */
  created_by_id: number;
  /** When the file was last changed. Absent until the first change. */
  modified_at?: string;
  /** The id of the user who last changed the file. Absent until the first change. */
  modified_by_id?: number;
  /** How many comments on the file are not in the trash. */
  comment_count: number;
  /** Always empty: the comments on a file are listed under `/api/files/{id}/comments`. */
  comments: Array<{ [name: string]: unknown }>;
  /** Whether the caller is notified of comments on the file. */
  is_subscribed: boolean;
  /** Whether the file is in the trash. */
  is_trashed: boolean;
}

export interface Breaker {
  /** Whether deliveries are held back (`open`) or sent (`closed`). */
  state: 'closed' | 'open';
  /** What went wrong, in one sentence. Absent while the breaker is closed. */
  reason?: string;
  /** When the breaker opened. Absent while it is closed. */
  opened_at?: string;
  /** When one delivery is sent as a probe. Absent while the breaker is closed. */
  next_probe_at?: string;
}

export interface CommentItem {
  /** The id of the comment, post or message. */
  id: number;
  /** The id of the app that it is in. */
  app_id: number;
  /** What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text. */
  text?: string;
  /** The text as HTML that is safe to show. Absent when there is no text. */
  html?: string;
  /** The text without markup. Absent when there is no text. */
  plain?: string;
  /** How many attachments it has. */
  attachment_count: number;
  /** The attachments, in the order of their ids. */
  attachments: Array<Attachment>;
  /** The id of its embed. Absent when it has none. */
  embed_id?: number;
  /** The id of its meeting. Absent when it has none. */
  meeting_id?: number;
  /** How many options its poll has; 0 when there is no poll. */
  option_count: number;
  /** The options of its poll, in order. */
  options: Array<Option>;
  /** The reactions to it, one of each user who reacted. */
  reactions: Array<Reaction>;
  /** Free-form properties, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** Its tags, in the order in which they were set. */
  tags: Array<string>;
  /** When it was created. */
  created_at: string;
  /** The id of its author. */
  created_by_id: number;
  /** When it was last edited. Absent until the first edit. */
  modified_at?: string;
  /** The id of the user who last edited it. Absent until the first edit. */
  modified_by_id?: number;
  /** Whether it is in the trash. */
  is_trashed: boolean;
  parent?: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by?: User;
  modified_by?: User;
}

export interface Embed {
  /** The id of the embed. */
  id: number;
  /** What the page says about itself, as plain text of at most 1024 characters. Absent when it says nothing. */
  description?: string;
  /** When the embed was created. */
  created_at: string;
  /** The id of the user who created the embed. */
  created_by_id: number;
  /** The host name of `original_url`. */
  host: string;
  /** The address as it was sent. Characters that could end an HTML attribute, such as quotes and angle brackets, are percent-encoded. */
  original_url: string;
  /** Whether there is nothing to show but a link with its preview. */
  is_link: boolean;
  /** What the embed shows: the preview of a page (`link`) or a picture (`photo`). */
  type: string;
  /** The version of oEmbed in the answer of the site. Absent when the site does not offer oEmbed. */
  version?: string;
  /** The title of the page, as plain text of at most 256 characters. Absent when it has none. */
  title?: string;
  /** The author that the page names, as plain text of at most 128 characters. Absent when it names none. */
  author_name?: string;
  /** The address of the author's page. Absent when the page names none. */
  author_url?: string;
  /** The name of the site, as plain text of at most 128 characters. Absent when the page names none. */
  provider_name?: string;
  /** The address of the site. Absent when the page names none. */
  provider_url?: string;
  /** How long the page may be cached, in seconds, as the page specifies. Absent when it does not. */
  cache_age?: number;
  /** The address of a picture of the page, on the site of the page. Absent when it has none. */
  thumbnail_url?: string;
  /** The width of that picture in pixels, as the page gives it. Absent when it does not. */
  thumbnail_width?: number;
  /** The height of that picture in pixels, as the page gives it. Absent when it does not. */
  thumbnail_height?: number;
  /** The address of the picture. Absent for a link. */
  url?: string;
  /** The width of a photo in pixels. Absent for a link. */
  width?: number;
  /** The height of a photo in pixels. Absent for a link. */
  height?: number;
  /** Not used: always absent, because markup of other sites is not passed on. */
  html?: string;
}

export interface FileItem {
  /** The id of the file. */
  id: number;
  /** The id of the app that the file is in. */
  app_id: number;
  /** The number of the current version. Versions count from 1. */
  version: number;
  /** The name of the file with its extension, at most 256 characters. */
  name: string;
  /** What the file is to a person, judged by its extension: `archive`, `audio`, `code`, `document`, `email`, `presentation`, `spreadsheet`, `image`, `text`, `video`, or `file` for anything else. */
  kind: string;
  /** The media type, judged by the bytes; for a file kept elsewhere, as it was declared. */
  media_type: string;
  /** The width of a picture, in pixels. Absent for anything else. */
  width?: number;
  /** The height of a picture, in pixels. Absent for anything else. */
  height?: number;
  /** The size in bytes. */
  size: number;
  /** Free-form properties of the file, as the client sent them. Absent when it has none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the file, in the order in which they were set. */
  tags: Array<string>;
  /** The name of the service that keeps the bytes. Absent for an upload. */
  provider?: string;
  /** What the provider says about the file, as it was sent or as JSON. Absent for an upload. */
  raw?: string;
  /** The address to download the file from. That of an upload needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent for a file kept elsewhere whose provider has none. */
  download_url?: string;
  /** Not used: always absent. */
  application_url?: string;
  /** The address at which the provider shows the file inside another page. Absent for an upload. */
  embed_url?: string;
  /** The address at which the provider shows the file. Absent for an upload. */
  external_url?: string;
  /** How `preview_url` can be shown: `image`, `code`, `text`, `audio`, `video`, `pdf`, `embed` (in a frame), or `none`. */
  preview_format: string;
  /** Where the file can be shown from; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent when `preview_format` is `none`. */
  preview_url?: string;
  /** The address of a small picture of the file; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent unless the file is a picture that can be reduced. */
  thumbnail_url?: string;
  /** When the file was created. */
  created_at: string;
  /** The id of the user who created the file. */
  created_by_id: number;
  /** When the file was last changed. Absent until the first change. */
  modified_at?: string;
  /** The id of the user who last changed the file. Absent until the first change. */
  modified_by_id?: number;
  /** How many comments on the file are not in the trash. */
  comment_count: number;
  /** Always empty: the comments on a file are listed under `/api/files/{id}/comments`. */
  comments: Array<{ [name: string]: unknown }>;
  /** Whether the caller is notified of comments on the file. */
  is_subscribed: boolean;
  /** Whether the file is in the trash. */
  is_trashed: boolean;
  parent?: Parent;
  created_by?: User;
  modified_by?: User;
}

export interface Meeting {
  /** The id of the meeting. */
  id: number;
  /** The provider of the meeting: `jitsi`. */
  provider: string;
  /** The id of the meeting at the provider. */
  provider_id?: string;
  /** A unique id that the server gave the meeting. */
  uuid?: string;
  /** The address at which users join. Anyone who has it can join. */
  join_url?: string;
  /** When the meeting ended. Absent as long as the provider has not reported it. */
  ended_at?: string;
  /** The address of the recording. Absent when there is none. */
  recording_url?: string;
}

export interface MemberList {
  /** The items of the page, in the requested order. Absent with `count_only`. */
  data?: Array<AppMember>;
  /** The 1-based position of the first item; 0 on an empty page. Absent with `count_only`. */
  start?: number;
  /** The 1-based position of the last item; 0 on an empty page. Absent with `count_only`. */
  end?: number;
  /** How many items match on all pages. Absent with `count=false`. */
  count?: number;
}

export interface MessageItem {
  /** The id of the comment, post or message. */
  id: number;
  /** The id of the app that it is in. */
  app_id: number;
  /** What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text. */
  text?: string;
  /** The text as HTML that is safe to show. Absent when there is no text. */
  html?: string;
  /** The text without markup. Absent when there is no text. */
  plain?: string;
  /** How many attachments it has. */
  attachment_count: number;
  /** The attachments, in the order of their ids. */
  attachments: Array<Attachment>;
  /** The id of its embed. Absent when it has none. */
  embed_id?: number;
  /** The id of its meeting. Absent when it has none. */
  meeting_id?: number;
  /** How many options its poll has; 0 when there is no poll. */
  option_count: number;
  /** The options of its poll, in order. */
  options: Array<Option>;
  /** The reactions to it, one of each user who reacted. */
  reactions: Array<Reaction>;
  /** Free-form properties, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** Its tags, in the order in which they were set. */
  tags: Array<string>;
  /** When it was created. */
  created_at: string;
  /** The id of its author. */
  created_by_id: number;
  /** When it was last edited. Absent until the first edit. */
  modified_at?: string;
  /** The id of the user who last edited it. Absent until the first edit. */
  modified_by_id?: number;
  /** Whether it is in the trash. */
  is_trashed: boolean;
  parent?: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by?: User;
  modified_by?: User;
}

export interface NotificationItem {
  /** The id of the notification. */
  id: number;
  /** The action of the event, such as `comment_created`. */
  action: string;
  /** The id of the user who caused it. Absent when the caller may no longer see what it is about. */
  actor_id?: number;
  /** The sentence, with {0}, {1} and so on in the place of `args`. */
  template: string;
  /** Who did it, then the name of the app or file, then how the text begins; what is unknown is left out. */
  args: Array<string>;
  /** The sentence with its arguments. */
  text: string;
  /** The sentence with its arguments, as HTML that is safe to show. */
  html: string;
  /** The sentence with its arguments, without markup. */
  plain: string;
  link?: Parent;
  /** The id of the user who is notified. */
  user_id: number;
  /** When the notification was created. */
  created_at: string;
  /** Whether the notification is unread. */
  is_unread: boolean;
  actor?: User;
  user?: User;
}

export interface Option {
  /** The id of the option. */
  id: number;
  /** The option in words, at most 512 characters. */
  text: string;
  /** How many users chose the option. */
  vote_count: number;
  /** Whether the caller chose it. */
  has_voted: boolean;
  /** The first 100 people who chose it, in the order in which they did. Empty in a list; all of them are under /api/options/{id}/voters. */
  voters: Array<User>;
}

export interface Parent {
  /** The id of the parent. */
  id: number;
  /** What the parent is: `app`, `file`, `post`, `comment`, `message` or `user`. */
  type: string;
}

export interface PostItem {
  /** The id of the comment, post or message. */
  id: number;
  /** The id of the app that it is in. */
  app_id: number;
  /** What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text. */
  text?: string;
  /** The text as HTML that is safe to show. Absent when there is no text. */
  html?: string;
  /** The text without markup. Absent when there is no text. */
  plain?: string;
  /** How many attachments it has. */
  attachment_count: number;
  /** The attachments, in the order of their ids. */
  attachments: Array<Attachment>;
  /** The id of its embed. Absent when it has none. */
  embed_id?: number;
  /** The id of its meeting. Absent when it has none. */
  meeting_id?: number;
  /** How many options its poll has; 0 when there is no poll. */
  option_count: number;
  /** The options of its poll, in order. */
  options: Array<Option>;
  /** The reactions to it, one of each user who reacted. */
  reactions: Array<Reaction>;
  /** Free-form properties, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** Its tags, in the order in which they were set. */
  tags: Array<string>;
  /** When it was created. */
  created_at: string;
  /** The id of its author. */
  created_by_id: number;
  /** When it was last edited. Absent until the first edit. */
  modified_at?: string;
  /** The id of the user who last edited it. Absent until the first edit. */
  modified_by_id?: number;
  /** Whether it is in the trash. */
  is_trashed: boolean;
  parent?: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by?: User;
  modified_by?: User;
  /** How many comments on the post are not in the trash. */
  comment_count: number;
  /** Always empty: the comments of a post are listed under /api/posts/{id}/comments. */
  comments: Array<{ [name: string]: unknown }>;
  /** Whether the caller is notified of comments on it. */
  is_subscribed: boolean;
}

export interface Reaction {
  /** The id of the reaction. */
  id: number;
  /** The emoji, exactly one. */
  content: string;
  /** When the user reacted. */
  created_at: string;
  /** The id of the user who reacted. */
  created_by_id: number;
  /** How many users reacted with this emoji to the same comment, post or message. */
  count: number;
}

export interface User {
  /** The id of the user. */
  id: number;
  /** The unique name that the host product gave the user. */
  uid: string;
  /** The name to show: `name`, else the given and family names, else the nickname, else the part of the e-mail address before the @, else the uid. */
  display_name: string;
  /** The e-mail address. Absent when it is not known. */
  email?: string;
  /** The given name, at most 64 characters. Absent when it is not known. */
  given_name?: string;
  /** The middle name, at most 64 characters. Absent when it is not known. */
  middle_name?: string;
  /** The whole name, at most 256 characters. Absent when it is not known. */
  name?: string;
  /** The family name, at most 64 characters. Absent when it is not known. */
  family_name?: string;
  /** The nickname, at most 32 characters. Absent when there is none. */
  nickname?: string;
  /** The phone number, at most 32 characters. Absent when it is not known. */
  phone_number?: string;
  /** A note of the host product about the user, at most 64 KiB in UTF-8. Absent when there is none. */
  comment?: string;
  /** The id of the directory that the user belongs to. Absent when the user belongs to none. */
  directory_id?: number;
  /** The id of the blob that is the user's picture. Absent when there is no picture, or it is an address on the web. */
  picture_id?: number;
  /** The address of the user's picture; needs no credential and stays valid until the user gets another picture. Absent for a user without a picture. */
  avatar_url?: string;
  /** Free-form properties of the user, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the user, in the order in which they were set. */
  tags?: Array<string>;
  /** Whether the user has a live connection to the server (`active`) or not (`away`). */
  presence: 'active' | 'away';
  /** When the user was created. */
  created_at?: string;
  /** When the user was last changed. Absent until the first change. */
  modified_at?: string;
  /** Whether the user is a program rather than a person. */
  is_bot: boolean;
  /** Whether the user is suspended and so cannot do anything. */
  is_suspended?: boolean;
  /** Whether the user is in the trash and so cannot do anything. */
  is_trashed?: boolean;
}

export interface Webhook {
  /** The id of the webhook. */
  id: number;
  /** The address that receives deliveries. */
  payload_url: string;
  /** The groups of events and the single actions that are delivered, in the order in which they were set. */
  triggers: Array<string>;
  /** Whether deliveries are sent. */
  is_enabled: boolean;
  /** Whether each delivery waits until the previous one has succeeded or was given up. */
  ordered: boolean;
  breaker: Breaker;
}
