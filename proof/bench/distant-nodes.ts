import { join } from 'node:path';
import { makeKeyText } from 'confab-server/src/kernel/secret-box.ts';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { type ConfabProcess, freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import { cpuUsOfChildren, cpuUsOfEndedChildren, parentOf } from 'confab-testing/harness/process-usage.ts';
import type { Cluster } from 'confab-testing/nodes/cluster.ts';
import { type Distance, startDistance } from './distant-database.ts';
import { type Effort, type Load, measureTogether } from './measure.ts';
import { createComments } from './rows.ts';
import { headersOf } from './servers.ts';

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
  /** Creates comments through some nodes at once, or edits some. The times are those of the slowest node. */
  load(
    some: { readonly count: number; readonly delayMs: number; readonly what?: 'edits' },
    effort: Effort,
  ): Promise<Figures>;
};

/** How many comments are edited, and how often before one has its first text again. */
const [editedCount, textCount] = [256, 8];

type Node = { readonly server: ConfabProcess; readonly distance: Distance };

/** Starts nodes with folders of their own, and makes the apps in which comments are created. */
export async function startDistantNodes({
  cluster,
  folder,
  count,
  appCount,
}: {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly count: number;
  readonly appCount: number;
}): Promise<DistantNodes> {
  const key = freshKey();
  const secretsKey = makeKeyText();
  const nodes: Node[] = [];
  for (let index = 1; index <= count; index += 1) {
    const database = new URL(cluster.url);
    const distance = await startDistance(join(database.searchParams.get('host') ?? '', '.s.PGSQL.5432'));
    const url = `postgres://confab@127.0.0.1:${distance.port}${database.pathname}`;
    const settings = { CONFAB_DATABASE_URL: url, CONFAB_SECRETS_KEY: secretsKey };
    const server = await startConfab({ folder: join(folder, `node-${index}`), key, settings });
    nodes.push({ server, distance });
  }
  const [first] = nodes;
  if (first === undefined) throw new Error('there is no node');
  const { comments, edits } = await prepare(first.server, appCount);
  const [backend] = await cluster.rows<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
  );
  const postmaster = parentOf(backend?.pid ?? 0) ?? 0;
  return {
    async load({ count: some, delayMs, what }, effort) {
      const load = what === 'edits' ? edits : comments;
      for (const { distance } of nodes) distance.delayMs = delayMs;
      const loaded = nodes.slice(0, some);
      const servers = loaded.map(({ server }) => server);
      const { warmSeconds } = effort;
      if (warmSeconds > 0)
        await measureTogether(servers, { ...effort, seconds: warmSeconds, warmSeconds: 0 }, load);
      const totals = () => ({
        commits: loaded.reduce((sum, { distance }) => sum + distance.commits(), 0),
        databaseUs: cpuUsOfChildren(postmaster),
        proxyUs: process.cpuUsage().user + process.cpuUsage().system,
        loadUs: cpuUsOfEndedChildren(process.pid) ?? 0,
      });
      const before = totals();
      const { answered, cpuUs, ...figures } = await measureTogether(
        servers,
        { ...effort, warmSeconds: 0 },
        load,
      );
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

/** Makes the writer, the apps and comments to edit; returns what creates comments and what edits them. */
async function prepare(server: ConfabProcess, appCount: number): Promise<{ comments: Load; edits: Load }> {
  await using client = new Client(server, { connections: 1 });
  await client.must('PUT', '/api/users/writer', { name: 'Writer' });
  const token = await issueToken(client, 'writer');
  const appIds: number[] = [];
  for (let index = 0; index < appCount; index += 1) {
    const body = { uid: `bench-${index}`, type: 'comments', access: 'write' };
    appIds.push(await client.create('/api/apps', body, token));
  }
  const edits: Load['requests'][number][] = [];
  const headers = headersOf(token, true);
  for (let index = 0; index < editedCount; index += 1) {
    const path = `/api/apps/${appIds[index % appIds.length]}/comments`;
    const id = await client.create(path, { text: 'A comment.' }, token);
    for (let text = 0; text < textCount; text += 1) {
      const body = JSON.stringify({ text: `A comment with the words of its edit ${text}.` });
      edits.push({ method: 'PATCH', path: `/api/comments/${id}`, headers, body });
    }
  }
  return { comments: createComments(appIds, token), edits: { requests: edits } };
}
