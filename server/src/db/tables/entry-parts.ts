import type { Generated } from 'kysely';

/** What entries have besides their own row: polls, reactions and earlier contents. */
export type EntryPartTables = {
  options: {
    id: Generated<number>;
    entry_id: number;
    position: number;
    text: string;
    vote_count: Generated<number>;
  };
  /** One vote for each person and poll. */
  votes: { entry_id: number; user_id: number; option_id: number; created_at: number };
  /** One reaction for each person and entry. */
  reactions: {
    id: Generated<number>;
    entry_id: number;
    content: string;
    created_at: number;
    created_by_id: number;
  };
  /** The earlier contents of entries, one for each edit. `content` is a JSON object. */
  revisions: {
    id: Generated<number>;
    entry_id: number;
    /** When and by whom this was written. */
    created_at: number;
    created_by_id: number;
    content: string;
  };
};
