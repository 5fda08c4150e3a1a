import { join } from 'node:path';
import { makeKeyText } from 'confab-server/src/kernel/secret-box.ts';
import { type ConfabProcess, freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import { cpuUsOfChildren, cpuUsOfEndedChildren, parentOf } from 'confab-testing/harness/process-usage.ts';
import type { Cluster } from 'confab-testing/nodes/cluster.ts';
import { type Distance, startDistance } from './distant-database.ts';
import { type LoadName, prepareLoads } from './distant-loads.ts';
import { type Effort, measureTogether } from './measure.ts';

/** What a load of some nodes measures. Times of a processor are of one request. */
export type Figures = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly ofGroup: number;
  readonly nodeUs: number;
  readonly databaseUs: number;
  readonly proxyUs: number;
  readonly loadUs: number;
};

/** Nodes on one PostgreSQL, each with a proxy between that delays everything. */
export type DistantNodes = AsyncDisposable & {
  /** Loads some nodes at once. The times are those of the slowest node. */
  load(
    some: { readonly count: number; readonly delayMs: number; readonly what: LoadName },
    effort: Effort,
  ): Promise<Figures>;
};

type Node = { readonly server: ConfabProcess; readonly distance: Distance };

/** Starts nodes with folders of their own, those of another checkout where `release` names its folder, and fills them. */
export async function startDistantNodes({
  cluster,
  folder,
  count,
  appCount,
  release,
}: {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly count: number;
  readonly appCount: number;
  readonly release?: string | undefined;
}): Promise<DistantNodes> {
  const key = freshKey();
  const secretsKey = makeKeyText();
  const nodes: Node[] = [];
  for (let index = 1; index <= count; index += 1) {
    const database = new URL(cluster.url);
    const distance = await startDistance(join(database.searchParams.get('host') ?? '', '.s.PGSQL.5432'));
    const url = `postgres://confab@127.0.0.1:${distance.port}${database.pathname}`;
    const settings = { CONFAB_DATABASE_URL: url, CONFAB_SECRETS_KEY: secretsKey };
    const server = await startConfab({ folder: join(folder, `node-${index}`), key, settings, release });
    nodes.push({ server, distance });
  }
  const [first] = nodes;
  if (first === undefined) throw new Error('there is no node');
  const loads = await prepareLoads(first.server, { nodeCount: count, appCount });
  const [backend] = await cluster.rows<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
  );
  const postmaster = parentOf(backend?.pid ?? 0) ?? 0;
  return {
    async load({ count: some, delayMs, what }, effort) {
      for (const { distance } of nodes) distance.delayMs = delayMs;
      const loaded = nodes.slice(0, some);
      const servers = loaded.flatMap(({ server: { url, pid } }, index) => {
        const load = loads[index]?.[what];
        return load === undefined ? [] : [{ url, pid, load }];
      });
      const { warmSeconds } = effort;
      if (warmSeconds > 0)
        await measureTogether(servers, { ...effort, seconds: warmSeconds, warmSeconds: 0 });
      const totals = () => ({
        commits: loaded.reduce((sum, { distance }) => sum + distance.commits(), 0),
        databaseUs: cpuUsOfChildren(postmaster),
        proxyUs: process.cpuUsage().user + process.cpuUsage().system,
        loadUs: cpuUsOfEndedChildren(process.pid) ?? 0,
      });
      const before = totals();
      const { answered, cpuUs, ...figures } = await measureTogether(servers, { ...effort, warmSeconds: 0 });
      const after = totals();
      return {
        ...figures,
        ofGroup: answered / (after.commits - before.commits),
        nodeUs: cpuUs,
        databaseUs: (after.databaseUs - before.databaseUs) / answered,
        proxyUs: (after.proxyUs - before.proxyUs) / answered,
        loadUs: (after.loadUs - before.loadUs) / answered,
      };
    },
    async [Symbol.asyncDispose]() {
      for (const { server, distance } of nodes) {
        distance.delayMs = 0;
        await server.stop();
        distance.close();
      }
    },
  };
}
