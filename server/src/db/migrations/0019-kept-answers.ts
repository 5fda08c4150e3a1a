import type { Migration } from './migration.ts';

/** The answers of requests with an `Idempotency-Key`, kept for their retries. */
export const keptAnswers: Migration = {
  id: 19,
  name: 'kept-answers',
  up: ({ id, integer, text, blob, table }) => [
    table(
      'kept_answers',
      `${id}, user_id ${integer} not null references users(id), api_key_id ${integer} not null, key ${text} not null,
       fingerprint ${blob} not null, status ${integer} not null, created_at ${integer} not null, body ${text}`,
    ),
    `create unique index kept_answers_key on kept_answers (user_id, api_key_id, key)`,
  ],
};
