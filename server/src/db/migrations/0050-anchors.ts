import type { Migration } from './migration.ts';

/**
 * The places that threads belong to: the anchor as it is sent to clients, and its key. The index has the threads of a key by
 * id, and what it takes to count them, so that a count reads no row. Only threads with a key that are shown are in it, so
 * it costs nothing where there are none.
 */
export const anchors: Migration = {
  id: 50,
  name: 'anchors',
  up: ({ text }) => [
    `alter table entries add column anchor ${text}`,
    `alter table entries add column anchor_key ${text}`,
    `create index entries_anchors on entries (parent_type, parent_id, anchor_key, id, resolved_at, trashed_at)
       where anchor_key is not null and trashed_at is null`,
  ],
};
