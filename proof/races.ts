/**
 * Checks that conditional changes lose no update and that idempotency keys have one effect: `npx node proof/races.ts`.
 *
 * Eight clients read, change and write the same few objects with `If-Match`, and six copies of a request arrive at once
 * with one `Idempotency-Key`: on one server with SQLite, and over two nodes on a temporary PostgreSQL. Only PostgreSQL
 * can have more than one node. The same without `If-Match`, without keys, and on nodes whose groups of writes do not
 * follow each other must lose updates and repeat effects. `--edits`, `--keys` and `--seed` change the run. The seed draws
 * what is edited and over which nodes; which requests coincide also depends on the machine.
 *
 * Exits with 1 after a violation, and then keeps the folder of the run.
 */

import { join } from 'node:path';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { type Caller, callerOf } from 'confab-testing/races/caller.ts';
import { raceEdits } from 'confab-testing/races/edits.ts';
import { raceKeys } from 'confab-testing/races/keys.ts';
import { withPair } from './nodes/own-pair.ts';

const { seed, edits, keys, only } = readFlags({ seed: anySeed, edits: 1000, keys: 100, only: '' });
/** The edits and keys within which the planted bugs must be found. */
const planted = { edits: 200, keys: 10 };
const suite = new Suite('races');

type Nodes = readonly [Caller, ...Caller[]];

/** Races over some nodes that are sound. */
async function raceSound(where: string, nodes: Nodes): Promise<void> {
  const all = { seed, edits, isConditional: true };
  const result = await raceEdits(nodes, { name: 'sound', ...all });
  console.log(
    `${where}: ${result.edits} edits with If-Match by 8 clients, refused and repeated ${result.refused} times, lost ${result.lost}`,
  );
  if (result.lost > 0 || result.edits !== edits) suite.fail(`${where}: updates were lost`);
  const { wrong, differing } = await raceKeys(nodes, { name: 'keyed', keys, isKeyed: true });
  console.log(`${where}: ${keys} keys, each in 6 requests at once, with other effects than one: ${wrong}`);
  if (wrong + differing > 0)
    suite.fail(`${where}: ${wrong} keys with other effects, ${differing} with other answers`);
  const plain = await raceEdits(nodes, { name: 'plain', ...all, edits: planted.edits, isConditional: false });
  suite.planted(
    `${where}, no If-Match`,
    plain.lost > 0 ? `${plain.lost} of ${plain.edits} updates lost` : undefined,
  );
  const bare = await raceKeys(nodes, { name: 'bare', keys: planted.keys, isKeyed: false });
  suite.planted(`${where}, no key`, bare.wrong > 0 ? `${bare.wrong} of ${bare.keys} repeated` : undefined);
}

async function sqlite(): Promise<void> {
  await using server = await startConfab({ folder: join(suite.folder, 'sqlite') });
  await raceSound('SQLite', [callerOf(server)]);
  await server.stop();
}

/** Runs work with two nodes on PostgreSQL, in which a bug may be planted. */
async function onNodes(bug: string | undefined, work: (nodes: Nodes) => Promise<void>): Promise<void> {
  await withPair({ parent: suite.folder, bug }, ({ pair: [one, two] }) =>
    work([callerOf(one.process), callerOf(two.process)]),
  );
}

async function postgres(): Promise<void> {
  await onNodes(undefined, (nodes) => raceSound('two nodes on PostgreSQL', nodes));
  await onNodes('unlocked-head', async (nodes) => {
    const options = { name: 'unlocked', edits: planted.edits, seed, isConditional: true };
    const { lost } = await raceEdits(nodes, options);
    suite.planted('unlocked-head', lost > 0 ? `${lost} of ${planted.edits} updates lost` : undefined);
  });
}

console.log(`seed ${seed}`);
await suite.run({ sqlite, postgres }, only);
