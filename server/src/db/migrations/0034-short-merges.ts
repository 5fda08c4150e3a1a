import type { Migration } from './migration.ts';

const indexes = ['entry', 'app', 'user', 'public_user', 'file', 'directory', 'webhook'];

/** Search indexes whose upkeep holds a group of writes for a few milliseconds at most. */
export const shortMerges: Migration = {
  id: 34,
  name: 'short-merges',
  up: ({ shortMerges }) => indexes.flatMap((index) => shortMerges(`${index}_search`)),
};
