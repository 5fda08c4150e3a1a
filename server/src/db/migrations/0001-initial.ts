import type { Migration } from './migration.ts';

/**
 * The first schema. Every table of SQLite is `strict`, so a wrong type is an error and not a conversion. Ids come from
 * `autoincrement`, so none is ever used again.
 */
export const initial: Migration = {
  id: 1,
  name: 'initial',
  up: ({ id, integer, text, blob, table, searchIndex }) => [
    table('settings', `name ${text} primary key, value ${text} not null`),

    table('directories', `${id}, name ${text} not null unique, created_at ${integer} not null`),
    searchIndex('directory_search'),

    table(
      'users',
      `${id}, uid ${text} not null unique, display_name ${text} not null, email ${text}, given_name ${text},
       middle_name ${text}, family_name ${text}, name ${text}, nickname ${text}, phone_number ${text}, comment ${text},
       directory_id ${integer} references directories(id), picture_id ${integer}, picture_url ${text},
       metadata ${text}, tags ${text} not null default '[]', is_bot ${integer} not null default 0,
       created_at ${integer} not null, modified_at ${integer}, suspended_at ${integer}, trashed_at ${integer}`,
    ),
    `create index users_directory on users (directory_id, id)`,
    table(
      'user_tags',
      `tag ${text} not null, user_id ${integer} not null references users(id), primary key (tag, user_id)`,
    ),
    `create index user_tags_user on user_tags (user_id)`,
    searchIndex('user_search'),

    table(
      'api_keys',
      `${id}, hash ${blob} not null unique, name ${text} not null, hint ${text} not null,
       created_at ${integer} not null, revoked_at ${integer}`,
    ),
    table(
      'access_tokens',
      `hash ${blob} primary key, user_id ${integer} not null references users(id),
       created_at ${integer} not null, expires_at ${integer} not null`,
    ),
    `create index access_tokens_user on access_tokens (user_id, expires_at)`,
    `create index access_tokens_expiry on access_tokens (expires_at)`,

    table(
      'apps',
      `${id}, type ${text} not null, uid ${text} not null unique, access ${text} not null,
       directory_id ${integer} references directories(id), name ${text}, description ${text}, metadata ${text},
       tags ${text} not null default '[]', created_at ${integer} not null,
       created_by_id ${integer} not null references users(id), modified_at ${integer},
       modified_by_id ${integer} references users(id), trashed_at ${integer}`,
    ),
    // Finds the apps that a non-member may see without reading closed apps.
    `create index apps_open on apps (id) where access <> 'none'`,
    table(
      'app_tags',
      `tag ${text} not null, app_id ${integer} not null references apps(id), primary key (tag, app_id)`,
    ),
    `create index app_tags_app on app_tags (app_id)`,
    searchIndex('app_search'),

    table(
      'members',
      `app_id ${integer} not null references apps(id), user_id ${integer} not null references users(id),
       access ${text} not null, created_at ${integer} not null, primary key (app_id, user_id)`,
    ),
    `create index members_user on members (user_id, app_id, access)`,
    table(
      'stars',
      `user_id ${integer} not null references users(id), app_id ${integer} not null references apps(id),
       primary key (user_id, app_id)`,
    ),
    table(
      'subscriptions',
      `user_id ${integer} not null references users(id), entity_type ${text} not null,
       entity_id ${integer} not null, primary key (entity_type, entity_id, user_id)`,
    ),

    table(
      'tallies',
      `parent_type ${text} not null, parent_id ${integer} not null, kind ${text} not null,
       app_id ${integer} not null, live ${integer} not null default 0, trashed ${integer} not null default 0,
       is_hidden ${integer} not null default 0, primary key (parent_type, parent_id, kind),
       check (live >= 0 and trashed >= 0)`,
    ),
    `create index tallies_app on tallies (kind, app_id, is_hidden, live, trashed)`,

    table(
      'entries',
      `${id}, kind ${text} not null, app_id ${integer} not null references apps(id), parent_type ${text} not null,
       parent_id ${integer} not null, content ${text} not null, attachment_count ${integer} not null default 0,
       option_count ${integer} not null default 0, created_at ${integer} not null,
       created_by_id ${integer} not null references users(id), modified_at ${integer},
       modified_by_id ${integer} references users(id), trashed_at ${integer}`,
    ),
    // The page of a parent in either of the two usual orders. trashed_at is last so that skipping reads the index alone.
    `create index entries_parent on entries (parent_type, parent_id, kind, id, trashed_at)`,
    `create index entries_parent_created on entries (parent_type, parent_id, kind, created_at, id, trashed_at)`,
    // The trash of a parent is small; without this the few trashed rows would be looked for among all.
    `create index entries_parent_trash on entries (parent_type, parent_id, kind, id) where trashed_at is not null`,
    // Lists over many apps: all of them (an API key) or those a person may see.
    `create index entries_app on entries (app_id, kind, id)`,
    `create index entries_kind on entries (kind, id)`,
    `create index entries_created on entries (kind, created_at, id)`,
    table(
      'entry_tags',
      `app_id ${integer} not null, tag ${text} not null, entry_id ${integer} not null references entries(id),
       primary key (tag, app_id, entry_id)`,
    ),
    `create index entry_tags_entry on entry_tags (entry_id)`,
    searchIndex('entry_search'),
    table(
      'options',
      `${id}, entry_id ${integer} not null references entries(id), position ${integer} not null,
       text ${text} not null`,
    ),
    `create index options_entry on options (entry_id, position)`,

    table(
      'blobs',
      `${id}, key ${text} not null unique, name ${text} not null, media_type ${text} not null, width ${integer},
       height ${integer}, size ${integer} not null, created_at ${integer} not null,
       created_by_id ${integer} not null references users(id), expires_at ${integer}`,
    ),
    `create index blobs_expiry on blobs (expires_at) where expires_at is not null`,
    table(
      'files',
      `${id}, app_id ${integer} not null references apps(id), parent_type ${text} not null,
       parent_id ${integer} not null, blob_id ${integer} not null references blobs(id),
       version ${integer} not null default 1, name ${text} not null, metadata ${text},
       tags ${text} not null default '[]', created_at ${integer} not null,
       created_by_id ${integer} not null references users(id), modified_at ${integer},
       modified_by_id ${integer} references users(id), trashed_at ${integer}`,
    ),
    // Attachments are found by what they hang on. Files of an app are kept out of it, because a planner that finds
    // them here as well sorts all of them for the first page.
    `create index files_attached on files (parent_type, parent_id, id) where parent_type <> 'app'`,
    `create index files_app on files (app_id, id, trashed_at) where parent_type = 'app'`,
    `create index files_listed on files (id, app_id, trashed_at) where parent_type = 'app'`,
    // In an app a name belongs to one file, in the trash or not; attachments of entries may repeat names.
    `create unique index files_name on files (app_id, name) where parent_type = 'app'`,
    // A blob is used once. The index also finds the file of a blob that is downloaded or deleted.
    `create unique index files_blob on files (blob_id)`,
    table(
      'file_tags',
      `app_id ${integer} not null, tag ${text} not null, file_id ${integer} not null references files(id),
       primary key (tag, app_id, file_id)`,
    ),
    `create index file_tags_file on file_tags (file_id)`,
    searchIndex('file_search'),

    table(
      'events',
      `${id}, action ${text} not null, actor_id ${integer} not null, app_id ${integer}, entity_type ${text} not null,
       entity_id ${integer} not null, payload ${text} not null, created_at ${integer} not null`,
    ),
    table(
      'webhooks',
      `${id}, payload_url ${text} not null, secret ${text}, is_enabled ${integer} not null,
       created_at ${integer} not null, modified_at ${integer}, due_at ${integer}, leased_until ${integer},
       lease ${text}, deleted_at ${integer}`,
    ),
    `create index webhooks_due on webhooks (due_at) where due_at is not null`,
    `create index webhooks_deleted on webhooks (id) where deleted_at is not null`,
    searchIndex('webhook_search'),
    table(
      'webhook_triggers',
      `trigger ${text} not null, webhook_id ${integer} not null references webhooks(id) on delete cascade,
       position ${integer} not null, primary key (trigger, webhook_id)`,
    ),
    table(
      'deliveries',
      `${id}, webhook_id ${integer} not null references webhooks(id) on delete cascade,
       event_id ${integer} not null references events(id), guid ${text} not null unique, action ${text} not null,
       trigger ${text} not null, status ${text} not null, attempts ${integer} not null default 0, due_at ${integer},
       delivered_at ${integer}, duration_us ${integer}, status_code ${integer},
       unique (event_id, webhook_id)`,
    ),
    `create index deliveries_webhook on deliveries (webhook_id, id)`,
    // The head of a webhook's queue. There is deliberately no index on due_at alone: a planner that walks one reads
    // through the backlog of a dead receiver to find a healthy one.
    `create index deliveries_due on deliveries (webhook_id, due_at, id) where due_at is not null`,
    table(
      'attempts',
      `delivery_id ${integer} not null references deliveries(id) on delete cascade, number ${integer} not null,
       started_at ${integer} not null, duration_us ${integer} not null, status_code ${integer}, error ${text},
       response_headers ${text}, response_body ${blob}, is_truncated ${integer} not null default 0,
       primary key (delivery_id, number)`,
    ),

    table(
      'imports',
      `source ${text} not null, source_id ${text} not null, entity_type ${text} not null,
       entity_id ${integer} not null, primary key (source, source_id)`,
    ),

    // Content made with an API key belongs to this user unless the request names another. Its row is the first one,
    // so that it can be found by id 1.
    `insert into users (uid, display_name, name, is_bot, created_at) values ('system', 'System', 'System', 1, 0)`,
  ],
};
