/** A reaction with the entry it is to. Times are Unix milliseconds. */
export type ReactionRow = {
  readonly id: number;
  readonly entryId: number;
  readonly content: string;
  readonly createdAt: number;
  readonly createdById: number;
};

/** The columns of a `ReactionRow`. */
export const reactionColumns = [
  'id',
  'entry_id as entryId',
  'content',
  'created_at as createdAt',
  'created_by_id as createdById',
] as const;
