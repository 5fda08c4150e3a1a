import { query } from '../../db/statement.ts';

/** A reaction with the entry it is to. Times are Unix milliseconds. */
export type ReactionRow = {
  readonly id: number;
  readonly entryId: number;
  readonly content: string;
  readonly createdAt: number;
  readonly createdById: number;
};

/** A reaction by its id. */
export const reactionById = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('reactions')
    .select([
      'id',
      'entry_id as entryId',
      'content',
      'created_at as createdAt',
      'created_by_id as createdById',
    ])
    .where('id', '=', value('id')),
);
