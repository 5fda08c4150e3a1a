import { sql } from 'kysely';
import type { EntryKind } from '../../access/entry/entry.sql.ts';
import { anyOf, rowCount } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

type Entries = { ids: readonly number[] };

/** The first entries of a parent, in the trash or not. */
export const entriesBelow = query<{ parentType: string; parentId: number; kind: EntryKind; top: number }>()(
  (q, value) =>
    q
      .selectFrom('entries')
      .select(['id', 'trashed_at as trashedAt', 'held_at as heldAt'])
      .where('parent_type', '=', value('parentType'))
      .where('parent_id', '=', value('parentId'))
      .where('kind', '=', value('kind'))
      .orderBy('id')
      .limit(rowCount(value('top'))),
);

/** Removes the tags of some entries. */
export const deleteTagsOfEntries = command<Entries>()((q, value) =>
  q.deleteFrom('entry_tags').where(anyOf(sql.ref('entry_id'), value('ids'))),
);

/** Removes the options of some entries; the schema removes the votes for them. */
export const deleteOptionsOfEntries = command<Entries>()((q, value) =>
  q.deleteFrom('options').where(anyOf(sql.ref('entry_id'), value('ids'))),
);

/** Removes entries; the schema removes their revisions and the reactions to them. */
export const deleteEntries = command<Entries>()((q, value) =>
  q.deleteFrom('entries').where(anyOf(sql.ref('id'), value('ids'))),
);
