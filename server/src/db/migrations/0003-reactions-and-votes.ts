import type { Migration } from './migration.ts';

/**
 * Reactions and votes, one row for each user: constraints of the tables prevent a second reaction or vote. Their totals
 * are stored with the entries and options, so a list without reactions and votes needs no additional statement.
 */
export const reactionsAndVotes: Migration = {
  id: 3,
  name: 'reactions-and-votes',
  up: ({ id, integer, text, table }) => [
    `alter table entries add column reaction_count ${integer} not null default 0 check (reaction_count >= 0)`,
    table(
      'reactions',
      `${id}, entry_id ${integer} not null references entries(id) on delete cascade, content ${text} not null,
       created_at ${integer} not null, created_by_id ${integer} not null references users(id),
       unique (entry_id, created_by_id)`,
    ),
    `create index reactions_entry on reactions (entry_id, id)`,
    `create index reactions_content on reactions (entry_id, content, id)`,

    `alter table options add column vote_count ${integer} not null default 0 check (vote_count >= 0)`,
    table(
      'votes',
      `entry_id ${integer} not null references entries(id), user_id ${integer} not null references users(id),
       option_id ${integer} not null references options(id) on delete cascade, created_at ${integer} not null,
       primary key (entry_id, user_id)`,
    ),
    `create index votes_option on votes (option_id, created_at, user_id)`,

    // Rows of deleted items are removed in batches; until then the counts include them.
    `alter table tallies add column removed_at ${integer}`,
    `create index tallies_removed on tallies (removed_at) where removed_at is not null`,
  ],
};
