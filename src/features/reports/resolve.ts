import { type Call, handler } from '../../binding/handler.ts';
import { reportOperations } from '../../contract/reports.ts';
import { append } from '../../events/events.ts';
import { invalidField } from '../../kernel/problem.ts';
import { entryAccess } from '../access/entry-access.ts';
import { fileAccess } from '../access/file-access.ts';
import { suspendableUser } from '../access/user-access.ts';
import { endComplaints } from '../complaints/complaints.ts';
import type { Links } from '../entries/entries.ts';
import { holdEntry } from '../entries/hold.ts';
import { trashEntry } from '../entries/trash.ts';
import { putOnHold } from '../files/hold.ts';
import { putInTrash } from '../files/trash.ts';
import { actorOf } from '../users/user-json.ts';
import { changeUser } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import { renderReportEvent, reportDetail } from './report-json.ts';
import { resolveReportRow } from './reports.store.ts';

/** The rights on each kind of entry. */
const entries = {
  comment: entryAccess('comment'),
  post: entryAccess('post'),
  message: entryAccess('message'),
};

type Resolving = Call<typeof reportOperations.resolveReport>;

/**
 * Resolves a report. Of several decisions the first one counts, because each of two moderators believes to have seen the
 * report open. Throws `validation_failed` for another decision than the present one.
 */
export const resolveReport = handler(reportOperations.resolveReport, async (call, parts: Links) => {
  const { tx, caller, at, on: report, body } = call;
  const { action, note = null } = body;
  const author = action === 'suspend' ? await suspendableUser(tx, caller, report.authorId) : undefined;
  if (author?.id === systemUserId)
    throw invalidField('/action', 'immutable', 'cannot suspend the built-in user of the system');
  if (report.isOpen === 0 && report.action !== action)
    throw invalidField('/action', 'resolved', `comes too late: the decision was ${report.action}`);
  if (report.isOpen === 0) return await reportDetail({ read: tx, caller }, report);
  if (action !== 'keep') await removeItem(call, parts);
  if (author !== undefined) await changeUser(call, author, { isSuspended: true, values: {} });
  const decision = { isOpen: 0, newCount: 0, action, note, resolvedAt: at, resolvedById: caller.user.id };
  const resolved = { ...report, ...decision };
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
});

/** Holds the reported item or puts it in the trash, as its own operations do. Throws `not_found` where it cannot be reached. */
async function removeItem(call: Resolving, { links }: Links): Promise<void> {
  const { tx, caller, on: report, body } = call;
  const isHeld = body.action === 'hold';
  const ref = { id: report.entityId };
  const lookup = { read: tx, caller, ref, isTrashedIncluded: true };
  if (report.entityType === 'file') {
    const change = { ...call, links, on: await fileAccess.moderate(lookup) };
    await (isHeld ? putOnHold(change) : putInTrash(change));
    return;
  }
  const on = await entries[report.entityType as keyof typeof entries].moderate(lookup);
  await (isHeld ? holdEntry : trashEntry)({ ...call, on }, { links });
}
