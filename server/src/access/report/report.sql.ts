import { sql } from 'kysely';
import type { Builder, RowOf } from '../../db/statement.ts';

/** Reports in apps that are not in the trash, with the app. */
export function reportsInApps(q: Builder) {
  return q
    .selectFrom('reports')
    .innerJoin('apps', 'apps.id', 'reports.app_id')
    .where('apps.trashed_at', 'is', null);
}

/** The columns of a report with its app. */
export const reportColumns = [
  'reports.id',
  'reports.app_id as appId',
  'apps.type as appType',
  'apps.uid as appUid',
  'apps.name as appName',
  'reports.entity_type as entityType',
  'reports.entity_id as entityId',
  'reports.author_id as authorId',
  'reports.is_open as isOpen',
  'reports.report_count as reportCount',
  'reports.new_count as newCount',
  'reports.reasons',
  'reports.text_ids as textIds',
  'reports.snapshot',
  'reports.held',
  'reports.created_at as createdAt',
  'reports.reported_at as reportedAt',
  'reports.resolved_at as resolvedAt',
  'reports.resolved_by_id as resolvedById',
  'reports.action',
  'reports.note',
] as const;

/** A reported or held item with its app, as stored. Times are Unix milliseconds, `isOpen` is 1 or 0. */
export type ReportRow = RowOf<'reports' | 'apps', typeof reportColumns>;

/** Since when the item of a row of `reports` is held, in Unix milliseconds; null while it is not. */
export const heldAtOfReport = sql<number | null>`case reports.entity_type
  when 'file' then (select held_at from files where files.id = reports.entity_id and files.trashed_at is not null)
  else (select held_at from entries where entries.id = reports.entity_id and entries.kind = reports.entity_type
    and entries.trashed_at is not null) end`;
