import type { Migration } from './migration.ts';

/** Pictures of apps: the blob, and its address, so that showing an app needs no other row. */
export const picturesOfApps: Migration = {
  id: 48,
  name: 'pictures-of-apps',
  up: ({ integer, text }) => [
    `alter table apps add column picture_id ${integer}`,
    `alter table apps add column picture_url ${text}`,
    `create index apps_picture on apps (picture_id) where picture_id is not null`,
  ],
};
