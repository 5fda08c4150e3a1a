import { sql } from 'kysely';
import { reactionColumns } from '../../access/reaction/reaction.sql.ts';
import { list } from '../../db/list.ts';
import { command, insertRow, query } from '../../db/statement.ts';

/** The reaction of one user to one entry. */
export const reactionOf = query<{ entryId: number; userId: number }>()((q, value) =>
  q
    .selectFrom('reactions')
    .select(reactionColumns)
    .where('entry_id', '=', value('entryId'))
    .where('created_by_id', '=', value('userId')),
);

/** Adds a reaction; the schema refuses a user's second one. */
export const insertReaction = insertRow('reactions', ['entry_id', 'content', 'created_at', 'created_by_id']);

/** Removes a reaction. */
export const deleteReaction = command<{ id: number }>()((q, value) =>
  q.deleteFrom('reactions').where('id', '=', value('id')),
);

/** Adds to the number of reactions to an entry. */
export const changeReactionCount = command<{ entryId: number; by: number }>()((q, value) =>
  q
    .updateTable('entries')
    .set({ reaction_count: sql`reaction_count + ${value('by')}` })
    .where('id', '=', value('entryId')),
);

/** How many users reacted to an entry with each emoji, read from an index alone. */
export const countsByContent = query<{ entryId: number }>()((q, value) =>
  q
    .selectFrom('reactions')
    .select((part) => ['content', part.fn.countAll<number>().as('count')])
    .where('entry_id', '=', value('entryId'))
    .groupBy('content'),
);

/** The reactions to an entry. */
export const reactionList = list<{ entryId: number; content: string }>()({
  name: 'reactions',
  filters: { hasContent: [false, true] },
  rows: (q, value, { hasContent }) =>
    q
      .selectFrom('reactions')
      .select(reactionColumns)
      .where('entry_id', '=', value('entryId'))
      .$if(hasContent, (part) => part.where('content', '=', value('content'))),
  orders: { id: [], created_at: [{ by: sql`created_at` }] },
  id: sql`id`,
});
