import type { Generated } from 'kysely';
import type { AgentTables } from './agents.ts';
import type { CountTables } from './counts.ts';
import type { EntryPartTables } from './entry-parts.ts';
import type { ErasureTables } from './erasures.ts';
import type { ImportTables } from './imports.ts';
import type { NotificationTables } from './notifications.ts';
import type { ReportTables } from './reports.ts';
import type { ResolvedState, ThreadSettings } from './threads.ts';
import type { VisitorTables } from './visitors.ts';

/** The tables that have files of their own. */
type OtherTables = AgentTables &
  CountTables &
  EntryPartTables &
  ErasureTables &
  ImportTables &
  NotificationTables &
  ReportTables &
  VisitorTables;

/** Whether an entry or a file is shown, in the trash, held or locked. */
type ContentState = {
  trashed_at: number | null;
  /** Who put it in the trash, while it is there. */
  trashed_by_id: number | null;
  /** Since when it is held, while it is: it is then in the trash as well, but counted nowhere. */
  held_at: Generated<number | null>;
  /** `moderator`, `approval` or `rule`, while it is held. */
  held_reason: Generated<string | null>;
  /** 1 for what was held when it was made, until it is approved: the event of its creation is still to come. */
  is_unannounced: Generated<number>;
  /** From when only moderators write below it; null where it is not locked. */
  locked_at: Generated<number | null>;
};

/**
 * The rows of every table. Times are Unix milliseconds, flags are 0 or 1, JSON is text. A table without an entry
 * here cannot be asked; migrations/ makes what is described.
 */
export type Tables = OtherTables & {
  migrations: { id: number; name: string; applied_at: number; breaks_before: Generated<number> };
  /** One row, with id 1; see migrations/0009. */
  log_head: { id: number };
  /** The servers with live connections; one that does not move `until` on is gone. */
  nodes: { id: string; until: number };
  /** The users with a live connection to each node. */
  presence: { node_id: string; user_id: number };
  /** The work that one node does for all, and until when. */
  leases: { name: string; holder: string | null; until: number };
  settings: { name: string; value: string };
  /** `name_key` and the like are what names are put in order by (`sortKey`); empty until a program has filled them. */
  directories: { id: Generated<number>; name: string; name_key: Generated<string>; created_at: number };
  directory_search: { rowid: number; words: string };
  users: {
    id: Generated<number>;
    uid: string;
    display_name: string;
    display_name_key: Generated<string>;
    email: string | null;
    given_name: string | null;
    middle_name: string | null;
    family_name: string | null;
    name: string | null;
    /** Empty for none. */
    name_key: Generated<string>;
    nickname: string | null;
    phone_number: string | null;
    comment: string | null;
    directory_id: number | null;
    picture_id: number | null;
    picture_url: string | null;
    metadata: string | null;
    tags: string;
    /** `moderator` for one who moderates the apps of their directory, or of the server if they have none. */
    role: Generated<string | null>;
    is_bot: number;
    /** The bytes of the user's files in use. */
    stored_bytes: Generated<number>;
    /** 1 while the user has a live connection, so while there is a row in `presence`. */
    is_active: Generated<number>;
    created_at: number;
    modified_at: number | null;
    suspended_at: number | null;
    trashed_at: number | null;
    /** Tokens of an identity provider that were issued earlier are refused; null where none were revoked. */
    tokens_from: number | null;
    /** How a visitor signs in: `guest`, `email` or the name of a provider; null for a user of the product. */
    way: Generated<string | null>;
    /** Of the name of a visitor; empty for a user of the product. */
    skeleton: Generated<string>;
    /** 1 for a user whose texts are not held because they are new or a guest. */
    is_trusted: Generated<number>;
  };
  user_tags: { user_id: number; tag: string };
  user_search: { rowid: number; words: string };
  /** The words of what users see of each other; `user_search` is for API keys. */
  public_user_search: { rowid: number; words: string };
  api_keys: {
    id: Generated<number>;
    hash: Uint8Array;
    name: string;
    hint: string;
    created_at: number;
    revoked_at: number | null;
    /** Comma-separated; `all` is every one. */
    scopes: Generated<string>;
    expires_at: number | null;
  };
  /** When each key was last used, to the minute. */
  key_uses: { key_id: number; last_used_at: number };
  access_tokens: { hash: Uint8Array; user_id: number; created_at: number; expires_at: number };
  /**
   * Sessions of the console and the links that begin one, by `kind`. A session without an API key is one of a user, and
   * has an access token with the same hash.
   */
  sessions: {
    hash: Uint8Array;
    kind: 'session' | 'link';
    api_key_id: number | null;
    created_at: number;
    used_at: number;
    expires_at: number;
  };
  apps: ThreadSettings & {
    id: Generated<number>;
    type: string;
    uid: string;
    access: string;
    directory_id: number | null;
    name: string | null;
    /** Empty for none. */
    name_key: Generated<string>;
    /** Of the name, or else of the uid. */
    display_name_key: Generated<string>;
    description: string | null;
    metadata: string | null;
    tags: string;
    created_at: number;
    created_by_id: number;
    modified_at: number | null;
    modified_by_id: number | null;
    trashed_at: number | null;
    /** When it was removed for good: nobody sees it from then on, and what is in it goes batch by batch. */
    deleted_at: number | null;
    /** The newest message that is not in the trash. */
    last_message_id: number | null;
    /** 1 when it was made with an API key, on behalf of a user or not. */
    by_key: Generated<number>;
    /** From when only moderators write in it; null where it is not locked. */
    locked_at: Generated<number | null>;
    /** `everything`, `newcomers`, `guests` or `rules`: what is held until it is approved; null for nothing. */
    approval: Generated<string | null>;
    /** How many approved items of a user end the approval of newcomers. */
    approval_count: Generated<number | null>;
    /** `read` or `write`: what people without a credential may do; null for nothing. */
    visitors: Generated<string | null>;
    /** The blob of its picture, and the address of that; null for none. */
    picture_id: Generated<number | null>;
    picture_url: Generated<string | null>;
    /** The bytes of its files. */
    stored_bytes: Generated<number>;
  };
  app_tags: { app_id: number; tag: string };
  app_search: { rowid: number; words: string };
  members: {
    app_id: number;
    user_id: number;
    access: string;
    /** `manager`, `moderator` or `member`; null where a program without roles wrote the row: then the creator of the app manages. */
    role: string | null;
    created_at: number;
    /** The newest message that the member has said to have read, and when. */
    marked_id: number | null;
    marked_at: number | null;
    /** When messages reached the member the last time. */
    delivered_at: number | null;
    pinned_at: number | null;
    /** The newest message that the member wrote: who writes has read. */
    wrote_id: number | null;
  };
  /** The one private chat of two people, the lower id first. */
  private_chats: { first_id: number; second_id: number; app_id: number };
  stars: { user_id: number; app_id: number };
  /** A user follows another. */
  follows: { user_id: number; followed_id: number };
  subscriptions: { user_id: number; entity_type: string; entity_id: number };
  /**
   * Comments, posts and messages: text with what people put into it. `content` is what a list shows, rendered at write. A
   * row whose kind is `place` is what is left of a deleted comment that has answers; only the threads read it.
   */
  entries: ContentState &
    ResolvedState & {
      id: Generated<number>;
      kind: 'comment' | 'post' | 'message';
      app_id: number;
      parent_type: string;
      parent_id: number;
      content: string;
      attachment_count: number;
      option_count: number;
      reaction_count: Generated<number>;
      /** The comment that it answers, and the one that began the thread; null for what answers none. */
      reply_to_id: number | null;
      root_id: number | null;
      /** How many comments below it are shown: for the first of a thread all of them, for an answer those that answer it. */
      reply_count: Generated<number>;
      embed_id: number | null;
      meeting_id: number | null;
      created_at: number;
      created_by_id: number;
      modified_at: number | null;
      modified_by_id: number | null;
      /** The place that its thread belongs to, as JSON, and the key of it; null for none, and for what began none. */
      anchor: Generated<string | null>;
      anchor_key: Generated<string | null>;
    };
  /** How many items of a user moderators have approved in an app that asks for it of newcomers or guests. */
  approved_counts: { app_id: number; user_id: number; count: number };
  entry_tags: { app_id: number; tag: string; entry_id: number };
  entry_search: { rowid: number; words: string };
  /** The result of fetching an address, for one user. `url` is its normal form, `content` the rendered members. */
  embeds: {
    id: Generated<number>;
    url: string;
    original_url: string;
    content: string;
    /** The names of its buttons, as a JSON array; null where it has none. */
    actions: string | null;
    fetched_at: number;
    created_at: number;
    created_by_id: number;
  };
  meetings: {
    id: Generated<number>;
    provider: string;
    provider_id: string;
    uuid: string;
    join_url: string;
    /** The provider that clients of the second form show it as; null where none was asked for. */
    shown_as: string | null;
    created_at: number;
    created_by_id: number;
    ended_at: number | null;
    recording_url: string | null;
  };
  blobs: {
    id: Generated<number>;
    key: string;
    name: string;
    media_type: string;
    width: number | null;
    height: number | null;
    size: number;
    created_at: number;
    created_by_id: number;
    /** When the sweep may delete it; null while a file or a picture uses it. */
    expires_at: number | null;
    /** For a blob whose bytes are stored elsewhere: the provider, and the addresses there. */
    provider: Generated<string | null>;
    link: Generated<string | null>;
    download: Generated<string | null>;
    embed: Generated<string | null>;
    raw: Generated<string | null>;
    /** SHA-256 in hexadecimal, of pictures that came inside a request. */
    digest: Generated<string | null>;
    /** The app whose file uses or used it. */
    app_id: Generated<number | null>;
    /** 1 while `stored_bytes` of its user and its app contain its size. */
    is_counted: Generated<number>;
    /** 1 for a picture that the server has made of one that a visitor sent for a comment. */
    is_of_visitor: Generated<number>;
  };
  files: ContentState & {
    id: Generated<number>;
    app_id: number;
    parent_type: string;
    parent_id: number;
    blob_id: number;
    version: number;
    /** The highest number that any of its versions has had. */
    /** When and by whom its content was put in; null for the content it was made with. */
    content_at: Generated<number | null>;
    content_by_id: Generated<number | null>;
    name: string;
    /** Empty for attachments. */
    name_key: Generated<string>;
    metadata: string | null;
    tags: string;
    created_at: number;
    created_by_id: number;
    modified_at: number | null;
    modified_by_id: number | null;
  };
  /** Contents that files had before. `number` is what `files.version` was then. */
  file_versions: {
    file_id: number;
    number: number;
    blob_id: number;
    name: string;
    created_at: number;
    created_by_id: number;
  };
  file_tags: { app_id: number; tag: string; file_id: number };
  file_search: { rowid: number; words: string };
  events: {
    /** The one user whom it concerns; null for what concerns everyone who may see the entity. */
    user_id: number | null;
    id: Generated<number>;
    action: string;
    actor_id: number;
    app_id: number | null;
    entity_type: string;
    entity_id: number;
    payload: string;
    created_at: number;
    /** 1 for events that notify no user and call no webhook, such as the events of imports. */
    is_silent: number;
  };
  /** The mailer's state of a user; a user without a row has made no choice and has no mail due. */
  mail_states: {
    user_id: number;
    /** `all`, `direct` or `none`. */
    choice: Generated<string>;
    /** 1 for a user who wants to be told of each new comment in the apps that they moderate. */
    new_comments: Generated<number>;
    /** When the next message is due; null when none is. */
    due_at: number | null;
    /** The newest notification that a message covered. */
    upto: Generated<number>;
    sent_at: number | null;
    /** How often the mail server has put off the present message. */
    tries: Generated<number>;
    /** How often in a row it refused messages to `refused_address`. */
    refusals: Generated<number>;
    refused_address: string | null;
  };
  /**
   * How far a reader has processed the log: up to `event_id`. `user_id` is above 0 in the middle of the next event, which
   * is then done for the users up to that id. The row `retention` has the newest event that was removed for its age.
   */
  event_cursors: { reader: string; event_id: number; user_id: number };
  /** Events that the notifier gave up. Users up to `user_id` have been notified. */
  parked_events: { event_id: number; user_id: number; error: string; parked_at: number };
  webhooks: {
    id: Generated<number>;
    payload_url: string;
    secret: string | null;
    is_enabled: number;
    created_at: number;
    modified_at: number | null;
    /** When the earliest waiting delivery may be sent; null when none waits or the webhook is disabled. */
    due_at: number | null;
    /** Until when one sender has this webhook for itself, and the random token it proves that with. */
    leased_until: number | null;
    lease: string | null;
    /** When it was deleted: nobody sees it from then on, and its deliveries go batch by batch. */
    deleted_at: number | null;
    /** Whether a delivery waits until the one before it has succeeded or is given up. */
    is_ordered: Generated<number>;
    /** The last number that a delivery was given; see `deliveries.sequence`. */
    sequence: Generated<number>;
    /** Before when nothing is sent although the breaker is closed: the receiver asked for it, or did not answer. */
    wait_until: number | null;
    /** How many attempts in a row have failed. */
    failures: Generated<number>;
    /** Since when only probes are sent and why; null while the breaker is closed. */
    breaker_opened_at: number | null;
    breaker_reason: string | null;
    /** When the next probe may start, and how many there were; null and 0 while the breaker is closed. */
    probe_at: number | null;
    probes: Generated<number>;
    /** The previous secret, which also signs until a time. */
    previous_secret: string | null;
    previous_secret_until: number | null;
  };
  webhook_search: { rowid: number; words: string };
  webhook_triggers: { webhook_id: number; position: number; trigger: string };
  deliveries: {
    id: Generated<number>;
    webhook_id: number;
    event_id: number;
    guid: string;
    action: string;
    trigger: string;
    status: string;
    attempts: number;
    /** When the next attempt may start; null once the status is final. */
    due_at: number | null;
    delivered_at: number | null;
    duration_us: number | null;
    status_code: number | null;
    /** Its place among what its webhook was sent, counted from 1 without gaps; null before the first attempt. */
    sequence: number | null;
    /** How many of the attempts do not count for the present schedule: those before a redelivery, and probes. */
    schedule_from: Generated<number>;
    /** The time of its event; null where an earlier program made the row. */
    created_at: Generated<number | null>;
  };
  attempts: {
    delivery_id: number;
    number: number;
    started_at: number;
    duration_us: number;
    status_code: number | null;
    error: string | null;
    response_headers: string | null;
    response_body: Uint8Array | null;
    is_truncated: number;
    request_url: string | null;
    /** A JSON object. The body that was sent is made again from the event. */
    request_headers: string | null;
  };
  /** The answers of requests with an `Idempotency-Key`, for their retries. `api_key_id` is 0 for access tokens. */
  /** How much of a quota all nodes have taken; `key` is a hash of the subject and the window. */
  rate_shares: { key: string; taken: number; ends_at: number };
  kept_answers: {
    id: Generated<number>;
    user_id: number;
    api_key_id: number;
    key: string;
    /** SHA-256 of what was requested. */
    fingerprint: Uint8Array;
    status: number;
    created_at: number;
    /** Null for an answer without a body. The last column, because it can be large. */
    body: string | null;
  };
  /** The texts of a day, for rules that count earlier ones. `digest` is of the words of a text. */
  recent_texts: { id: Generated<number>; user_id: number; digest: string; created_at: number };
  /** Statistics of each rule of the operator, and of the hook. */
  rule_counts: { name: string; reported: number; held: number; refused: number; last_at: number };
};
