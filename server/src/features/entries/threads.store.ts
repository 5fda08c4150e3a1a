import { sql } from 'kysely';
import { isShownInThread } from '../../access/entry/entry.sql.ts';
import { inLimitedRows, numbersOf, rowCount } from '../../db/dialect.ts';
import { list } from '../../db/list.ts';
import { query } from '../../db/statement.ts';
import { listedColumns } from './entries.sql.ts';

/** The columns of a comment in a thread: those of any list, and those of the place of one that is gone. */
const threadColumns = [
  ...listedColumns,
  'entries.app_id as appId',
  'entries.reply_to_id as replyToId',
  'entries.root_id as rootId',
  'entries.created_at as createdAt',
  'entries.trashed_at as trashedAt',
] as const;

/** The parameters of the lists of a thread; those that a scope does not use may hold anything. */
type ThreadParameters = { parentType: string; parentId: number; commentId: number };

/**
 * What threads show, in the order of ids or of the number of reactions. The scopes: the comments of a parent that answer
 * none, everything below the first comment of a thread, and the answers to a comment.
 */
export const threadList = list<ThreadParameters>()({
  name: 'threads',
  filters: { scope: ['roots', 'thread', 'replies'] },
  candidates: (q, value, { scope }) =>
    q
      .selectFrom('entries')
      .$if(scope === 'roots', (part) =>
        part
          .where('entries.parent_type', '=', value('parentType'))
          .where('entries.parent_id', '=', value('parentId'))
          .where('entries.root_id', 'is', null)
          // In the words of the index.
          .where(sql<boolean>`entries.kind <> 'post' and entries.kind <> 'message'`),
      )
      .$if(scope === 'thread', (part) => part.where('entries.root_id', '=', value('commentId')))
      .$if(scope === 'replies', (part) => part.where('entries.reply_to_id', '=', value('commentId')))
      .where(isShownInThread('entries')),
  byIds: (q, ids) => q.selectFrom('entries').select(threadColumns).where('entries.id', 'in', ids),
  orders: {
    id: [],
    reaction_count: [{ by: sql`entries.reaction_count`, lowest: 0 }],
  },
  id: sql`entries.id`,
});

/** The first comments of some threads, at most `top` below each of the comments that began them. */
export const firstReplies = query<{ rootIds: readonly number[]; top: number }>()((q, value) => {
  const first = q
    .selectFrom('entries')
    .select('entries.id')
    .where('entries.root_id', '=', sql.ref<number>('roots.value'))
    .where(isShownInThread('entries'))
    .orderBy('entries.id')
    .limit(rowCount(value('top')));
  return q
    .selectFrom(numbersOf(value('rootIds'), 'roots'))
    .innerJoin('entries', (join) => join.on(inLimitedRows(sql.ref('entries.id'), sql`(${first})`)))
    .select(threadColumns);
});
