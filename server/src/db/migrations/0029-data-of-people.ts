import type { Migration } from './migration.ts';

/**
 * Tables and indexes for erasing users and redacting deleted texts: the erasures with their receipts, the deleted items
 * whose texts are still in the log, and the indexes that find the other rows.
 */
export const dataOfPeople: Migration = {
  id: 29,
  name: 'data-of-people',
  up: ({ id, integer, text, table }) => [
    table(
      'erasures',
      `${id}, user_id ${integer} not null unique references users(id), content ${text} not null,
       requested_at ${integer} not null, requested_by_id ${integer} not null, api_key_id ${integer},
       finished_at ${integer}, names ${text} not null, part ${text} not null, position ${integer},
       counts ${text} not null, receipt ${text}`,
    ),
    `create index erasures_running on erasures (id) where finished_at is null`,
    table(
      'redactions',
      `${id}, entity_type ${text} not null, entity_id ${integer} not null, deleted_at ${integer} not null,
       position ${integer} not null default 0`,
    ),
    // The events of one entity, and the notifications that lead to one.
    `create index events_entity on events (entity_type, entity_id)`,
    `create index notifications_link on notifications (link_type, link_id)`,
    // The rows of a user, for columns that no list needs.
    `create index subscriptions_user on subscriptions (user_id)`,
    `create index embeds_creator on embeds (created_by_id)`,
    `create index meetings_creator on meetings (created_by_id)`,
    // Whether an entry shows it: the schema asks when an embed or a meeting is deleted.
    `create index entries_embed on entries (embed_id) where embed_id is not null`,
    `create index entries_meeting on entries (meeting_id) where meeting_id is not null`,
    // The items that have been in the trash longest.
    `create index entries_trashed_at on entries (trashed_at) where trashed_at is not null`,
    `create index files_trashed_at on files (trashed_at) where trashed_at is not null`,
  ],
};
