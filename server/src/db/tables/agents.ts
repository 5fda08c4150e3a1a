import type { Generated } from 'kysely';

/** The rows of the tables of agents; see `tables.ts`. */
export type AgentTables = {
  /** The users who are agents. `base_url` is where their answers come from; null where a program answers by itself. */
  agents: {
    user_id: number;
    base_url: string | null;
    model: string | null;
    instructions: string | null;
    max_tokens: number | null;
    /** Sealed; null for none. */
    secret: string | null;
  };
  /**
   * The messages that the provider of an agent answers. `context` is a JSON array of ids of blobs; `is_whole` is 1 where
   * the answer is written once, when it is complete. `holder` answers it until `held_until`.
   */
  agent_questions: {
    message_id: number;
    app_id: number;
    agent_id: number;
    author_id: number;
    context: string;
    is_whole: number;
    created_at: number;
    answer_id: Generated<number | null>;
    attempts: Generated<number>;
    holder: Generated<string | null>;
    held_until: Generated<number>;
    finished_at: Generated<number | null>;
  };
};
