import { sql } from 'kysely';
import { anyOf, textsOf, unindexed } from '../../db/dialect.ts';
import { matchesSearch, matchesTag } from '../../db/filters.ts';
import { list } from '../../db/list.ts';
import { shortText, textBytes } from '../../db/long-texts.ts';
import { cachedByShape, command, insertRow, query, updateRow } from '../../db/statement.ts';
import { visibleTo } from '../access/access.sql.ts';
import { type EntryKind, type EntryRow, parentIsLive } from '../access/entry.sql.ts';

/** The columns of an entry that a list reads: those that it renders, and those that select the other rows to load. */
export type ListedEntry = Pick<
  EntryRow,
  | 'id'
  | 'content'
  | 'parentType'
  | 'parentId'
  | 'attachmentCount'
  | 'optionCount'
  | 'reactionCount'
  | 'embedId'
  | 'meetingId'
  | 'createdById'
  | 'modifiedById'
>;

const listedColumns = [
  'entries.id',
  shortText(sql.ref('entries.content')).as('content'),
  textBytes(sql.ref('entries.content')).as('bytes'),
  'entries.parent_type as parentType',
  'entries.parent_id as parentId',
  'entries.attachment_count as attachmentCount',
  'entries.option_count as optionCount',
  'entries.reaction_count as reactionCount',
  'entries.embed_id as embedId',
  'entries.meeting_id as meetingId',
  'entries.created_by_id as createdById',
  'entries.modified_by_id as modifiedById',
] as const;

/** Adds an entry. */
export const insertEntry = insertRow('entries', [
  'kind',
  'app_id',
  'parent_type',
  'parent_id',
  'content',
  'attachment_count',
  'option_count',
  'embed_id',
  'meeting_id',
  'created_at',
  'created_by_id',
]);

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

/** Puts an entry in the trash or takes it out. */
export const setEntryTrashed = updateRow('entries', ['content', 'trashed_at', 'trashed_by_id']);

/** Deletes the tags of an entry. */
export const deleteEntryTags = command<{ id: number }>()((q, value) =>
  q.deleteFrom('entry_tags').where('entry_id', '=', value('id')),
);

/** Writes the tags of an entry. */
export const insertEntryTags = command<{ id: number; appId: number; tags: readonly string[] }>()((q, value) =>
  q
    .insertInto('entry_tags')
    .columns(['app_id', 'tag', 'entry_id'])
    .expression(
      q
        .selectFrom(textsOf(value('tags'), 'given'))
        .select([
          sql<number>`${value('appId')}`.as('app_id'),
          sql<string>`given.value`.as('tag'),
          sql<number>`${value('id')}`.as('entry_id'),
        ]),
    ),
);

/** The parameters of every list of entries; those that a scope does not use may hold anything. */
export type EntryListParameters = {
  kind: EntryKind;
  parentType: string;
  parentId: number;
  appId: number;
  userId: number;
  directoryId: number;
  question: string;
  tag: string;
};

/** The entries of one parent, those on the posts and files of one app, those a user may see, or all. */
const entryScopes = ['parent', 'below', 'visible', 'all'] as const;
/** One of them. */
export type EntryScope = (typeof entryScopes)[number];

/** Entries of one kind. */
export const entryList = list<EntryListParameters>()({
  name: 'entries',
  filters: {
    scope: entryScopes,
    trashed: [false, true, null],
    hasQuestion: [false, true],
    hasTag: [false, true],
  },
  rows(q, value, { scope, trashed, hasQuestion, hasTag }) {
    const viewer = { userId: value('userId'), directoryId: value('directoryId') };
    // From the index of apps the planner would go app by app and sort everything when all apps are asked for, and within
    // each app through every id that a question or a tag finds.
    const isFromApps = scope === 'visible' && !hasQuestion && !hasTag;
    return (
      q
        .selectFrom('entries')
        .where('entries.kind', '=', value('kind'))
        .$if(scope === 'parent', (part) =>
          part
            .where('entries.parent_type', '=', value('parentType'))
            .where('entries.parent_id', '=', value('parentId')),
        )
        // Written out and not bound: the index of these comments alone is used only for a condition that is its own.
        .$if(scope === 'below', (part) =>
          part
            .where('entries.app_id', '=', value('appId'))
            .where(sql<boolean>`entries.parent_type <> 'app'`)
            .where(parentIsLive),
        )
        .$if(scope === 'visible' || scope === 'all', (part) =>
          part
            .where(
              isFromApps ? 'entries.app_id' : unindexed(sql.ref<number>('entries.app_id')),
              'in',
              (sub) =>
                sub
                  .selectFrom('apps')
                  .select('apps.id')
                  .where('apps.trashed_at', 'is', null)
                  .$if(scope === 'visible', (apps) => apps.where(visibleTo(sql.ref('apps.id'), viewer))),
            )
            .where(parentIsLive),
        )
        .$if(trashed === false, (part) => part.where('entries.trashed_at', 'is', null))
        .$if(trashed === true, (part) => part.where('entries.trashed_at', 'is not', null))
        .$if(hasTag, (part) =>
          part.where(
            matchesTag(sql.ref('entries.id'), 'entry', { tag: value('tag'), isAlone: !hasQuestion }),
          ),
        )
        .$if(hasQuestion, (part) =>
          part.where(matchesSearch(sql.ref('entries.id'), 'entry', value('question'))),
        )
    );
  },
  byIds: (q, ids) => q.selectFrom('entries').select(listedColumns).where('entries.id', 'in', ids),
  orders: {
    id: [],
    created_at: [{ by: sql`entries.created_at` }],
    modified_at: [{ by: sql`entries.modified_at`, hasNulls: true }],
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

/** The contents of entries that are too long for the list statement. */
export const contentsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(['id', 'content'])
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** How many comments the posts and files of an app have that are not in the trash, from their maintained counts. */
export const countBelow = query<{ appId: number }>()((q, value) =>
  q
    .selectFrom('tallies')
    .select([
      sql<number>`coalesce(sum(live), 0)`.as('live'),
      sql<number>`coalesce(sum(trashed), 0)`.as('trashed'),
    ])
    .where('kind', '=', 'comment')
    .where('app_id', '=', value('appId'))
    .where('is_hidden', '=', 0)
    .where('parent_type', '<>', 'app'),
);

/** How many entries all visible parents have, from their maintained counts. */
export const countAllEntries = cachedByShape((scope: 'visible' | 'all') =>
  query<{ kind: EntryKind; userId: number; directoryId: number }>()((q, value) =>
    q
      .selectFrom('tallies')
      .innerJoin('apps', 'apps.id', 'tallies.app_id')
      .select([
        sql<number>`coalesce(sum(tallies.live), 0)`.as('live'),
        sql<number>`coalesce(sum(tallies.trashed), 0)`.as('trashed'),
      ])
      .where('tallies.kind', '=', value('kind'))
      .where('tallies.is_hidden', '=', 0)
      .where('apps.trashed_at', 'is', null)
      .$if(scope === 'visible', (part) =>
        part.where(
          visibleTo(sql.ref('apps.id'), { userId: value('userId'), directoryId: value('directoryId') }),
        ),
      ),
  ),
);
