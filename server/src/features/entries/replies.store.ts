import { type ExpressionBuilder, sql } from 'kysely';
import { anyOf, numberIn, recordsOf, rowCount, textIn, wholeNumber } from '../../db/dialect.ts';
import { updateRecords } from '../../db/records.ts';
import { command, insertSelected, query } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';

/** A comment that can be answered, by its id. */
export const answerable = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(['id', 'root_id as rootId', 'parent_type as parentType', 'parent_id as parentId'])
    .where('id', '=', value('id'))
    .where('kind', '=', 'comment')
    .where('trashed_at', 'is', null),
);

/** Comments by their ids as what an import answers: also those in the trash, and the places of deleted ones. */
export const answerableByImports = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(['id', 'root_id as rootId', 'parent_type as parentType', 'parent_id as parentId'])
    .where(anyOf(sql.ref('id'), value('ids')))
    .where(sql`kind`, 'in', [sql.lit('comment'), sql.lit('place')]),
);

/** Adds to the numbers of answers below some comments; `given` has their ids and `by`. */
export const addReplies = updateRecords('entries', {
  reply_count: sql<number>`entries.reply_count + ${numberIn('given', 'by')}`,
});

const hasAnswers = ({ exists, selectFrom }: ExpressionBuilder<Tables, 'entries'>) =>
  exists(
    selectFrom('entries as answers').select('answers.id').whereRef('answers.reply_to_id', '=', 'entries.id'),
  );

/** Those of some comments that answer another one, have answers or began a thread that is resolved. */
export const inThreads = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('entries')
    .select((part) => [
      'id',
      'app_id as appId',
      'parent_type as parentType',
      'parent_id as parentId',
      'reply_to_id as replyToId',
      'root_id as rootId',
      'reply_count as replyCount',
      'created_at as createdAt',
      'trashed_at as trashedAt',
      'held_at as heldAt',
      'resolved_at as resolvedAt',
      hasAnswers(part).as('hasAnswers'),
    ])
    .where(anyOf(sql.ref('id'), value('ids')))
    .where((part) =>
      part.or([part('reply_to_id', 'is not', null), part('resolved_at', 'is not', null), hasAnswers(part)]),
    ),
);

/** Leaves the places of comments that were deleted; `places` is a JSON array of what `inThreads` selects of them. */
export const insertPlaces = command<{ places: string; createdById: number; at: number }>()((q, value) =>
  insertSelected(q, 'entries', {
    from: q.selectFrom(recordsOf(value('places'), 'given')),
    values: {
      id: numberIn('given', 'id'),
      kind: sql`'place'`,
      app_id: numberIn('given', 'appId'),
      parent_type: textIn('given', 'parentType'),
      parent_id: numberIn('given', 'parentId'),
      content: sql`'{}'`,
      attachment_count: sql.lit(0),
      option_count: sql.lit(0),
      reply_to_id: numberIn('given', 'replyToId'),
      root_id: numberIn('given', 'rootId'),
      reply_count: numberIn('given', 'replyCount'),
      created_at: numberIn('given', 'createdAt'),
      created_by_id: wholeNumber(value('createdById')),
      trashed_at: sql`coalesce(${numberIn('given', 'trashedAt')}, ${wholeNumber(value('at'))})`,
    },
  }),
);

/** Removes those of some places that have no answers any more, and returns what they answered. */
export const deleteEmptyPlaces = command<{ ids: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('entries')
    .where(anyOf(sql.ref('id'), value('ids')))
    .where(sql`kind`, '=', 'place')
    .where((part) => part.not(hasAnswers(part)))
    .returning(['reply_to_id as replyToId', 'root_id as rootId']),
);

/** Removes the first places of a parent. */
export const deletePlaces = command<{ parentType: string; parentId: number; top: number }>()((q, value) =>
  q.deleteFrom('entries').where('id', 'in', (sub) =>
    sub
      .selectFrom('entries')
      .select('id')
      .where('parent_type', '=', value('parentType'))
      .where('parent_id', '=', value('parentId'))
      .where(sql`kind`, '=', 'place')
      .limit(rowCount(value('top'))),
  ),
);
