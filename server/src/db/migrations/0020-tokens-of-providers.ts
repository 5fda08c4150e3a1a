import type { Migration } from './migration.ts';

/** From when on tokens of an identity provider are accepted of a user; null where none were revoked. */
export const tokensOfProviders: Migration = {
  id: 20,
  name: 'tokens-of-providers',
  up: ({ integer }) => [`alter table users add column tokens_from ${integer}`],
};
