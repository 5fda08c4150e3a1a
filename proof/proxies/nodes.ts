import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import { type Follower, follow } from 'confab-testing/harness/event-stream.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { Node } from 'confab-testing/nodes/node.ts';
import { poll } from 'confab-testing/poll.ts';
import { createdComments } from './check-live.ts';
import type { ProxyName } from './page.ts';
import { freeAddress, type RunningProxy, startProxy } from './proxy.ts';
import { visit } from './visitor.ts';
import { expectJson, type Ground, jsonBody, settingsBehind } from './world.ts';

/** Two nodes on one PostgreSQL behind a proxy. */
export type Nodes = {
  readonly nodes: readonly [Node, Node];
  readonly proxy: RunningProxy;
  readonly key: string;
  readonly token: string;
  readonly appId: number;
  stop(): Promise<void>;
};

/** How many clients write at once, each from an address of its own. */
const clients = 16;
/** nginx chooses the node by the first three numbers of an address. */
const addressOf = (client: number) => `127.0.${10 + client}.2`;
/** How long the clients write before a node is killed, while it is gone, and after it is back. */
const phaseMs = 2500;
/** A request that begins this long after a node was killed succeeds. */
const noticedMs = 3000;

/** Starts two nodes on a database and a proxy with the configuration for several nodes. */
export async function startNodes(
  name: ProxyName,
  { folder, certificate }: Ground,
  databaseUrl: string,
): Promise<Nodes> {
  const { port, url } = await freeAddress();
  const [key, own] = [freshKey(), join(folder, `${name}-nodes`)];
  mkdirSync(own, { recursive: true });
  const node = async (title: string) => {
    const at = await freePort();
    // The proxy finds it at the same port when it comes back.
    const settings = { ...settingsBehind(url), CONFAB_DATABASE_URL: databaseUrl, CONFAB_PORT: String(at) };
    const made = new Node(title, () => startConfab({ folder: own, key, name: title, settings }));
    await made.start();
    return { made, host: `127.0.0.1:${at}` };
  };
  const [one, two] = [await node('one'), await node('two')];
  const proxy = await startProxy(name, { folder, certificate, port, nodes: [one.host, two.host] });
  const direct = new Client({ url: one.made.process.url, key });
  const appId = await direct.create('/api/apps', { uid: 'room', type: 'comments', access: 'write' });
  const token = await issueToken(direct, 'ada');
  await direct.close();
  return {
    nodes: [one.made, two.made],
    proxy,
    key,
    token,
    appId,
    async stop() {
      await proxy.stop();
      for (const each of [one, two]) await each.made.kill();
    },
  };
}

/**
 * Long polling, whose requests are on connections of their own, stays on the node where it began, for clients at many
 * addresses; and the clients are spread over both nodes.
 */
export async function checkSticky({ proxy, token, nodes, key }: Nodes): Promise<string> {
  const end = '\x1e';
  async function pollHub(from: string): Promise<void> {
    const authorization = `Bearer ${token}`;
    const call = async (method: string, path: string, text?: string) => {
      const body = text === undefined ? {} : { body: Buffer.from(text + end) };
      const headers = { authorization, ...(text === undefined ? {} : { 'content-type': 'text/plain' }) };
      const reply = await visit(proxy.url, { method, path, headers, ...body }, from);
      if (reply.status >= 300) throw new Error(`${method} of the hub from ${from}: ${reply.status}`);
      return reply.body.toString('utf8');
    };
    const { connectionToken } = JSON.parse(await call('POST', '/hubs/rtm/negotiate?negotiateVersion=1'));
    const path = `/hubs/rtm?id=${connectionToken}`;
    await call('GET', path);
    await call('POST', path, '{"protocol":"json","version":1}');
    assert.equal(await call('GET', path), `{}${end}`);
  }
  await Promise.all(Array.from({ length: clients }, (_, n) => pollHub(addressOf(n))));
  const counts = await Promise.all(
    nodes.map(async (node) => {
      const reply = await fetch(`${node.process.url}/metrics`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return Number(/^confab_live_connections\{kind="hub"\} (\d+)$/m.exec(await reply.text())?.[1] ?? 0);
    }),
  );
  assert.ok(
    counts.every((count) => count > 0),
    `the clients were ${counts.join(' and ')} on the nodes`,
  );
  return `${counts.join(' and ')} clients`;
}

type Sent = {
  readonly at: number;
  readonly endedAt: number;
  readonly id: number | undefined;
  readonly why: string;
};

/** Sends comments of one client, one after another, until it is stopped. */
async function write({ proxy, token }: Nodes, from: string, isOver: () => boolean): Promise<Sent[]> {
  const all: Sent[] = [];
  while (!isOver()) {
    const at = performance.now();
    const { headers, body } = jsonBody({ text: randomUUID() });
    const call = {
      method: 'POST',
      path: '/api/apps/room/comments',
      headers: { ...headers, authorization: `Bearer ${token}` },
    };
    try {
      const reply = await visit(proxy.url, { ...call, body: body ?? Buffer.alloc(0) }, from);
      const id = reply.status === 201 ? Number(expectJson(reply, 201, 'a comment')['id']) : undefined;
      all.push({ at, endedAt: performance.now(), id, why: String(reply.status) });
    } catch (error) {
      all.push({ at, endedAt: performance.now(), id: undefined, why: (error as Error).message });
    }
    await pause(20);
  }
  return all;
}

/**
 * Kills each node once, under load. Only requests that were on it then fail, the others go to the other node; no
 * acknowledged comment is lost, a reader of the stream has each exactly once, and a WebSocket comes back.
 */
export async function checkKilledNode(world: Nodes): Promise<string> {
  let isOver = false;
  const live = await connectLive(world.proxy, world.token, { retries: Array(50).fill(200) });
  await live.subscribe(`a${world.appId}:comment_created`);
  const heardIds: number[] = [];
  const reader = follow(
    () => ({ url: world.proxy.url, credential: world.token }),
    (event) => heardIds.push(...createdComments(event)),
  );
  const writers = Array.from({ length: clients }, (_, n) => write(world, addressOf(n), () => isOver));
  const kills: number[] = [];
  for (const node of world.nodes) {
    await pause(phaseMs);
    await node.kill();
    kills.push(performance.now());
    await pause(noticedMs + phaseMs);
    await node.start();
  }
  await pause(phaseMs);
  isOver = true;
  const sent = (await Promise.all(writers)).flat();
  const taken = sent.flatMap(({ id }) => id ?? []);
  const failed = sent.filter(({ id }) => id === undefined);
  const late = failed.filter(
    ({ at }) => !kills.some((killedAt) => at - killedAt < noticedMs && at > killedAt - 60_000),
  );
  assert.deepEqual(late, [], 'requests failed long after a node was killed');
  assert.ok(failed.length <= 2 * clients * kills.length, `${failed.length} requests failed`);
  const longest = Math.max(...sent.map(({ at, endedAt }) => endedAt - at));
  await checkBoth(world, { taken, heardIds, reader, live });
  const whys = [...new Set(failed.map(({ why }) => why))].join(', ');
  return `${failed.length} of ${sent.length} failed (${whys || 'none'}), longest ${(longest / 1000).toFixed(1)} s`;
}

type Heard = {
  readonly taken: readonly number[];
  /** The comments of the reader of the stream, in the order of their arrival. */
  readonly heardIds: readonly number[];
  readonly reader: Follower;
  readonly live: Awaited<ReturnType<typeof connectLive>>;
};

/** Checks what the clients of the stream and of the hub have, after both nodes are back. */
async function checkBoth(world: Nodes, { taken, heardIds, reader, live }: Heard): Promise<void> {
  const { headers, body } = jsonBody({ text: 'the last' });
  const call = {
    method: 'POST',
    path: '/api/apps/room/comments',
    headers: { ...headers, authorization: `Bearer ${world.token}` },
  };
  await poll('the WebSocket to be back', () => (live.connection.state === 'Connected' ? true : undefined));
  // The client library leaves it to its user to subscribe again.
  await live.subscribe(`a${world.appId}:comment_created`);
  const reply = await visit(world.proxy.url, { ...call, body: body ?? Buffer.alloc(0) });
  const { id } = expectJson(reply, 201, 'the last comment');
  await live.waitFor(`a${world.appId}:comment_created`, (event) => event.comment.id === id);
  await live.stop();
  assert.ok(live.state.reconnects >= 1, 'the WebSocket was on no node');
  await pause(1000);
  await reader.stop();
  const counts = new Map<number, number>();
  for (const each of heardIds) counts.set(each, (counts.get(each) ?? 0) + 1);
  const wrong = [...taken, Number(id)].filter((each) => counts.get(each) !== 1);
  assert.deepEqual(wrong, [], 'comments that the reader of the stream does not have once');
}
