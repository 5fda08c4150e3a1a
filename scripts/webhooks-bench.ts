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
import { Agent, request } from 'undici';
import { startEmptyConfab } from './bench/servers.ts';
import { Client } from './harness/client.ts';
import { median, quantile } from './harness/figures.ts';
import { readFlags } from './harness/suite.ts';
import { fillBacklog } from './webhooks/backlog.ts';
import { type Receipt, type Receivers, startReceivers } from './webhooks/receivers.ts';

const { rounds, deliveries, seconds, backlogs, only } = readFlags({
  rounds: 3,
  deliveries: 20_000,
  seconds: 20,
  backlogs: '10000,100000',
  only: '',
});

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const now = (): number => performance.timeOrigin + performance.now();

/** The text of a comment of a usual length. */
const usualText = 'The same text as in every delivery of this run, of a length as comments have it.';

/** A Confab with an app, which can be started again with something done to its folder in between. */
type Confab = { readonly client: Client; restart(meanwhile: (folder: string) => void): Promise<Confab> };

/** Runs `work` on a fresh Confab with an app, whose folder is gone afterwards. */
async function withConfab<T>(work: (confab: Confab) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'confab-webhooks-'));
  let server = await startEmptyConfab(folder);
  let client = new Client(server);
  async function stop(): Promise<void> {
    await client.close();
    await server.stop();
  }
  async function restart(meanwhile: (folder: string) => void): Promise<Confab> {
    await stop();
    meanwhile(folder);
    server = await startEmptyConfab(folder, [], server.key);
    client = new Client(server);
    return { client, restart };
  }
  try {
    await client.must('POST', '/api/apps', { uid: 'bench', type: 'comments' });
    return await work({ client, restart });
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `work` with receivers, of which `dead` never answer, and a Confab. */
async function withReceivers<T>(
  [answering, dead]: readonly [number, number],
  work: (receivers: Receivers, confab: Confab) => Promise<T>,
): Promise<T> {
  const receivers = await startReceivers(answering, dead);
  try {
    return await withConfab((confab) => work(receivers, confab));
  } finally {
    receivers.stop();
  }
}

async function register({ client }: Confab, url = '', trigger = 'comments'): Promise<number> {
  const hook = { payload_url: url, triggers: [trigger], secret };
  return Number((await client.must('POST', '/api/webhooks', hook))['id']);
}

async function comment({ client }: Confab, text = usualText): Promise<void> {
  await client.must('POST', '/api/apps/bench/comments', { text });
}

async function receivedAll(receivers: Receivers, count: number): Promise<number> {
  for (;;) {
    const seen = await receivers.ask('count');
    if (seen.count >= count) return (count * 1000) / (seen.lastAt - seen.firstAt);
    await pause(50);
  }
}

/** Deliveries a second of Confab, from a queue, to `hooks` webhooks on `hosts` ports. */
async function speedOfConfab(hooks: number, hosts: number): Promise<number> {
  return await withReceivers([hosts, 0], async (receivers, confab) => {
    const ids: number[] = [];
    for (let index = 0; index < hooks; index += 1)
      ids.push(await register(confab, receivers.urls[index % hosts], 'comment_updated'));
    await comment(confab);
    await receivers.ask('clear');
    const each = Math.ceil(deliveries / hooks);
    await confab.restart((folder) => fillBacklog(folder, ids, each));
    return await receivedAll(receivers, each * hooks);
  });
}

/** The same requests by the bare client, `atOnce` at a time for each port. */
async function speedOfClient(hosts: number, atOnce: number, body: string): Promise<number> {
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
  const body = await sampleBody();
  for (const { name, hooks, hosts, atOnce } of [
    { name: '1 webhook, 4 requests at a time', hooks: 1, hosts: 1, atOnce: 4 },
    { name: '8 webhooks of one host, 8 at a time', hooks: 8, hosts: 1, atOnce: 8 },
    { name: '16 webhooks of 8 hosts, 64 at a time', hooks: 16, hosts: 8, atOnce: 8 },
  ]) {
    const confab: number[] = [];
    const client: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      client.push(await speedOfClient(hosts, atOnce, body));
      confab.push(await speedOfConfab(hooks, hosts));
    }
    const [ours, bare] = [median(confab), median(client)];
    console.log(
      `${name}: ${ours.toFixed(0)} deliveries/s signed and recorded, bare client ${bare.toFixed(0)}/s: ${(ours / bare).toFixed(2)} of it`,
    );
  }
}

/** The body of one delivery, for the bare client. */
async function sampleBody(): Promise<string> {
  return await withReceivers([1, 0], async (receivers, confab) => {
    await register(confab, receivers.urls[0]);
    await comment(confab);
    for (;;) {
      const [receipt] = (await receivers.ask('all')).receipts;
      if (receipt !== undefined) return receipt.body;
      await pause(20);
    }
  });
}

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

console.log(`${cpus().length} processors, ${cpus()[0]?.model}, Node ${process.version}, ${rounds} rounds`);
if (['', 'speed'].includes(only)) await measureSpeed();
if (['', 'idle'].includes(only)) await measureIdle();
if (['', 'dead'].includes(only)) await measureDead();
