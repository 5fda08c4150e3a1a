import { sql } from 'kysely';

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
