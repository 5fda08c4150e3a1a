import { sql } from 'kysely';
import { isShownInThread } from '../../access/entry/entry.sql.ts';
import { anyOf, inLimitedRows, numbersOf, rowCount } from '../../db/dialect.ts';
import { list } from '../../db/list.ts';
import type { Rows } from '../../db/page-place.ts';
import { type Bind, type Builder, query } from '../../db/statement.ts';
import { listedColumns } from './entries.sql.ts';
import { heldByIds } from './own-held.sql.ts';
import { isResolvedThread } from './resolved.sql.ts';

/** The columns of a comment in a thread: those of any list, and those of the place of one that is gone. */
const threadColumns = [
  ...listedColumns,
  'entries.reply_to_id as replyToId',
  'entries.root_id as rootId',
  'entries.created_at as createdAt',
  'entries.trashed_at as trashedAt',
] as const;

/** The parameters of the lists of a thread; those that a scope does not use may hold anything. */
type ThreadParameters = { parentType: string; parentId: number; commentId: number; anchorKey: string };

const scopes = [
  'roots',
  'open',
  'resolved',
  'anchored',
  'anchored_open',
  'anchored_resolved',
  'thread',
  'replies',
] as const;
/** A selection of comments that a thread shows. */
export type ThreadScope = (typeof scopes)[number];
const orders = {
  id: [],
  reaction_count: [{ by: sql`entries.reaction_count`, lowest: 0 }],
} as const;

/** The comments of a scope that a thread shows. */
function shownIn(q: Builder, value: Bind<ThreadParameters>, { scope }: { readonly scope: ThreadScope }) {
  const isOfParent = scope !== 'thread' && scope !== 'replies';
  return q
    .selectFrom('entries')
    .$if(isOfParent, (part) =>
      part
        .where('entries.parent_type', '=', value('parentType'))
        .where('entries.parent_id', '=', value('parentId')),
    )
    .$if(scope === 'roots', (part) =>
      part
        .where('entries.root_id', 'is', null)
        // In the words of the index.
        .where(sql<boolean>`entries.kind <> 'post' and entries.kind <> 'message'`),
    )
    .$if(scope === 'open' || scope === 'resolved', (part) =>
      part.where(isResolvedThread(scope === 'resolved')),
    )
    .$if(scope.startsWith('anchored'), (part) =>
      part
        .where('entries.anchor_key', '=', value('anchorKey'))
        // In the words of the index.
        .where('entries.trashed_at', 'is', null),
    )
    .$if(scope === 'anchored_open', (part) => part.where('entries.resolved_at', 'is', null))
    .$if(scope === 'anchored_resolved', (part) => part.where('entries.resolved_at', 'is not', null))
    .$if(scope === 'thread', (part) => part.where('entries.root_id', '=', value('commentId')))
    .$if(scope === 'replies', (part) => part.where('entries.reply_to_id', '=', value('commentId')))
    .$if(hasPlaces(scope), (part) => part.where(isShownInThread('entries')));
}

/** Whether a scope has the places of comments that are gone, and not only what is shown. */
function hasPlaces(scope: ThreadScope): boolean {
  return scope === 'roots' || scope === 'thread' || scope === 'replies';
}

function byIds(q: Builder, ids: Rows<{ id: number }>) {
  return q.selectFrom('entries').select(threadColumns).where('entries.id', 'in', ids);
}

/**
 * What threads show, in the order of ids or of the number of reactions. The scopes: the comments of a parent that answer
 * none, those of them whose thread is open or resolved, those with a key in their anchor, everything below the first comment
 * of a thread, and the answers to a comment.
 */
export const threadList = list<ThreadParameters>()({
  name: 'threads',
  filters: { scope: scopes },
  candidates: shownIn,
  byIds,
  orders,
  id: sql`entries.id`,
});

/** The same with the comments of the caller that are held in the scope, `ownIds`. */
export const threadsWithOwnHeld = list<ThreadParameters & { ownIds: readonly number[] }>()({
  name: 'threads-with-own-held',
  filters: { scope: scopes },
  candidates: shownIn,
  // Where places are listed, one that has replies is among the candidates.
  besides: (q, value, { scope }) =>
    heldByIds(q, value).$if(hasPlaces(scope), (part) => part.where('entries.reply_count', '=', sql.lit(0))),
  byIds,
  orders,
  id: sql`entries.id`,
});

/** How many shown threads of a parent have a key, and how many of these are resolved. */
export const countOfKey = query<Omit<ThreadParameters, 'commentId'>>()((q, value) =>
  q
    .selectFrom('entries')
    .select([sql<number>`count(*)`.as('count'), sql<number>`count(entries.resolved_at)`.as('resolvedCount')])
    .where('entries.parent_type', '=', value('parentType'))
    .where('entries.parent_id', '=', value('parentId'))
    .where('entries.anchor_key', '=', value('anchorKey'))
    .where('entries.trashed_at', 'is', null),
);

/** Comments as a thread shows them. */
export const inThreadByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(threadColumns)
    .where(anyOf(sql.ref('entries.id'), value('ids'))),
);

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
