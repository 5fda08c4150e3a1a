import type { Migration } from './migration.ts';

/** Imports as things of their own, with what each made, so that it can be taken back. */
export const importRuns: Migration = {
  id: 33,
  name: 'import-runs',
  up: ({ id, integer, text, table }) => [
    table(
      'import_runs',
      `${id}, kind ${text} not null, name ${text} not null, blob_id ${integer}, keeps_emails ${integer} not null,
       quotes_replies ${integer} not null, state ${text} not null, error ${text}, planned ${text},
       made ${text} not null, undone ${text}, created_at ${integer} not null, api_key_id ${integer},
       started_at ${integer}, finished_at ${integer}, undone_at ${integer}`,
    ),
    // The imports with work to do.
    `create index import_runs_state on import_runs (state, id)`,
    table(
      'imported_items',
      `run_id ${integer} not null references import_runs(id), entity_type ${text} not null,
       entity_id ${integer} not null, is_made ${integer} not null, undone_at ${integer},
       primary key (run_id, entity_type, entity_id)`,
    ),
    // Which imports an item is of.
    `create index imported_items_entity on imported_items (entity_type, entity_id)`,
    `insert into leases (name) values ('importing')`,
  ],
};
