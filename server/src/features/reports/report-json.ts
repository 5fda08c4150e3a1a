import { timestamp } from 'confab-contract/values/time.ts';
import type { ReportRow } from '../../access/report/report.sql.ts';
import type { Read } from '../../db/db.ts';
import { type Json, json, jsonArray, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { visibleText } from '../../kernel/unseen.ts';
import { renderedUsers } from '../users/users.ts';
import { complaintsByIds, newestTexts } from './reports.store.ts';

/** The most texts that a single report shows. */
const textsMax = 100;

/** The complaint of one user about an item. */
export type Complaint = {
  readonly userId: number;
  readonly reason: string;
  readonly text: string | null;
  readonly createdAt: number;
};

/** The users that a report can have besides its own fields. */
const everyUser: ReadonlySet<string> = new Set(['author', 'resolved_by']);

function optional(name: string, value: Json | undefined): string {
  return value === undefined ? '' : `"${name}":${value},`;
}

/** The name of an item in JSON: its id and its kind. */
function renderEntity(type: string, id: number): Json {
  return json(`{"id":${id},"type":"${type}"}`);
}

function renderText({ userId, reason, text, createdAt }: Complaint): Json {
  return json(
    `{"reason":"${reason}","text":${jsonString(text ?? '')},"created_at":"${timestamp(createdAt)}","created_by_id":${userId}}`,
  );
}

/** The parts of a report that are not in its row. */
type ReportParts = {
  readonly texts: readonly Complaint[];
  readonly author?: Json | undefined;
  readonly resolvedBy?: Json | undefined;
};

/** A report as the contract defines it. */
function renderReport(report: ReportRow, { texts, author, resolvedBy }: ReportParts): Json {
  const decision =
    report.resolvedAt === null
      ? ''
      : `"action":"${report.action}","resolved_at":"${timestamp(report.resolvedAt)}",` +
        optional(
          'resolved_by_id',
          report.resolvedById === null ? undefined : json(String(report.resolvedById)),
        );
  return json(
    `{"id":${report.id},"app_id":${report.appId},"app":{"id":${report.appId},"uid":${jsonString(report.appUid)},` +
      `"type":"${report.appType}","display_name":${jsonString(visibleText(report.appName) ?? report.appUid)}},` +
      `"entity":${renderEntity(report.entityType, report.entityId)},` +
      optional('snapshot', report.snapshot === null ? undefined : json(report.snapshot)) +
      optional('held', report.held === null ? undefined : json(report.held)) +
      `"author_id":${report.authorId},${optional('author', author)}"state":"${report.isOpen === 1 ? 'open' : 'resolved'}",` +
      `"report_count":${report.reportCount},"new_report_count":${report.newCount},"reasons":${report.reasons},` +
      `"texts":${jsonArray(texts.map(renderText))},${decision}` +
      optional('note', report.note === null ? undefined : jsonString(report.note)) +
      optional('resolved_by', resolvedBy) +
      `"created_at":"${timestamp(report.createdAt)}","reported_at":"${timestamp(report.reportedAt)}"}`,
  );
}

/** A report in an event, with what its actor wrote. It repeats nothing of the item, so that deleting that is enough. */
export function renderReportEvent(report: ReportRow, texts: readonly Complaint[]): Json {
  return renderReport({ ...report, snapshot: null }, { texts: texts.filter(({ text }) => text !== null) });
}

/** A user's own report, as that user sees it. */
export function renderOwnReport(
  { type, id }: { readonly type: string; readonly id: number },
  { reason, text, createdAt }: Complaint,
): Json {
  const written = text === null ? '' : `"text":${jsonString(text)},`;
  return json(
    `{"entity":${renderEntity(type, id)},"reason":"${reason}",${written}"created_at":"${timestamp(createdAt)}"}`,
  );
}

/** The number of users who gave each reason, with one more. */
export function withReason(reasons: string, reason: string): string {
  const counts = JSON.parse(reasons) as { reason: string; count: number }[];
  const known = counts.find((each) => each.reason === reason);
  if (known === undefined) counts.push({ reason, count: 1 });
  else known.count += 1;
  return JSON.stringify(counts);
}

type Reader = { readonly read: Read; readonly caller: Principal };

async function usersOf(
  { read, caller }: Reader,
  reports: readonly ReportRow[],
  expand: ReadonlySet<string>,
): Promise<(report: ReportRow) => Pick<ReportParts, 'author' | 'resolvedBy'>> {
  const authorOf = (report: ReportRow) => (expand.has('author') ? report.authorId : 0);
  const resolverOf = (report: ReportRow) => (expand.has('resolved_by') ? (report.resolvedById ?? 0) : 0);
  const ids = reports.flatMap((report) => [authorOf(report), resolverOf(report)]).filter((id) => id !== 0);
  const users = await renderedUsers(read, caller, ids);
  return (report) => ({ author: users.get(authorOf(report)), resolvedBy: users.get(resolverOf(report)) });
}

/** Reports as a list shows them, with the users that `expand` names; two statements at most. */
export async function renderReports(
  reader: Reader,
  reports: readonly ReportRow[],
  expand: ReadonlySet<string>,
): Promise<Json[]> {
  const ids = reports.flatMap(({ textIds }) => JSON.parse(textIds) as number[]);
  const texts = ids.length === 0 ? [] : await reader.read.all(complaintsByIds, { ids });
  const byReport = Map.groupBy(texts, ({ reportId }) => reportId);
  const users = await usersOf(reader, reports, expand);
  return reports.map((report) =>
    renderReport(report, { texts: byReport.get(report.id) ?? [], ...users(report) }),
  );
}

/** A single report with its users and its newest texts. */
export async function reportDetail(reader: Reader, report: ReportRow): Promise<Json> {
  const texts = await reader.read.all(newestTexts, { reportId: report.id, top: textsMax });
  const users = await usersOf(reader, [report], everyUser);
  return renderReport(report, { texts, ...users(report) });
}
