import type { Migration } from './migration.ts';

/** The earlier texts that moderation rules compare with, and their statistics. The rules are a setting. */
export const moderationRules: Migration = {
  id: 28,
  name: 'moderation-rules',
  up: ({ id, integer, text, table }) => [
    table(
      'recent_texts',
      `${id}, user_id ${integer} not null references users(id), digest ${text} not null, created_at ${integer} not null`,
    ),
    `create index recent_texts_by_user on recent_texts (user_id, created_at)`,
    `create index recent_texts_by_digest on recent_texts (digest, created_at, user_id)`,
    table(
      'rule_counts',
      `name ${text} primary key, reported ${integer} not null, held ${integer} not null, refused ${integer} not null,
       last_at ${integer} not null`,
    ),
  ],
};
