/**
 * How fast deliveries are, and how much a receiver that is dead is in the way of others: `npx node proof/webhooks-bench.ts`.
 *
 * Deliveries a second stand beside those of the bare HTTP client that makes the same requests to the same receiver in
 * the same run. `--rounds`, `--deliveries` and `--seconds` change the effort, `--backlogs` the queues of the dead
 * receiver, `--only` names one part: speed, idle or dead.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { machine, quantile } from 'confab-testing/harness/figures.ts';
import { readFlags } from 'confab-testing/harness/suite.ts';
import { type Confab, comment, measureDeliveries, register, withReceivers } from './bench/delivery-speed.ts';
import { fillBacklog } from './webhooks/backlog.ts';
import type { Receipt, Receivers } from './webhooks/receivers.ts';

const { rounds, deliveries, seconds, backlogs, only } = readFlags({
  rounds: 3,
  deliveries: 20_000,
  seconds: 20,
  backlogs: '10000,100000',
  only: '',
});

const now = (): number => performance.timeOrigin + performance.now();

function shown(latencies: readonly number[]): string {
  const at = (part: number) => quantile(latencies, part).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms (${latencies.length})`;
}

type Times = { readonly askedAt: number; readonly answeredAt: number };

/** Makes a comment every `everyMs` for a while; answers when each was asked for and answered, by its text. */
async function comments(confab: Confab, everyMs: number, lastsSeconds: number): Promise<Map<string, Times>> {
  const made = new Map<string, Times>();
  const running: Promise<void>[] = [];
  const end = performance.now() + lastsSeconds * 1000;
  for (let number = 0; performance.now() < end; number += 1) {
    const text = `measured ${number}`;
    const askedAt = now();
    const making = comment(confab, text).then(() => void made.set(text, { askedAt, answeredAt: now() }));
    running.push(making);
    await pause(everyMs);
  }
  await Promise.all(running);
  return made;
}

function latenciesOf(
  receipts: readonly Receipt[],
  made: ReadonlyMap<string, Times>,
): { fromAsked: number[]; fromAnswered: number[] } {
  const found = receipts.flatMap(({ at, body }) => {
    const times = made.get(JSON.parse(body).comment.text);
    return times === undefined ? [] : [{ asked: at - times.askedAt, answered: at - times.answeredAt }];
  });
  return {
    fromAsked: found.map(({ asked }) => asked),
    fromAnswered: found.map(({ answered }) => Math.max(answered, 0)),
  };
}

/** Warms up with comments, then makes those that are measured; answers their times and what was received of them. */
async function measured(receivers: Receivers, confab: Confab, everyMs: number) {
  await comments(confab, everyMs, 3);
  await pause(500);
  await receivers.ask('all');
  const made = await comments(confab, everyMs, seconds);
  await pause(2000);
  return { made, ...latenciesOf((await receivers.ask('all')).receipts, made) };
}

async function measureIdle(): Promise<void> {
  await withReceivers([1, 0], async (receivers, confab) => {
    await register(confab, receivers.urls[0]);
    const { fromAsked, fromAnswered } = await measured(receivers, confab, 50);
    console.log(`idle, from the answer that says it is committed to its receipt: ${shown(fromAnswered)}`);
    console.log(`idle, from the request that causes it to its receipt: ${shown(fromAsked)}`);
  });
}

/** The latencies of twenty receivers that answer, beside a dead one with a queue where `backlog` is above 0. */
async function besideDead(backlog: number): Promise<number[]> {
  return await withReceivers([20, 1], async (receivers, fresh) => {
    let confab = fresh;
    for (const url of receivers.urls) await register(confab, url, 'comment_created');
    await comment(confab);
    await pause(500);
    if (backlog > 0) {
      const dead = await register(confab, receivers.deadUrls[0], 'comment_updated');
      confab = await confab.restart((folder) => fillBacklog(folder, [dead], backlog));
    }
    const { made, fromAsked } = await measured(receivers, confab, 100);
    const missing = made.size * 20 - fromAsked.length;
    if (missing !== 0) console.log(`${missing} deliveries are missing`);
    return fromAsked;
  });
}

async function measureDead(): Promise<void> {
  const lengths = [0, ...backlogs.split(',').map(Number)];
  const latencies = new Map<number, number[]>(lengths.map((backlog) => [backlog, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const backlog of lengths) latencies.get(backlog)?.push(...(await besideDead(backlog)));
  for (const [backlog, some] of latencies) {
    const beside = backlog === 0 ? 'without a dead one' : `beside a dead one with ${backlog} deliveries`;
    console.log(`twenty receivers ${beside}, from the request to the receipt: ${shown(some)}`);
  }
}

console.log(`${machine()}, ${rounds} rounds`);
if (['', 'speed'].includes(only)) await measureDeliveries({ rounds, deliveries });
if (['', 'idle'].includes(only)) await measureIdle();
if (['', 'dead'].includes(only)) await measureDead();
