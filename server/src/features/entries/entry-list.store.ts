import {
  type Compilable,
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { isInVisibleApp, visibleTo } from '../../access/access.sql.ts';
import { type EntryKind, parentIsLive, parentIsLiveByRow } from '../../access/entry/entry.sql.ts';
import {
  anyOf,
  containsWords,
  foundFirst,
  inLimitedRows,
  inManyRows,
  matches,
  matchesFew,
  readsAllRows,
  rowCount,
  unindexed,
  walksMatches,
  wordsOfEntry,
} from '../../db/dialect.ts';
import { matchesAtMost, matchesSearch, matchesTag } from '../../db/filters.ts';
import { list, type Settings } from '../../db/list.ts';
import type { Rows } from '../../db/page-place.ts';
import { type Bind, type Builder, cachedByShape, query } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { listedColumns } from './entries.sql.ts';
import { heldByIds } from './own-held.sql.ts';

/**
 * The statements of the lists of entries. `list.ts` decides the settings of a request: its scope, its trash and how it is
 * searched. Below, in this order: the settings, the declaration of the list, the rows of a page by each way to search, the
 * conditions that they share, and the rows to count. The statements by which `list.ts` decides come last.
 */

/** The parameters of every list of entries; those that a scope does not use may hold anything. */
export type EntryListParameters = {
  kind: EntryKind;
  parentType: string;
  parentId: number;
  appId: number;
  appIds: readonly number[];
  authorId: number;
  userId: number;
  directoryId: number;
  question: readonly string[];
  needles: readonly string[];
  tag: string;
};

/**
 * The scopes: the entries of one parent, the comments on an app itself, the comments on its posts and files, the entries
 * that a user may see, all entries, or the entries of some apps (all apps in which the caller sees any).
 */
const entryScopes = ['parent', 'app', 'below', 'visible', 'all', 'apps'] as const;
/** One of them. */
export type EntryScope = (typeof entryScopes)[number];

/**
 * How words are searched: not at all; in the search index, in its order or by looking each entry up in it; in that index,
 * of which all `few` results are read and sorted; or in the `texts` of the entries, without the index.
 */
const entrySearches = ['none', 'index', 'few', 'texts'] as const;
/** One of them. */
export type EntrySearch = (typeof entrySearches)[number];

const filters = {
  scope: entryScopes,
  // Of all apps it is in the text: a plan of PostgreSQL for any parameters would take each kind to have as many rows.
  kind: ['comment', 'post', 'message'],
  trashed: [false, true, null],
  search: entrySearches,
  hasTag: [false, true],
  hasAuthor: [false, true],
} as const;

type EntrySettings = Settings<typeof filters>;
type Entries = SelectQueryBuilder<Tables, 'entries', Record<never, never>>;

/**
 * Rows of entries that are reached through another table or index, as rows of `entries` alone: what follows adds only
 * conditions on entries, and Kysely has no type for that. `server/test/once/db/statements.test.ts` prepares every list on
 * both engines, which fails where `entries` is not among the tables.
 */
function entriesOf(query: Compilable<unknown>): Entries {
  return query as unknown as Entries;
}

const orders = {
  id: [],
  created_at: [{ by: sql`entries.created_at` }],
  modified_at: [{ by: sql`entries.modified_at`, hasNulls: true }],
  reaction_count: [{ by: sql`entries.reaction_count`, lowest: 0 }],
} as const;

function byIds(q: Builder, ids: Rows<{ id: number }>) {
  return q.selectFrom('entries').select(listedColumns).where('entries.id', 'in', ids);
}

/** Entries of one kind. */
export const entryList = list<EntryListParameters>()({
  name: 'entries',
  filters,
  candidates: (q, value, settings) =>
    isOfVisibleApps(settings)
      ? pageOfVisibleApps(q, value, settings)
      : searchedEntries(q, value, { ...settings, isPage: true }),
  rowsInIdOrder,
  rowsToCount,
  probe: {
    isFor: isOfVisibleApps,
    rows: (q, _value, { kind, trashed }) =>
      inTrash(q.selectFrom('entries').where('entries.kind', '=', sql.lit(kind)), trashed),
    isVisible: (id, value) => {
      const viewer = { userId: value('userId'), directoryId: value('directoryId') };
      return sql`(select ${isInVisibleApp(sql.ref('entries.app_id'), viewer)} and ${parentIsLiveByRow}
        from entries where entries.id = ${id})`;
    },
  },
  byIds,
  orders,
  id: sql`entries.id`,
});

/** The parameters of a list with the caller's held comments: `ownIds` are theirs in the scope. */
type ParametersWithOwn = EntryListParameters & { ownIds: readonly number[] };

/** The comments of one parent, or on the posts and files of an app, with those of the caller that are held. */
export const commentsWithOwnHeld = list<ParametersWithOwn>()({
  name: 'comments-with-own-held',
  filters: { scope: ['parent', 'below'], trashed: [false, null] },
  candidates: (q, value, settings) => inScope(q.selectFrom('entries'), value, { ...settings, isPage: true }),
  besides: heldByIds,
  byIds,
  orders,
  id: sql`entries.id`,
});

/**
 * Whether a list has all entries that a user sees. Starting from the index of apps, the planner would read app by app and
 * sort everything, so these rows are read in the order of the page.
 */
function isOfVisibleApps({ scope, search, hasTag, hasAuthor }: EntrySettings): boolean {
  return scope === 'visible' && search === 'none' && !hasTag && !hasAuthor;
}

/** The rows of a page of all entries that a user sees. */
function pageOfVisibleApps(
  q: Builder,
  value: Bind<EntryListParameters>,
  { kind, trashed }: EntrySettings,
): Entries {
  const isOfKind = sql<SqlBool>`kind = ${sql.lit(kind)}`;
  const visible = foundFirst('entries', isInVisibleApps(value), isOfKind);
  const rows = entriesOf(q.selectFrom(visible.rows.as('entries')));
  return inTrash(
    rows.where('entries.kind', '=', sql.lit(kind)).where(visible.condition).where(parentIsLiveByRow),
    trashed,
  );
}

/** The rows of any other list, by the way that it is searched. `isPage` is false where all of them are counted. */
function searchedEntries(
  q: Builder,
  value: Bind<EntryListParameters>,
  settings: EntrySettings & { readonly isPage: boolean },
): Entries {
  const { scope, search, hasTag } = settings;
  const id = sql.ref('entries.id');
  const appId = isInApp(scope) ? value('appId') : undefined;
  const tag = { tag: value('tag'), isAlone: search === 'none', appId };
  const from = search === 'few' ? resultsOf(q, value, matchesFew) : q.selectFrom('entries');
  return inScope(entriesOf(from), value, settings)
    .$if(hasTag, (rows) => rows.where(matchesTag(id, 'entry', tag)))
    .$if(search === 'texts', (rows) => rows.where(containsWords(wordsOfEntry, value('needles'))))
    .$if(search === 'index', (rows) => rows.where(matchesSearch(id, 'entry', value('question'))));
}

/** The results of a search, starting from the search index. `cross join` keeps SQLite from swapping the loops. */
function resultsOf(q: Builder, value: Bind<EntryListParameters>, matching: typeof matches): Entries {
  const results = q
    .selectFrom('entry_search')
    .crossJoin('entries')
    .where(sql<boolean>`entries.id = entry_search.rowid`)
    .where(matching('entry_search', value('question')));
  return entriesOf(results);
}

/** The results of a search or a tag, in the order of ids. With both, the planner decides which one to scan and which to look up. */
function rowsInIdOrder(
  q: Builder,
  value: Bind<EntryListParameters>,
  settings: EntrySettings,
): { rows: Entries; id: RawBuilder<number> } | undefined {
  const { scope, search, hasTag } = settings;
  const page = { ...settings, isPage: true };
  if (search === 'index' && !hasTag)
    return {
      rows: inScope(resultsOf(q, value, matches), value, page),
      id: sql<number>`entry_search.rowid`,
    };
  if (search !== 'none' || !hasTag) return undefined;
  const id = sql<number>`entry_tags.entry_id`;
  const tagged = q
    .selectFrom('entry_tags')
    .crossJoin('entries')
    .where(sql<boolean>`entries.id = ${id}`)
    .where('entry_tags.tag', '=', value('tag'))
    .$if(isInApp(scope), (part) => part.where('entry_tags.app_id', '=', value('appId')));
  return { rows: inScope(entriesOf(tagged), value, page), id };
}

/** The conditions of a kind, a scope and the trash. */
function inScope(
  from: Entries,
  value: Bind<EntryListParameters>,
  settings: Pick<EntrySettings, 'scope' | 'trashed'> &
    Partial<Pick<EntrySettings, 'hasAuthor'>> & { readonly isPage: boolean },
): Entries {
  const entries =
    settings.hasAuthor === true
      ? // In no order does SQLite walk the index of a kind, which has the entries of everybody.
        from
          .where('entries.created_by_id', '=', value('authorId'))
          .where(unindexed(sql.ref<EntryKind>('entries.kind')), '=', value('kind'))
      : from.where('entries.kind', '=', value('kind'));
  return inTrash(ofScope(entries, value, settings), settings.trashed);
}

function ofScope(
  entries: Entries,
  value: Bind<EntryListParameters>,
  { scope, isPage }: Pick<EntrySettings, 'scope'> & { readonly isPage: boolean },
): Entries {
  const appId = unindexed(sql.ref<number>('entries.app_id'));
  const isLive = isPage ? parentIsLiveByRow : parentIsLive;
  switch (scope) {
    case 'parent':
    case 'app':
      return entries
        .where('entries.parent_type', '=', value('parentType'))
        .where('entries.parent_id', '=', value('parentId'));
    case 'below':
      return (
        entries
          .where('entries.app_id', '=', value('appId'))
          // A literal rather than a parameter: the partial index is used only for a condition that is literally its own.
          .where(sql<boolean>`entries.parent_type <> 'app'`)
          .where(isLive)
      );
    case 'visible': {
      const apps = visibleApps(value);
      const isVisible = isPage
        ? inManyRows(sql.ref<number>('entries.app_id'), apps)
        : sql<boolean>`${appId} in ${apps}`;
      return entries.where(isVisible).where(isLive);
    }
    case 'all':
      return entries
        .where(({ selectFrom, eb }) =>
          eb(appId, 'in', selectFrom('apps').select('apps.id').where('apps.trashed_at', 'is', null)),
        )
        .where(isLive);
    case 'apps':
      return entries.where(anyOf(appId, value('appIds'))).where(isLive);
  }
}

/** The condition of the trash. */
function inTrash(entries: Entries, trashed: EntrySettings['trashed']): Entries {
  if (trashed === false) return entries.where('entries.trashed_at', 'is', null);
  const all = trashed === true ? entries.where('entries.trashed_at', 'is not', null) : entries;
  return all.where(isNotHeld);
}

// Held entries are in the trash as well, and in no list but that of their author (`commentsWithOwnHeld`). One that a node of the release before restored has both columns
// otherwise.
const isNotHeld = sql<boolean>`(entries.held_at is null or entries.trashed_at is null)`;

/** The apps whose entries a user sees. */
function visibleApps(value: Bind<EntryListParameters>): RawBuilder<number> {
  const viewer = { userId: value('userId'), directoryId: value('directoryId') };
  return sql`(select apps.id from apps where apps.trashed_at is null and ${visibleTo(sql.ref('apps.id'), viewer)})`;
}

/** An entry is in one of them. */
function isInVisibleApps(value: Bind<EntryListParameters>): Expression<SqlBool> {
  return inLimitedRows(sql.ref('entries.app_id'), visibleApps(value));
}

function isOfParent(scope: EntryScope): boolean {
  return scope === 'parent' || scope === 'app';
}

function isInApp(scope: EntryScope): boolean {
  return isOfParent(scope) || scope === 'below';
}

/** The rows to count. */
function rowsToCount(q: Builder, value: Bind<EntryListParameters>, settings: EntrySettings): Entries {
  const { scope, kind, trashed, search, hasTag, hasAuthor } = settings;
  if (isOfVisibleApps(settings)) {
    const ofKind = q.selectFrom('entries').where('entries.kind', '=', sql.lit(kind));
    return inTrash(ofKind.where(isInVisibleApps(value)).where(parentIsLive), trashed);
  }
  const isFromIndex = search === 'index' || search === 'few';
  return isFromIndex && !hasTag && !hasAuthor && scope !== 'visible' && scope !== 'all'
    ? resultsToCount(q, value, settings)
    : searchedEntries(q, value, { ...settings, isPage: false });
}

/**
 * The rows to count of a search in one parent or in some apps. They come from the search index, which contains their scope
 * words, and from the indexes of the trash; the entries themselves are not read.
 */
function resultsToCount(
  q: Builder,
  value: Bind<EntryListParameters>,
  { scope, trashed }: EntrySettings,
): Entries {
  const id = sql<number>`entry_search.rowid`;
  const inTrash = q
    .selectFrom('entries')
    .select('entries.id')
    .where('entries.kind', '=', value('kind'))
    .where('entries.trashed_at', 'is not', null)
    .$if(isOfParent(scope), (part) =>
      part
        .where('entries.parent_type', '=', value('parentType'))
        .where('entries.parent_id', '=', value('parentId')),
    )
    .$if(scope === 'below', (part) => part.where('entries.app_id', '=', value('appId')));
  const heldEntries = inTrash.where('entries.held_at', 'is not', null);
  const hidden = q
    .selectFrom('tallies')
    .crossJoin('entries')
    .select('entries.id')
    .where('tallies.kind', '=', value('kind'))
    .$if(scope === 'below', (part) => part.where('tallies.app_id', '=', value('appId')))
    .$if(scope === 'apps', (part) => part.where(anyOf(sql.ref('tallies.app_id'), value('appIds'))))
    .where('tallies.is_hidden', '=', 1)
    .whereRef('entries.parent_type', '=', 'tallies.parent_type')
    .whereRef('entries.parent_id', '=', 'tallies.parent_id')
    .whereRef('entries.kind', '=', 'tallies.kind');
  return entriesOf(
    q
      .selectFrom('entry_search')
      .where(matches('entry_search', value('question')))
      .$if(trashed === false, (part) => part.where(id, 'not in', inTrash))
      .$if(trashed === true, (part) => part.where(unindexed(id), 'in', inTrash.where(isNotHeld)))
      .$if(trashed === null, (part) => part.where(id, 'not in', heldEntries))
      // Comments on attachments of an app's comments also have the word of the app.
      .$if(scope === 'app', (part) =>
        part.where(id, 'not in', (sub) =>
          sub
            .selectFrom('entries')
            .select('entries.id')
            .where('entries.app_id', '=', value('appId'))
            .where(sql<boolean>`entries.parent_type <> 'app'`),
        ),
      )
      .$if(!isOfParent(scope), (part) => part.where(id, 'not in', hidden)),
  );
}

/** A search that finds at most this many reads all of them, whatever the order. */
const fewMax = 5000;

/**
 * In a parent with at most so many entries, their texts are searched where the index would read all entries of the store
 * with a word: the more there are elsewhere, the longer that takes.
 */
const textsMax = 2000;

type Way = Pick<EntryListParameters, 'kind' | 'parentType' | 'parentId' | 'question'>;

/**
 * How to search for a question; `parentType` is empty where the scope is no parent. `isCount` and `isById` (0 or 1) say
 * whether only the count is asked for, and whether the order is that of the index.
 */
export const wayToSearch = query<Way & { isCount: number; isById: number }>()((q, value) => {
  // A parent has these entries, in the trash or not.
  const entriesOfParent = q
    .selectFrom('tallies')
    .select(sql`live + trashed`.as('all'))
    .where('parent_type', '=', value('parentType'))
    .where('parent_id', '=', value('parentId'))
    .where('kind', '=', value('kind'));
  return q.selectNoFrom(
    sql<EntrySearch>`case
      when ${readsAllRows(value('question'))} and (${entriesOfParent}) <= ${sql.lit(textsMax)} then 'texts'
      when ${value('isCount')} = 1 or ${value('isById')} * ${walksMatches} = 1 then 'index'
      when ${matchesAtMost(fewMax, 'entry', value('question'))} then 'few'
      else 'index' end`.as('search'),
  );
});

/** The first apps in which a viewer sees entries of a kind, at most `top`. */
export const appsWithEntries = cachedByShape((scope: 'visible' | 'all') =>
  query<{ kind: EntryKind; userId: number; directoryId: number; top: number }>()((q, value) =>
    q
      .selectFrom('apps')
      .select('apps.id')
      .$if(scope === 'visible', (part) =>
        part
          .where('apps.trashed_at', 'is', null)
          .where(
            visibleTo(sql.ref('apps.id'), { userId: value('userId'), directoryId: value('directoryId') }),
          )
          .where(
            sql<boolean>`exists (select 1 from tallies where tallies.kind = ${value('kind')}
              and tallies.app_id = apps.id and tallies.is_hidden = 0)`,
          ),
      )
      .$if(scope === 'all', (part) =>
        part.where('apps.id', 'in', (sub) =>
          sub
            .selectFrom('tallies')
            .innerJoin('apps as live', 'live.id', 'tallies.app_id')
            .select('tallies.app_id')
            .distinct()
            .where('tallies.kind', '=', value('kind'))
            .where('tallies.is_hidden', '=', 0)
            // Filtered before the limit, so that apps in the trash do not take the places of others.
            .where('live.trashed_at', 'is', null)
            .limit(rowCount(value('top'))),
        ),
      )
      .limit(rowCount(value('top'))),
  ),
);

/** Some entries as a list shows them. */
export const listedByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(listedColumns)
    .where(anyOf(sql.ref('entries.id'), value('ids'))),
);

/** The long contents of entries that the list statement left out. */
export const contentsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(['id', 'content'])
    .where(anyOf(sql.ref('id'), value('ids'))),
);
