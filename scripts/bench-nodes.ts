/**
 * How fast several nodes write to a PostgreSQL that is on another machine: `npm run bench:nodes`.
 *
 * Four nodes run on one PostgreSQL, each with a proxy between that delays everything by some milliseconds in each
 * direction. Comments are created in 50 apps through one, two and all four of them, over as many connections to each
 * node, so twice the nodes have twice the clients; the rest is idle. The delays and numbers of nodes take turns in each
 * round, and the figures are medians of the rounds. All processes share this machine: without a delay its processors
 * are the limit. `--delays`, `--seconds`, `--rounds`, `--warm` and `--connections` change the effort.
 */

import { join } from 'node:path';
import { makeKeyText } from '../src/kernel/secret-box.ts';
import { type Distance, startDistance } from './bench/distant-database.ts';
import { measureTogether } from './bench/measure.ts';
import { createComments } from './bench/rows.ts';
import { Client, issueToken } from './harness/client.ts';
import { type ConfabProcess, freshKey, startConfab } from './harness/confab-process.ts';
import { machine, median } from './harness/figures.ts';
import { cpuUsOfChildren, parentOf } from './harness/process-usage.ts';
import { readFlags, temporaryFolder } from './harness/suite.ts';
import { startCluster } from './nodes/cluster.ts';

const {
  connections,
  delays,
  rounds,
  seconds,
  warm: warmSeconds,
} = readFlags({ connections: 32, delays: '0,1,5', rounds: 3, seconds: 5, warm: 1 });

const nodeCounts = [1, 2, 4];
const appCount = 50;

const columns = ['perSecond', 'p50Ms', 'p99Ms', 'ofGroup', 'nodeUs', 'databaseUs'] as const;
type Figures = { readonly [N in (typeof columns)[number]]: number };
type Node = { readonly server: ConfabProcess; readonly distance: Distance };

using folder = temporaryFolder('bench-nodes');
await using cluster = await startCluster();
const key = freshKey();

async function startNode(name: string, secretsKey: string): Promise<Node> {
  const database = new URL(cluster.url);
  const distance = await startDistance(join(database.searchParams.get('host') ?? '', '.s.PGSQL.5432'));
  const url = `postgres://confab@127.0.0.1:${distance.port}${database.pathname}`;
  const settings = { CONFAB_DATABASE_URL: url, CONFAB_SECRETS_KEY: secretsKey };
  return { server: await startConfab({ folder: join(folder.path, name), key, settings }), distance };
}

/** Makes the writer and the apps; answers the token and the ids. */
async function prepare(server: ConfabProcess): Promise<{ token: string; appIds: number[] }> {
  await using client = new Client(server, { connections: 1 });
  await client.must('PUT', '/api/users/writer', { name: 'Writer' });
  const token = await issueToken(client, 'writer');
  const appIds: number[] = [];
  for (let index = 0; index < appCount; index += 1) {
    const body = { uid: `bench-${index}`, type: 'comments', access: 'write' };
    appIds.push(await client.create('/api/apps', body, token));
  }
  return { token, appIds };
}

/** Loads some nodes at once. The times are those of the slowest node; a time of the processor is of one request. */
async function loadNodes(
  nodes: readonly Node[],
  load: ReturnType<typeof createComments>,
  postmaster: number,
): Promise<Figures> {
  const servers = nodes.map(({ server }) => server);
  const effort = { seconds, connections, warmSeconds: 0 };
  if (warmSeconds > 0) await measureTogether(servers, { ...effort, seconds: warmSeconds }, load);
  const commits = () => nodes.reduce((sum, { distance }) => sum + distance.commits(), 0);
  const [commitsBefore, usBefore] = [commits(), cpuUsOfChildren(postmaster)];
  const { answered, cpuUs: nodeUs, ...figures } = await measureTogether(servers, effort, load);
  const [made, us] = [commits() - commitsBefore, cpuUsOfChildren(postmaster) - usBefore];
  return { ...figures, nodeUs, ofGroup: answered / made, databaseUs: us / answered };
}

async function main(): Promise<void> {
  const secretsKey = makeKeyText();
  const nodes: Node[] = [];
  for (const name of ['one', 'two', 'three', 'four']) nodes.push(await startNode(name, secretsKey));
  const [first] = nodes;
  if (first === undefined) throw new Error('there is no node');
  console.log(`${rounds} rounds, ${seconds} s each, ${connections} connections to each node, ${appCount} apps;
all processes on this machine: ${machine()};
${cluster.kind}, fsync on.

delay each way, nodes   requests/s   of one   p50 ms   p99 ms   a group   µs of the node   µs of PostgreSQL`);
  const { token, appIds } = await prepare(first.server);
  const load = createComments(appIds, token);
  const [backend] = await cluster.rows<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
  );
  const postmaster = parentOf(backend?.pid ?? 0) ?? 0;
  const all = new Map<string, Figures[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const delay of delays.split(','))
      for (const count of nodeCounts) {
        for (const { distance } of nodes) distance.delayMs = Number(delay);
        const figures = await loadNodes(nodes.slice(0, count), load, postmaster);
        const name = `${delay} ms, ${count}`;
        all.set(name, [...(all.get(name) ?? []), figures]);
      }
  print(all);
  for (const { server, distance } of nodes) {
    distance.delayMs = 0;
    await server.stop();
    distance.close();
  }
}

function print(all: ReadonlyMap<string, readonly Figures[]>): void {
  let ofOne = Number.NaN;
  for (const [name, figures] of all) {
    const middle = (column: keyof Figures): number => median(figures.map((one) => one[column]));
    const perSecond = middle('perSecond');
    if (name.endsWith(', 1')) ofOne = perSecond;
    const cells = [
      perSecond.toFixed(0).padStart(11),
      (perSecond / ofOne).toFixed(2).padStart(9),
      middle('p50Ms').toFixed(1).padStart(9),
      middle('p99Ms').toFixed(1).padStart(9),
      middle('ofGroup').toFixed(1).padStart(10),
      middle('nodeUs').toFixed(0).padStart(17),
      middle('databaseUs').toFixed(0).padStart(19),
    ];
    console.log(name.padEnd(23) + cells.join(''));
  }
}

await main();
