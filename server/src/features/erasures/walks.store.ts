import { type SqlBool, sql } from 'kysely';
import { entryColumns } from '../../access/entry/entry.sql.ts';
import { anyOf, containsAny, rowCount } from '../../db/dialect.ts';
import { type Bind, type Builder, command, query, updateRow } from '../../db/statement.ts';
import type { NotificationTable } from '../../db/tables/notifications.ts';

/**
 * Tables that no index reads by user are walked from the newest id down: each statement finds what concerns a user among
 * the ids from `from` to below `below`, the highest first.
 */

/** The parameters of such a statement. `needles` are the texts by which a stored text may be about the user. */
export type WalkedIds = {
  userId: number;
  needles: readonly string[];
  from: number;
  below: number;
  top: number;
};

const isInStep = (value: Bind<WalkedIds>, id = 'id') =>
  sql<boolean>`(${sql.ref(id)} >= ${value('from')} and ${sql.ref(id)} < ${value('below')})`;

/** Whether one of some columns is the user, or a text says something about the user. */
const isAbout = (value: Bind<WalkedIds>, text: string, columns: readonly string[]) =>
  sql<boolean>`(${sql.join(
    [
      ...columns.map((column) => sql`${sql.ref(column)} = ${value('userId')}`),
      containsAny(sql.ref(text), value('needles')),
    ],
    sql` or `,
  )})`;

/** The reactions of a user. */
export const reactionsFrom = query<WalkedIds>()((q, value) =>
  q
    .selectFrom('reactions')
    .select(['id', 'entry_id as entryId'])
    .where(isInStep(value))
    .where('created_by_id', '=', value('userId'))
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);

/** The votes of a user, with the polls as ids. */
export const votesFrom = query<WalkedIds>()((q, value) =>
  q
    .selectFrom('votes')
    .select(['entry_id as id', 'option_id as optionId'])
    .where(isInStep(value, 'entry_id'))
    .where('user_id', '=', value('userId'))
    .orderBy('entry_id', 'desc')
    .limit(rowCount(value('top'))),
);

const entryFacts = [
  'id',
  'kind',
  'app_id as appId',
  'parent_type as parentType',
  'parent_id as parentId',
  'content',
  'created_by_id as createdById',
  'trashed_at as trashedAt',
  'held_at as heldAt',
] as const;

/** The entries that a user wrote or that mention the user. */
export const entriesFrom = query<WalkedIds>()((q, value) =>
  q
    .selectFrom('entries')
    .select(entryFacts)
    .where(isInStep(value))
    .where(isAbout(value, 'content', ['created_by_id']))
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);

/** Writes the content of an entry. */
export const setContent = updateRow('entries', ['content']);

/** Revisions of entries that a user wrote or is mentioned in. */
export const revisionsFrom = query<WalkedIds>()((q, value) =>
  q
    .selectFrom('revisions')
    .select(['id', 'content', 'created_by_id as createdById'])
    .where(isInStep(value))
    .where(isAbout(value, 'content', ['created_by_id']))
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);

/** Makes some revisions those of another user. */
export const giveRevisions = command<{ ids: readonly number[]; heirId: number }>()((q, value) =>
  q
    .updateTable('revisions')
    .set({ created_by_id: value('heirId') })
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** Writes the content of an entry that has another author. */
export const setAuthor = updateRow('entries', [
  'content',
  'created_by_id',
  'modified_by_id',
  'trashed_by_id',
]);

/** Some entries as they are stored. */
export const entriesByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(entryColumns)
    .where(anyOf(sql.ref('entries.id'), value('ids')))
    .orderBy('entries.id'),
);

/** Makes what a user attached to some comments that of the heir. */
export const giveFiles = command<{ entryIds: readonly number[]; userId: number; heirId: number }>()(
  (q, value) =>
    q
      .updateTable('files')
      .set({ created_by_id: value('heirId') })
      // The first condition is that of the index.
      .where(sql<boolean>`parent_type <> 'app'`)
      .where('parent_type', '=', 'comment')
      .where(anyOf(sql.ref('parent_id'), value('entryIds')))
      .where('created_by_id', '=', value('userId')),
);

/** The same for the bytes of these files; returns their sizes. */
export const giveBlobs = command<{ entryIds: readonly number[]; userId: number; heirId: number }>()(
  (q, value) =>
    q
      .updateTable('blobs')
      .set({ created_by_id: value('heirId') })
      .where('created_by_id', '=', value('userId'))
      .where('id', 'in', (sub) =>
        sub
          .selectFrom('files')
          .select('blob_id')
          .where(sql<boolean>`parent_type <> 'app'`)
          .where('parent_type', '=', 'comment')
          .where(anyOf(sql.ref('parent_id'), value('entryIds'))),
      )
      .returning(['size']),
);

/** Deletes some revisions. */
export const deleteRevisions = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('revisions').where(anyOf(sql.ref('id'), value('ids'))),
);

/** Writes what a revision says. */
export const setRevision = updateRow('revisions', ['content']);

// The blobs of a user: their uploads, and uploads by an API key that they used.
const isPutInBy = (userId: unknown, by: unknown) =>
  sql<boolean>`(blobs.created_by_id = ${userId} or (blobs.created_by_id = 1 and ${by} = ${userId}))`;

/** The files whose present content a user put in. */
export const filesFrom = query<WalkedIds>()((q, value) =>
  q
    .selectFrom('files')
    .innerJoin('blobs', 'blobs.id', 'files.blob_id')
    .select([
      'files.id',
      'files.app_id as appId',
      'files.parent_type as parentType',
      'files.parent_id as parentId',
      'files.blob_id as blobId',
      'files.version',
      'files.created_by_id as createdById',
      'files.created_at as createdAt',
      'files.trashed_at as trashedAt',
      'files.held_at as heldAt',
    ])
    .where(isInStep(value, 'files.id'))
    .where(isPutInBy(value('userId'), sql`coalesce(files.content_by_id, files.created_by_id)`))
    .orderBy('files.id', 'desc')
    .limit(rowCount(value('top'))),
);

/** The earlier contents of files that a user put in, with the files as ids. */
export const versionsFrom = query<WalkedIds>()((q, value) =>
  q
    .selectFrom('file_versions')
    .innerJoin('blobs', 'blobs.id', 'file_versions.blob_id')
    .select(['file_versions.file_id as id', 'file_versions.number', 'file_versions.blob_id as blobId'])
    .where(isInStep(value, 'file_versions.file_id'))
    .where(isPutInBy(value('userId'), sql.ref('file_versions.created_by_id')))
    .orderBy('file_versions.file_id', 'desc')
    .orderBy('file_versions.number', 'desc')
    .limit(rowCount(value('top'))),
);

/** Deletes earlier contents of a file. */
export const deleteVersions = command<{ fileId: number; numbers: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('file_versions')
    .where('file_id', '=', value('fileId'))
    .where(anyOf(sql.ref('number'), value('numbers'))),
);

/** The newest earlier content of a file. */
export const newestVersion = query<{ fileId: number }>()((q, value) =>
  q
    .selectFrom('file_versions')
    .select(['number', 'blob_id as blobId', 'created_at as createdAt', 'created_by_id as createdById'])
    .where('file_id', '=', value('fileId'))
    .orderBy('number', 'desc')
    .limit(sql.lit(1)),
);

/** Makes an earlier content of a file the present one, under the next number. */
export const setFileContent = command<{
  id: number;
  blobId: number;
  contentAt: number;
  contentById: number;
}>()((q, value) =>
  q
    .updateTable('files')
    .set({
      blob_id: value('blobId'),
      version: sql`version + 1`,
      content_at: value('contentAt'),
      content_by_id: value('contentById'),
    })
    .where('id', '=', value('id')),
);

/** The JSON of an entry's attachments. */
export const entryForCount = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(['id', 'content', 'attachment_count as attachmentCount'])
    .where('id', '=', value('id')),
);

/** Writes the number of attachments of an entry. */
export const setAttachmentCount = updateRow('entries', ['content', 'attachment_count']);

/** The attachments of some entries of one kind that a user made. */
export const countAttachments = query<{ kind: string; entryIds: readonly number[]; userId: number }>()(
  (q, value) =>
    q
      .selectFrom('files')
      .select((file) => file.fn.countAll<number>().as('count'))
      .where(sql<boolean>`files.parent_type <> 'app'`)
      .where('parent_type', '=', value('kind'))
      .where(anyOf(sql.ref('parent_id'), value('entryIds')))
      .where('created_by_id', '=', value('userId')),
);

/** The events that a user caused, that are for the user or that say something about the user. */
export const eventsFrom = query<WalkedIds>()((q, value) =>
  q
    .selectFrom('events')
    .select(['id', 'payload'])
    .where(isInStep(value))
    .where(isAbout(value, 'payload', ['actor_id', 'user_id']))
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);

const noticesAbout = (table: NotificationTable) => (q: Builder, value: Bind<WalkedIds>) =>
  q
    .selectFrom(table as 'notifications')
    .select(['id', 'user_id as userId', 'actor_id as actorId', 'template', 'args', 'read_at as readAt'])
    .select(sql<number>`${sql.lit(table === 'notifications' ? 0 : 1)}`.as('isHidden'))
    .where(isInStep(value))
    .where(isAbout(value, 'args', ['actor_id']));

/**
 * The notifications of other users about what a user did, or whose values name the user. Both tables are walked at once,
 * because a notification may move from one to the other meanwhile.
 */
export const notificationsFrom = query<WalkedIds>()((q, value) =>
  noticesAbout('notifications')(q, value)
    .unionAll(noticesAbout('hidden_notifications')(q, value))
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);

/** Writes the sentence of a notification of either table. */
export const setWording = {
  notifications: updateRow('notifications', ['template', 'args', 'words']),
  hidden_notifications: updateRow('hidden_notifications', ['template', 'args', 'words']),
};

/** The kept answers that say something about a user. */
export const answersFrom = query<WalkedIds>()((q, value) =>
  q
    .selectFrom('kept_answers')
    .select(['id', sql<string>`body`.as('body')])
    .where(isInStep(value))
    .where('body', 'is not', null)
    .where(isAbout(value, 'body', []))
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);

/** Writes the body of a kept answer. */
export const setAnswer = updateRow('kept_answers', ['body']);

/**
 * The condition of the index `entries_edited`. As `is not null`, PostgreSQL would find it in each list by `modified_at` and
 * read all of that index for a page.
 */
const wasEdited = sql<SqlBool>`coalesce(modified_at, 0) > 0`;

/** Entries of others that were changed since they were made and mention a user. */
export const editedFrom = query<WalkedIds>()((q, value) =>
  q
    .selectFrom('entries')
    .select(entryFacts)
    .where(isInStep(value))
    .where(wasEdited)
    .where('created_by_id', '<>', value('userId'))
    .where(isAbout(value, 'content', []))
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);

const lastIdOf = <T extends 'reactions' | 'entries' | 'revisions' | 'files' | 'events' | 'kept_answers'>(
  table: T,
) =>
  query<{ below: number }>()((q, value) =>
    q
      .selectFrom(table as 'entries')
      .select((part) => part.fn.max('id').as('id'))
      .where('id', '<', value('below')),
  );

/** The newest id below one of each table that is walked; votes and versions are walked by their polls and files. */
export const newestIds = {
  reactions: lastIdOf('reactions'),
  votes: query<{ below: number }>()((q, value) =>
    q
      .selectFrom('votes')
      .select((part) => part.fn.max('entry_id').as('id'))
      .where('entry_id', '<', value('below')),
  ),
  revisions: lastIdOf('revisions'),
  entries: lastIdOf('entries'),
  edited_entries: query<{ below: number }>()((q, value) =>
    q
      .selectFrom('entries')
      .select((part) => part.fn.max('id').as('id'))
      .where(wasEdited)
      .where('id', '<', value('below')),
  ),
  file_versions: query<{ below: number }>()((q, value) =>
    q
      .selectFrom('file_versions')
      .select((part) => part.fn.max('file_id').as('id'))
      .where('file_id', '<', value('below')),
  ),
  files: lastIdOf('files'),
  events: lastIdOf('events'),
  notifications: query<{ below: number }>()((q, value) =>
    q.selectNoFrom(
      sql<number | null>`(select max(id) from (
        select max(id) as id from notifications where id < ${value('below')}
        union all select max(id) from hidden_notifications where id < ${value('below')}) as newest)`.as('id'),
    ),
  ),
  kept_answers: lastIdOf('kept_answers'),
};
