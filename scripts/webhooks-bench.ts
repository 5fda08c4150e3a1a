/**
 * How fast deliveries are, and how much a receiver that is dead is in the way of others: `npm run bench:webhooks`.
 *
 * Deliveries a second stand beside those of the bare HTTP client that makes the same requests to the same receiver in
 * the same run. `--rounds`, `--deliveries` and `--seconds` change the effort, `--backlogs` the queues of the dead
 * receiver, `--only` names one part: speed, idle or dead.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { median } from './bench/measure.ts';
import { call, startEmptyConfab } from './bench/servers.ts';
import type { ConfabProcess } from './harness/confab-process.ts';
import { fillBacklog } from './webhooks/backlog.ts';
import type { Receipt } from './webhooks/receiver-process.ts';
import { type Receivers, startReceivers } from './webhooks/receivers.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    deliveries: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '20' },
    backlogs: { type: 'string', default: '10000,100000' },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(flags.rounds);

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const now = (): number => performance.timeOrigin + performance.now();

/** Runs `work` on a Confab with an app, whose folder is gone afterwards. */
async function withConfab<T>(
  work: (server: ConfabProcess, folder: string, restart: () => Promise<ConfabProcess>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'confab-webhooks-'));
  let server = await startEmptyConfab(folder, []);
  try {
    await call(server, 'POST', '/api/apps', JSON.stringify({ uid: 'bench', type: 'comments' }));
    return await work(server, folder, async () => {
      server = await startEmptyConfab(folder, []);
      return server;
    });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function register(server: ConfabProcess, url: string, triggers: readonly string[]): Promise<number> {
  const body = JSON.stringify({ payload_url: url, triggers, secret });
  return (await call<{ id: number }>(server, 'POST', '/api/webhooks', body)).id;
}

async function comment(server: ConfabProcess, text: string): Promise<void> {
  await call(server, 'POST', '/api/apps/bench/comments', JSON.stringify({ text }));
}

async function receivedAll(receivers: Receivers, count: number): Promise<number> {
  for (;;) {
    const seen = await receivers.ask('count');
    if (seen.count >= count) return (count * 1000) / (seen.lastAt - seen.firstAt);
    await pause(50);
  }
}

/** Deliveries a second of Confab, from a queue, to `hooks` webhooks on `hosts` ports. */
async function speedOfConfab(hooks: number, hosts: number, deliveries: number): Promise<number> {
  const receivers = await startReceivers(hosts, 0);
  try {
    return await withConfab(async (server, folder, restart) => {
      const ids: number[] = [];
      for (let index = 0; index < hooks; index += 1)
        ids.push(await register(server, receivers.urls[index % hosts] ?? '', ['comment_updated']));
      await comment(
        server,
        'The same text as in every delivery of this run, of a length as comments have it.',
      );
      await server.stop();
      fillBacklog(folder, ids, Math.ceil(deliveries / hooks));
      await receivers.ask('clear');
      await restart();
      return await receivedAll(receivers, Math.ceil(deliveries / hooks) * hooks);
    });
  } finally {
    receivers.stop();
  }
}

/** The same requests by the bare client, `atOnce` at a time for each port. */
async function speedOfClient(
  hosts: number,
  atOnce: number,
  deliveries: number,
  body: string,
): Promise<number> {
  const receivers = await startReceivers(hosts, 0);
  const agent = new Agent({ connections: atOnce, pipelining: 1 });
  await receivers.ask('clear');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Confab-Hookshot/0',
    'X-Weavy-Delivery': '00000000-0000-4000-8000-000000000000',
    'webhook-id': '00000000-0000-4000-8000-000000000000',
    'webhook-signature': 'v1,0000000000000000000000000000000000000000000=',
    'X-Hub-Signature-256': `sha256=${'0'.repeat(64)}`,
    'X-Weavy-Signature': `sha256=${'0'.repeat(64)}`,
  };
  let left = deliveries;
  const send = async (url: string): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const response = await request(url, { dispatcher: agent, method: 'POST', headers, body });
      await response.body.dump();
    }
  };
  try {
    await Promise.all(receivers.urls.flatMap((url) => Array.from({ length: atOnce }, () => send(url))));
    return await receivedAll(receivers, deliveries);
  } finally {
    await agent.close();
    receivers.stop();
  }
}

async function measureSpeed(): Promise<void> {
  const deliveries = Number(flags.deliveries);
  const body = await sampleBody();
  for (const { name, hooks, hosts, atOnce } of [
    { name: '1 webhook, 4 requests at a time', hooks: 1, hosts: 1, atOnce: 4 },
    { name: '8 webhooks of one host, 8 at a time', hooks: 8, hosts: 1, atOnce: 8 },
    { name: '16 webhooks of 8 hosts, 64 at a time', hooks: 16, hosts: 8, atOnce: 8 },
  ]) {
    const confab: number[] = [];
    const client: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      client.push(await speedOfClient(hosts, atOnce, deliveries, body));
      confab.push(await speedOfConfab(hooks, hosts, deliveries));
    }
    const [ours, bare] = [median(confab), median(client)];
    console.log(
      `${name}: ${ours.toFixed(0)} deliveries/s signed and recorded, bare client ${bare.toFixed(0)}/s: ${(ours / bare).toFixed(2)} of it`,
    );
  }
}

/** The body of one delivery, for the bare client. */
async function sampleBody(): Promise<string> {
  const receivers = await startReceivers(1, 0);
  try {
    return await withConfab(async (server) => {
      await register(server, receivers.urls[0] ?? '', ['comments']);
      await comment(
        server,
        'The same text as in every delivery of this run, of a length as comments have it.',
      );
      for (;;) {
        const [receipt] = (await receivers.ask('all')).receipts;
        if (receipt !== undefined) return receipt.body;
        await pause(20);
      }
    });
  } finally {
    receivers.stop();
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}

function shown(latencies: readonly number[]): string {
  const sorted = [...latencies].sort((one, other) => one - other);
  const [p50, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${(sorted.at(-1) ?? Number.NaN).toFixed(1)} ms (${sorted.length})`;
}

/** Makes a comment every `everyMs` for a while; answers when each was asked for and answered, by its text. */
async function comments(
  server: ConfabProcess,
  { everyMs, seconds }: { everyMs: number; seconds: number },
): Promise<Map<string, { askedAt: number; answeredAt: number }>> {
  const made = new Map<string, { askedAt: number; answeredAt: number }>();
  const running: Promise<void>[] = [];
  const end = performance.now() + seconds * 1000;
  for (let number = 0; performance.now() < end; number += 1) {
    const text = `measured ${number}`;
    const askedAt = now();
    running.push(
      comment(server, text).then(() => {
        made.set(text, { askedAt, answeredAt: now() });
      }),
    );
    await pause(everyMs);
  }
  await Promise.all(running);
  return made;
}

function latenciesOf(
  receipts: readonly Receipt[],
  made: ReadonlyMap<string, { askedAt: number; answeredAt: number }>,
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

async function measureIdle(): Promise<void> {
  const receivers = await startReceivers(1, 0);
  try {
    await withConfab(async (server) => {
      await register(server, receivers.urls[0] ?? '', ['comments']);
      await comments(server, { everyMs: 50, seconds: 3 });
      await pause(500);
      await receivers.ask('all');
      const made = await comments(server, { everyMs: 50, seconds: Number(flags.seconds) });
      await pause(1000);
      const { fromAsked, fromAnswered } = latenciesOf((await receivers.ask('all')).receipts, made);
      console.log(`idle, from the answer that says it is committed to its receipt: ${shown(fromAnswered)}`);
      console.log(`idle, from the request that causes it to its receipt: ${shown(fromAsked)}`);
    });
  } finally {
    receivers.stop();
  }
}

/** The latencies of twenty receivers that answer, beside a dead one with a queue where `backlog` is above 0. */
async function besideDead(backlog: number): Promise<number[]> {
  const receivers = await startReceivers(20, 1);
  try {
    return await withConfab(async (first, folder, restart) => {
      let server = first;
      for (const url of receivers.urls) await register(server, url, ['comment_created']);
      const dead =
        backlog === 0 ? undefined : await register(server, receivers.deadUrls[0] ?? '', ['comment_updated']);
      await comment(server, 'first');
      await pause(500);
      if (dead !== undefined) {
        await server.stop();
        fillBacklog(folder, [dead], backlog);
        server = await restart();
      }
      await comments(server, { everyMs: 100, seconds: 3 });
      await pause(500);
      await receivers.ask('all');
      const made = await comments(server, { everyMs: 100, seconds: Number(flags.seconds) });
      await pause(2000);
      const { receipts } = await receivers.ask('all');
      const { fromAsked } = latenciesOf(receipts, made);
      const missing = made.size * 20 - fromAsked.length;
      if (missing !== 0) console.log(`${missing} deliveries are missing`);
      return fromAsked;
    });
  } finally {
    receivers.stop();
  }
}

async function measureDead(): Promise<void> {
  const backlogs = [0, ...flags.backlogs.split(',').map(Number)];
  const latencies = new Map<number, number[]>(backlogs.map((backlog) => [backlog, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const backlog of backlogs) latencies.get(backlog)?.push(...(await besideDead(backlog)));
  for (const [backlog, some] of latencies) {
    const beside = backlog === 0 ? 'without a dead one' : `beside a dead one with ${backlog} deliveries`;
    console.log(`twenty receivers ${beside}, from the request to the receipt: ${shown(some)}`);
  }
}

console.log(`${cpus().length} processors, ${cpus()[0]?.model}, Node ${process.version}, ${rounds} rounds`);
if (['', 'speed'].includes(flags.only)) await measureSpeed();
if (['', 'idle'].includes(flags.only)) await measureIdle();
if (['', 'dead'].includes(flags.only)) await measureDead();
