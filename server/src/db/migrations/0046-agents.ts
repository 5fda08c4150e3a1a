import type { Migration } from './migration.ts';

/**
 * Agents, and the messages that one of them has yet to answer. A question refers to a message without a foreign key,
 * because it outlives the message by up to an hour.
 */
export const agents: Migration = {
  id: 46,
  name: 'agents',
  up: ({ integer, text, table }) => [
    table(
      'agents',
      `user_id ${integer} primary key references users(id), base_url ${text}, model ${text},
       instructions ${text}, max_tokens ${integer}, secret ${text}`,
    ),
    table(
      'agent_questions',
      `message_id ${integer} primary key, app_id ${integer} not null, agent_id ${integer} not null,
       author_id ${integer} not null, context ${text} not null, is_whole ${integer} not null,
       created_at ${integer} not null, answer_id ${integer}, attempts ${integer} not null default 0,
       holder ${text}, held_until ${integer} not null default 0, finished_at ${integer}`,
    ),
    `create index agent_questions_author on agent_questions (author_id, created_at)`,
    `create index agent_questions_open on agent_questions (app_id, message_id) where finished_at is null`,
    `create index agent_questions_finished on agent_questions (finished_at) where finished_at is not null`,
  ],
};
