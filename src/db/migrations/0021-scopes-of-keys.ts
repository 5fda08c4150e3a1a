import type { Migration } from './migration.ts';

/** What API keys are limited to, when they end and when they were last used. Keys that exist, and those of nodes of the release before, may do everything. */
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
