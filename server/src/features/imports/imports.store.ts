import { sql } from 'kysely';
import { anyOf, numberIn, numbersOf, rowCount, textIn, textsOf } from '../../db/dialect.ts';
import { givenRecords } from '../../db/records.ts';
import { command, insertSelected, query } from '../../db/statement.ts';
import { systemUserId } from '../users/users.sql.ts';

/** The items that an import made or needs, besides the sources of its comments. */
export type ItemType = 'comment' | 'post' | 'message' | 'file' | 'app' | 'user';

/**
 * The ids, among some of one source, that were imported before, with the comment of each. `isUndone` is 1 if taking an
 * import back put the comment in the trash, and it is still there.
 */
export const importedComments = query<{ source: string; sourceIds: readonly string[] }>()((q, value) =>
  q
    .selectFrom('imports')
    .select([
      'source_id as sourceId',
      'entity_id as commentId',
      sql<number>`case when exists (
        select 1 from imported_items join entries on entries.id = imported_items.entity_id
        where imported_items.entity_type = 'comment' and imported_items.entity_id = imports.entity_id
          and imported_items.undone_at is not null and entries.trashed_at is not null
      ) then 1 else 0 end`.as('isUndone'),
    ])
    .where('source', '=', value('source'))
    .where(anyOf(sql.ref('source_id'), value('sourceIds'))),
);

/** The uids, among some, that belong to an app. */
export const takenUids = query<{ uids: readonly string[] }>()((q, value) =>
  q
    .selectFrom('apps')
    .select('uid')
    .where(anyOf(sql.ref('uid'), value('uids'))),
);

/** Records the comment of each of some ids of a source; both arrays are in the same order. */
export const insertImported = command<{
  source: string;
  sourceIds: readonly string[];
  commentIds: readonly number[];
}>()((q, value) =>
  insertSelected(q, 'imports', {
    from: q
      .selectFrom(textsOf(value('sourceIds'), 'sources'))
      .innerJoin(numbersOf(value('commentIds'), 'comments'), 'comments.key', 'sources.key'),
    values: {
      source: value('source'),
      source_id: sql<string>`sources.value`,
      entity_type: sql<string>`'comment'`,
      entity_id: sql<number>`comments.value`,
    },
  }),
);

/** Records what an import made and needs; what it has recorded already stays as it is. */
export const insertItems = command<{ runId: number; items: string }>()((q, value) =>
  insertSelected(q, 'imported_items', {
    from: q
      .selectFrom(givenRecords(value('items')))
      // SQLite reads `on conflict` as the condition of a join otherwise.
      .where(sql<boolean>`true`),
    values: {
      run_id: value('runId'),
      entity_type: textIn('given', 'type'),
      entity_id: numberIn('given', 'id'),
      is_made: numberIn('given', 'isMade'),
    },
  }).onConflict((conflict) => conflict.columns(['run_id', 'entity_type', 'entity_id']).doNothing()),
);

/** Whether taking an import back put an item in the trash. */
export const undoneItem = query<{ type: ItemType; id: number }>()((q, value) =>
  q
    .selectFrom('imported_items')
    .select('run_id as runId')
    .where('entity_type', '=', value('type'))
    .where('entity_id', '=', value('id'))
    .where('undone_at', 'is not', null)
    .limit(sql.lit(1)),
);

/** Forgets that items of one type were taken back, because another import has restored them. */
export const forgetUndone = command<{ type: ItemType; ids: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('imported_items')
    .where('entity_type', '=', value('type'))
    .where(anyOf(sql.ref('entity_id'), value('ids')))
    .where('undone_at', 'is not', null),
);

/** The newest items of one type of an import that were not taken back. */
export const itemsOf = query<{ runId: number; type: ItemType; top: number }>()((q, value) =>
  q
    .selectFrom('imported_items')
    .select(['entity_id as id', 'is_made as isMade'])
    .where('run_id', '=', value('runId'))
    .where('entity_type', '=', value('type'))
    .where('undone_at', 'is', null)
    .orderBy('entity_id', 'desc')
    .limit(rowCount(value('top'))),
);

/** Notes of items of one type that taking an import back put them in the trash. */
export const setUndone = command<{ runId: number; type: ItemType; ids: readonly number[]; at: number }>()(
  (q, value) =>
    q
      .updateTable('imported_items')
      .set({ undone_at: value('at') })
      .where('run_id', '=', value('runId'))
      .where('entity_type', '=', value('type'))
      .where(anyOf(sql.ref('entity_id'), value('ids'))),
);

/** Forgets items of one type of an import, which are not its any longer. */
export const deleteItems = command<{ runId: number; type: ItemType; ids: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('imported_items')
    .where('run_id', '=', value('runId'))
    .where('entity_type', '=', value('type'))
    .where(anyOf(sql.ref('entity_id'), value('ids'))),
);

/** Makes an app or user that another import needs as well a thing of that one; none for one that no other needs. */
export const handOver = command<{ runId: number; type: ItemType; id: number; isMade: number }>()((q, value) =>
  q
    .updateTable('imported_items')
    .set({ is_made: sql`case when ${value('isMade')} = 1 then 1 else is_made end` })
    .where('entity_type', '=', value('type'))
    .where('entity_id', '=', value('id'))
    .where('run_id', '<>', value('runId'))
    .where('undone_at', 'is', null),
);

/** An app in which nothing is left and nobody has done anything else; undefined for any other. */
export const untouchedApp = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('apps')
    .select('id')
    .where('id', '=', value('id'))
    .where('trashed_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('modified_at', 'is', null)
    .where(
      sql<boolean>`not exists (select 1 from tallies
        where parent_type = 'app' and parent_id = apps.id
          and kind in ('comment', 'post', 'message', 'file') and live > 0)`,
    )
    // Members who were imported with the app have been there from its first moment on.
    .where(
      sql<boolean>`not exists (select 1 from members
        where app_id = apps.id and user_id <> ${sql.lit(systemUserId)} and created_at <> apps.created_at)`,
    ),
);

/** A user who has done nothing here: never signed in, wrote, joined or was changed; undefined for any other. */
export const untouchedUser = query<{ id: number; runId: number }>()((q, value) =>
  q
    .selectFrom('users')
    .select('id')
    .where('id', '=', value('id'))
    .where('trashed_at', 'is', null)
    .where('modified_at', 'is', null)
    .where(
      sql<boolean>`not exists (select 1 from access_tokens where user_id = users.id)
        and not exists (select 1 from members join apps on apps.id = members.app_id
          where members.user_id = users.id and (members.created_at <> apps.created_at
            or not exists (select 1 from imported_items where imported_items.run_id = ${value('runId')}
              and imported_items.entity_type = 'app' and imported_items.entity_id = apps.id
              and imported_items.undone_at is not null)))
        and not exists (select 1 from subscriptions where user_id = users.id)`,
    ),
);

/** The entries, among some, that are shown or were held from the first, and whose app is not in the trash. */
export const liveEntries = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('entries')
    .innerJoin('apps', 'apps.id', 'entries.app_id')
    .select('entries.id')
    .where(anyOf(sql.ref('entries.id'), value('ids')))
    .where(
      sql<boolean>`(entries.trashed_at is null or (entries.held_at is not null and entries.is_unannounced = 1))`,
    )
    .where('apps.trashed_at', 'is', null)
    .where('apps.deleted_at', 'is', null)
    .orderBy('entries.id', 'desc'),
);

/** The files, among some, that are not in the trash and whose app is not either. */
export const liveFiles = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('files')
    .innerJoin('apps', 'apps.id', 'files.app_id')
    .select('files.id')
    .where(anyOf(sql.ref('files.id'), value('ids')))
    .where('files.trashed_at', 'is', null)
    .where('apps.trashed_at', 'is', null)
    .where('apps.deleted_at', 'is', null)
    .orderBy('files.id', 'desc'),
);
