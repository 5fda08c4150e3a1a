import type { Migration } from './migration.ts';

/** What people without a credential may do in an app. */
export const visitors: Migration = {
  id: 37,
  name: 'visitors',
  up: ({ text }) => [`alter table apps add column visitors ${text}`],
};
