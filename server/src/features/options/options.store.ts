import { sql } from 'kysely';
import { command, insertRow, query } from '../../db/statement.ts';

/** The option that a user chose in a poll. */
export const chosenOption = query<{ entryId: number; userId: number }>()((q, value) =>
  q
    .selectFrom('votes')
    .innerJoin('options', 'options.id', 'votes.option_id')
    .select(['options.id', 'options.text', 'options.vote_count as voteCount', sql<number>`1`.as('hasVoted')])
    .where('votes.entry_id', '=', value('entryId'))
    .where('votes.user_id', '=', value('userId')),
);

/** All users who chose an option, in the order of their votes. */
export const votersOf = query<{ optionId: number }>()((q, value) =>
  q
    .selectFrom('votes')
    .select('user_id as userId')
    .where('option_id', '=', value('optionId'))
    .orderBy('created_at')
    .orderBy('user_id'),
);

/** Adds a vote; the schema refuses a user's second vote in a poll. */
export const insertVote = insertRow('votes', ['entry_id', 'user_id', 'option_id', 'created_at']);

/** Removes the vote of a user in a poll. */
export const deleteVote = command<{ entryId: number; userId: number }>()((q, value) =>
  q.deleteFrom('votes').where('entry_id', '=', value('entryId')).where('user_id', '=', value('userId')),
);

/** Adds to the number of users who chose an option. */
export const changeVoteCount = command<{ id: number; by: number }>()((q, value) =>
  q
    .updateTable('options')
    .set({ vote_count: sql`vote_count + ${value('by')}` })
    .where('id', '=', value('id')),
);

/** The number of votes for an option. */
export const voteCountOf = query<{ id: number }>()((q, value) =>
  q.selectFrom('options').select('vote_count as voteCount').where('id', '=', value('id')),
);
