import type { Migration } from './migration.ts';

/** Who follows whom. */
export const follows: Migration = {
  id: 45,
  name: 'follows',
  up: ({ integer, table }) => [
    table(
      'follows',
      `user_id ${integer} not null references users(id), followed_id ${integer} not null references users(id),
       primary key (user_id, followed_id)`,
    ),
    `create index follows_followed on follows (followed_id)`,
  ],
};
