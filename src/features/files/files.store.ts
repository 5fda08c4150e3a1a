import { type Expression, sql } from 'kysely';
import { anyOf, nullsLowest, numbersOf, rowCount, textsOf, unindexed } from '../../db/dialect.ts';
import { isFound, isTagged } from '../../db/filters.ts';
import { type Bind, type Builder, command, query, shaped } from '../../db/statement.ts';
import { visibleTo } from '../access/access.sql.ts';
import { filesFor } from '../access/file.sql.ts';

// Written out and not bound: an index of these files alone is used only for a condition that is its own.
const ofAnApp = sql<boolean>`files.parent_type = 'app'`;
const attached = sql<boolean>`files.parent_type <> 'app'`;

/** The file of an app that has a name, in the trash or not. */
export const fileByName = query<{ userId: number; appId: number; name: string }>()((q, value) =>
  filesFor(q, value)
    .where('files.app_id', '=', value('appId'))
    .where(ofAnApp)
    .where('files.name', '=', value('name')),
);

/** The attachments of some entries of one kind, in the order in which they were attached. */
export const attachmentsOfEntries = query<{ userId: number; kind: string; entryIds: readonly number[] }>()(
  (q, value) =>
    filesFor(q, value)
      .where(attached)
      .where('files.parent_type', '=', value('kind'))
      .where(anyOf(sql.ref('files.parent_id'), value('entryIds')))
      .orderBy('files.parent_id')
      .orderBy('files.id'),
);

/** Inserts a file of an app; no row comes back when the name is taken. */
export const insertFile = command<{
  appId: number;
  blobId: number;
  name: string;
  nameKey: string;
  metadata: string | null;
  tags: string;
  at: number;
  userId: number;
}>()((q, value) =>
  q
    .insertInto('files')
    .values({
      app_id: value('appId'),
      parent_type: 'app',
      parent_id: value('appId'),
      blob_id: value('blobId'),
      version: 1,
      name: value('name'),
      name_key: value('nameKey'),
      metadata: value('metadata'),
      tags: value('tags'),
      created_at: value('at'),
      created_by_id: value('userId'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

/** Gives a file of an app a content with the next version number, and takes it out of the trash if it is there. */
export const replaceContent = command<{ id: number; blobId: number; at: number; userId: number }>()(
  (q, value) =>
    q
      .updateTable('files')
      .set({
        blob_id: value('blobId'),
        version: sql`version + 1`,
        content_at: value('at'),
        content_by_id: value('userId'),
        modified_at: value('at'),
        modified_by_id: value('userId'),
        trashed_at: null,
        trashed_by_id: null,
      })
      .where('id', '=', value('id')),
);

/** Rewrites what is said about a file besides its content. */
export const updateFile = command<{
  id: number;
  name: string;
  nameKey: string;
  metadata: string | null;
  tags: string;
  at: number;
  userId: number;
}>()((q, value) =>
  q
    .updateTable('files')
    .set({
      name: value('name'),
      name_key: value('nameKey'),
      metadata: value('metadata'),
      tags: value('tags'),
      modified_at: value('at'),
      modified_by_id: value('userId'),
    })
    .where('id', '=', value('id')),
);

/** Puts a file in the trash or takes it out. */
export const setFileTrashed = command<{
  id: number;
  trashedAt: number | null;
  trashedById: number | null;
}>()((q, value) =>
  q
    .updateTable('files')
    .set({ trashed_at: value('trashedAt'), trashed_by_id: value('trashedById') })
    .where('id', '=', value('id')),
);

/** Makes attachments of an entry from blobs, in the order of the list. */
export const insertAttachments = command<{
  appId: number;
  kind: string;
  entryId: number;
  blobIds: readonly number[];
  at: number;
  userId: number;
}>()((q, value) =>
  q
    .insertInto('files')
    .columns([
      'app_id',
      'parent_type',
      'parent_id',
      'blob_id',
      'version',
      'name',
      'created_at',
      'created_by_id',
    ])
    .expression(
      q
        .selectFrom([numbersOf(value('blobIds'), 'given'), 'blobs'])
        .select([
          sql<number>`${value('appId')}`.as('app_id'),
          sql<string>`${value('kind')}`.as('parent_type'),
          sql<number>`${value('entryId')}`.as('parent_id'),
          sql<number>`blobs.id`.as('blob_id'),
          sql<number>`1`.as('version'),
          sql<string>`blobs.name`.as('name'),
          sql<number>`${value('at')}`.as('created_at'),
          sql<number>`${value('userId')}`.as('created_by_id'),
        ])
        .where(sql<boolean>`blobs.id = given.value`)
        .orderBy(sql`given.key`),
    ),
);

/** The files that hang on some entries of one kind. */
export const filesOfEntries = query<{ kind: string; entryIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('files')
    .select(['id', 'blob_id as blobId'])
    .where(attached)
    .where('parent_type', '=', value('kind'))
    .where(anyOf(sql.ref('parent_id'), value('entryIds'))),
);

/** Forgets the tags of some files. */
export const deleteTagsOfFiles = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('file_tags').where(anyOf(sql.ref('file_id'), value('ids'))),
);

/** Subscribes a user to a file; twice is once. */
export const insertSubscription = command<{ userId: number; id: number }>()((q, value) =>
  q
    .insertInto('subscriptions')
    .values({ user_id: value('userId'), entity_type: 'file', entity_id: value('id') })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Ends a subscription to a file. */
export const deleteSubscription = command<{ userId: number; id: number }>()((q, value) =>
  q
    .deleteFrom('subscriptions')
    .where('user_id', '=', value('userId'))
    .where('entity_type', '=', 'file')
    .where('entity_id', '=', value('id')),
);

/** Ends every subscription to some files. */
export const deleteSubscriptionsToFiles = command<{ ids: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('subscriptions')
    .where('entity_type', '=', 'file')
    .where(anyOf(sql.ref('entity_id'), value('ids'))),
);

/** Removes files for good. */
export const deleteFiles = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('files').where(anyOf(sql.ref('id'), value('ids'))),
);

/** The attachments on some parents of one type, and those on the comments of these parents, that are not in the trash. */
export const filesBelow = query<{ type: string; ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('files')
    .select('id')
    .where(attached)
    .where('parent_type', '=', value('type'))
    .where(anyOf(sql.ref('parent_id'), value('ids')))
    .where('trashed_at', 'is', null)
    .unionAll(
      q
        .selectFrom('entries')
        // A cross join keeps its order: the few comments first, then their files, never all files of comments.
        .crossJoin('files')
        .select('files.id')
        .where(attached)
        .whereRef('files.parent_type', '=', 'entries.kind')
        .whereRef('files.parent_id', '=', 'entries.id')
        .where('entries.parent_type', '=', value('type'))
        .where(anyOf(sql.ref('entries.parent_id'), value('ids')))
        .where('entries.kind', '=', 'comment')
        .where('entries.attachment_count', '>', 0)
        .where('entries.trashed_at', 'is', null)
        .where('files.trashed_at', 'is', null),
    ),
);

/** Marks what is counted under some parents as out of sight, or in sight again. */
export const setHidden = command<{ type: string; ids: readonly number[]; isHidden: number }>()((q, value) =>
  q
    .updateTable('tallies')
    .set({ is_hidden: value('isHidden') })
    .where('parent_type', '=', value('type'))
    .where(anyOf(sql.ref('parent_id'), value('ids'))),
);

/** Forgets the tags of a file. */
export const deleteFileTags = command<{ id: number }>()((q, value) =>
  q.deleteFrom('file_tags').where('file_id', '=', value('id')),
);

/** Writes the tags of a file. */
export const insertFileTags = command<{ id: number; appId: number; tags: readonly string[] }>()((q, value) =>
  q
    .insertInto('file_tags')
    .columns(['app_id', 'tag', 'file_id'])
    .expression(
      q
        .selectFrom(textsOf(value('tags'), 'given'))
        .select([
          sql<number>`${value('appId')}`.as('app_id'),
          sql<string>`given.value`.as('tag'),
          sql<number>`${value('id')}`.as('file_id'),
        ]),
    ),
);

/** What decides the text of a file list statement; every part has few values. */
export type FileListShape = {
  readonly scope: 'app' | 'visible' | 'all';
  readonly order: 'id' | 'name' | 'size' | 'created_at' | 'modified_at' | 'timestamp';
  readonly descending: boolean;
  readonly trashed: boolean | null;
  readonly hasQuestion: boolean;
  readonly hasTag: boolean;
};

/** The parameters of every file list; those a shape does not use are ignored. `userId` is the caller's. */
export type FileListParameters = {
  appId: number;
  userId: number;
  directoryId: number;
  question: string;
  tag: string;
  top: number;
  skip: number;
};

const orderColumns: { readonly [O in FileListShape['order']]: Expression<unknown> } = {
  id: sql.ref('files.id'),
  name: sql.ref('files.name_key'),
  size: sql`(select size from blobs where blobs.id = files.blob_id)`,
  created_at: sql.ref('files.created_at'),
  modified_at: sql.ref('files.modified_at'),
  timestamp: sql`coalesce(files.modified_at, files.created_at)`,
};

function filtered(q: Builder, value: Bind<FileListParameters>, shape: FileListShape) {
  const viewer = { userId: value('userId'), directoryId: value('directoryId') };
  return (
    q
      .selectFrom('files')
      .where(ofAnApp)
      .$if(shape.scope === 'app', (part) => part.where('files.app_id', '=', value('appId')))
      // Asked of each file in the order of the list, so that the first page does not wait for all of them.
      .$if(shape.scope !== 'app', (part) =>
        part.where(
          sql<boolean>`exists (select 1 from apps where apps.id = files.app_id and apps.trashed_at is null)`,
        ),
      )
      // As in `entries.store.ts`: what a question or a tag finds is walked once, not once for each app.
      .$if(shape.scope === 'visible', (part) =>
        part.where(
          visibleTo(
            shape.hasQuestion || shape.hasTag ? unindexed(sql.ref('files.app_id')) : sql.ref('files.app_id'),
            viewer,
          ),
        ),
      )
      .$if(shape.trashed === false, (part) => part.where('files.trashed_at', 'is', null))
      .$if(shape.trashed === true, (part) => part.where('files.trashed_at', 'is not', null))
      .$if(shape.hasTag, (part) =>
        part.where(isTagged(sql.ref('files.id'), 'file', { tag: value('tag'), isAlone: !shape.hasQuestion })),
      )
      .$if(shape.hasQuestion, (part) => part.where(isFound(sql.ref('files.id'), 'file', value('question'))))
  );
}

/** A page of files. The ids come from an index first, so that skipping does not read rows. */
export const listFiles = shaped((key: string) => {
  const shape = JSON.parse(key) as FileListShape;
  const direction = shape.descending ? 'desc' : 'asc';
  const first = shape.order === 'modified_at' ? nullsLowest(direction) : direction;
  const order = orderColumns[shape.order];
  return query<FileListParameters>()((q, value) => {
    const ids = filtered(q, value, shape)
      .select('files.id')
      .orderBy(order, first)
      .$if(shape.order !== 'id', (part) => part.orderBy('files.id', direction))
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip')));
    return filesFor(q, value)
      .where('files.id', 'in', ids)
      .orderBy(order, first)
      .$if(shape.order !== 'id', (part) => part.orderBy('files.id', direction));
  });
});

/** How many files a list with a question or a tag has. */
export const countFiles = shaped((key: string) => {
  const shape = JSON.parse(key) as FileListShape;
  return query<FileListParameters>()((q, value) =>
    filtered(q, value, shape).select((part) => part.fn.countAll<number>().as('count')),
  );
});

/** How many files all visible apps have, from their maintained counts. */
export const countAllFiles = shaped((scope: 'visible' | 'all') =>
  query<{ userId: number; directoryId: number }>()((q, value) =>
    q
      .selectFrom('tallies')
      .innerJoin('apps', 'apps.id', 'tallies.app_id')
      .select([
        sql<number>`coalesce(sum(tallies.live), 0)`.as('live'),
        sql<number>`coalesce(sum(tallies.trashed), 0)`.as('trashed'),
      ])
      .where('tallies.kind', '=', 'file')
      .where('apps.trashed_at', 'is', null)
      .$if(scope === 'visible', (part) =>
        part.where(
          visibleTo(sql.ref('apps.id'), { userId: value('userId'), directoryId: value('directoryId') }),
        ),
      ),
  ),
);
