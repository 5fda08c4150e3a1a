/** The counts that are stored. */
export type CountTables = {
  /**
   * How many items of a kind a parent has, kept by the transactions that change them, so that a count costs the same
   * at any size. `app_id` is 0 where the parent belongs to no app. `is_hidden` is 1 while the parent is in the trash.
   */
  tallies: {
    parent_type: string;
    parent_id: number;
    kind: string;
    app_id: number;
    live: number;
    trashed: number;
    is_hidden: number;
    /** When the parent was deleted: what hung on it is out of sight and goes batch by batch. */
    removed_at: number | null;
  };
};
