import type { Migration } from './migration.ts';

/** The contents of entries before each edit. */
export const revisions: Migration = {
  id: 24,
  name: 'revisions',
  up: ({ id, integer, text, table }) => [
    table(
      'revisions',
      `${id}, entry_id ${integer} not null references entries(id) on delete cascade, created_at ${integer} not null,
       created_by_id ${integer} not null references users(id), content ${text} not null`,
    ),
    `create index revisions_entry on revisions (entry_id, id)`,
  ],
};
