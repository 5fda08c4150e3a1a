import { sql } from 'kysely';
import { moderatedBy } from '../../access/access.sql.ts';
import { reportColumns, reportsInApps } from '../../access/report/report.sql.ts';
import { anyOf, rowCount } from '../../db/dialect.ts';
import { list } from '../../db/list.ts';
import { command, insertRow, query, updateRow } from '../../db/statement.ts';

/** The report of an item. */
export const reportOf = query<{ type: string; id: number }>()((q, value) =>
  reportsInApps(q)
    .select(reportColumns)
    .where('reports.entity_type', '=', value('type'))
    .where('reports.entity_id', '=', value('id')),
);

/** Adds an open report that nobody has made yet. */
export const insertReport = command<{
  appId: number;
  type: string;
  id: number;
  authorId: number;
  at: number;
}>()((q, value) =>
  q.insertInto('reports').values({
    app_id: value('appId'),
    entity_type: value('type'),
    entity_id: value('id'),
    author_id: value('authorId'),
    is_open: 1,
    report_count: 0,
    new_count: 0,
    reasons: '[]',
    text_ids: '[]',
    snapshot: null,
    created_at: value('at'),
    reported_at: value('at'),
  }),
);

/** Writes what another complaint changes, which opens the report. */
export const updateReport = command<{
  id: number;
  newCount: number;
  reasons: string;
  textIds: string;
  snapshot: string | null;
  at: number;
}>()((q, value) =>
  q
    .updateTable('reports')
    .set({
      is_open: 1,
      report_count: sql`report_count + 1`,
      new_count: value('newCount'),
      reasons: value('reasons'),
      text_ids: value('textIds'),
      snapshot: value('snapshot'),
      reported_at: value('at'),
      resolved_at: null,
      resolved_by_id: null,
      action: null,
      note: null,
    })
    .where('id', '=', value('id')),
);

/** Writes a decision. */
export const resolveReportRow = updateRow('reports', [
  'is_open',
  'new_count',
  'resolved_at',
  'resolved_by_id',
  'action',
  'note',
]);

/** Adds what a user said about a report. */
export const insertComplaint = insertRow('complaints', [
  'report_id',
  'user_id',
  'reason',
  'text',
  'created_at',
  'is_counted',
]);

const complaintColumns = [
  'id',
  'report_id as reportId',
  'user_id as userId',
  'reason',
  'text',
  'created_at as createdAt',
] as const;

/** The complaint of a user about an item. */
export const complaintOf = query<{ reportId: number; userId: number }>()((q, value) =>
  q
    .selectFrom('complaints')
    .select(complaintColumns)
    .where('report_id', '=', value('reportId'))
    .where('user_id', '=', value('userId')),
);

/** Some complaints by id, the newest first. */
export const complaintsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('complaints')
    .select(complaintColumns)
    .where(anyOf(sql.ref('id'), value('ids')))
    .orderBy('id', 'desc'),
);

/** The newest complaints of a report that have a text, at most `top`. */
export const newestTexts = query<{ reportId: number; top: number }>()((q, value) =>
  q
    .selectFrom('complaints')
    .select(complaintColumns)
    .where('report_id', '=', value('reportId'))
    .where('text', 'is not', null)
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);

/** How many complaints count towards the limit of a user, at most `top`. */
export const countedComplaints = query<{ userId: number; top: number }>()((q, value) =>
  q
    .selectFrom((sub) =>
      sub
        .selectFrom('complaints')
        .select('id')
        .where('user_id', '=', value('userId'))
        .where('is_counted', '=', sql.lit(1))
        .limit(rowCount(value('top')))
        .as('counted'),
    )
    .select((part) => part.fn.countAll<number>().as('count')),
);

/** The scope of the queue: all reports, or those that a user moderates by role, in their directory or everywhere. */
export const reportReaches = ['all', 'roles', 'directory', 'everywhere'] as const;

/** The reported and held items of apps that are not in the trash; for a user, without those that they wrote. */
export const reportList = list<{
  userId: number;
  directoryId: number;
  appId: number;
  authorId: number;
  reason: string;
}>()({
  name: 'reports',
  filters: {
    reach: reportReaches,
    state: [null, 'open', 'resolved'],
    hasApp: [false, true],
    hasAuthor: [false, true],
    hasReason: [false, true],
    held: [null, false, true],
  },
  candidates: (q, value, { reach, state, hasApp, hasAuthor, hasReason, held }) =>
    q
      .selectFrom('reports')
      .where((where) =>
        where.exists(
          where
            .selectFrom('apps')
            .select(sql.lit(1).as('one'))
            .whereRef('apps.id', '=', 'reports.app_id')
            .where('apps.trashed_at', 'is', null),
        ),
      )
      .$if(reach !== 'all', (part) =>
        part
          .where('reports.author_id', '<>', value('userId'))
          .where(
            moderatedBy(
              sql.ref('reports.app_id'),
              { userId: value('userId'), directoryId: value('directoryId') },
              reach === 'all' ? 'roles' : reach,
            ),
          ),
      )
      .$if(hasApp, (part) => part.where('reports.app_id', '=', value('appId')))
      .$if(hasAuthor, (part) => part.where('reports.author_id', '=', value('authorId')))
      // Literals, because an index is used only for a condition that is literally its own.
      .$if(state !== null, (part) => part.where('reports.is_open', '=', sql.lit(state === 'open' ? 1 : 0)))
      .$if(held !== null, (part) => part.where('reports.held', held === true ? 'is not' : 'is', null))
      .$if(hasReason, (part) =>
        part.where(sql<boolean>`reports.reasons like '%"' || ${value('reason')} || '"%'`),
      ),
  byIds: (q, ids) => reportsInApps(q).select(reportColumns).where('reports.id', 'in', ids),
  orders: {
    id: [],
    created_at: [{ by: sql`reports.created_at` }],
    reported_at: [{ by: sql`reports.reported_at` }],
    report_count: [{ by: sql`reports.report_count` }],
  },
  id: sql`reports.id`,
});
