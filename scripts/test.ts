/**
 * Runs the tests and says how much of the interface they have seen: `npm test` runs all of them and fails unless
 * every specified (operation, status) pair was observed on a real answer; `npm test -- FILE…` runs some and gives no
 * verdict on coverage. The last line is the totals.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { specifiedPairs } from '../test/conformance/operations.ts';

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('-'));
const flags = args.filter((arg) => arg.startsWith('-'));
const isWhole = files.length === 0 && flags.length === 0;

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

/** The pairs that no answer has had, or undefined when only some of the tests were asked for. */
function missingPairs(): string[] | undefined {
  if (!isWhole) return undefined;
  const observed = new Set(readFileSync(coverageFile, 'utf8').split('\n'));
  return specifiedPairs.filter((pair) => !observed.has(pair));
}

try {
  const { code, totals } = await run();
  const missing = missingPairs();
  if (missing === undefined) {
    console.log('Only some of the tests were asked for: nothing is said about coverage.');
  } else {
    const observed = specifiedPairs.length - missing.length;
    console.log(`observed ${observed} of ${specifiedPairs.length} (operation, status) pairs`);
    for (const pair of missing) console.log(`  missing: ${pair}`);
  }
  console.log(`totals: ${totals === '' ? 'the run ended without a summary' : totals}`);
  process.exitCode = code !== 0 || totals === '' || (missing?.length ?? 0) > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
