import type { Migration } from './migration.ts';

/** Events that concern one person only, such as a notification, say whom. */
export const eventRecipients: Migration = {
  id: 2,
  name: 'event-recipients',
  up: ({ integer }) => [`alter table events add column user_id ${integer}`],
};
