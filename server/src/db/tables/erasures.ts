import type { Generated } from 'kysely';

/** The rows of the tables of erasures and of deleted texts; see `tables.ts`. */
export type ErasureTables = {
  /**
   * Users who were erased or are being erased. `content` is `remove` or `keep`; `names` is a JSON array of what the user was
   * called, empty in the end; `part` and `position` are where the work is; `counts` is a JSON object; `receipt` is signed.
   */
  erasures: {
    id: Generated<number>;
    user_id: number;
    content: string;
    requested_at: number;
    requested_by_id: number;
    api_key_id: number | null;
    finished_at: number | null;
    names: string;
    part: string;
    position: number | null;
    counts: string;
    receipt: string | null;
    /** The visitor whose account the erased one has become a part of, and who gets the texts. */
    heir_id: number | null;
    /** 0 for an erasure that an API key or the command line requested, 1 for one of a visitor, which waits for those. */
    rank: Generated<number>;
    /** How often a step has failed since the last that did not, and the time before which none is tried. */
    failures: Generated<number>;
    due_at: Generated<number>;
  };
  /** The newest ids of some tables at a moment: rows that were added later have higher ones. */
  newest_ids: {
    id: Generated<number>;
    users: number;
    entries: number;
    reactions: number;
    revisions: number;
    events: number;
    /** Of both tables of notifications. */
    notifications: number;
    kept_answers: number;
  };
  /** Deleted items whose texts may still be in the log; `position` is the last event that was looked at. */
  redactions: {
    id: Generated<number>;
    entity_type: string;
    entity_id: number;
    deleted_at: number;
    position: Generated<number>;
  };
};
