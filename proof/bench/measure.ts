import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { cpuUsOf, memoryMbOf } from 'confab-testing/harness/process-usage.ts';
import type { LoadPlan, LoadResult } from './load.ts';

/** The load of one row of the table, against one process, over at most `connectionsMax` connections. */
export type Load = Omit<LoadPlan, 'url' | 'connections' | 'seconds'> & { readonly connectionsMax?: number };

/** What one load of one process measured. */
export type Measured = LoadResult & {
  readonly perSecond: number;
  /** Processor time of the server for each answered request; undefined where there is no /proc. */
  readonly cpuUs: number | undefined;
  /** The most memory that was seen while it ran. */
  readonly memoryMb: number | undefined;
};

/** How long and how hard a server is loaded. */
export type Effort = { readonly connections: number; readonly seconds: number; readonly warmSeconds: number };

const memoryEveryMs = 200;

/** Loads a server for a moment to warm it up and then for as long as is measured. */
export async function measure(
  server: { url: string; pid: number },
  effort: Effort,
  { connectionsMax = effort.connections, ...load }: Load,
): Promise<Measured> {
  const connections = Math.min(effort.connections, connectionsMax);
  const plan = { ...load, url: server.url, connections };
  if (effort.warmSeconds > 0) await generate({ ...plan, seconds: effort.warmSeconds });
  let memoryMb = memoryMbOf(server.pid);
  const watch = setInterval(() => {
    const nowMb = memoryMbOf(server.pid);
    if (nowMb !== undefined && nowMb > (memoryMb ?? 0)) memoryMb = nowMb;
  }, memoryEveryMs);
  const cpuBefore = cpuUsOf(server.pid);
  const result = await generate({ ...plan, seconds: effort.seconds });
  const cpuAfter = cpuUsOf(server.pid);
  clearInterval(watch);
  return {
    ...result,
    perSecond: result.answered / result.seconds,
    cpuUs:
      cpuBefore === undefined || cpuAfter === undefined
        ? undefined
        : (cpuAfter - cpuBefore) / result.answered,
    memoryMb,
  };
}

/** What several servers answered together: the times of the slowest, and the processor time of one request. */
export type MeasuredTogether = {
  readonly answered: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUs: number;
};

/** Loads some servers at once, each with its own load over the connections of `effort`. Throws when a request fails. */
export async function measureTogether(
  servers: readonly { url: string; pid: number; load: Load }[],
  effort: Effort,
): Promise<MeasuredTogether> {
  const measured = await Promise.all(servers.map(({ load, ...server }) => measure(server, effort, load)));
  const sum = (figure: (one: Measured) => number) => measured.reduce((all, one) => all + figure(one), 0);
  const failed = sum((one) => one.failed);
  if (failed > 0) throw new Error(`${failed} requests failed, such as ${servers[0]?.load.requests[0]?.path}`);
  const answered = sum((one) => one.answered);
  return {
    answered,
    perSecond: sum((one) => one.perSecond),
    p50Ms: Math.max(...measured.map((one) => one.p50Ms)),
    p99Ms: Math.max(...measured.map((one) => one.p99Ms)),
    cpuUs: sum((one) => (one.cpuUs ?? Number.NaN) * one.answered) / answered,
  };
}

async function generate(plan: LoadPlan): Promise<LoadResult> {
  return await startLoad(plan).result;
}

/** Begins to load a server; `stop` ends it before its time. */
export function startLoad(plan: LoadPlan): { readonly result: Promise<LoadResult>; stop(): void } {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(plan));
  return {
    result: json(child.stdout) as Promise<LoadResult>,
    stop: () => void child.kill('SIGTERM'),
  };
}
