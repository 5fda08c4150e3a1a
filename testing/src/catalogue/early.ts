import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Engine } from 'confab-server/src/db/statement.ts';
import { engine } from '../stores/databases.ts';

/**
 * Selects from rows with an outcome that is decided before the store is used (decision 0105): on SQLite all
 * rows, on PostgreSQL only the first, which shows that the decision is also made there.
 */
export function decidedEarly<Row>(rows: readonly Row[]): readonly Row[] {
  return engine === 'postgres' ? rows.slice(0, 1) : rows;
}

/** Prints how many rows a catalogue has tried. Fails unless there are more than `least` of this engine. */
export function assertRowCount(
  t: TestContext,
  { of, rows, least }: { of: string; rows: number; least: { readonly [E in Engine]: number } },
): void {
  t.diagnostic(`catalogue of ${of}: ${rows} rows, each with its exact status`);
  assert.ok(rows > least[engine], `${rows} rows`);
}
