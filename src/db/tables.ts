import type { Generated } from 'kysely';

/**
 * The rows of every table. Times are Unix milliseconds, flags are 0 or 1, JSON is text. A table without an entry
 * here cannot be asked; migrations/ makes what is described.
 */
export type Tables = {
  migrations: { id: number; name: string; applied_at: number };
  settings: { name: string; value: string };
  directories: { id: Generated<number>; name: string; created_at: number };
  directory_search: { rowid: number; words: string };
  users: {
    id: Generated<number>;
    uid: string;
    display_name: string;
    email: string | null;
    given_name: string | null;
    middle_name: string | null;
    family_name: string | null;
    name: string | null;
    nickname: string | null;
    phone_number: string | null;
    comment: string | null;
    directory_id: number | null;
    picture_id: number | null;
    picture_url: string | null;
    metadata: string | null;
    tags: string;
    is_bot: number;
    created_at: number;
    modified_at: number | null;
    suspended_at: number | null;
    trashed_at: number | null;
  };
  user_tags: { user_id: number; tag: string };
  user_search: { rowid: number; words: string };
  api_keys: {
    id: Generated<number>;
    hash: Uint8Array;
    name: string;
    hint: string;
    created_at: number;
    revoked_at: number | null;
  };
  access_tokens: { hash: Uint8Array; user_id: number; created_at: number; expires_at: number };
  apps: {
    id: Generated<number>;
    type: string;
    uid: string;
    access: string;
    directory_id: number | null;
    name: string | null;
    description: string | null;
    metadata: string | null;
    tags: string;
    created_at: number;
    created_by_id: number;
    modified_at: number | null;
    modified_by_id: number | null;
    trashed_at: number | null;
  };
  app_tags: { app_id: number; tag: string };
  app_search: { rowid: number; words: string };
  members: { app_id: number; user_id: number; access: string; created_at: number };
  stars: { user_id: number; app_id: number };
  subscriptions: { user_id: number; entity_type: string; entity_id: number };
  /**
   * How many items of a kind a parent has, kept by the transactions that change them, so that a count costs the same
   * at any size. `app_id` is 0 where the parent belongs to no app. `is_hidden` is 1 while the parent is in the trash.
   */
  tallies: {
    parent_type: string;
    parent_id: number;
    kind: string;
    app_id: number;
    live: number;
    trashed: number;
    is_hidden: number;
  };
  /** Comments and posts: text with what people put into it. `content` is what a list shows, rendered at write. */
  entries: {
    id: Generated<number>;
    kind: string;
    app_id: number;
    parent_type: string;
    parent_id: number;
    content: string;
    attachment_count: number;
    option_count: number;
    created_at: number;
    created_by_id: number;
    modified_at: number | null;
    modified_by_id: number | null;
    trashed_at: number | null;
  };
  entry_tags: { app_id: number; tag: string; entry_id: number };
  entry_search: { rowid: number; words: string };
  options: { id: Generated<number>; entry_id: number; position: number; text: string };
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
  };
  files: {
    id: Generated<number>;
    app_id: number;
    parent_type: string;
    parent_id: number;
    blob_id: number;
    version: number;
    name: string;
    metadata: string | null;
    tags: string;
    created_at: number;
    created_by_id: number;
    modified_at: number | null;
    modified_by_id: number | null;
    trashed_at: number | null;
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
  };
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
  };
  imports: { source: string; source_id: string; entity_type: string; entity_id: number };
};
