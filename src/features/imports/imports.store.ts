import { sql } from 'kysely';
import { anyOf, numbersOf, textsOf } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

/** Those of some ids of one source that were imported before, with the comment of each. */
export const importedComments = query<{ source: string; sourceIds: readonly string[] }>()((q, value) =>
  q
    .selectFrom('imports')
    .select(['source_id as sourceId', 'entity_id as commentId'])
    .where('source', '=', value('source'))
    .where(anyOf(sql.ref('source_id'), value('sourceIds'))),
);

/** Those of some uids that an app has. */
export const takenUids = query<{ uids: readonly string[] }>()((q, value) =>
  q
    .selectFrom('apps')
    .select('uid')
    .where(anyOf(sql.ref('uid'), value('uids'))),
);

/** Records the comment of each of some ids of a source; both arrays are in the same order. */
export const insertImported = command<{
  source: string;
  sourceIds: readonly string[];
  commentIds: readonly number[];
}>()((q, value) =>
  q
    .insertInto('imports')
    .columns(['source', 'source_id', 'entity_type', 'entity_id'])
    .expression(
      q
        .selectFrom(textsOf(value('sourceIds'), 'sources'))
        .innerJoin(numbersOf(value('commentIds'), 'comments'), 'comments.key', 'sources.key')
        .select([
          sql<string>`${value('source')}`.as('source'),
          sql<string>`sources.value`.as('source_id'),
          sql<string>`'comment'`.as('entity_type'),
          sql<number>`comments.value`.as('entity_id'),
        ]),
    ),
);
