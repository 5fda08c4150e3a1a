import type { Migration } from './migration.ts';

/** Embeds, meetings, and apps that are removed permanently. */
export const embedsAndMeetings: Migration = {
  id: 6,
  name: 'embeds-and-meetings',
  up: ({ id, integer, text, table, longTextIndex }) => [
    table(
      'embeds',
      `${id}, url ${text} not null, original_url ${text} not null, content ${text} not null,
       fetched_at ${integer} not null, created_at ${integer} not null,
       created_by_id ${integer} not null references users(id)`,
    ),
    // The latest fetch of an address by any user.
    longTextIndex('embeds_url', { table: 'embeds', column: 'url', order: 'fetched_at' }),
    table(
      'meetings',
      `${id}, provider ${text} not null, provider_id ${text} not null, uuid ${text} not null, join_url ${text} not null,
       created_at ${integer} not null, created_by_id ${integer} not null references users(id),
       ended_at ${integer}, recording_url ${text}`,
    ),
    `alter table entries add column embed_id ${integer} references embeds(id)`,
    `alter table entries add column meeting_id ${integer} references meetings(id)`,

    `alter table apps add column deleted_at ${integer}`,
    `create index apps_deleted on apps (id) where deleted_at is not null`,
    // Rows that are removed with an app are found by the app.
    `create index stars_app on stars (app_id)`,
  ],
};
