import { Problem } from 'confab-contract/problem.ts';
import type { ReportReason } from 'confab-contract/reports.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import type { ReadableFile } from '../../access/file/file-access.ts';
import type { ReportRow } from '../../access/report/report.sql.ts';
import type { Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import { type Json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { queuedEntry } from '../entries/entry-json.ts';
import { queuedFile } from '../files/file-json.ts';
import type { QueuedItem } from '../moderation/queue.ts';
import { actorOf } from '../users/user-json.ts';
import { type Complaint, renderOwnReport, renderReportEvent, withReason } from './report-json.ts';
import {
  complaintOf,
  countedComplaints,
  insertComplaint,
  insertReport,
  reportOf,
  updateReport,
} from './reports.store.ts';

/**
 * Reports bring content to the attention of moderators. There is one report for each reported or held item, in the queue
 * of those who moderate its app; what each user says about the item is a *complaint*, once for each user. A report is open
 * until a moderator resolves it, and opens again when another user complains (decision 0065).
 */

/** The most open reports that a user may have complained in, so that nobody floods the queue. */
const openReportsMax = 100;
/**
 * The most complaints since a report was opened that count towards the limits of their users, so that a decision ends
 * the counting of few rows.
 */
const countedMax = 1000;
/** How many of the newest texts a list shows of each report. */
const listedTextsMax = 3;

/** An entry or file as something to report. */
export function reportedOf(on: Pick<ReadableEntry, 'entry'> | Pick<ReadableFile, 'file'>): QueuedItem {
  return 'entry' in on ? queuedEntry(on.entry) : queuedFile(on.file);
}

/** The transaction of a report, who makes it, and when. */
type ReportChange = {
  readonly tx: Tx;
  readonly caller: Principal;
  readonly at: UnixMs;
  /** Whether the report counts, asked once the caller may make it; without this it does. */
  readonly counts?: () => Promise<boolean>;
};

/**
 * Reports an item for the user of the caller, once, and returns what they reported: the first report if they have
 * reported the item before. One that does not count is returned as well and changes nothing, so that nobody learns who else
 * has reported the item. Must run in a transaction that is not `adding`. Throws `too_many_reports` for a user with an access
 * token who has the most open reports.
 */
export async function reportItem(
  change: ReportChange,
  item: QueuedItem,
  { reason, text }: { readonly reason: ReportReason; readonly text: string | undefined },
): Promise<Json> {
  const { tx, caller, at, counts } = change;
  const userId = caller.user.id;
  const present = await tx.get(reportOf, { type: item.type, id: item.id });
  const known = present && (await tx.get(complaintOf, { reportId: present.id, userId }));
  if (known !== undefined) return renderOwnReport(item, known);
  if (caller.kind !== 'key') await assertMayReport(tx, userId);
  const complaint: Complaint = { userId, reason, text: text ?? null, createdAt: at };
  if ((await counts?.()) === false) return renderOwnReport(item, complaint);
  const report = present ?? (await createReport(change, item));
  const newCount = report.newCount + 1;
  const complaintId = await tx.insert(insertComplaint, {
    ...complaint,
    reportId: report.id,
    isCounted: newCount <= countedMax ? 1 : 0,
  });
  const changed = withComplaint(report, item, { complaint, complaintId, newCount });
  await tx.run(updateReport, { ...changed, at });
  await recordReport(change, changed, complaint);
  return renderOwnReport(item, complaint);
}

async function assertMayReport(tx: Tx, userId: number): Promise<void> {
  const complaints = await tx.get(countedComplaints, { userId, top: openReportsMax });
  if ((complaints?.count ?? 0) < openReportsMax) return;
  throw new Problem(
    'too_many_reports',
    `A user may have reported at most ${openReportsMax} items on which no moderator has decided.`,
    { headers: { 'retry-after': retryAfterSeconds } },
  );
}

/** When to try again: moderators decide within hours rather than seconds. */
const retryAfterSeconds = '3600';

async function createReport({ tx, at }: ReportChange, item: QueuedItem): Promise<ReportRow> {
  await tx.insert(insertReport, { ...item, at });
  const row = await tx.get(reportOf, { type: item.type, id: item.id });
  if (row === undefined) throw new Error('a report is gone inside its own transaction');
  return row;
}

/** The row of a report after a complaint, which opens it. A report that was resolved gets a fresh snapshot. */
function withComplaint(
  report: ReportRow,
  item: QueuedItem,
  { complaint, complaintId, newCount }: { complaint: Complaint; complaintId: number; newCount: number },
): ReportRow {
  const { reason, text, createdAt } = complaint;
  const textIds = JSON.parse(report.textIds) as number[];
  return {
    ...report,
    isOpen: 1,
    reportCount: report.reportCount + 1,
    newCount,
    reasons: withReason(report.reasons, reason),
    textIds:
      text === null ? report.textIds : JSON.stringify([complaintId, ...textIds].slice(0, listedTextsMax)),
    snapshot: newCount === 1 ? item.snapshot : report.snapshot,
    reportedAt: createdAt,
    resolvedAt: null,
    resolvedById: null,
    action: null,
    note: null,
  };
}

async function recordReport(
  { tx, caller, at }: ReportChange,
  report: ReportRow,
  complaint: Complaint,
): Promise<void> {
  await append(tx, {
    action: 'report_created',
    actor: actorOf(caller),
    // No user sees events without an app: this one names who reported the item.
    appId: null,
    entity: { id: report.id, json: renderReportEvent(report, [complaint]) },
    extra: { reason: jsonString(complaint.reason) },
    at,
  });
}
