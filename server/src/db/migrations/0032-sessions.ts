import type { Migration } from './migration.ts';

/** Sessions of the console, and the links that begin one: each once, for an API key. */
export const sessions: Migration = {
  id: 32,
  name: 'sessions',
  up: ({ blob, integer, text, table }) => [
    table(
      'sessions',
      `hash ${blob} primary key, kind ${text} not null, api_key_id ${integer} references api_keys(id),
       created_at ${integer} not null, used_at ${integer} not null, expires_at ${integer} not null`,
    ),
    `create index sessions_expiry on sessions (expires_at)`,
  ],
};
