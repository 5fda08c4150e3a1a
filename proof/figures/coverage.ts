import { existsSync, readFileSync } from 'node:fs';
import { engines } from 'confab-tools/runner/engines.ts';
import { recordFile, type TestRecord } from 'confab-tools/runner/record.ts';
import type { FigureRow, PartFigures } from './data.ts';

/** How many statuses that were not observed are named. */
const namedMax = 20;

/** What the last whole run of the tests in this checkout has observed of the documented statuses; undefined without one. */
export function coverageFigures(): PartFigures | undefined {
  if (!existsSync(recordFile)) return undefined;
  return coverageOf(JSON.parse(readFileSync(recordFile, 'utf8')) as TestRecord);
}

/** The figures of a record. Throws an Error for a run with failures, which says nothing about a release. */
export function coverageOf({ run, tests, failed, coverage }: TestRecord): PartFigures {
  if (failed > 0) throw new Error(`${failed} of the ${tests} tests of the last run failed`);
  const statuses = new Set(
    engines.flatMap((engine) => coverage[engine]?.statuses.map(({ status }) => status) ?? []),
  );
  const rows = [...statuses]
    .sort((one, other) => one - other)
    .map((status): FigureRow => {
      const of = (engine: (typeof engines)[number]) =>
        coverage[engine]?.statuses.find((each) => each.status === status);
      const documented = Math.max(...engines.map((engine) => of(engine)?.documented ?? 0));
      return {
        name: String(status),
        unit: 'operations',
        values: {
          documented,
          sqlite: of('sqlite')?.observed ?? null,
          // Backups can be made on SQLite alone, so fewer operations answer on PostgreSQL.
          documentedPostgres: of('postgres')?.documented ?? null,
          postgres: of('postgres')?.observed ?? null,
        },
      };
    });
  const unseen = engines.flatMap((engine) =>
    (coverage[engine]?.unseen ?? []).map((pair) => `${pair} on ${engine}`),
  );
  const named = unseen.slice(0, namedMax).join(', ');
  const more = unseen.length > namedMax ? ` and ${unseen.length - namedMax} more` : '';
  const seen = unseen.length === 0 ? 'every documented status was observed' : `not observed: ${named}${more}`;
  return {
    run,
    command: 'npm run test:all',
    note: `${tests} tests, none of which failed; ${seen}`,
    tables: { statuses: rows },
  };
}
