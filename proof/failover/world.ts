import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import { Node } from 'confab-testing/nodes/node.ts';
import { DatabaseServers } from './database.ts';
import { Machines, type Mistakes } from './machines.ts';
import { pollSlowly } from './poll-slowly.ts';
import { Program } from './program.ts';
import { type Relay, startRelay } from './relay.ts';

/** A node with its way to the database. */
export type HaNode = { readonly node: Node; readonly database: Relay };

/** Everything that the guide builds: three servers of PostgreSQL, three nodes of Confab, and HAProxy. */
export type Installation = AsyncDisposable & {
  readonly databases: DatabaseServers;
  readonly nodes: readonly HaNode[];
  readonly haproxy: Program;
  /** The address that clients use. */
  readonly url: string;
  readonly key: string;
  /** Waits until everything runs, and HAProxy knows it. */
  untilHealthy(): Promise<void>;
};

/** How long a node may take until it takes requests again. */
const readyMsMax = 60_000;

/** Builds an installation in `folder`, on addresses `127.0.NET.*`. */
export async function startInstallation({
  folder,
  net,
  mistakes,
}: {
  readonly folder: string;
  readonly net: number;
  readonly mistakes?: Mistakes | undefined;
}): Promise<Installation> {
  const machines = new Machines(folder, net, mistakes);
  keep(folder);
  await using stack = new AsyncDisposableStack();
  const databases = stack.use(await DatabaseServers.start(machines));
  const proxy = machines.address(20);
  const unavailable = machines.write('unavailable.http', 'unavailable.http');
  const file = machines.write('haproxy.cfg', 'haproxy.cfg', {
    '/etc/haproxy/unavailable.http': unavailable,
    // Below 1024 a port needs root.
    'bind 10.0.0.20:80': 'bind 10.0.0.20:8080',
  });
  const haproxy = stack.use(
    new Program({
      command: ['haproxy', '-db', '-f', file],
      folder,
      log: join(folder, 'haproxy.log'),
      account: undefined,
    }),
  );
  haproxy.start();
  const key = freshKey();
  const nodes: HaNode[] = [];
  for (const [n, name] of ['One', 'Two', 'Three'].entries()) {
    const last = 11 + n;
    const database = stack.use(await startRelay(machines.address(last), { host: proxy, port: 5432 }));
    const settings = machines.settings(last);
    const databaseUrl = new URL(settings['CONFAB_DATABASE_URL'] ?? '');
    databaseUrl.host = `${database.at.host}:${database.at.port}`;
    const own = {
      ...settings,
      CONFAB_DATABASE_URL: databaseUrl.href,
      // All machines are this one: HAProxy, and the receiver of webhooks.
      CONFAB_TRUSTED_PROXIES: '127.0.0.0/8',
      CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
      CONFAB_LOG_LEVEL: 'warn',
    };
    const node: Node = stack.use(new Node(name, () => startConfab({ folder, key, name, settings: own })));
    nodes.push({ node, database });
    await startAgain(node);
  }
  const url = `http://${proxy}:8080`;
  const untilHealthy = async () => {
    await databases.untilHealthy();
    for (const { node } of nodes)
      await pollSlowly(
        `${node.name} to be ready`,
        async () => ((await node.send('GET', '/readyz'))?.status === 200 ? true : undefined),
        readyMsMax,
      );
    await pollSlowly('HAProxy', async () => {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(4000) }).catch(
        () => undefined,
      );
      return response?.status === 200 ? true : undefined;
    });
  };
  await untilHealthy();
  const held = stack.move();
  return {
    databases,
    nodes,
    haproxy,
    url,
    key,
    untilHealthy,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

// Waits for the end of its input, which only this process has: however it ends, nothing outlives it.
const keeper = `
  trap '' INT TERM HUP
  cat >/dev/null
  cd "$0" || exit
  for file in *.pid; do kill -9 $(cat "$file"); done
  for file in db*/data/postmaster.pid; do kill -9 $(head -1 "$file"); done
`;

/** Kills what is left of an installation when this process has ended. */
function keep(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const child = spawn('sh', ['-c', keeper, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  (child.stdin as Socket).unref();
}

/** Starts a node as a supervisor does: again and again, because it ends where there is no database. */
export async function startAgain(node: Node): Promise<void> {
  for (const since = performance.now(); ; await pause(500))
    try {
      await node.start();
      return;
    } catch (error) {
      await node.kill();
      if (performance.now() - since > readyMsMax) throw error;
    }
}
