import type { Generated } from 'kysely';

/** When and by whom the thread of a comment was resolved; null while it is open, and for what began none. */
export type ResolvedState = {
  resolved_at: Generated<number | null>;
  resolved_by_id: Generated<number | null>;
};

/** `moderators` where only they resolve the threads of an app, and `answers` where those reopen them; null otherwise. */
export type ThreadSettings = {
  resolving: Generated<string | null>;
  reopening: Generated<string | null>;
};
