import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'confab-testing/harness/client.ts';
import { median } from 'confab-testing/harness/figures.ts';
import { cpuUsOf } from 'confab-testing/harness/process-usage.ts';
import { temporaryFolder } from 'confab-testing/harness/suite.ts';
import { Agent, request } from 'undici';
import { fillBacklog } from '../webhooks/backlog.ts';
import { type Receivers, startReceivers } from '../webhooks/receivers.ts';
import { startEmptyConfab } from './servers.ts';

/** How fast Confab sends what waits for webhooks, beside the bare HTTP client that sends the same bodies. */

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
/** The text of a comment of a usual length. */
const usualText = 'The same text as in every delivery of this run, of a length as comments have it.';

/** A Confab with an app, which can be started again with something done to its folder in between. */
export type Confab = {
  readonly client: Client;
  readonly pid: number;
  restart(meanwhile: (folder: string) => void): Promise<Confab>;
};

/** Runs `work` on a fresh Confab with an app, whose folder is gone afterwards. */
async function withConfab<T>(work: (confab: Confab) => Promise<T>): Promise<T> {
  using folder = temporaryFolder('webhooks');
  let server = await startEmptyConfab({ folder: folder.path });
  let client = new Client(server);
  async function stop(): Promise<void> {
    await client.close();
    await server.stop();
  }
  async function restart(meanwhile: (folder: string) => void): Promise<Confab> {
    await stop();
    meanwhile(folder.path);
    server = await startEmptyConfab({ folder: folder.path, key: server.key });
    client = new Client(server);
    return { client, pid: server.pid, restart };
  }
  try {
    await client.create('/api/apps', { uid: 'bench', type: 'comments' });
    return await work({ client, pid: server.pid, restart });
  } finally {
    await stop();
  }
}

/** Runs `work` with receivers, of which `dead` never answer, and a Confab. */
export async function withReceivers<T>(
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

/** Registers a webhook and answers its id. */
export async function register({ client }: Confab, url = '', trigger = 'comments'): Promise<number> {
  const hook = { payload_url: url, triggers: [trigger], secret };
  return await client.create('/api/webhooks', hook);
}

/** Makes a comment in the app. */
export async function comment({ client }: Confab, text = usualText): Promise<void> {
  await client.create('/api/apps/bench/comments', { text });
}

/** Deliveries a second, and the processor time of the server for one where it is known. */
type Speed = { readonly perSecond: number; readonly cpuUs?: number };

async function receivedAll(receivers: Receivers, count: number): Promise<number> {
  for (;;) {
    const seen = await receivers.ask('count');
    if (seen.count >= count) return (count * 1000) / (seen.lastAt - seen.firstAt);
    await pause(50);
  }
}

/** Sends `deliveries` from the queues of `hooks` webhooks on `hosts` ports. */
async function speedOfConfab(hooks: number, hosts: number, deliveries: number): Promise<Speed> {
  return await withReceivers([hosts, 0], async (receivers, confab) => {
    const ids: number[] = [];
    for (let index = 0; index < hooks; index += 1)
      ids.push(await register(confab, receivers.urls[index % hosts], 'comment_updated'));
    await comment(confab);
    await receivers.ask('clear');
    const each = Math.ceil(deliveries / hooks);
    const { pid } = await confab.restart((folder) => fillBacklog(folder, ids, each));
    const cpuBefore = cpuUsOf(pid) ?? Number.NaN;
    const { count: before } = await receivers.ask('count');
    const perSecond = await receivedAll(receivers, each * hooks);
    const cpuUs = ((cpuUsOf(pid) ?? Number.NaN) - cpuBefore) / (each * hooks - before);
    return { perSecond, cpuUs };
  });
}

/** The same requests by the bare client, `atOnce` at a time for each port. */
async function speedOfClient(
  hosts: number,
  atOnce: number,
  { deliveries, body }: { deliveries: number; body: string },
): Promise<Speed> {
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
    return { perSecond: await receivedAll(receivers, deliveries) };
  } finally {
    await agent.close();
    receivers.stop();
  }
}

/** How fast one way of sending is: medians over the rounds. */
export type WayOfSending = {
  readonly name: string;
  /** Deliveries a second, and those of the bare client. */
  readonly own: number;
  readonly client: number;
  /** The median of the fractions inside each round. */
  readonly fraction: number;
  /** The processor time of the server for one. */
  readonly cpuUs: number;
};

/** Measures each way of sending as often as `rounds`. */
export async function* speedsOfDeliveries({
  rounds,
  deliveries,
}: {
  rounds: number;
  deliveries: number;
}): AsyncGenerator<WayOfSending> {
  const body = await sampleBody();
  for (const { name, hooks, hosts, atOnce } of [
    { name: '1 webhook, 4 requests at a time', hooks: 1, hosts: 1, atOnce: 4 },
    { name: '8 webhooks of one host, 8 at a time', hooks: 8, hosts: 1, atOnce: 8 },
    { name: '16 webhooks of 8 hosts, 64 at a time', hooks: 16, hosts: 8, atOnce: 8 },
  ]) {
    const ours: Speed[] = [];
    const bare: Speed[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await speedOfClient(hosts, atOnce, { deliveries, body }));
      ours.push(await speedOfConfab(hooks, hosts, deliveries));
    }
    const fraction = median(ours.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? 0)));
    const [own = 0, client = 0] = [ours, bare].map((all) => median(all.map(({ perSecond }) => perSecond)));
    yield { name, own, client, fraction, cpuUs: median(ours.map((one) => one.cpuUs ?? Number.NaN)) };
  }
}

/** Measures each way of sending as often as `rounds` and prints the medians. */
export async function measureDeliveries(effort: { rounds: number; deliveries: number }): Promise<void> {
  for await (const { name, own, client, fraction, cpuUs } of speedsOfDeliveries(effort))
    console.log(
      `${name}: ${own.toFixed(0)} deliveries/s signed and recorded, bare client ${client.toFixed(0)}/s: ${fraction.toFixed(2)} of it, ${cpuUs.toFixed(0)} µs of processor time each`,
    );
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
