import type { Migration } from './migration.ts';

/** The uploads of one user that nothing uses yet, which are counted before another is kept. */
export const uploadsThatWait: Migration = {
  id: 14,
  name: 'uploads-that-wait',
  up: () => [`create index blobs_waiting on blobs (created_by_id, expires_at) where expires_at is not null`],
};
