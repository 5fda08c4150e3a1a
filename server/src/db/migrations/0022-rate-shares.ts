import type { Migration } from './migration.ts';

/** How much of the quotas of busy callers all nodes have taken in a window. Only several nodes fill it. */
export const rateShares: Migration = {
  id: 22,
  name: 'rate-shares',
  up: ({ integer, text, table }) => [
    table('rate_shares', `key ${text} primary key, taken ${integer} not null, ends_at ${integer} not null`),
  ],
};
