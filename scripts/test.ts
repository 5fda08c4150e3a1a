/**
 * Runs the tests and says how much of the interface they have seen: `npm test` runs all of them and fails unless
 * every (operation, status) pair, of the specification and of the whole contract, was observed on a real answer, and
 * each operation succeeded in the test that docs/operations.md names and in the access matrix, and met the catalogue of
 * bad input; `npm test -- FILE…` runs some and gives no verdict on coverage. The last line is the totals.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { operationList } from '../src/contract/index.ts';
import type { Operation } from '../src/contract/operation.ts';
import { operationTests } from '../test/conformance/operation-tests.ts';
import { specifiedPairs } from '../test/conformance/operations.ts';

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('-'));
const flags = args.filter((arg) => arg.startsWith('-'));
const isWhole = files.length === 0 && flags.length === 0;

const documentedPairs = operationList.flatMap(({ id, success, errors }) =>
  [...Object.keys(success), ...errors].map((status) => `${id} ${status}`),
);

const folder = mkdtempSync(path.join(tmpdir(), 'confab-coverage-'));
const coverageFile = path.join(folder, 'observed');
writeFileSync(coverageFile, '');

// The tests of Node itself would take this run for one of their own.
const { NODE_TEST_CONTEXT: _, ...environment } = process.env;

/** Runs the tests, showing their report as it comes; answers the exit code and the line of totals. */
async function run(): Promise<{ code: number; totals: string }> {
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-concurrency=2',
      '--test-reporter=./scripts/test-reporter.ts',
      ...flags,
      ...(files.length > 0 ? files : ['test/**/*.test.ts']),
    ],
    { env: { ...environment, TEST_COVERAGE_FILE: coverageFile }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let totals = '';
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // Held back, so that what is said about coverage does not come after the totals.
      if (line.startsWith('totals: ')) totals = line.slice('totals: '.length);
      else process.stdout.write(`${line}\n`);
    }
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve(exitCode ?? 1));
  });
  return { code, totals };
}

/** What no answer of the whole run has shown, one line each; prints how much was shown. */
function missing(): string[] {
  const lines = new Set(readFileSync(coverageFile, 'utf8').split('\n'));
  const seen = [...lines].map((line) => {
    const [id = '', status = '', file = ''] = line.split(' ');
    return { id, status, file };
  });
  const pairs = new Set(seen.map(({ id, status }) => `${id} ${status}`));
  const unseen = (expected: readonly string[], what: string) => {
    const left = expected.filter((pair) => !pairs.has(pair));
    const count = `${expected.length - left.length} of ${expected.length}`;
    console.log(`observed ${count} ${what} (operation, status) pairs`);
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

try {
  const { code, totals } = await run();
  const faults = isWhole ? missing() : [];
  if (!isWhole) console.log('Only some of the tests were asked for: nothing is said about coverage.');
  for (const fault of faults) console.log(`  missing: ${fault}`);
  console.log(`totals: ${totals === '' ? 'the run ended without a summary' : totals}`);
  process.exitCode = code !== 0 || totals === '' || faults.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
