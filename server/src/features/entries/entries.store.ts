import { sql } from 'kysely';
import { entryColumns } from '../../access/entry/entry.sql.ts';
import { textsOf } from '../../db/dialect.ts';
import { command, insertRow, insertSelected, query, updateRow } from '../../db/statement.ts';

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
  'anchor',
  'anchor_key',
  'created_at',
  'created_by_id',
] as const;

const stateColumns = ['trashed_at', 'trashed_by_id', 'held_at', 'held_reason', 'is_unannounced'] as const;

/** Adds an entry. */
export const insertEntry = insertRow('entries', insertedColumns);

/** Adds an entry that begins a thread which is resolved. */
export const insertResolvedEntry = insertRow('entries', [...insertedColumns, 'resolved_at']);

/** Adds an entry that is held. */
export const insertHeldEntry = insertRow('entries', [...insertedColumns, ...stateColumns]);

/** Writes what an edit changed. */
export const updateEntry = updateRow('entries', [
  'content',
  'attachment_count',
  'option_count',
  'embed_id',
  'meeting_id',
  'anchor',
  'anchor_key',
  'modified_at',
  'modified_by_id',
]);

/** Puts an entry in the trash, holds it, or shows it again. */
export const setEntryState = updateRow('entries', ['content', ...stateColumns]);

/** Resolves the thread that an entry began, unless it is resolved. */
export const setEntryResolved = command<{
  id: number;
  content: string;
  resolvedAt: number | null;
  resolvedById: number | null;
}>()((q, value) =>
  q
    .updateTable('entries')
    .set({
      content: value('content'),
      resolved_at: value('resolvedAt'),
      resolved_by_id: value('resolvedById'),
    })
    .where('id', '=', value('id'))
    .where('resolved_at', 'is', null),
);

/** The comment that began a resolved thread, unless it is in the trash or held. */
export const resolvedRoot = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(entryColumns)
    .where('entries.id', '=', value('id'))
    .where('entries.resolved_at', 'is not', null)
    .where('entries.trashed_at', 'is', null),
);

/** Reopens the thread that an entry began, if it is resolved. */
export const setEntryOpen = command<{ id: number; content: string }>()((q, value) =>
  q
    .updateTable('entries')
    .set({ content: value('content'), resolved_at: null, resolved_by_id: null })
    .where('id', '=', value('id'))
    .where('resolved_at', 'is not', null),
);

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
