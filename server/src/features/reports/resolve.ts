import { invalidField } from 'confab-contract/problem.ts';
import { reportOperations } from 'confab-contract/reports.ts';
import { entryAccess } from '../../access/entry/entry-access.ts';
import { fileAccess } from '../../access/file/file-access.ts';
import type { ReportRow } from '../../access/report/report.sql.ts';
import { suspendableUser } from '../../access/user/user-access.ts';
import { type Call, handler } from '../../binding/handler.ts';
import { append } from '../../events/events.ts';
import type { Json } from '../../kernel/json.ts';
import type { Links } from '../entries/entries.ts';
import { holdEntry } from '../entries/hold.ts';
import { restoreEntry, trashEntry } from '../entries/trash.ts';
import { putOnHold } from '../files/hold.ts';
import { putInTrash, showFile } from '../files/trash.ts';
import { endComplaints } from '../moderation/queue.ts';
import { actorOf } from '../users/user-json.ts';
import { changeUser } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import { renderReportEvent, reportDetail } from './report-json.ts';
import { reportOf, resolveReportRow } from './reports.store.ts';

/** The rights on each kind of entry. */
const entries = {
  comment: entryAccess('comment'),
  post: entryAccess('post'),
  message: entryAccess('message'),
};

type Resolving = Pick<Call<typeof reportOperations.resolveReport>, 'tx' | 'caller' | 'at' | 'on' | 'body'>;

/** Resolves a report. */
export const resolveReport = handler(reportOperations.resolveReport, async (call, parts: Links) =>
  resolve(call, parts),
);

/**
 * Resolves a report. Of several decisions the first one counts, because each of two moderators believes to have seen the
 * report open. Throws `validation_failed` for another decision than the present one.
 */
export async function resolve(call: Resolving, parts: Links): Promise<Json> {
  const { tx, caller, at, on: report, body } = call;
  const { action, note = null } = body;
  const author = action === 'suspend' ? await suspendableUser(tx, caller, report.authorId) : undefined;
  if (author?.id === systemUserId)
    throw invalidField('/action', 'immutable', 'cannot suspend the built-in user of the system');
  if (report.isOpen === 0 && report.action !== action)
    throw invalidField('/action', 'resolved', `comes too late: the decision was ${report.action}`);
  if (report.isOpen === 0) return await reportDetail({ read: tx, caller }, report);
  const decided = action === 'keep' && report.held === null ? report : await decide(call, parts);
  if (author !== undefined) await changeUser(call, author, { isSuspended: true, values: {} });
  const decision = { isOpen: 0, newCount: 0, action, note, resolvedAt: at, resolvedById: caller.user.id };
  const resolved = { ...decided, ...decision };
  await tx.run(resolveReportRow, { id: report.id, ...decision });
  await endComplaints(tx, [report.id]);
  await append(tx, {
    action: 'report_resolved',
    actor: actorOf(caller),
    appId: null,
    entity: { id: report.id, json: renderReportEvent(resolved, []) },
    at,
  });
  return await reportDetail({ read: tx, caller }, resolved);
}

/**
 * Approves, holds or trashes the item of a report, as its own operations do, and returns the report, which follows the
 * item's state. Throws `not_found` where the item cannot be reached.
 */
async function decide(call: Resolving, { links }: Links): Promise<ReportRow> {
  const { tx, caller, on: report, body } = call;
  const { action } = body;
  const { entityType: type, entityId: id } = report;
  const lookup = { read: tx, caller, ref: { id }, isTrashedIncluded: action !== 'keep' };
  if (type === 'file') {
    const change = { ...call, links };
    if (action === 'keep') await showFile({ ...change, on: await fileAccess.approve(lookup) });
    else
      await (action === 'hold' ? putOnHold : putInTrash)({
        ...change,
        on: await fileAccess.moderate(lookup),
      });
  } else {
    const access = entries[type as keyof typeof entries];
    if (action === 'keep') await restoreEntry({ ...call, on: await access.approve(lookup) }, { links });
    else
      await (action === 'hold' ? holdEntry : trashEntry)(
        { ...call, on: await access.moderate(lookup) },
        { links },
      );
  }
  return (await tx.get(reportOf, { type, id })) ?? report;
}
