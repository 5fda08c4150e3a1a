/**
 * Everything a change must pass, in one command: `npm run verify`. All static steps run even if one of them fails, so
 * that one run shows every problem; the tests run once the steps have passed. `--static` leaves the tests out.
 */

import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** A command that passes when it exits with 0. */
interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const tidy = path.join(import.meta.dirname, 'tidy.ts');

const staticSteps: readonly Step[] = [
  // The types of the libraries are made, and the linter reads types.
  { name: 'made', command: ['node', 'tools/assemble.ts'] },
  // Biome counts the order of imports as neither format nor lint; `check` without the linter covers both.
  { name: 'format', command: ['biome', 'check', '--linter-enabled=false', '--max-diagnostics=none', '.'] },
  {
    name: 'lint',
    command: [
      'biome',
      'lint',
      '--error-on-warnings',
      '--diagnostic-level=warn',
      '--max-diagnostics=none',
      '.',
    ],
  },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'console', command: ['tsc', '-p', 'console'] },
  { name: 'elements', command: ['tsc', '-p', 'elements'] },
  { name: 'conformance', command: ['tsc', '-p', 'conformance'] },
  { name: 'imports', command: ['node', tidy, 'imports'] },
  { name: 'tidy', command: ['node', tidy, 'style'] },
  { name: 'unused', command: ['knip', '--no-progress'] },
  { name: 'generated', command: ['node', 'tools/generate.ts', '--check'] },
];

const tests: Step = { name: 'tests', command: ['npm', 'run', 'test:all', '--silent'] };

// Started without npm, the installed tools and the installed Node still come first.
const binaries = path.resolve('node_modules/.bin');
const environment = { ...process.env, PATH: `${binaries}${path.delimiter}${process.env.PATH ?? ''}` };

/** Runs the step and prints its line, and below it its output if it failed. */
function passes(step: Step): boolean {
  const [program, ...args] = step.command;
  const startedAt = performance.now();
  const result = spawnSync(program, args, {
    env: environment,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    // The tests take long enough that their progress is worth seeing.
    stdio: ['ignore', step === tests ? 'inherit' : 'pipe', step === tests ? 'inherit' : 'pipe'],
  });
  if (result.error !== undefined) throw result.error;
  const said = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim();
  const failure = said === '' ? `exit code ${result.status ?? result.signal}` : said;
  return report(step, performance.now() - startedAt, result.status === 0 ? undefined : failure);
}

function report(step: Step, durationMs: number, failure: string | undefined): boolean {
  const seconds = (durationMs / 1000).toFixed(1).padStart(6);
  console.log(`${failure === undefined ? 'ok  ' : 'FAIL'} ${step.name.padEnd(10)} ${seconds} s`);
  if (failure !== undefined) console.log(failure.replace(/^/gm, '     '));
  return failure === undefined;
}

const failed = staticSteps.filter((step) => !passes(step));
const isStaticOnly = process.argv.includes('--static');
if (failed.length === 0 && !isStaticOnly && !passes(tests)) failed.push(tests);

if (failed.length > 0) {
  console.log(`\nverify failed: ${failed.map((step) => step.name).join(', ')}`);
  process.exitCode = 1;
} else {
  console.log(`\nverify passed${isStaticOnly ? ' (without the tests)' : ''}`);
}
