import { sql } from 'kysely';
import { list } from '../../db/list.ts';
import { insertRow, query, type RowOf, updateRow } from '../../db/statement.ts';

const columns = [
  'id',
  'kind',
  'name',
  'blob_id as blobId',
  'keeps_emails as keepsEmails',
  'state',
  'error',
  'planned',
  'made',
  'undone',
  'created_at as createdAt',
  'api_key_id as apiKeyId',
  'started_at as startedAt',
  'finished_at as finishedAt',
  'undone_at as undoneAt',
  'attempts',
  'replies',
  'site',
] as const;

/** An import as stored. */
export type ImportRow = RowOf<'import_runs', typeof columns>;

/** Adds an import. */
export const insertRun = insertRow('import_runs', [
  'kind',
  'name',
  'blob_id',
  'keeps_emails',
  'replies',
  'site',
  'state',
  'planned',
  'made',
  'created_at',
  'api_key_id',
  'started_at',
  'finished_at',
]);

/** Writes where an import is. */
export const updateRun = updateRow('import_runs', [
  'blob_id',
  'state',
  'error',
  'planned',
  'made',
  'undone',
  'started_at',
  'finished_at',
  'undone_at',
  'attempts',
]);

/** An import by its id. */
export const runById = query<{ id: number }>()((q, value) =>
  q.selectFrom('import_runs').select(columns).where('id', '=', value('id')),
);

/**
 * The next import to work on: dry runs first, which are short, then imports to take back, then imports to write; the
 * oldest of each first. A dry run from before `expired` is over.
 */
export const nextRun = query<{ expired: number }>()((q, value) =>
  q
    .selectFrom('import_runs')
    .select(columns)
    .where('state', 'in', [sql.lit('reading'), sql.lit('ready'), sql.lit('running'), sql.lit('undoing')])
    // Imports by the command have no file here.
    .where((where) => where.or([where('blob_id', 'is not', null), where('state', '=', sql.lit('undoing'))]))
    .where((where) =>
      where.or([where('state', '<>', sql.lit('ready')), where('created_at', '<', value('expired'))]),
    )
    .orderBy(sql`case state when 'ready' then 0 when 'reading' then 1 when 'undoing' then 2 else 3 end`)
    .orderBy('id')
    .limit(sql.lit(1)),
);

/** The list of imports. */
export const importList = list()({
  name: 'imports',
  filters: {},
  rows: (q) => q.selectFrom('import_runs').select(columns),
  orders: { id: [], created_at: [{ by: sql.ref('created_at') }] },
  id: sql.ref('id'),
});
