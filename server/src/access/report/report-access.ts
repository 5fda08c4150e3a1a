import { notFound } from 'confab-contract/problem.ts';
import { findApp } from '../access.ts';
import { idOf, type Lookup } from '../lookup.ts';
import { moderates } from '../standing.ts';
import type { ReportRow } from './report.sql.ts';
import { reportById } from './report-access.store.ts';

declare const moderated: unique symbol;

/** A report that the caller sees and decides on. */
export type ModeratedReport = ReportRow & { readonly [moderated]: true };

/**
 * The one right on reports, which the moderators of the app have. A report about content of the caller does not exist for
 * the caller, because it shows who reported it. Throws `not_found`.
 */
export const reportAccess = {
  async moderate({ read, caller, ref }: Lookup): Promise<ModeratedReport> {
    const report = await read.get(reportById, { id: idOf(ref) });
    if (report === undefined) throw notFound('report');
    const app = await findApp(read, caller, { id: report.appId });
    const isOwn = caller.kind === 'token' && report.authorId === caller.user.id;
    if (app === undefined || !moderates(app) || isOwn) throw notFound('report');
    return report as ModeratedReport;
  },
};
