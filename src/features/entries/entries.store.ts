import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
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
  rowCount,
  textsOf,
  unindexed,
  walksMatches,
  wordsOfEntry,
} from '../../db/dialect.ts';
import { matchesAtMost, matchesSearch, matchesTag } from '../../db/filters.ts';
import { list, type Settings } from '../../db/list.ts';
import {
  type Bind,
  type Builder,
  cachedByShape,
  command,
  insertRow,
  insertSelected,
  query,
  updateRow,
} from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { listedColumns } from './entries.sql.ts';

const insertedColumns = [
  'kind',
  'app_id',
  'parent_type',
  'parent_id',
  'content',
  'attachment_count',
  'option_count',
  'embed_id',
  'meeting_id',
  'reply_to_id',
  'root_id',
  'created_at',
  'created_by_id',
] as const;

const stateColumns = ['trashed_at', 'trashed_by_id', 'held_at', 'held_reason', 'is_unannounced'] as const;

/** Adds an entry. */
export const insertEntry = insertRow('entries', insertedColumns);

/** Adds an entry that is held. */
export const insertHeldEntry = insertRow('entries', [...insertedColumns, ...stateColumns]);

/** Writes what an edit changed. */
export const updateEntry = updateRow('entries', [
  'content',
  'attachment_count',
  'option_count',
  'embed_id',
  'meeting_id',
  'modified_at',
  'modified_by_id',
]);

/** Puts an entry in the trash, holds it, or shows it again. */
export const setEntryState = updateRow('entries', ['content', ...stateColumns]);

/** Locks an entry from a time on, or unlocks it. */
export const setEntryLocked = updateRow('entries', ['content', 'locked_at']);

/** Deletes the tags of an entry. */
export const deleteEntryTags = command<{ id: number }>()((q, value) =>
  q.deleteFrom('entry_tags').where('entry_id', '=', value('id')),
);

/** Writes the tags of an entry. */
export const insertEntryTags = command<{ id: number; appId: number; tags: readonly string[] }>()((q, value) =>
  insertSelected(q, 'entry_tags', {
    from: q.selectFrom(textsOf(value('tags'), 'given')),
    values: { app_id: value('appId'), tag: sql<string>`given.value`, entry_id: value('id') },
  }),
);

/** The parameters of every list of entries; those that a scope does not use may hold anything. */
export type EntryListParameters = {
  kind: EntryKind;
  parentType: string;
  parentId: number;
  appId: number;
  appIds: readonly number[];
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

const filters = {
  scope: entryScopes,
  // Of all apps it is in the text: a plan of PostgreSQL for any parameters would take each kind to have as many rows.
  kind: ['comment', 'post', 'message'],
  trashed: [false, true, null],
  hasQuestion: [false, true],
  // Whether the search finds so few that all are read and sorted.
  isFew: [false, true],
  // Whether the parent has so few entries that their texts are searched and not the index.
  isSmall: [false, true],
  hasTag: [false, true],
} as const;

type EntrySettings = Settings<typeof filters>;
type Entries = SelectQueryBuilder<Tables, 'entries', Record<never, never>>;

// Held entries are in the trash as well, and in no list. One that a node of the release before restored has both columns
// otherwise.
const isNotHeld = sql<boolean>`(entries.held_at is null or entries.trashed_at is null)`;

/**
 * The conditions of a scope and the trash; the scope `any` has none. `isPage` says that what asks stops at a page, and
 * `inVisibleApp` is how it asks for what a user sees, where it starts from the apps.
 */
function inScope(
  entries: Entries,
  value: Bind<EntryListParameters>,
  {
    scope,
    kind,
    trashed,
    isPage,
    inVisibleApp,
  }: Pick<EntrySettings, 'trashed'> & {
    kind: Expression<EntryKind>;
    scope: EntryScope | 'any';
    isPage: boolean;
    inVisibleApp?: Expression<SqlBool> | undefined;
  },
): Entries {
  const isLive = isPage ? parentIsLiveByRow : parentIsLive;
  return (
    entries
      .where('entries.kind', '=', kind)
      .$if(isOfParent(scope), (part) =>
        part
          .where('entries.parent_type', '=', value('parentType'))
          .where('entries.parent_id', '=', value('parentId')),
      )
      // A literal rather than a parameter: the partial index is used only for a condition that is literally its own.
      .$if(scope === 'below', (part) =>
        part
          .where('entries.app_id', '=', value('appId'))
          .where(sql<boolean>`entries.parent_type <> 'app'`)
          .where(isLive),
      )
      .$if(scope === 'visible' || scope === 'all', (part) =>
        part
          .where(({ eb, selectFrom }) => {
            if (inVisibleApp !== undefined) return inVisibleApp;
            const appId = sql.ref<number>('entries.app_id');
            const apps = selectFrom('apps').select('apps.id').where('apps.trashed_at', 'is', null);
            if (scope === 'all') return eb(unindexed(appId), 'in', apps);
            const visible = visibleApps(value);
            return isPage ? inManyRows(appId, visible) : sql<boolean>`${unindexed(appId)} in ${visible}`;
          })
          .where(isLive),
      )
      .$if(scope === 'apps', (part) =>
        part.where(anyOf(unindexed(sql.ref('entries.app_id')), value('appIds'))).where(isLive),
      )
      .$if(trashed === false, (part) => part.where('entries.trashed_at', 'is', null))
      .$if(trashed === true, (part) => part.where('entries.trashed_at', 'is not', null))
      .$if(trashed !== false, (part) => part.where(isNotHeld))
  );
}

/** The apps whose entries a user sees. */
function visibleApps(value: Bind<EntryListParameters>): RawBuilder<number> {
  const viewer = { userId: value('userId'), directoryId: value('directoryId') };
  return sql`(select apps.id from apps where apps.trashed_at is null and ${visibleTo(sql.ref('apps.id'), viewer)})`;
}

function isOfParent(scope: EntryScope | 'any'): boolean {
  return scope === 'parent' || scope === 'app';
}

function isInApp(scope: EntryScope | 'any'): boolean {
  return isOfParent(scope) || scope === 'below';
}

/** A search that finds at most this many reads all of them, whatever the order. */
const fewMax = 5000;

/** The results of a search, starting from the search index. `cross join` keeps SQLite from swapping the loops. */
function found(q: Builder, value: Bind<EntryListParameters>, matching: typeof matches): Entries {
  return q
    .selectFrom('entry_search')
    .crossJoin('entries')
    .where(sql<boolean>`entries.id = entry_search.rowid`)
    .where(matching('entry_search', value('question'))) as unknown as Entries;
}

/** The results of a search or a tag, in the order of ids. */
function walked(
  q: Builder,
  value: Bind<EntryListParameters>,
  { scope, trashed, hasQuestion, isFew, isSmall, hasTag }: EntrySettings,
): { rows: Entries; id: RawBuilder<number> } | undefined {
  // With both, the planner decides which one to scan and which to look up.
  if (hasQuestion === hasTag || (hasQuestion && (isSmall || isFew))) return undefined;
  const settings = { scope, kind: sql<EntryKind>`${value('kind')}`, trashed, isPage: true };
  if (hasQuestion)
    return { rows: inScope(found(q, value, matches), value, settings), id: sql<number>`entry_search.rowid` };
  const id = sql<number>`entry_tags.entry_id`;
  const tagged = q
    .selectFrom('entry_tags')
    .crossJoin('entries')
    .where(sql<boolean>`entries.id = ${id}`)
    .where('entry_tags.tag', '=', value('tag'))
    .$if(isInApp(scope), (part) => part.where('entry_tags.app_id', '=', value('appId')));
  return { rows: inScope(tagged as unknown as Entries, value, settings), id };
}

/**
 * The rows to count. For a search in one parent or in some apps, they come from the search index, which contains their
 * scope words, and from the indexes of the trash; the entries themselves are not read.
 */
function counted(q: Builder, value: Bind<EntryListParameters>, settings: EntrySettings): Entries {
  const { scope, trashed, hasQuestion, isSmall, hasTag } = settings;
  if (!hasQuestion || isSmall || hasTag || scope === 'visible' || scope === 'all')
    return selected(q, value, { ...settings, isPage: false });
  const id = sql<number>`entry_search.rowid`;
  const entries = q.selectFrom('entries').select('entries.id').where('entries.kind', '=', value('kind'));
  const inTrash = entries
    .where('entries.trashed_at', 'is not', null)
    .$if(isOfParent(scope), (part) =>
      part
        .where('entries.parent_type', '=', value('parentType'))
        .where('entries.parent_id', '=', value('parentId')),
    )
    .$if(scope === 'below', (part) => part.where('entries.app_id', '=', value('appId')));
  const held = inTrash.where('entries.held_at', 'is not', null);
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
  return (
    q
      .selectFrom('entry_search')
      .where(matches('entry_search', value('question')))
      .$if(trashed === false, (part) => part.where(id, 'not in', inTrash))
      .$if(trashed === true, (part) => part.where(unindexed(id), 'in', inTrash.where(isNotHeld)))
      .$if(trashed === null, (part) => part.where(id, 'not in', held))
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
      .$if(!isOfParent(scope), (part) => part.where(id, 'not in', hidden)) as unknown as Entries
  );
}

/**
 * Whether a search finds so few entries that all should be read (1). `isById` (0 or 1) says whether the order is the order
 * of the index.
 */
export const findsFew = query<{ question: readonly string[]; isById: number }>()((q, value) =>
  q.selectNoFrom(
    sql<number>`case when ${value('isById')} * ${walksMatches} = 1 then 0
      when ${matchesAtMost(fewMax, 'entry', value('question'))} then 1 else 0 end`.as('isFew'),
  ),
);

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

/** The rows of a list. */
function selected(
  q: Builder,
  value: Bind<EntryListParameters>,
  {
    scope,
    kind,
    trashed,
    hasQuestion,
    isFew,
    isSmall,
    hasTag,
    isPage,
  }: Omit<EntrySettings, 'scope'> & { readonly scope: EntryScope | 'any'; readonly isPage: boolean },
): Entries {
  // Starting from the index of apps, the planner would read app by app and sort everything when all apps are
  // requested, and within each app read every id that a search or a tag finds.
  const isOfAllApps = (scope === 'visible' || scope === 'any') && !hasQuestion && !hasTag;
  const isFromApps = isOfAllApps && scope === 'visible';
  const tag = {
    tag: value('tag'),
    isAlone: !hasQuestion,
    appId: isInApp(scope) ? value('appId') : undefined,
  };
  const isRead = hasQuestion && isFew && !isSmall;
  const isInVisibleApp = inLimitedRows(sql.ref('entries.app_id'), visibleApps(value));
  const ofApps = foundFirst('entries', isInVisibleApp, sql`kind = ${sql.lit(kind)}`);
  const all = isFromApps && isPage ? q.selectFrom(ofApps.rows.as('entries')) : q.selectFrom('entries');
  const entries = isRead ? found(q, value, matchesFew) : (all as unknown as Entries);
  const inVisibleApp = isPage ? ofApps.condition : isInVisibleApp;
  return inScope(entries, value, {
    ...{ scope, trashed, isPage },
    kind: isOfAllApps ? sql.lit(kind) : sql`${value('kind')}`,
    inVisibleApp: isFromApps ? inVisibleApp : undefined,
  })
    .$if(hasTag, (part) => part.where(matchesTag(sql.ref('entries.id'), 'entry', tag)))
    .$if(hasQuestion && isSmall, (part) => part.where(containsWords(wordsOfEntry, value('needles'))))
    .$if(hasQuestion && !isSmall && !isRead, (part) =>
      part.where(matchesSearch(sql.ref('entries.id'), 'entry', value('question'))),
    );
}

/** Entries of one kind. */
export const entryList = list<EntryListParameters>()({
  name: 'entries',
  filters,
  found: (q, value, settings) => selected(q, value, { ...settings, isPage: true }),
  walked,
  counted,
  tried: {
    isFor: ({ scope, hasQuestion, hasTag }) => scope === 'visible' && !hasQuestion && !hasTag,
    rows: (q, value, settings) => selected(q, value, { ...settings, scope: 'any', isPage: true }),
    isSeen: (id, value) => {
      const viewer = { userId: value('userId'), directoryId: value('directoryId') };
      return sql`(select ${isInVisibleApp(sql.ref('entries.app_id'), viewer)} and ${parentIsLiveByRow}
        from entries where entries.id = ${id})`;
    },
  },
  byIds: (q, ids) => q.selectFrom('entries').select(listedColumns).where('entries.id', 'in', ids),
  orders: {
    id: [],
    created_at: [{ by: sql`entries.created_at` }],
    modified_at: [{ by: sql`entries.modified_at`, hasNulls: true }],
    reaction_count: [{ by: sql`entries.reaction_count`, lowest: 0 }],
  },
  id: sql`entries.id`,
});

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
