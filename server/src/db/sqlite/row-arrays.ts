import type { SQLInputValue, StatementSync } from 'node:sqlite';

/**
 * The rows of a statement whose rows are arrays (`setReturnArrays`); `V` is narrower where the columns are known. The types of `node:sqlite` know rows as objects only;
 * `server/test/once/db/dialect.test.ts` and every test on SQLite read columns by their place and would find objects.
 */
export function arraysOf<V = unknown>(
  statement: StatementSync,
  values: readonly SQLInputValue[],
): readonly (readonly V[])[] {
  return statement.all(...values) as unknown as readonly (readonly V[])[];
}

/** The first of these rows; undefined where there is none. */
export function arrayOf(
  statement: StatementSync,
  values: readonly SQLInputValue[],
): readonly unknown[] | undefined {
  return statement.get(...values) as unknown as readonly unknown[] | undefined;
}
