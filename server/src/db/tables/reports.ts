import type { Generated } from 'kysely';

/** The rows of the tables of reports; see `tables.ts`. */
export type ReportTables = {
  /** Items that users have reported or that are held, one row for each item, and what a moderator decided. */
  reports: {
    id: Generated<number>;
    app_id: number;
    entity_type: string;
    entity_id: number;
    author_id: number;
    is_open: number;
    /** How many users have reported it, and how many of them since it was opened; 0 once it is resolved. */
    report_count: number;
    new_count: number;
    /** A JSON array of `{reason, count}`. */
    reasons: string;
    /** A JSON array: the ids of the newest complaints that have a text. */
    text_ids: string;
    /** A JSON object: the item when the report was opened; null once the item is deleted. */
    snapshot: string | null;
    /** A JSON object while the item is held: `{reason, rules}`. */
    held: Generated<string | null>;
    created_at: number;
    reported_at: number;
    resolved_at: number | null;
    resolved_by_id: number | null;
    action: string | null;
    note: string | null;
  };
  /** The complaint of each user about a reported item, one for each user and report. */
  complaints: {
    id: Generated<number>;
    report_id: number;
    user_id: number;
    reason: string;
    text: string | null;
    created_at: number;
    /** 1 while it counts towards how many open reports the user may have made. */
    is_counted: number;
  };
};
