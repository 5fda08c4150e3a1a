import type { Migration } from './migration.ts';

/** Held items in the queue of reports: why each is held, and the indexes that find those that are. */
export const heldItemsInTheQueue: Migration = {
  id: 30,
  name: 'held-items-in-the-queue',
  up: ({ text }) => [
    `alter table reports add column held ${text}`,
    `create index reports_held on reports (reported_at, id) where held is not null`,
    `create index reports_app_held on reports (app_id, reported_at, id) where held is not null`,
  ],
};
