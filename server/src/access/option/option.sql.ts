import { sql } from 'kysely';
import type { RowOf } from '../../db/statement.ts';

/** The columns of an option, with whether a user chose it. */
export function optionColumns(userId: number) {
  return [
    'id',
    'entry_id as entryId',
    'text',
    'vote_count as voteCount',
    sql<number>`exists (select 1 from votes where votes.entry_id = options.entry_id
        and votes.user_id = ${userId} and votes.option_id = options.id)`.as('hasVoted'),
  ] as const;
}

/** A poll option with whether the user chose it (1) or not (0). */
export type OptionRow = RowOf<'options', ReturnType<typeof optionColumns>>;
