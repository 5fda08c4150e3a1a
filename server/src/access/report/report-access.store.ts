import { query } from '../../db/statement.ts';
import { reportColumns, reportsInApps } from './report.sql.ts';

/** A report by its id, unless its app is in the trash. */
export const reportById = query<{ id: number }>()((q, value) =>
  reportsInApps(q).select(reportColumns).where('reports.id', '=', value('id')),
);
