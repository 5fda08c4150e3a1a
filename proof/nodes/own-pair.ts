import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { freshKey } from 'confab-testing/harness/confab-process.ts';
import { type Cluster, startCluster } from 'confab-testing/nodes/cluster.ts';
import { makePair, type Node } from 'confab-testing/nodes/node.ts';

/** Two nodes on a PostgreSQL of their own, with the folder of their logs. */
export type OwnPair = {
  readonly cluster: Cluster;
  readonly pair: readonly [Node, Node];
  readonly folder: string;
};

/** Runs `work` with two nodes on their own database, whose folder is made in `parent`; `bug` is planted in both. */
export async function withPair<T>(
  { parent, bug }: { readonly parent: string; readonly bug?: string | undefined },
  work: (run: OwnPair) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(parent, `${bug ?? 'sound'}-`));
  // Nodes that do not follow each other wait for each other in circles, which the database looks for after a second.
  await using cluster = await startCluster(bug === undefined ? [] : ['deadlock_timeout=20ms']);
  const pair = makePair({
    folder,
    databaseUrl: cluster.url,
    key: freshKey(),
    how: () => ({ plant: bug }),
  });
  await using one = pair[0];
  await using two = pair[1];
  await Promise.all([one.start(), two.start()]);
  return await work({ cluster, pair, folder });
}
