import type { Migration } from './migration.ts';

/** Who follows whom, the posts of an author, buttons of embeds, and as what meetings are shown. */
export const follows: Migration = {
  id: 45,
  name: 'follows',
  up: ({ integer, text, table }) => [
    table(
      'follows',
      `user_id ${integer} not null references users(id), followed_id ${integer} not null references users(id),
       primary key (user_id, followed_id)`,
    ),
    `create index follows_followed on follows (followed_id)`,
    // The posts of those whom a user follows. Only a list with these very conditions uses it.
    `create index entries_posts_author on entries (created_by_id, id, app_id)
       where coalesce(kind, '') = 'post' and coalesce(trashed_at, 0) = 0`,
    `alter table embeds add column actions ${text}`,
    `alter table meetings add column shown_as ${text}`,
  ],
};
