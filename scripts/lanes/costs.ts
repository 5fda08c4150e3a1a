import { join } from 'node:path';
import pg from 'pg';
import { startDistance } from '../bench/distant-database.ts';
import type { DistantNodes, Figures } from '../bench/distant-nodes.ts';
import { median } from '../harness/figures.ts';
import type { Cluster } from '../nodes/cluster.ts';
import type { Cost, Costs } from './model.ts';

/** What a cluster needs so that its costs can be measured. */
export const measuredSettings = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.max=10000',
  'track_io_timing=off',
];

/** The parts of the work of PostgreSQL, and how their statements are known; the first that fits counts. */
const parts = [
  // Its time is that of waiting for the turn.
  ['turn', /log_head/],
  ['credential', /access_tokens|api_keys/],
  ['entries', /into "entries"|nextval|entry_tags/],
  ['log', /into "events"|"tallies"|into "deliveries"|update "webhooks"/],
  ['words', /search|words/],
  ['control', /^(begin|set|commit|rollback)/],
  ['later', /from "events"|notifications|event_cursors|leases|"nodes"|deliveries|notify/],
  ['reads', /^(select|with)/],
] as const;
type Part = (typeof parts)[number][0] | 'other';

/** Groups of two sizes, which tell the cost of a group from that of its writes. */
const connectionCounts = [3, 64];
const tries = 300;

type Statement = { readonly query: string; readonly calls: number; readonly ms: number };
/** How long PostgreSQL worked on each part for one request. */
type Sample = { readonly figures: Figures; readonly ms: ReadonlyMap<Part, number> };

function partOf(query: string): Part {
  return parts.find(([, pattern]) => pattern.test(query))?.[0] ?? 'other';
}

async function sample(
  cluster: Cluster,
  nodes: DistantNodes,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Sample> {
  const effort = { connections, seconds, warmSeconds: 0 };
  await nodes.load({ count: 1, delayMs: 0 }, { ...effort, seconds: 1 });
  await cluster.rows('select pg_stat_statements_reset()');
  const figures = await nodes.load({ count: 1, delayMs: 0 }, effort);
  const statements = await cluster.rows<Statement>(
    `select query, calls::float8 as calls, total_exec_time as ms from pg_stat_statements
     where query not like '%pg_stat%' order by total_exec_time desc`,
  );
  const answered = figures.perSecond * seconds;
  const ms = new Map<Part, number>();
  for (const { query, ms: spent } of statements) {
    const part = partOf(query);
    ms.set(part, (ms.get(part) ?? 0) + spent / answered);
  }
  if (process.env.LANES_STATEMENTS !== undefined)
    for (const { query, calls, ms: spent } of statements.slice(0, 25))
      console.log(
        partOf(query).padEnd(10),
        ((spent * 1000) / answered).toFixed(1).padStart(7),
        calls,
        query.replaceAll(/\s+/g, ' ').slice(0, 150),
      );
  return { figures, ms };
}

/** The processor time of a part for one request, of which its share is that of the time in the engine. */
function processorMs({ figures, ms }: Sample, part: Part): number {
  let sum = 0;
  for (const [name, spent] of ms) if (name !== 'turn') sum += spent;
  return ((ms.get(part) ?? 0) / sum) * (figures.databaseUs / 1000);
}

/** The cost of a part from groups of two sizes. */
function costOf(few: Sample, many: Sample, part: Part): Cost {
  const [small, large] = [few.figures.ofGroup, many.figures.ofGroup];
  const [ofSmall, ofLarge] = [processorMs(few, part) * small, processorMs(many, part) * large];
  const write = Math.max(0, (ofLarge - ofSmall) / (large - small));
  return { group: Math.max(0, ofSmall - write * small), write };
}

function half({ group, write }: Cost): Cost {
  return { group: group / 2, write: write / 2 };
}

/** How long commits take that wait for the disk, without what they take when they do not. */
async function measureSyncs(cluster: Cluster): Promise<number[]> {
  const client = new pg.Client(cluster.url);
  await client.connect();
  await client.query('create table if not exists synced (number int)');
  const times = async (how: 'on' | 'off'): Promise<number[]> => {
    await client.query(`set synchronous_commit = ${how}`);
    const all: number[] = [];
    for (let number = 0; number < tries; number += 1) {
      const startedAt = performance.now();
      await client.query(`insert into synced values (${number})`);
      all.push(performance.now() - startedAt);
    }
    return all;
  };
  const without = median(await times('off'));
  const syncs = (await times('on')).map((ms) => Math.max(0.02, ms - without));
  await client.end();
  return syncs;
}

/** From the answer to a commit until the next has the lock of the row. */
async function measureHandOver(cluster: Cluster): Promise<number> {
  const clients = [new pg.Client(cluster.url), new pg.Client(cluster.url)];
  for (const client of clients) await client.connect();
  const lock = 'select id from log_head where id = 1 for update';
  const all: number[] = [];
  for (let number = 0; number < tries; number += 1) {
    const [holder, next] = number % 2 === 0 ? clients : clients.toReversed();
    if (holder === undefined || next === undefined) break;
    await holder.query('begin; set local synchronous_commit = off');
    await holder.query(lock);
    await next.query('begin');
    const had = next.query(lock).then(() => performance.now());
    await holder.query('select 1');
    const released = holder.query('commit').then(() => performance.now());
    all.push(Math.max(0, (await had) - (await released)));
    await next.query('commit');
  }
  for (const client of clients) await client.end();
  return median(all);
}

/** How long a packet really takes each way, for some delays of the proxy: timers are late. */
export async function measureDelays(
  cluster: Cluster,
  delays: readonly number[],
): Promise<Map<number, number>> {
  const database = new URL(cluster.url);
  const distance = await startDistance(join(database.searchParams.get('host') ?? '', '.s.PGSQL.5432'));
  const url = `postgres://confab@127.0.0.1:${distance.port}${database.pathname}`;
  const client = new pg.Client(url);
  await client.connect();
  const measured = new Map<number, number>();
  for (const delay of delays) {
    distance.delayMs = delay;
    const all: number[] = [];
    for (let number = 0; number < 100; number += 1) {
      const startedAt = performance.now();
      await client.query('select 1');
      all.push(performance.now() - startedAt);
    }
    measured.set(delay, median(all) / 2);
  }
  await client.end();
  distance.close();
  return measured;
}

/** What a change takes: its round trips within the turn, seen from the time of a single client, and its work. */
async function measureChange(nodes: DistantNodes, seconds: number): Promise<Costs['change']> {
  // Long, so that what is not a round trip hardly counts.
  const delayMs = 40;
  const alone = await nodes.load(
    { count: 1, delayMs, what: 'edits' },
    { connections: 1, seconds: 4, warmSeconds: 0 },
  );
  const many = await nodes.load(
    { count: 1, delayMs: 0, what: 'edits' },
    { connections: 32, seconds, warmSeconds: 1 },
  );
  // Besides there are the round trips of the credential, of the lock and of the commit.
  const trips = Math.floor(alone.p50Ms / (2 * delayMs)) - 3;
  return { trips, work: many.databaseUs / 1000 };
}

/** How the time of a node for a request is spread: an estimate, on which the figures hardly depend. */
const ofNode = { before: 0.45, within: 0.3, after: 0.25 };

/** Measures what things cost on a cluster with nodes. */
export async function measureCosts(cluster: Cluster, nodes: DistantNodes, seconds: number): Promise<Costs> {
  await cluster.rows('create extension if not exists pg_stat_statements');
  const [few, many] = connectionCounts;
  const small = await sample(cluster, nodes, { connections: few ?? 0, seconds });
  const large = await sample(cluster, nodes, { connections: many ?? 0, seconds });
  const { nodeUs, proxyUs, loadUs } = large.figures;
  const ms = nodeUs / 1000;
  const control = costOf(small, large, 'control');
  const entries = costOf(small, large, 'entries');
  return {
    node: { before: ms * ofNode.before, within: ms * ofNode.within, after: ms * ofNode.after },
    credential: processorMs(large, 'credential'),
    reads: half(costOf(small, large, 'reads')),
    entries: { group: entries.group + control.group, write: entries.write },
    words: costOf(small, large, 'words'),
    log: costOf(small, large, 'log'),
    change: await measureChange(nodes, seconds),
    later: processorMs(large, 'later') + processorMs(large, 'other'),
    handOver: await measureHandOver(cluster),
    syncs: await measureSyncs(cluster),
    load: (proxyUs + loadUs) / 1000,
  };
}
