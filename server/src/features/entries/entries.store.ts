import { sql } from 'kysely';
import { textsOf } from '../../db/dialect.ts';
import { command, insertRow, insertSelected, updateRow } from '../../db/statement.ts';

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
