import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Sent, send, usageOf } from '../requests/measure.ts';
import { turnSteps } from '../requests/probe.ts';
import type { Row } from '../requests/rows.ts';
import { commentTexts } from './comment-texts.ts';
import { startLoad } from './measure.ts';
import { headersOf } from './servers.ts';

/** The turns of the event loop of a server in which many create comments while it is asked for something else. */

/** The longest that a turn may be, in milliseconds of processor time. */
const turnMsMax = 25;
/** How often a request with a longer turn is sent: what creates comments makes one long now and then, not each time. */
const tries = 4;
/** How many of the requests with the longest turns are printed, whether these are too long or not. */
const printedMin = 20;
/** How long the load runs alone, and how long what a change leaves behind is waited for, in milliseconds. */
const loadMs = { warm: 3000, alone: 15_000, left: 150 } as const;
const connections = 50;

/** A server under load: its address, its probe, the apps in which comments are created, and by whom. */
export type Loaded = {
  readonly url: string;
  readonly probe: Socket;
  readonly appIds: readonly number[];
  readonly token: string;
};

/** Sums the turns that a probe reports. */
class Turns {
  readonly #counts = Array.from({ length: turnSteps.length + 1 }, () => 0);
  longestMs = 0;

  add({ turns, heldMs }: { readonly turns: readonly number[]; readonly heldMs: number }): void {
    for (const [step, count] of turns.entries()) this.#counts[step] = (this.#counts[step] ?? 0) + count;
    this.longestMs = Math.max(this.longestMs, heldMs);
  }

  toString(): string {
    const steps = this.#counts.map((count, n) => {
      const from = turnSteps[n - 1] ?? 0;
      return `${turnSteps[n] === undefined ? `over ${from}` : `${from}-${turnSteps[n]}`}: ${count}`;
    });
    return `${steps.join(', ')}; the longest ${this.longestMs.toFixed(1)}`;
  }
}

/**
 * Sends each request while comments are created, and names those with which a turn is too long each time they are sent. A
 * request that takes long meets whatever the creating of comments does in that time, so it is named only where the load alone
 * stays below the limit for as long.
 */
export async function measureTurns(server: Loaded, rows: readonly Row[]): Promise<void> {
  const load = startLoad({
    ...{ url: server.url, connections, seconds: 100_000 },
    requests: commentTexts(1000).map((text, n) => ({
      method: 'POST',
      path: `/api/apps/${server.appIds[n % server.appIds.length]}/comments`,
      headers: headersOf(server.token, true),
      body: JSON.stringify({ text }),
    })),
  });
  await pause(loadMs.warm);
  await usageOf(server.probe);
  await pause(loadMs.alone);
  const alone = new Turns();
  alone.add(await usageOf(server.probe));
  console.log(`turns with ${connections} connections creating comments alone, by milliseconds: ${alone}`);
  const all = new Turns();
  const costs: NamedCost[] = [];
  for (const [index, row] of rows.entries()) {
    costs.push({ name: row.name, ...(await costWith(server, row, all)) });
    if (index % 100 === 99) console.error(`  ${index + 1} of ${rows.length}`);
  }
  printLongest(costs);
  console.log(`turns while ${rows.length} other requests were answered: ${all}`);
  load.stop();
  const { answered, seconds, failed, p50Ms, p99Ms } = await load.result;
  const rate = `${(answered / seconds).toFixed(0)} a second, p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)} ms`;
  console.log(`comments created meanwhile: ${answered} (${rate}), ${failed} failed`);
}

/**
 * The longest turn with a request, in milliseconds, each time it was sent, and the longest of the load alone for as long;
 * the second is measured only where the first is too long each time, until it is short enough once.
 */
type Cost = {
  readonly status: number;
  readonly held: readonly number[];
  readonly alone: readonly number[];
};

type NamedCost = Cost & { readonly name: string };

/** Prints the requests with the longest turns, and how many have one that is too long each time they are sent. */
function printLongest(costs: readonly NamedCost[]): void {
  const least = ({ held }: Cost) => Math.min(...held);
  const long = costs.filter((cost) => least(cost) > turnMsMax);
  const isOfLoad = ({ alone }: Cost) => Math.min(...alone) > turnMsMax;
  const shown = costs.toSorted((one, other) => least(other) - least(one));
  console.log('  least    most  ms of the longest turn with a request, each time it was sent');
  for (const cost of shown.slice(0, Math.max(long.length, printedMin))) {
    const { name, status, held } = cost;
    const [first, last] = [Math.min(...held), Math.max(...held)].map((ms) => ms.toFixed(1).padStart(7));
    const why = long.includes(cost) && isOfLoad(cost) ? ', the load alone as well' : '';
    console.log(`${first} ${last}  ${name} (${status})${why}`);
  }
  const ofLoad = long.filter(isOfLoad).length;
  console.log(
    `requests with a turn of more than ${turnMsMax} ms in each of ${tries} tries: ${long.length - ofLoad}, ` +
      `and ${ofLoad} with which the load alone has one as often`,
  );
}

/** Sends a request until its longest turn is short enough, a few times at most. */
async function costWith({ probe, url }: Loaded, row: Row, all: Turns): Promise<Cost> {
  const held: number[] = [];
  const alone: number[] = [];
  let status = 0;
  let tookMs = 0;
  do {
    const sent: Sent = await row.make();
    all.add(await usageOf(probe));
    const startedAt = performance.now();
    status = (await send(url, sent)).status;
    if (sent.method !== 'GET') await pause(loadMs.left);
    const usage = await usageOf(probe);
    all.add(usage);
    held.push(usage.heldMs);
    tookMs = performance.now() - startedAt;
  } while (row.isRepeatable && held.length < tries && (held.at(-1) ?? 0) > turnMsMax);
  while ((held.at(-1) ?? 0) > turnMsMax && alone.length < tries && (alone.at(-1) ?? Infinity) > turnMsMax) {
    await pause(tookMs);
    alone.push((await usageOf(probe)).heldMs);
  }
  return { held, alone, status };
}
