import type { Socket } from 'node:net';
import { quantile } from 'confab-testing/harness/figures.ts';
import { usageOf } from '../requests/measure.ts';
import { type Caller, type ListRequest, requestKinds } from './list-requests.ts';

/** What requests to one server cost when nothing else is going on. */

/** A request that took longer than this is not sent as often. */
const slowMs = 500;
const slowRepeats = 2;

/** A server that can be measured, and the credentials of those who call it. */
export type Measured = {
  readonly url: string;
  readonly probe: Socket;
  readonly tokens: { readonly [caller in Caller]: string };
};

/** The milliseconds that a request waited for its answer and that it held the event loop for, each time it was sent. */
type Cost = { readonly status: number; readonly waits: readonly number[]; readonly held: readonly number[] };

/** The request itself: where its page is found by a link, the one that the link leads to; undefined where there is none. */
export async function pathOf(
  { url, tokens }: Measured,
  { caller, path, isFollowed }: ListRequest,
): Promise<string | undefined> {
  if (isFollowed === undefined) return path;
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${tokens[caller]}` } });
  await response.arrayBuffer();
  return /<[^/]+\/\/[^/]+([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
}

async function costOf(server: Measured, { caller }: ListRequest, path: string, times: number): Promise<Cost> {
  const { url, probe, tokens } = server;
  const headers = { authorization: `Bearer ${tokens[caller]}` };
  const waits: number[] = [];
  const held: number[] = [];
  let status = 0;
  for (let n = 0; n < times; n += 1) {
    await usageOf(probe);
    const startedAt = performance.now();
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    const waitMs = performance.now() - startedAt;
    status = response.status;
    waits.push(waitMs);
    held.push((await usageOf(probe)).heldMs);
    if (waitMs > slowMs && n + 1 >= slowRepeats) break;
  }
  return { status, waits, held };
}

type Row = { readonly request: ListRequest; readonly cost: Cost };

/** Measures each of some requests so many times, prints what holds the event loop for longer than `overMs`, and a summary. */
export async function measureLists(
  server: Measured,
  requests: readonly ListRequest[],
  { times, overMs }: { times: number; overMs: number },
): Promise<void> {
  console.log('    wait ms           held ms\n   p50    p99       p50    p99  request');
  const rows: Row[] = [];
  for (const request of requests) {
    const path = await pathOf(server, request);
    if (path === undefined) continue;
    const row = { request, cost: await costOf(server, request, path, times) };
    rows.push(row);
    print(row, overMs);
  }
  printSummary(rows);
}

function print({ request: { list, name }, cost: { status, waits, held } }: Row, overMs: number): void {
  if (quantile(held, 0.5) < overMs) return;
  const figures = [quantile(waits, 0.5), quantile(waits, 0.99), quantile(held, 0.5), quantile(held, 0.99)];
  const [p50, p99, held50, held99] = figures.map((ms) => ms.toFixed(1).padStart(6));
  console.log(
    `${p50} ${p99}    ${held50} ${held99}  ${list}: ${name}${status === 200 ? '' : ` (${status})`}`,
  );
}

/** For each list and kind of requests the most that any of them waits: half of the times, and one in a hundred. */
function printSummary(rows: readonly Row[]): void {
  console.log(`\n| List | ${requestKinds.join(' | ')} | held |`);
  console.log(`|---|${requestKinds.map(() => '---:').join('|')}|---:|`);
  for (const [list, own] of Map.groupBy(rows, ({ request }) => request.list)) {
    const most = (part: number, of: readonly Row[], which: 'waits' | 'held') =>
      rounded(Math.max(...of.map(({ cost }) => quantile(cost[which], part))));
    const cells = requestKinds.map((kind) => {
      const of = own.filter(({ request }) => request.kind === kind);
      return of.length === 0 ? '' : `${most(0.5, of, 'waits')} / ${most(0.99, of, 'waits')}`;
    });
    const held = `${most(0.5, own, 'held')} / ${most(0.99, own, 'held')}`;
    console.log(`| ${list} | ${cells.join(' | ')} | ${held} |`);
  }
}

function rounded(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
}
