import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunFacts } from 'confab-testing/harness/run-facts.ts';
import { type StatusCoverage, statusCoverage } from './coverage.ts';
import { type Engine, engines } from './engines.ts';

/** What a whole run of the tests has shown, for `npx node proof/figures.ts`. Each run writes it anew; it is not part of the repository. */
export const recordFile = 'artifacts/tests.json';

/** The record of a whole run. */
export type TestRecord = {
  readonly run: RunFacts;
  readonly tests: number;
  readonly failed: number;
  /** By the engines that were run. */
  readonly coverage: { readonly [E in Engine]?: StatusCoverage };
};

/** Writes the record of a run, whose coverage of an engine is in the file `coverage-ENGINE` of a folder. */
export function writeRecord(
  folder: string,
  { judged, ...totals }: Omit<TestRecord, 'coverage'> & { readonly judged: readonly Engine[] },
): void {
  const coverage = Object.fromEntries(
    engines
      .filter((engine) => judged.includes(engine))
      .map((engine) => [engine, statusCoverage(path.join(folder, `coverage-${engine}`), engine)]),
  );
  mkdirSync(path.dirname(recordFile), { recursive: true });
  writeFileSync(recordFile, `${JSON.stringify({ ...totals, coverage })}\n`);
}
