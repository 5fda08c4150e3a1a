import { readFileSync } from 'node:fs';
import { operationList } from 'confab-contract/index.ts';
import { type Operation, takesIdempotencyKey } from 'confab-contract/operation.ts';
import { ownStatusesOf, problemCodesOf } from 'confab-server/src/http/openapi/operation-facts.ts';
import { operationTests } from 'confab-testing/operation-tests.ts';
import { specifiedPairs } from 'confab-testing/operations.ts';
import type { Engine } from './engines.ts';

const documentedPairs = operationList.flatMap((operation) =>
  [...Object.keys(operation.success), ...ownStatusesOf(operation)].map(
    (status) => `${operation.id} ${status}`,
  ),
);

/** Each operation with each problem of an `Idempotency-Key` that it can answer, beside a status of its own. */
const keyPairs = operationList
  .filter(takesIdempotencyKey)
  .flatMap(({ id }) => [`${id} idempotency_key_in_use`, `${id} idempotency_key_reused`]);

/** Each operation with each declared code of its 403. */
const refusalPairs = operationList
  .filter(({ errors }) => errors.includes(403))
  .flatMap((operation) => problemCodesOf(operation, 403).map((code) => `${operation.id} ${code}`));

/** What can succeed on SQLite alone. */
const onlyOnSqlite = ['createBackup', 'verifyBackup', 'downloadBackup'];

/** How many operations document a status, and of how many a run has observed it. */
export type StatusCount = { readonly status: number; readonly documented: number; readonly observed: number };

/** Each documented status, ascending, as a run on an engine has observed it, and the pairs `operation status` that it has not. */
export type StatusCoverage = {
  readonly statuses: readonly StatusCount[];
  readonly unseen: readonly string[];
};

/** Reads the file of `missing` by status. What can succeed on SQLite alone counts there alone. */
export function statusCoverage(coverageFile: string, engine: Engine): StatusCoverage {
  const seen = new Set(
    readFileSync(coverageFile, 'utf8')
      .split('\n')
      .map((line) => line.split(' ').slice(0, 2).join(' ')),
  );
  const pairs = documentedPairs.filter((pair) => engine === 'sqlite' || !isOfSqliteAlone(pair));
  const byStatus = Map.groupBy(pairs, (pair) => Number(pair.split(' ')[1]));
  return {
    statuses: [...byStatus]
      .map(([status, own]) => ({
        status,
        documented: own.length,
        observed: own.filter((pair) => seen.has(pair)).length,
      }))
      .sort((one, other) => one.status - other.status),
    unseen: pairs.filter((pair) => !seen.has(pair)),
  };
}

function isOfSqliteAlone(line: string): boolean {
  return onlyOnSqlite.some((id) => line.includes(id));
}

/**
 * What no answer of a whole run on one engine has shown, one line each; prints how much was shown. The file has a line
 * `operation status test-file` for each answer, and after it the code of a 403, 409 or 422.
 */
export function missing(coverageFile: string, engine: Engine | undefined): string[] {
  const lines = new Set(readFileSync(coverageFile, 'utf8').split('\n'));
  const seen = [...lines].map((line) => {
    const [id = '', status = '', file = '', code = ''] = line.split(' ');
    return { id, status, file, code };
  });
  const pairs = new Set(seen.flatMap(({ id, status, code }) => [`${id} ${status}`, `${id} ${code}`]));
  const unseen = (expected: readonly string[], what: string) => {
    const left = expected.filter((pair) => !pairs.has(pair));
    console.log(`  observed ${expected.length - left.length} of ${expected.length} ${what}`);
    return left;
  };
  const hasSucceeded = ({ id, success }: Operation, place: string) =>
    seen.some((each) => each.id === id && each.status in success && each.file.includes(place));
  const untried = operationList.filter((each) => !hasSucceeded(each, operationTests[each.id] ?? '-'));
  const unjudged = operationList.filter((each) => !hasSucceeded(each, '/access/'));
  const uncatalogued = operationList.filter(
    ({ id }) => !seen.some((each) => each.id === id && each.file.includes('/catalogue/')),
  );
  const found = [
    ...unseen(specifiedPairs, 'specified (operation, status) pairs'),
    ...unseen(documentedPairs, 'documented (operation, status) pairs'),
    ...unseen(refusalPairs, 'documented (operation, code of a 403) pairs'),
    ...unseen(keyPairs, 'documented (operation, code of a key) pairs'),
    ...untried.map(
      ({ id }) =>
        `a success of ${id} in ${operationTests[id]} (if another file tests it, name that in testing/src/operation-tests.ts)`,
    ),
    ...unjudged.map(
      ({ id }) =>
        `a success of ${id} in the access matrix (add a row, to server/test/access/neighbours.ts for the content of an app)`,
    ),
    ...uncatalogued.map(
      ({ id }) =>
        `${id} in the catalogue of bad input (a row in server/test/access/neighbours.ts adds it, others are in server/test/catalogue/)`,
    ),
  ];
  return found.filter((line) => engine !== 'postgres' || !isOfSqliteAlone(line));
}
