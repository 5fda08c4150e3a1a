import type { Migration } from './migration.ts';

/** The scopes, end and last use of API keys. Existing keys, and keys made by nodes of 0.1.0, have all scopes. */
export const scopesOfKeys: Migration = {
  id: 21,
  name: 'scopes-of-keys',
  up: ({ integer, text, table }) => [
    `alter table api_keys add column scopes ${text} not null default 'all'`,
    `alter table api_keys add column expires_at ${integer}`,
    table(
      'key_uses',
      `key_id ${integer} primary key references api_keys(id), last_used_at ${integer} not null`,
    ),
  ],
};
