import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { patienceMs } from 'confab-testing/poll.ts';
import { checks, run } from '../../index.js';
import { type Plant, plants } from '../plants.ts';
import { startWrongServer, weakKey, wrongKey } from '../wrong-server.ts';

/** How long the kit waits for what a plant makes never come, in milliseconds. */
const hurryMs = 300;

async function findings(plant: Plant | undefined, only?: readonly string[]): Promise<Map<string, string>> {
  const server = await startWrongServer(...(plant === undefined ? [] : [plant]));
  try {
    const waits = { timeoutMs: patienceMs, patienceMs: plant === undefined ? patienceMs : hurryMs };
    const report = await run({ url: server.url, key: wrongKey, weakKey, only, ...waits });
    return new Map(
      report.results
        .filter(({ outcome }) => outcome !== 'passed')
        .map(({ id, outcome, message }) => [id, `${outcome}: ${message}`]),
    );
  } finally {
    await server.close();
  }
}

// A kit that finds nothing anywhere would be green as well.
describe('the conformance kit', { concurrency: 4 }, () => {
  test('finds nothing in the wrong server while it makes no mistake', async () => {
    assert.deepEqual(await findings(undefined), new Map());
  });

  for (const [plant, check] of Object.entries(plants) as [Plant, string][])
    test(`finds ${plant}`, async () => {
      const [area = ''] = check.split('.');
      const found = await findings(plant, [area]);
      assert.match(found.get(check) ?? 'passed', /^failed/, `${check} among ${[...found.keys()].join(', ')}`);
    });

  test('has the checks that the plants name', () => {
    const ids = new Set(checks.map(({ id }) => id));
    assert.deepEqual(
      Object.values(plants).filter((check) => !ids.has(check)),
      [],
    );
  });
});
