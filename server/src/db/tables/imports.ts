import type { Generated } from 'kysely';

/** The rows of the tables of imports; see `tables.ts`. */
export type ImportTables = {
  /** The comment of each imported id of a source, so that it is imported once. */
  imports: { source: string; source_id: string; entity_type: string; entity_id: number };
  /**
   * Each import from its dry run on. `blob_id` is the file, until it is needed no more; `planned`, `made` and `undone` are
   * JSON objects.
   */
  import_runs: {
    id: Generated<number>;
    kind: string;
    name: string;
    blob_id: number | null;
    keeps_emails: number;
    state: string;
    error: string | null;
    planned: string | null;
    made: string;
    undone: string | null;
    created_at: number;
    /** The API key that requested it; null for the command line. */
    api_key_id: number | null;
    started_at: number | null;
    finished_at: number | null;
    undone_at: number | null;
    /** How often its file was opened since the last progress. */
    attempts: Generated<number>;
    /** `thread` or `quote`: what becomes of a reply. */
    replies: Generated<string>;
    /** The address of the site that paths of the file belong to. */
    site: string | null;
  };
  /**
   * The comments that an import made, and the apps and users that its comments need; `is_made` is 1 for what it made.
   * `undone_at` is when taking it back put the item in the trash.
   */
  imported_items: {
    run_id: number;
    entity_type: string;
    entity_id: number;
    is_made: number;
    undone_at: number | null;
  };
};
