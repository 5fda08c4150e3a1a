import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { isInVisibleApp, isVisible, visibleApps } from '../../access/access.sql.ts';
import { anyOf, eachOf, inLimitedRows, inManyRows, matches, unindexed } from '../../db/dialect.ts';
import { matchesSearch, matchesTag } from '../../db/filters.ts';
import { list, type Settings } from '../../db/list.ts';
import { type Bind, type Builder, cachedByShape, query } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { listedColumns } from '../entries/entries.sql.ts';

/** The parameters of a feed; those that its settings do not use may hold anything. */
type FeedParameters = {
  /** The apps whose posts are listed. */
  appIds: readonly number[];
  /** Only newer posts than the one with this id. */
  newerThan: number;
  userId: number;
  directoryId: number;
  question: readonly string[];
  tag: string;
};

const filters = {
  /** All apps, those that a user sees, or some that the user sees. */
  apps: ['all', 'visible', 'given'],
  isFollowed: [false, true],
  isNewer: [false, true],
  trashed: [false, true, null],
  hasQuestion: [false, true],
  hasTag: [false, true],
} as const;

type FeedSettings = Settings<typeof filters>;
type Posts = SelectQueryBuilder<Tables, 'entries', Record<never, never>>;

/** Rows of posts that are reached through another index, as rows of `entries` alone; as in `entry-list.store.ts`. */
function postsOf(rows: Compilable<unknown>): Posts {
  return rows as unknown as Posts;
}

// In the words of the index of the posts of an author, which SQLite would not prefer to that of all posts otherwise.
const isShownPost = sql<SqlBool>`coalesce(entries.kind, '') = 'post' and coalesce(entries.trashed_at, 0) = 0`;

/** By which index the posts are found: the words, the tag, the authors, the apps, or all posts in their order. */
function wayTo({ hasQuestion, hasTag, isFollowed, apps, trashed }: FeedSettings) {
  if (hasQuestion || hasTag) return 'search';
  if (isFollowed && trashed === false) return 'authors';
  return apps === 'given' ? 'apps' : 'all';
}

/** The conditions of a feed on rows of entries. */
function feedOf(from: Posts, value: Bind<FeedParameters>, settings: FeedSettings): Posts {
  const { apps, isFollowed, isNewer, trashed } = settings;
  const way = wayTo(settings);
  const appId = unindexed(sql.ref<number>('entries.app_id'));
  const viewer = { userId: value('userId'), directoryId: value('directoryId') };
  const visible = sql`(select apps.id from apps where apps.trashed_at is null and apps.id in ${visibleApps(viewer)})`;
  const live = sql`(select apps.id from apps where apps.trashed_at is null)`;
  const followed = sql`(select follows.followed_id from follows where follows.user_id = ${value('userId')})`;
  const authorId = sql.ref<number>('entries.created_by_id');
  return ofTrash(from, trashed, way)
    .$if(apps === 'visible', (part) => part.where(inManyRows(sql.ref('entries.app_id'), visible)))
    .$if(apps === 'all', (part) => part.where(sql<SqlBool>`${appId} in ${live}`))
    .$if(apps === 'given' && way !== 'apps', (part) => part.where(anyOf(appId, value('appIds'))))
    .$if(isFollowed && way === 'authors', (part) => part.where(inLimitedRows(authorId, followed)))
    .$if(isFollowed && way !== 'authors', (part) => part.where(inManyRows(authorId, followed)))
    .$if(isNewer, (part) => part.where('entries.id', '>', value('newerThan')));
}

/** Posts, in the trash or not. */
function ofTrash(from: Posts, trashed: FeedSettings['trashed'], way: ReturnType<typeof wayTo>): Posts {
  if (way === 'authors') return from.where(isShownPost);
  const posts = from.where('entries.kind', '=', sql.lit('post'));
  if (trashed === false) return posts.where('entries.trashed_at', 'is', null);
  const all = trashed === true ? posts.where('entries.trashed_at', 'is not', null) : posts;
  // Held posts are in the trash as well, and in no list.
  return all.where(sql<SqlBool>`(entries.held_at is null or entries.trashed_at is null)`);
}

/** The entries of the given apps. SQLite reads them app by app; it would walk all posts in their order otherwise. */
function postsOfApps(q: Builder, value: Bind<FeedParameters>): Posts {
  const { given, condition } = eachOf(sql.ref('entries.parent_id'), value('appIds'));
  const rows = q
    .selectFrom(given.as<'given'>('given'))
    .crossJoin('entries')
    .where('entries.parent_type', '=', sql.lit('app'))
    .where(condition);
  return postsOf(rows);
}

function candidates(q: Builder, value: Bind<FeedParameters>, settings: FeedSettings): Posts {
  const { hasQuestion, hasTag } = settings;
  const id = sql.ref('entries.id');
  const tag = { tag: value('tag'), isAlone: !hasQuestion };
  const from = wayTo(settings) === 'apps' ? postsOfApps(q, value) : q.selectFrom('entries');
  return feedOf(from, value, settings)
    .$if(hasTag, (part) => part.where(matchesTag(id, 'entry', tag)))
    .$if(hasQuestion, (part) => part.where(matchesSearch(id, 'entry', value('question'))));
}

/** The results of a search or a tag in the order of ids, as in `entry-list.store.ts`. */
function rowsInIdOrder(
  q: Builder,
  value: Bind<FeedParameters>,
  settings: FeedSettings,
): { rows: Posts; id: RawBuilder<number> } | undefined {
  const { hasQuestion, hasTag } = settings;
  if (hasQuestion === hasTag) return undefined;
  const id = hasTag ? sql<number>`entry_tags.entry_id` : sql<number>`entry_search.rowid`;
  const isRow = sql<SqlBool>`entries.id = ${id}`;
  const tagged = q.selectFrom('entry_tags').crossJoin('entries').where(isRow);
  const results = q.selectFrom('entry_search').crossJoin('entries').where(isRow);
  const rows = hasTag
    ? tagged.where('entry_tags.tag', '=', value('tag'))
    : results.where(matches('entry_search', value('question')));
  return { rows: feedOf(postsOf(rows), value, settings), id };
}

/**
 * The posts of some apps, or of those whom a user follows, or newer ones. Where many of the newest posts of all are among
 * them, a page is found in the order of all posts; otherwise by the index of their apps or authors.
 */
export const feedList = list<FeedParameters>()({
  name: 'posts-of-a-feed',
  filters,
  candidates,
  rowsInIdOrder,
  probe: {
    isFor: (settings) => !settings.isNewer && ['authors', 'apps'].includes(wayTo(settings)),
    rows: (q, _value, { trashed }) => ofTrash(q.selectFrom('entries'), trashed, 'all'),
    isVisible: (id, value, { apps, isFollowed }) => {
      const viewer = { userId: value('userId'), directoryId: value('directoryId') };
      const isShown = {
        all: sql`exists (select 1 from apps where apps.id = entries.app_id and apps.trashed_at is null)`,
        visible: isInVisibleApp(sql.ref('entries.app_id'), viewer),
        given: anyOf(sql.ref('entries.app_id'), value('appIds')),
      };
      const isByFollowed = sql`exists (select 1 from follows where follows.user_id = ${value('userId')}
        and follows.followed_id = entries.created_by_id)`;
      const conditions = [...(isFollowed ? [isByFollowed] : []), isShown[apps]];
      return sql<SqlBool>`(select ${sql.join(conditions, sql` and `)} from entries where entries.id = ${id})`;
    },
    rowsMax: 1000,
  },
  byIds: (q, ids) => q.selectFrom('entries').select(listedColumns).where('entries.id', 'in', ids),
  orders: {
    id: [],
    created_at: [{ by: sql`entries.created_at` }],
    modified_at: [{ by: sql`entries.modified_at`, hasNulls: true }],
  },
  id: sql`entries.id`,
});

/** Those of some apps, by id or by uid, that a viewer may read: `every` for an API key. */
export const readableApps = cachedByShape((reach: 'every' | 'readable') =>
  query<{ ids: readonly number[]; uids: readonly string[]; userId: number; directoryId: number }>()(
    (q, value) =>
      q
        .selectFrom('apps')
        .select('apps.id')
        .where((where) =>
          where.or([anyOf(sql.ref('apps.id'), value('ids')), anyOf(sql.ref('apps.uid'), value('uids'))]),
        )
        .where('apps.trashed_at', 'is', null)
        .where('apps.deleted_at', 'is', null)
        .$if(reach === 'readable', (part) =>
          part.where(isVisible('apps', { userId: value('userId'), directoryId: value('directoryId') })),
        ),
  ),
);

/** How many posts some apps have, from the stored counts. */
export const countPosts = query<{ appIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('tallies')
    .select([
      sql<number>`coalesce(sum(live), 0)`.as('live'),
      sql<number>`coalesce(sum(trashed), 0)`.as('trashed'),
    ])
    .where('kind', '=', sql.lit('post'))
    .where('parent_type', '=', sql.lit('app'))
    .where(anyOf(sql.ref('parent_id'), value('appIds'))),
);
