import { sql } from 'kysely';
import { anyOf, rowCount } from '../../db/dialect.ts';
import { command } from '../../db/statement.ts';

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
