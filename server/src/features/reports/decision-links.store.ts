import { heldAtOfReport } from '../../access/report/report.sql.ts';
import { query } from '../../db/statement.ts';

/** Since when an item is held, in Unix milliseconds; null while it is not. */
export const heldSince = query<{ type: string; id: number }>()((q, value) =>
  q
    .selectFrom('reports')
    .select(heldAtOfReport.as('at'))
    .where('entity_type', '=', value('type'))
    .where('entity_id', '=', value('id')),
);
