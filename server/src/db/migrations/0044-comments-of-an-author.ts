import type { Migration } from './migration.ts';

/**
 * What one user wrote, in the order of ids, and what is held of it, which lists show to its author. Only held entries
 * are in the second index, so it costs nothing where nothing waits.
 */
export const commentsOfAnAuthor: Migration = {
  id: 44,
  name: 'comments-of-an-author',
  up: () => [
    `create index entries_author on entries (created_by_id, id, kind)`,
    `create index entries_held_author on entries (created_by_id, app_id, id) where held_at is not null`,
  ],
};
