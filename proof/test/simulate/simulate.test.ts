import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const script = join(import.meta.dirname, '../../simulate.ts');
const run = promisify(execFile);

async function simulate(...given: readonly string[]): Promise<string> {
  return (await run(process.execPath, [script, ...given])).stdout;
}

/** What is promised about time holds on a simulated clock; `npx node proof/simulate.ts` says so of far more hours. */
describe('the simulated clock', () => {
  it('finds no broken promise in a history of five days', async () => {
    assert.match(await simulate('--seed', '4', '--hours', '1', '--length', '60'), /\npassed\n/);
  });

  it('repeats a history from its seed', async () => {
    const facts = async () =>
      (await simulate('--seed', '2', '--hours', '1', '--length', '20')).replace(/, \d+ s\n/, '\n');
    const [one, other] = await Promise.all([facts(), facts()]);
    assert.equal(one, other);
  });

  it('finds a pause between two attempts that is too short', async () => {
    assert.match(await simulate('--plant', 'early-retry', '--seed', '1'), /found by the check of schedule/);
  });
});
