import { type SelectQueryBuilder, sql } from 'kysely';
import type { EntryKind } from '../../access/entry/entry.sql.ts';
import { insideOfObject, joinedTexts, madeOfLimitedRows, rowCount, unread } from '../../db/dialect.ts';
import { isShort } from '../../db/long-texts.ts';
import { type Bind, type Builder, cachedByShape, query, remember } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';

/** The parameters of a plain page. Of `skip` and `afterId` it uses the one of its shape. */
type PlainPage = {
  kind: EntryKind;
  parentType: string;
  parentId: number;
  top: number;
  skip: number;
  afterId: number;
  /** The ends of items: without attachments, options and reactions, and with any of them. */
  end: string;
  mark: string;
};

type Shape = { readonly descending: boolean; readonly isAfter: boolean };
type Rows = SelectQueryBuilder<Tables, 'entries', Record<never, never>>;

/** The entries on a page, joined in its order: `rows` has those of the parent. */
function joinedItems(
  q: Builder,
  value: Bind<PlainPage>,
  { rows, descending, isAfter }: Shape & { readonly rows: Rows },
) {
  const direction = descending ? 'desc' : 'asc';
  const hasParts = sql`attachment_count + option_count + reaction_count > 0`;
  const end = sql`case when ${hasParts} then cast(${value('mark')} as text) else cast(${value('end')} as text) end`;
  const replies = sql`case when reply_count > 0 then '"reply_count":' || reply_count || ',' else '' end`;
  const item = sql`'{"id":' || id || ',' || ${replies} || ${insideOfObject(sql.ref('content'))} || ${end}`;
  const counts = sql`'[' || id || ',' || attachment_count || ',' || option_count || ',' || reaction_count || ']'`;
  const limited = rows
    .$if(isAfter, (part) => part.where('entries.id', descending ? '<' : '>', value('afterId')))
    .orderBy('entries.id', direction)
    .limit(rowCount(value('top')))
    .$if(!isAfter, (part) => part.offset(rowCount(value('skip'))));
  const made = [
    'id',
    sql<string | null>`case when ${isShort(sql.ref('content'))} then ${item} end`.as('item'),
    sql<string | null>`case when ${hasParts} then ${counts} end`.as('parts'),
  ] as const;
  const parts = ['attachment_count', 'option_count', 'reaction_count', 'reply_count'] as const;
  const stored = limited.select(['id', 'content', ...parts]);
  const listed = madeOfLimitedRows({
    within: limited.select(made),
    around: q.selectFrom(stored.as('stored')).select(made),
  });
  const order = { id: sql.ref('listed.id'), direction } as const;
  return q
    .selectFrom(listed.as<'listed'>('listed'))
    .select([
      unread(joinedTexts(sql.ref('item'), order)).as('items'),
      joinedTexts(sql.ref('parts'), order).as('marked'),
      sql<number>`count(*)`.as('length'),
      sql<number>`count(item)`.as('shortLength'),
      (descending ? sql<number>`min(id)` : sql<number>`max(id)`).as('lastId'),
    ]);
}

/**
 * A page of the entries of one parent that are not in the trash, by id and without anything expanded, as one row: the
 * engine joins the items as the API returns them. An item with attachments, options or reactions ends with `mark` and is
 * in `marked`, a list of arrays of its id and the number of each. `shortLength` is the number of items without a long
 * text; other items are left out. `lastId` is the id of the last item if the list continues, and `count` the number of
 * items of all pages; it is null if there never was an item.
 */
export const plainPage = cachedByShape((shape: Shape) =>
  remember(
    query<PlainPage>()((q, value) => {
      const rows = q
        .selectFrom('entries')
        .where('entries.kind', '=', value('kind'))
        .where('entries.parent_type', '=', value('parentType'))
        .where('entries.parent_id', '=', value('parentId'))
        .where('entries.trashed_at', 'is', null);
      const after = rows
        .select('entries.id')
        .where('entries.id', shape.descending ? '<' : '>', sql.ref<number>('page.lastId'));
      return q
        .selectFrom(joinedItems(q, value, { ...shape, rows }).as('page'))
        .select((page) => [
          'items',
          'marked',
          'length',
          'shortLength',
          page.case().when(page.exists(after)).then(page.ref('lastId')).end().as('lastId'),
          page
            .selectFrom('tallies')
            .select('live')
            .where('kind', '=', value('kind'))
            .where('parent_type', '=', value('parentType'))
            .where('parent_id', '=', value('parentId'))
            .as('count'),
          sql<number>`cast(${value('parentId')} as bigint)`.as('parentId'),
        ]);
    }),
    {
      id: ({ parentId }) => parentId,
      tables: { entries: 'parent_id', tallies: 'parent_id' },
      counted: ['entries'],
    },
  ),
);
