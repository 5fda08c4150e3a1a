import { searchWords } from '../../kernel/search.ts';
import type { Migration } from './migration.ts';

/**
 * The facts that decide which users see each other: the apps that an API key created, and an index of the words that
 * users see of each other. The built-in user loses its memberships.
 *
 * The store does not record which existing apps a key created on behalf of a user, so these count as created by the user.
 */
export const whoSeesWhom: Migration = {
  id: 12,
  name: 'who-sees-whom',
  up: ({ integer, searchIndex }) => [
    `alter table apps add column by_key ${integer} not null default 0`,
    `update apps set by_key = 1 where created_by_id = 1`,
    `update tallies set live = live - 1 where parent_type = 'app' and kind = 'member'
       and parent_id in (select app_id from members where user_id = 1)`,
    `delete from members where user_id = 1`,
    searchIndex('public_user_search'),
  ],
  fill: {
    index: 'public_user_search',
    table: 'users',
    // No search finds the built-in user.
    after: 1,
    columns: ['uid', 'display_name', 'given_name', 'family_name', 'nickname'],
    words: (texts) => searchWords(...texts),
  },
};
