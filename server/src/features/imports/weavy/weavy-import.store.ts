import { sql } from 'kysely';
import { anyOf, numberIn, textIn } from '../../../db/dialect.ts';
import { givenRecords } from '../../../db/records.ts';
import { command, insertSelected, query } from '../../../db/statement.ts';

/** Whether the thing of a row of `imports` is there and in the given state. */
function isThere(state: 'live' | 'trashed') {
  const trashedAt = state === 'live' ? sql`is null` : sql`is not null`;
  const deletedAt = state === 'live' ? sql`and apps.deleted_at is null` : sql``;
  return sql<boolean>`(
    exists (select 1 from entries where imports.entity_type in ('comment', 'post', 'message')
      and entries.id = imports.entity_id and entries.trashed_at ${trashedAt})
    or exists (select 1 from files where imports.entity_type = 'file'
      and files.id = imports.entity_id and files.trashed_at ${trashedAt})
    or exists (select 1 from users where imports.entity_type = 'user'
      and users.id = imports.entity_id and users.trashed_at ${trashedAt})
    or exists (select 1 from apps where imports.entity_type = 'app'
      and apps.id = imports.entity_id and apps.trashed_at ${trashedAt} ${deletedAt}))`;
}

/**
 * What was imported before, among some ids of one source. `isLive` is 1 for what is there and not in the trash, `isUndone`
 * for what taking an import back put there.
 */
export const importedThings = query<{ source: string; sourceIds: readonly string[] }>()((q, value) =>
  q
    .selectFrom('imports')
    .select([
      'source_id as sourceId',
      'entity_id as id',
      sql<number>`case when ${isThere('live')} then 1 else 0 end`.as('isLive'),
      sql<number>`case when ${isThere('trashed')}
        and exists (select 1 from imported_items where imported_items.entity_type = imports.entity_type
          and imported_items.entity_id = imports.entity_id and imported_items.undone_at is not null)
        then 1 else 0 end`.as('isUndone'),
    ])
    .where('source', '=', value('source'))
    .where(anyOf(sql.ref('source_id'), value('sourceIds'))),
);

/** Records what became of some ids of a source: `things` is a JSON array of objects with `sourceId`, `type` and `id`. */
export const insertThings = command<{ source: string; things: string }>()((q, value) =>
  insertSelected(q, 'imports', {
    // SQLite reads `on conflict` as the condition of a join otherwise.
    from: q.selectFrom(givenRecords(value('things'))).where(sql<boolean>`true`),
    values: {
      source: value('source'),
      source_id: textIn('given', 'sourceId'),
      entity_type: textIn('given', 'type'),
      entity_id: numberIn('given', 'id'),
    },
  }).onConflict((conflict) => conflict.columns(['source', 'source_id']).doNothing()),
);
