/**
 * Checks that nodes of the last release and of this one run on one database: `npx node proof/upgrade.ts`.
 *
 * It starts two nodes of 0.1.0, from the history of the repository and with the packages of that release, on a temporary
 * PostgreSQL, lets clients write through both, and replaces one node after the other by one of this release, whose start
 * changes the schema under the node that goes on. Then it goes back the same way, and forward again. After each way it
 * compares the store, the feed, the deliveries and the notifications with what the clients know. `--from` names another
 * commit, `--rounds` and `--seed` change the run.
 *
 * Exits with 1 after a violation, and then keeps the logs of the nodes.
 */

import { join } from 'node:path';
import { freshKey } from 'confab-testing/harness/confab-process.ts';
import { checkOutRelease, lastRelease } from 'confab-testing/harness/last-release.ts';
import { textOfViolation } from 'confab-testing/harness/model.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { startCluster } from 'confab-testing/nodes/cluster.ts';
import { makePair, type Node } from 'confab-testing/nodes/node.ts';
import { runChaos } from './nodes/chaos.ts';

const { from, rounds, seed } = readFlags({ from: lastRelease.commit, rounds: 3, seed: anySeed });
const suite = new Suite('upgrade');

async function roll(): Promise<void> {
  const checkout = checkOutRelease(from, join(suite.folder, 'release'));
  if ('why' in checkout) throw new Error(checkout.why);
  const { folder: release } = checkout;
  await using cluster = await startCluster();
  console.log(`seed ${seed}: ${from.slice(0, 7)} and this release on ${cluster.kind}`);
  const upgraded = new Set<Node>();
  const pair = makePair({
    folder: suite.folder,
    databaseUrl: cluster.url,
    key: freshKey(),
    how: (node) => ({ release: upgraded.has(node) ? undefined : release }),
  });
  await using one = pair[0];
  await using two = pair[1];
  await one.start();
  await two.start();
  const result = await runChaos({
    cluster,
    pair,
    folder: suite.folder,
    seed,
    rounds,
    faults: ['roll'],
    onRound: (line) => console.log(`  ${line}`),
    async roll(node) {
      await node.process.stop();
      await node.kill();
      if (!upgraded.delete(node)) upgraded.add(node);
      await node.start();
    },
  });
  console.log(`ways ${result.rounds}, acknowledged writes ${result.acknowledged}, sent again ${result.unknown}, \
refused ${result.refused}
events ${result.events}, deliveries ${result.deliveries} (sent ${result.sent} times), notifications \
${result.notifications}
violations ${result.violations.length}`);
  const details = result.violations.map(textOfViolation);
  if (details.length > 0) suite.fail('something was lost on the way', details);
}

await suite.run({ roll });
