import type { RowOf } from '../../db/statement.ts';

/** The columns of a reaction. */
export const reactionColumns = [
  'id',
  'entry_id as entryId',
  'content',
  'created_at as createdAt',
  'created_by_id as createdById',
] as const;

/** A reaction with the entry it is to. Times are Unix milliseconds. */
export type ReactionRow = RowOf<'reactions', typeof reactionColumns>;
