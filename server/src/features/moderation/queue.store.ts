import { sql } from 'kysely';
import { anyOf, rowCount, wholeNumber } from '../../db/dialect.ts';
import { command } from '../../db/statement.ts';

/** Puts a held item into the queue, where nobody has reported it, or opens its report again. */
export const openForHeld = command<{
  appId: number;
  type: string;
  id: number;
  authorId: number;
  snapshot: string;
  held: string;
  at: number;
}>()((q, value) => {
  const queueColumns = {
    is_open: 1,
    snapshot: value('snapshot'),
    held: value('held'),
    reported_at: value('at'),
  };
  const undecided = { resolved_at: null, resolved_by_id: null, action: null, note: null };
  return q
    .insertInto('reports')
    .values({
      ...queueColumns,
      app_id: value('appId'),
      entity_type: value('type'),
      entity_id: value('id'),
      author_id: value('authorId'),
      report_count: 0,
      new_count: 0,
      reasons: '[]',
      text_ids: '[]',
      created_at: value('at'),
    })
    .onConflict((conflict) =>
      conflict.columns(['entity_type', 'entity_id']).doUpdateSet({ ...queueColumns, ...undecided }),
    );
});

/** Writes that an item is not held any more, which resolves its report unless a user has reported it as well. */
export const closeForHeld = command<{
  type: string;
  id: number;
  action: string;
  byId: number;
  at: number;
}>()((q, value) => {
  const isDecided = sql<boolean>`is_open = 1 and new_count = 0`;
  return q
    .updateTable('reports')
    .set({
      held: null,
      is_open: sql`case when ${isDecided} then 0 else is_open end`,
      action: sql`case when ${isDecided} then cast(${value('action')} as text) else action end`,
      resolved_by_id: sql`case when ${isDecided} then ${wholeNumber(value('byId'))} else resolved_by_id end`,
      resolved_at: sql`case when ${isDecided} then ${wholeNumber(value('at'))} else resolved_at end`,
    })
    .where('entity_type', '=', value('type'))
    .where('entity_id', '=', value('id'));
});

/** Ends the counting of the complaints of some reports. */
export const endCounting = command<{ reportIds: readonly number[] }>()((q, value) =>
  q
    .updateTable('complaints')
    .set({ is_counted: 0 })
    .where(anyOf(sql.ref('report_id'), value('reportIds')))
    .where('is_counted', '=', sql.lit(1)),
);

/** Resolves the open reports of deleted items, and removes what all of their reports show of them. */
export const closeReports = command<{ type: string; ids: readonly number[]; at: number }>()((q, value) =>
  q
    .updateTable('reports')
    .set({
      snapshot: null,
      held: null,
      is_open: 0,
      new_count: 0,
      action: sql`coalesce(action, 'delete')`,
      resolved_at: sql`coalesce(resolved_at, ${value('at')})`,
    })
    .where('entity_type', '=', value('type'))
    .where(anyOf(sql.ref('entity_id'), value('ids')))
    .returning('id'),
);

/** Removes the first reports of an app; the schema removes what was said about them. */
export const deleteReportsOfApp = command<{ id: number; top: number }>()((q, value) =>
  q.deleteFrom('reports').where('id', 'in', (sub) =>
    sub
      .selectFrom('reports')
      .select('id')
      .where('app_id', '=', value('id'))
      .limit(rowCount(value('top'))),
  ),
);
