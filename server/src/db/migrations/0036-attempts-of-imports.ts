import type { Migration } from './migration.ts';

/** How often the file of an import was opened without progress, so that one that ends its server is given up. */
export const attemptsOfImports: Migration = {
  id: 36,
  name: 'attempts-of-imports',
  up: ({ integer }) => [`alter table import_runs add column attempts ${integer} not null default 0`],
};
