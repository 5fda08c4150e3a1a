/**
 * How fast Confab is on PostgreSQL, beside pgbench with the same statements on the same cluster in the same run:
 * `npx node proof/bench-postgres.ts`.
 *
 * pgbench shows what the database does when nothing stands before it. Its statements are those that a server sends,
 * seen on their way: for one request alone, which is one transaction a comment and as many at a time as there are
 * connections; and for many requests at once, which is one transaction for all of them, again and again on one
 * connection. Confab does the rest of its work on the same processors (HTTP, access, Markdown, JSON, notifications, a
 * log line a request). The cluster is made for the run, on this machine, with `fsync` on. `--seconds`, `--rounds`,
 * `--warm` and `--connections` change the effort.
 */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeKeyText } from 'confab-server/src/kernel/secret-box.ts';
import { Client } from 'confab-testing/harness/client.ts';
import { type ConfabProcess, freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import { machine, median } from 'confab-testing/harness/figures.ts';
import { startLocal } from 'confab-testing/harness/local-server.ts';
import { readFlags, temporaryFolder } from 'confab-testing/harness/suite.ts';
import { startCluster } from 'confab-testing/nodes/cluster.ts';
import { type Sent, sentWhile } from 'confab-testing/stores/sent-statements.ts';
import { commentTexts } from './bench/comment-texts.ts';
import { measureTogether } from './bench/measure.ts';
import { findPgbench, runPgbench, scriptOf, type Variable } from './bench/pgbench.ts';
import { type Row, rows } from './bench/rows.ts';
import { appCount, type SeededConfab, seed } from './bench/servers.ts';

const {
  connections,
  seconds,
  warm: warmSeconds,
  rounds,
} = readFlags({ seconds: 5, warm: 2, rounds: 3, connections: 50 });

/** Ids far from each other and from any other number, so that they are recognised wherever they stand in a statement. */
const firstIds = { apps: 7_100_000_000, entries: 7_200_000_000, events: 7_300_000_000 };

/** A script of pgbench, and how many requests one run of it is worth. */
type Script = { readonly text: string; readonly clients: number; readonly requests: number };

/** How long a server is left alone, so that nothing but what is watched is sent. */
const restMs = 300;

type Figures = { readonly name: string; perSecond: number[]; ofPgbench: number[]; cpuUs: number[] };

using folder = temporaryFolder('bench-postgres');
await using cluster = await startCluster();
const key = freshKey();
// The nodes have folders of their own.
const secretsKey = makeKeyText();

async function startNode(name: string): Promise<ConfabProcess> {
  const settings = { CONFAB_DATABASE_URL: cluster.url, CONFAB_SECRETS_KEY: secretsKey };
  return await startConfab({ folder: join(folder.path, name), key, settings });
}

/** What a server of this process sends for one comment, for many at once, and for a list. */
async function statementsOf(confab: SeededConfab) {
  const settings = { CONFAB_DATABASE_URL: cluster.url, CONFAB_SECRETS_KEY: secretsKey };
  const server = await startLocal({ folder: join(folder.path, 'watched'), key, settings });
  const user = new Client({ url: server.url, key: confab.token }, { connections });
  const texts = commentTexts(connections);
  const create = async (index = 0) => {
    const text = texts[index % texts.length];
    await user.must('POST', `/api/apps/${confab.appIds[0]}/comments`, { text });
  };
  const list = async () => {
    await user.must('GET', `/api/apps/${confab.listedAppId}/comments`);
  };
  const createMany = async () => {
    await Promise.all(Array.from({ length: connections }, (_, index) => create(index)));
  };
  // Once to have every connection open; then the loops are left to finish with it.
  await createMany();
  await list();
  await pause(restMs);
  const one = await sentWhile(create);
  await pause(restMs);
  const many = await sentWhile(createMany);
  await pause(restMs);
  const listed = await sentWhile(list);
  await user.close();
  await server.close();
  const isEnd = ({ text }: Sent): boolean => text === 'commit';
  // The groups of many requests are of different sizes: the largest is the one with the most comments.
  const groups: Sent[][] = [[]];
  for (const sent of many) {
    if (sent.text.startsWith('begin')) groups.push([]);
    groups.at(-1)?.push(sent);
  }
  const madeBy = (group: readonly Sent[]): number =>
    group.find(({ text }) => text.includes('into "entries"'))?.returnedIds.length ?? 0;
  const [largest = []] = groups.toSorted((a, b) => madeBy(b) - madeBy(a));
  return {
    one: one.slice(0, one.findIndex(isEnd) + 1),
    many: largest.slice(0, largest.findIndex(isEnd) + 1),
    manyCount: madeBy(largest),
    listed,
  };
}

/** The scripts of pgbench for each row that is measured. */
async function scriptsOf(confab: SeededConfab): Promise<{ row: string; scripts: Record<string, Script> }[]> {
  const [appId = 0] = confab.appIds;
  const { one, many, manyCount, listed } = await statementsOf(confab);
  const app: Variable = { sql: ':app', value: appId };
  const alone = (set: string): Script => ({
    text: `\\set app ${set}\n${scriptOf(one, [app])}`,
    clients: connections,
    requests: 1,
  });
  const together = (set: string): Script => ({
    text: `\\set app ${set}\n${scriptOf(many, [app])}`,
    clients: 1,
    requests: manyCount,
  });
  return [
    {
      row: 'create a comment, all in one app',
      scripts: {
        'one by one': alone(`${appId}`),
        [`${manyCount} at once`]: together(`${appId}`),
      },
    },
    {
      row: `create a comment, over ${appCount} apps`,
      scripts: { 'one by one': alone(`${appId} + :client_id`) },
    },
    {
      row: 'list 25 comments of an app, again and again',
      scripts: { 'one by one': { text: scriptOf(listed, []), clients: connections, requests: 1 } },
    },
  ];
}

function rowNamed(name: string): Row {
  const row = rows.find((one) => one.name === name);
  if (row === undefined) throw new Error(`there is no row ${name}`);
  return row;
}

async function main(): Promise<void> {
  const pgbench = findPgbench(folder.path);
  console.log(`Confab on PostgreSQL beside pgbench: ${rounds} rounds, ${seconds} s a row, ${connections} connections,
all processes on this machine: ${machine()};
${cluster.kind}, fsync on.
`);
  const first = await startNode('node-1');
  // Ids that are recognised wherever they stand in a statement.
  for (const [table, id] of Object.entries(firstIds))
    await cluster.rows(`select setval(pg_get_serial_sequence('${table}', 'id'), ${id})`);
  const confab = await seed(first);
  if (confab.appIds.some((id, index) => id !== (confab.appIds[0] ?? 0) + index))
    throw new Error('the apps do not have consecutive ids');
  const measured = await scriptsOf(confab);
  const second = await startNode('node-2');
  const figures = new Map<string, Figures>();
  for (let round = 0; round < rounds; round += 1)
    for (const { row, scripts } of measured) {
      let bare = Number.NaN;
      for (const [how, { text, clients, requests }] of Object.entries(scripts)) {
        const runs = await runPgbench(pgbench, text, {
          url: cluster.url,
          folder: folder.path,
          clients,
          seconds,
        });
        // The first is what the rest is held against.
        if (Number.isNaN(bare)) bare = runs;
        note(figures, `${row}: pgbench, ${how}`, { perSecond: runs * requests, cpuUs: Number.NaN }, bare);
      }
      for (const nodes of [[first], [first, second]]) {
        const name = `${row}: ${nodes.length === 1 ? 'one node' : `${nodes.length} nodes`}`;
        // The connections are spread over the nodes.
        const effort = { seconds, warmSeconds, connections: Math.floor(connections / nodes.length) };
        const loaded = nodes.map(({ url, pid }) => ({ url, pid, load: rowNamed(row).load(confab) }));
        note(figures, name, await measureTogether(loaded, effort), bare);
      }
    }
  for (const { name, perSecond, ofPgbench, cpuUs } of figures.values()) {
    const cpu = median(cpuUs);
    console.log(
      name.padEnd(58) +
        median(perSecond).toFixed(0).padStart(8) +
        ' a second' +
        median(ofPgbench).toFixed(2).padStart(7) +
        (Number.isNaN(cpu) ? '' : `${cpu.toFixed(0).padStart(7)} µs of the node's processor`),
    );
  }
  await first.stop();
  await second.stop();
}

function note(
  figures: Map<string, Figures>,
  name: string,
  { perSecond, cpuUs }: { perSecond: number; cpuUs: number },
  bare: number,
): void {
  const known = figures.get(name) ?? { name, perSecond: [], ofPgbench: [], cpuUs: [] };
  figures.set(name, known);
  known.perSecond.push(perSecond);
  known.ofPgbench.push(perSecond / bare);
  known.cpuUs.push(cpuUs);
}

await main();
