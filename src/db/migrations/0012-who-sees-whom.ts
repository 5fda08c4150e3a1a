import { searchWords } from '../../kernel/search.ts';
import type { Migration } from './migration.ts';

/**
 * What decides who sees whom: which apps an API key made, and an index of the words that users see of each other. The
 * built-in user loses its memberships: it is a member of nothing.
 *
 * Of an app that a key made on behalf of a user the store does not know that a key made it; such an app counts as the
 * user's own.
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
    // The built-in user is found by nobody.
    after: 1,
    columns: ['uid', 'display_name', 'given_name', 'family_name', 'nickname'],
    words: (texts) => searchWords(...texts),
  },
};
