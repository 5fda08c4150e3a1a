import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import { type EntryKind, isShownInThread } from '../../access/entry/entry.sql.ts';
import {
  insideOfObject,
  joinedOnce,
  joinedTexts,
  jsonArrayWith,
  madeOfLimitedRows,
  rowCount,
  unread,
} from '../../db/dialect.ts';
import { isShort } from '../../db/long-texts.ts';
import { type Bind, type Builder, cachedByShape, query, remember } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { isResolvedThread } from './resolved.sql.ts';

/** The parameters of a plain page. It uses those of its shape: `afterId` after a cursor, and `replies` of threads. */
type PlainPage = {
  kind: EntryKind;
  parentType: string;
  parentId: number;
  top: number;
  /** How many items the pages before have. */
  skip: number;
  /** Whether the page has the number of items of all pages, 0 or 1. */
  hasCount: number;
  afterId: number;
  /** How many comments below each root. */
  replies: number;
  anchorKey: string;
  /** The ends of items: without attachments, options and reactions, and with any of them. */
  end: string;
  mark: string;
};

type Shape = {
  readonly descending: boolean;
  readonly isAfter: boolean;
  /** Whether fields are expanded, which are rendered for each caller. */
  readonly isExpanded: boolean;
  /** Whether the items are roots, each with the first comments of its thread. */
  readonly isThreaded: boolean;
  /** Whether the items are threads with a key. */
  readonly isAnchored: boolean;
  /** Whether the items are in the second form, which always expands fields and shows more columns. */
  readonly isSecond: boolean;
  /** Whether they are roots whose threads are resolved, or open; null for all. */
  readonly resolved: boolean | null;
};

type Rows = SelectQueryBuilder<Tables, 'entries', Record<never, never>>;

/** The columns that an item is made of. */
const itemColumns = [
  'id',
  'content',
  'attachment_count',
  'option_count',
  'reaction_count',
  'reply_count',
  'anchor',
  'embed_id',
  'meeting_id',
  'created_by_id',
  'modified_by_id',
  'app_id',
  'modified_at',
  'trashed_at',
] as const;

/** An entry of the table `name` as the API returns it, without its closing brace. */
function openItem(name: string, value: Bind<PlainPage>, { isExpanded, isSecond }: Shape): Expression<string> {
  const column = (of: (typeof itemColumns)[number]) => sql.ref<string>(`${name}.${of}`);
  const counts = [column('attachment_count'), column('option_count'), column('reaction_count')] as const;
  const hasParts = sql`${sql.join(counts, sql` + `)} > 0`;
  const facts = jsonArrayWith([
    column('id'),
    ...counts,
    column('created_by_id'),
    column('modified_by_id'),
    column('embed_id'),
    column('meeting_id'),
    ...(isSecond ? [column('app_id'), column('modified_at')] : []),
  ]);
  const mark = sql`cast(${value('mark')} as text)`;
  const marked = sql`${mark} || ${facts} || ${mark}`;
  const begin = isExpanded ? marked : sql`case when ${hasParts} then ${marked} else '' end`;
  const replies = sql`case when ${column('reply_count')} > 0 then '"reply_count":' || ${column('reply_count')} || ',' else '' end`;
  const anchor = sql`case when ${column('anchor')} is not null then '"anchor":' || ${column('anchor')} || ',' else '' end`;
  const end = sql`case when ${hasParts} then ${mark} || ${mark} else cast(${value('end')} as text) end`;
  const item = sql`'{"id":' || ${column('id')} || ',' || ${replies} || ${anchor} || ${begin} || ${insideOfObject(column('content'))} || ${end}`;
  const isJoined = sql`${isShort(column('content'))} and ${column('trashed_at')} is null`;
  return sql<string>`case when ${isJoined} then ${item} else ${mark} || 'null' || ${mark} end`;
}

/** Whether a page has the authors of its items. */
function hasAuthors({ isSecond, isThreaded }: Shape): boolean {
  return isSecond && !isThreaded;
}

/** The columns of an author in a page of the second form. */
const authorColumns = [
  ...['id', 'uid', 'display_name', 'given_name', 'family_name', 'nickname', 'directory_id', 'picture_url'],
  ...['is_active', 'is_bot', 'way'],
];

/** An author of a page of the second form: the values of `authorColumns`. */
export type AuthorValues = readonly [
  ...[id: number, uid: string, displayName: string],
  ...[givenName: string | null, familyName: string | null, nickname: string | null],
  ...[directoryId: number | null, pictureUrl: string | null],
  ...[isActive: 0 | 1, isBot: 0 | 1, way: string | null],
];

/** The author of an item as a JSON array, and its editor if that is another user. */
function authorOf(q: Builder, name: string) {
  const user = (alias: string, id: string) =>
    q
      .selectFrom(`users as ${alias}` as 'users')
      .select(jsonArrayWith(authorColumns.map((column) => sql.ref(`${alias}.${column}`))).as('author'))
      .where(sql.ref(`${alias}.id`), '=', sql.ref(`${name}.${id}`));
  const isOther = sql`${sql.ref(`${name}.modified_by_id`)} <> ${sql.ref(`${name}.created_by_id`)}`;
  return sql<string | null>`(${user('author', 'created_by_id')})
    || coalesce(case when ${isOther} then ',' || (${user('editor', 'modified_by_id')}) end, '')`;
}

/** The first comments of the thread that the row of the table `name` began, joined. */
function joinedReplies(q: Builder, value: Bind<PlainPage>, { name, shape }: { name: string; shape: Shape }) {
  const first = q
    .selectFrom('entries as replies')
    .select(['replies.id', sql<string>`${openItem('replies', value, shape)} || '}'`.as('item')])
    .where('replies.root_id', '=', sql.ref<number>(`${name}.id`))
    .where(isShownInThread('replies'))
    .orderBy('replies.id')
    .limit(rowCount(value('replies')));
  return q
    .selectFrom(first.as('replies'))
    .select(
      joinedTexts(sql.ref('replies.item'), { id: sql.ref('replies.id'), direction: 'asc' }).as('items'),
    );
}

/** The entries on a page, joined in its order: `rows` has those of the parent. */
function joinedItems(q: Builder, value: Bind<PlainPage>, { rows, shape }: { rows: Rows; shape: Shape }) {
  const { descending, isAfter, isThreaded } = shape;
  const direction = descending ? 'desc' : 'asc';
  const limited = rows
    .$if(isAfter, (part) => part.where('entries.id', descending ? '<' : '>', value('afterId')))
    .orderBy('entries.id', direction)
    .limit(rowCount(value('top')))
    .$if(!isAfter, (part) => part.offset(rowCount(value('skip'))));
  const itemColumnsOf = (name: string) => {
    const item = openItem(name, value, shape);
    const replies = () => joinedReplies(q, value, { name, shape });
    const closed = isThreaded
      ? sql<string>`${item} || ',"replies":[' || coalesce((${replies()}), '') || ']}'`
      : sql<string>`${item} || '}'`;
    const author = hasAuthors(shape) ? authorOf(q, name) : sql<string | null>`null`;
    return [sql.ref<number>(`${name}.id`).as('id'), closed.as('item'), author.as('author')] as const;
  };
  const stored = limited.select(itemColumns.map((column) => `entries.${column}` as const));
  const listed = madeOfLimitedRows({
    within: limited.select(itemColumnsOf('entries')),
    around: q.selectFrom(stored.as('stored')).select(itemColumnsOf('stored')),
  });
  return q
    .selectFrom(listed.as<'listed'>('listed'))
    .select([
      joinedTexts(sql.ref('item'), { id: sql.ref('listed.id'), direction }).as('items'),
      sql<number>`count(*)`.as('length'),
      (descending ? sql<number>`min(id)` : sql<number>`max(id)`).as('lastId'),
      (hasAuthors(shape) ? joinedOnce(sql.ref('author')) : sql<string | null>`null`).as('authors'),
    ]);
}

/** The page as the API returns it, like `envelope` in kernel/page.ts: `page` has its items, and `all` is their number. */
function bodyOf(value: Bind<PlainPage>, all: Expression<number | null>) {
  const skipped = rowCount(value('skip'));
  const numbers = sql`case when page.length = 0 then '0,"end":0'
    else (${skipped} + 1) || ',"end":' || (${skipped} + page.length) end`;
  const count = sql`case when cast(${value('hasCount')} as bigint) = 1
    then ',"count":' || coalesce(${all}, 0) else '' end`;
  return sql<string>`'{"data":[' || coalesce(page.items, '') || '],"start":' || ${numbers} || ${count} || '}'`;
}

/**
 * A page of the entries of one parent that are not in the trash, or of its threads, by id, as one row: the engine joins
 * the items and makes the page of them, because a copy of it here would cost as much as reading it. Where something has to
 * be put into an item there are two `mark`s: before its stored JSON, with an array of its numbers between them (`Facts` in
 * plain-page.ts), and with nothing between them before its closing brace if it has attachments, options or reactions. An
 * item that is not joined, because its text is long or it is a place, is `null` between two marks. `lastId` is the id of
 * the last item if the list continues. A page of the second form that has no threads has its `authors` and editors as well,
 * each at least once.
 */
export const plainPage = cachedByShape((shape: Shape) =>
  remember(
    query<PlainPage>()((q, value) => {
      const inParent = q
        .selectFrom('entries')
        .where('entries.parent_type', '=', value('parentType'))
        .where('entries.parent_id', '=', value('parentId'));
      const { isAnchored, isThreaded, resolved } = shape;
      const ofKey = inParent
        .where('entries.anchor_key', '=', value('anchorKey'))
        .where('entries.trashed_at', 'is', null)
        .$if(resolved !== null, (part) =>
          part.where('entries.resolved_at', resolved === true ? 'is not' : 'is', null),
        );
      const ofKind = isThreaded
        ? inParent
            .where('entries.root_id', 'is', null)
            // In the words of the index.
            .where(sql<boolean>`entries.kind <> 'post' and entries.kind <> 'message'`)
            .where(isShownInThread('entries'))
        : inParent.where('entries.kind', '=', value('kind')).where('entries.trashed_at', 'is', null);
      const ofParent = resolved === null ? ofKind : inParent.where(isResolvedThread(resolved));
      const rows = isAnchored ? ofKey : ofParent;
      const after = rows
        .select('entries.id')
        .where('entries.id', shape.descending ? '<' : '>', sql.ref<number>('page.lastId'));
      const liveCount = (kind: Expression<string>) =>
        q
          .selectFrom('tallies')
          .select('live')
          .where('kind', '=', kind)
          .where('parent_type', '=', value('parentType'))
          .where('parent_id', '=', value('parentId'));
      const all = sql<number | null>`(${liveCount(sql.val(value('kind')))})`;
      const numberOf = (kind: string) => sql<number>`coalesce((${liveCount(sql.lit(kind))}), 0)`;
      // Comments answer or begin a thread, which is open or resolved.
      const roots = sql<number | null>`${all} - ${numberOf('answer')}`;
      const openThreads = sql<number | null>`${roots} - ${numberOf('resolved')}`;
      const ofThreads = resolved === null ? roots : resolved ? numberOf('resolved') : openThreads;
      const keyed = sql<number | null>`(${ofKey.select(sql<number>`count(*)`.as('count'))})`;
      const ofShown = isThreaded || resolved !== null ? ofThreads : all;
      const count = isAnchored ? keyed : ofShown;
      return q
        .selectFrom(joinedItems(q, value, { rows, shape }).as('page'))
        .select((page) => [
          unread(bodyOf(value, count)).as('body'),
          'length',
          'authors',
          page.case().when(page.exists(after)).then(page.ref('lastId')).end().as('lastId'),
          sql<number>`cast(${value('parentId')} as bigint)`.as('parentId'),
        ]);
    }),
    {
      id: ({ parentId }) => parentId,
      tables: {
        entries: 'parent_id',
        // The threads with a key are counted in the index.
        ...(!shape.isAnchored && { tallies: 'parent_id' }),
        ...(hasAuthors(shape) && { users: null }),
      },
      countedTables: shape.isAnchored ? [] : ['entries'],
    },
  ),
);
