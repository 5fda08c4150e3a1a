import { queryOf } from 'confab-server/src/db/postgres/connection.ts';
import type { Parameters, Statement } from 'confab-server/src/db/statement.ts';
import type { BothStores } from './both-stores.ts';

/** The part of a plan of PostgreSQL that counts. */
type Step = {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
};

/** A plan of PostgreSQL after it was carried out. */
export type Plan = {
  /** How many rows of a table were read, those that a condition left out as well. */
  readonly read: (table: string) => number;
  /** The plan as PostgreSQL tells it. */
  readonly text: string;
};

function sumOf(step: Step, part: (step: Step) => number): number {
  return (step.Plans ?? []).reduce(
    (sum, inner) => sum + sumOf(inner, part),
    part(step) * step['Actual Loops'],
  );
}

function literal(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return `'${String(value)}'`;
  return `'{${value.map((item) => JSON.stringify(item)).join()}}'`;
}

/**
 * Carries out a statement on PostgreSQL, planned for these parameters or for any.
 */
export async function planOn<R>(
  { postgres }: BothStores,
  statement: Statement<R>,
  { parameters, mode = 'custom' }: { readonly parameters: Parameters; readonly mode?: 'custom' | 'generic' },
): Promise<Plan> {
  const { text, values = [] } = queryOf(statement, { parameters }, { url: '', isPrepared: false });
  const given = values.length === 0 ? '' : `(${values.map(literal).join()})`;
  await postgres.query(`set plan_cache_mode = force_${mode}_plan; prepare planned as ${text}`);
  const { rows } = await postgres.query(`explain (analyze, format json) execute planned ${given}`);
  await postgres.query('deallocate planned');
  const told: unknown = rows[0]['QUERY PLAN'];
  const [{ Plan: plan }] = (typeof told === 'string' ? JSON.parse(told) : told) as [{ Plan: Step }];
  return {
    read: (table) =>
      sumOf(plan, (step) =>
        step['Relation Name'] === table ? step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) : 0,
      ),
    text: JSON.stringify(told),
  };
}
