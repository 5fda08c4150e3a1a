import { readFileSync } from 'node:fs';
import { operationList } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operationTests } from '../../test/conformance/operation-tests.ts';
import { specifiedPairs } from '../../test/conformance/operations.ts';

const documentedPairs = operationList.flatMap(({ id, success, errors }) =>
  [...Object.keys(success), ...errors].map((status) => `${id} ${status}`),
);

/**
 * What no answer of a whole run on one engine has shown, one line each; prints how much was shown. The file has a line
 * `operation status test-file` for each answer.
 */
export function missing(coverageFile: string): string[] {
  const lines = new Set(readFileSync(coverageFile, 'utf8').split('\n'));
  const seen = [...lines].map((line) => {
    const [id = '', status = '', file = ''] = line.split(' ');
    return { id, status, file };
  });
  const pairs = new Set(seen.map(({ id, status }) => `${id} ${status}`));
  const unseen = (expected: readonly string[], what: string) => {
    const left = expected.filter((pair) => !pairs.has(pair));
    const count = `${expected.length - left.length} of ${expected.length}`;
    console.log(`  observed ${count} ${what} (operation, status) pairs`);
    return left;
  };
  const hasSucceeded = ({ id, success }: Operation, place: string) =>
    seen.some((each) => each.id === id && each.status in success && each.file.startsWith(place));
  const untried = operationList.filter((each) => !hasSucceeded(each, operationTests[each.id] ?? '-'));
  const unjudged = operationList.filter((each) => !hasSucceeded(each, 'test/access/'));
  const uncatalogued = operationList.filter(
    ({ id }) => !seen.some((each) => each.id === id && each.file.startsWith('test/catalogue/')),
  );
  return [
    ...unseen(specifiedPairs, 'specified'),
    ...unseen(documentedPairs, 'documented'),
    ...untried.map(({ id }) => `a success of ${id} in ${operationTests[id]}`),
    ...unjudged.map(({ id }) => `a success of ${id} in the access matrix`),
    ...uncatalogued.map(({ id }) => `${id} in the catalogue`),
  ];
}
