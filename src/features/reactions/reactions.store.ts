import { sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { type Bind, type Builder, command, query, shaped } from '../../db/statement.ts';

const reactionColumns = [
  'id',
  'entry_id as entryId',
  'content',
  'created_at as createdAt',
  'created_by_id as createdById',
] as const;

/** The reaction of one person to one entry. */
export const reactionOf = query<{ entryId: number; userId: number }>()((q, value) =>
  q
    .selectFrom('reactions')
    .select(reactionColumns)
    .where('entry_id', '=', value('entryId'))
    .where('created_by_id', '=', value('userId')),
);

/** Adds a reaction; the schema refuses the second of one person. */
export const insertReaction = command<{ entryId: number; content: string; at: number; userId: number }>()(
  (q, value) =>
    q.insertInto('reactions').values({
      entry_id: value('entryId'),
      content: value('content'),
      created_at: value('at'),
      created_by_id: value('userId'),
    }),
);

/** Removes a reaction. */
export const deleteReaction = command<{ id: number }>()((q, value) =>
  q.deleteFrom('reactions').where('id', '=', value('id')),
);

/** Adds to how many reactions an entry has. */
export const changeReactionCount = command<{ entryId: number; by: number }>()((q, value) =>
  q
    .updateTable('entries')
    .set({ reaction_count: sql`reaction_count + ${value('by')}` })
    .where('id', '=', value('entryId')),
);

/** How many people reacted to an entry with each emoji, read from an index alone. */
export const countsByContent = query<{ entryId: number }>()((q, value) =>
  q
    .selectFrom('reactions')
    .select((part) => ['content', part.fn.countAll<number>().as('count')])
    .where('entry_id', '=', value('entryId'))
    .groupBy('content'),
);

/** What decides the text of a reaction list statement. */
export type ReactionListShape = {
  readonly order: 'id' | 'created_at';
  readonly descending: boolean;
  readonly hasContent: boolean;
};

type ReactionListParameters = { entryId: number; content: string; top: number; skip: number };

function filtered(q: Builder, value: Bind<ReactionListParameters>, shape: ReactionListShape) {
  return q
    .selectFrom('reactions')
    .where('entry_id', '=', value('entryId'))
    .$if(shape.hasContent, (part) => part.where('content', '=', value('content')));
}

/** A page of the reactions to an entry. */
export const listReactions = shaped((key: string) => {
  const shape = JSON.parse(key) as ReactionListShape;
  const direction = shape.descending ? 'desc' : 'asc';
  return query<ReactionListParameters>()((q, value) =>
    filtered(q, value, shape)
      .select(reactionColumns)
      .orderBy(shape.order, direction)
      .$if(shape.order !== 'id', (part) => part.orderBy('id', direction))
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip'))),
  );
});
