import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, openSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { type ConfabProcess, freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import { programPath } from 'confab-testing/harness/programs.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { type Cluster, startCluster } from 'confab-testing/nodes/cluster.ts';
import { poll } from 'confab-testing/poll.ts';
import { root } from 'confab-tools/places.ts';
import { FormData } from 'undici';
import { readStream } from '../proxies/check-live.ts';
import { proxyFor } from './proxy.ts';

/** A proxy that buffers passes an event on with the next one, or after its own timeout, not within this time. */
const eventMsMax = 1000;
/** How long clients may be refused when a node stops: HAProxy notices after two checks, a second apart. */
const refusedMsMax = 5000;
/** How many comments show that a node is not missed. */
const comments = 200;

type World = {
  readonly folder: string;
  readonly cluster: Cluster;
  /** The address of HAProxy. */
  readonly url: string;
  readonly key: string;
  start(name: string, port: number): Promise<ConfabProcess>;
};

/** Runs what the Compose file runs, and fails it. Throws for a violation; returns what was seen, a line each. */
export async function checkNodes(folder: string): Promise<string[]> {
  await using cluster = await startCluster();
  const port = await freePort();
  const ports = [await freePort(), await freePort()] as const;
  const world = worldOf({ folder, cluster, url: `http://127.0.0.1:${port}`, key: freshKey() });
  const proxy = startProxy(folder, port, ports);
  const running: ConfabProcess[] = [];
  try {
    running.push(await world.start('one', ports[0]), await world.start('two', ports[1]));
    await ready(world, 200);
    const client = new Client(world);
    const seen = await checkLive(world, client, running);
    seen.push(await checkStops(world, client, { running, ports }), await checkBackup(world, client));
    await client.close();
    return seen;
  } finally {
    for (const node of running) await node.kill();
    proxy.kill('SIGINT');
  }
}

/** The nodes have the settings of the Compose file; the secrets are those of its script, but for the database. */
function worldOf(given: Omit<World, 'start'>): World {
  const copy = join(given.folder, 'compose');
  cpSync(join(root, 'deploy/compose'), copy, { recursive: true });
  const { status, stderr } = spawnSync('sh', [join(copy, 'make-secrets.sh')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`make-secrets.sh: ${stderr}`);
  const database = join(copy, 'secrets/database-url');
  writeFileSync(database, `${given.cluster.url}\n`);
  const settings = {
    CONFAB_PUBLIC_URL: given.url,
    CONFAB_DATABASE_URL_FILE: database,
    CONFAB_SECRETS_KEY_FILE: join(copy, 'secrets/secrets-key'),
    CONFAB_TRUSTED_PROXIES: '127.0.0.1',
  };
  return {
    ...given,
    start: (name, port) =>
      startConfab({
        folder: given.folder,
        key: given.key,
        name,
        settings: { ...settings, CONFAB_PORT: String(port) },
      }),
  };
}

function startProxy(folder: string, port: number, [one, two]: readonly [number, number]): ChildProcess {
  const file = join(folder, 'nodes.cfg');
  const text = proxyFor({
    errorFile: join(root, 'docs/ha/unavailable.http'),
    listen: `127.0.0.1:${port}`,
    nodes: [`127.0.0.1:${one}`, `127.0.0.1:${two}`],
  });
  writeFileSync(file, text);
  const log = openSync(join(folder, 'haproxy.log'), 'a');
  return spawn('haproxy', ['-db', '-f', file], {
    stdio: ['ignore', log, log],
    env: { PATH: programPath },
  });
}

/** Waits until HAProxy answers `/readyz` with the status. */
async function ready({ url, folder }: World, status: number): Promise<Response> {
  return await poll(`${status} of HAProxy; its log is in ${folder}`, async () => {
    try {
      const reply = await fetch(`${url}/readyz`);
      return reply.status === status ? reply : undefined;
    } catch (error) {
      // HAProxy does not listen yet.
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  });
}

/** A comment through HAProxy, and the event of a comment on each node through a stream and a WebSocket. */
async function checkLive(world: World, client: Client, running: readonly ConfabProcess[]): Promise<string[]> {
  const appId = await client.create('/api/apps', { uid: 'room', type: 'comments', access: 'write' });
  const token = await issueToken(client, 'ada');
  await client.create('/api/apps/room/comments', { text: 'the first' }, token);
  const stream = await readStream(world.url, token);
  const live = await connectLive(world, token);
  const channel = `a${appId}:comment_created`;
  await live.subscribe(channel);
  let most = 0;
  for (const node of running) {
    const direct = new Client(node);
    const id = await direct.create(`/api/apps/${appId}/comments`, { text: 'an event' });
    const answeredAt = performance.now();
    await poll(`the event of comment ${id} on the stream`, () => stream.commentIds.includes(id) || undefined);
    await live.waitFor(channel, (event) => event.comment.id === id);
    most = Math.max(most, performance.now() - answeredAt);
    await direct.close();
  }
  await Promise.all([stream.close(), live.stop()]);
  assert.ok(most < eventMsMax, `an event took ${most.toFixed(0)} ms`);
  return [
    `a comment through HAProxy; events of both nodes on a stream and a WebSocket within ${most.toFixed(0)} ms`,
  ];
}

type Nodes = { readonly running: ConfabProcess[]; readonly ports: readonly [number, number] };

/** Stops each node once while comments are created, and then both. */
async function checkStops(world: World, client: Client, { running, ports }: Nodes): Promise<string> {
  let refused = 0;
  let most = 0;
  for (const [n, name] of (['one', 'two'] as const).entries()) {
    const stopping = running[n]?.stop();
    for (let left = comments; left > 0; left -= 1) {
      const startedAt = performance.now();
      await poll('a comment', async () => {
        const answer = await client.send('POST', '/api/apps/room/comments', { text: `${name} is away` });
        if (answer === undefined) refused += 1;
        else assert.equal(answer.status, 201);
        return answer;
      });
      most = Math.max(most, performance.now() - startedAt);
    }
    await stopping;
    running[n] = await world.start(name, ports[n] ?? 0);
  }
  assert.ok(most < refusedMsMax, `clients waited ${most.toFixed(0)} ms`);
  await Promise.all(running.map((node) => node.stop()));
  const reply = await ready(world, 503);
  assert.ok(Number(reply.headers.get('retry-after')) > 0);
  assert.equal(((await reply.json()) as { readonly code: string }).code, 'storage_unavailable');
  for (const [n, name] of (['one', 'two'] as const).entries())
    running[n] = await world.start(name, ports[n] ?? 0);
  await ready(world, 200);
  return `each node was stopped under ${comments} comments: ${refused} were refused, the longest took ${most.toFixed(0)} ms; without nodes HAProxy answers 503 with Retry-After`;
}

/** Makes a backup by the script, restores it to another database and folder, and starts a node on them. */
async function checkBackup(world: World, client: Client): Promise<string> {
  const { folder, cluster } = world;
  const form = new FormData();
  form.append('blob', new Blob(['what is uploaded']), 'note.txt');
  const uploaded = await client.must('POST', '/api/blobs', form);
  await client.create('/api/apps/room/comments', { text: 'with a file', blobs: [uploaded['id']] });
  const backups = join(folder, 'backups');
  const database = new URL(cluster.url);
  const connection = {
    PATH: programPath,
    PGHOST: database.searchParams.get('host') ?? database.hostname,
    PGUSER: database.username,
  };
  const script = (argument: string, keep = 28) =>
    spawnSync('sh', [join(folder, 'compose/backup.sh'), argument], {
      encoding: 'utf8',
      env: {
        ...connection,
        PGDATABASE: database.pathname.slice(1),
        PASSWORD_FILE: join(folder, 'compose/secrets/postgres-password'),
        BACKUP_FROM: join(folder, 'data'),
        BACKUP_TO: backups,
        BACKUP_EVERY: '3600',
        BACKUP_KEEP: String(keep),
      },
    });
  mkdirSync(backups);
  assert.notEqual(script('check').status, 0, 'no backup is found missing');
  const { status, stderr } = script('once');
  assert.equal(status, 0, stderr);
  assert.equal(script('check').status, 0);
  const [dump = ''] = dumpsIn(backups);

  await cluster.rows('create database restored');
  const restored = spawnSync('pg_restore', ['--exit-on-error', '--dbname=restored', join(backups, dump)], {
    encoding: 'utf8',
    env: connection,
  });
  assert.equal(restored.status, 0, restored.stderr);
  await checkRestored(world, client);

  const old = Date.now() / 1000 - 3 * 3600;
  utimesSync(join(backups, dump), old, old);
  assert.notEqual(script('check').status, 0, 'an old backup is found late');
  await poll('the next second, because backups are named by seconds', () => {
    assert.equal(script('once', 1).status, 0);
    return dumpsIn(backups).includes(dump) ? undefined : true;
  });
  assert.equal(dumpsIn(backups).length, 1);
  return 'a backup by backup.sh was restored with its upload; a late one is found; only the newest was kept';
}

function dumpsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.dump'));
}

async function checkRestored({ folder, cluster, key }: World, client: Client): Promise<void> {
  const own = join(folder, 'restored');
  cpSync(join(folder, 'backups/blobs'), join(own, 'data/blobs'), { recursive: true });
  const database = new URL(cluster.url);
  database.pathname = '/restored';
  const settings = {
    CONFAB_DATABASE_URL: database.href,
    CONFAB_SECRETS_KEY_FILE: join(folder, 'compose/secrets/secrets-key'),
  };
  await using node = await startConfab({ folder: own, key, settings });
  await using there = new Client(node);
  type Comment = { readonly id: number; readonly attachments: readonly { readonly download_url: string }[] };
  const newestOf = async (one: Client) =>
    (await one.must('GET', '/api/apps/room/comments?top=100&order_by=id%20desc'))['data'] as Comment[];
  const [before, after] = [await newestOf(client), await newestOf(there)];
  const idsOf = (page: readonly Comment[]) => page.map(({ id }) => id);
  assert.equal(before.length, 100);
  assert.deepEqual(idsOf(after), idsOf(before));
  const [newest] = after;
  const address = newest?.attachments[0]?.download_url ?? assert.fail('the comment has no file');
  const reply = await fetch(new URL(address, node.url));
  assert.equal(await reply.text(), 'what is uploaded');
}
