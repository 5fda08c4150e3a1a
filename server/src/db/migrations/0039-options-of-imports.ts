import type { Migration } from './migration.ts';

/**
 * What an import makes of a reply, and the site of its pages. The column that goes is of a table that 0.1.0 does not have,
 * so dropping it breaks no program.
 */
export const optionsOfImports: Migration = {
  id: 39,
  name: 'options-of-imports',
  up: ({ text }) => [
    `alter table import_runs add column replies ${text} not null default 'thread'`,
    `alter table import_runs add column site ${text}`,
    `update import_runs set replies = 'quote' where quotes_replies = 1`,
    `alter table import_runs drop column quotes_replies`,
  ],
};
