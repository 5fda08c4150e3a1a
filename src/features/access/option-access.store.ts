import { query } from '../../db/statement.ts';
import { optionColumns } from './option.sql.ts';

/** A poll option with whether the user chose it (1) or not (0). */
export type OptionRow = {
  readonly id: number;
  readonly entryId: number;
  readonly text: string;
  readonly voteCount: number;
  readonly hasVoted: number;
};

/** An option with whether the user chose it. */
export const optionById = query<{ id: number; userId: number }>()((q, value) =>
  q
    .selectFrom('options')
    .select(optionColumns(value('userId')))
    .where('id', '=', value('id')),
);
