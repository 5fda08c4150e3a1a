import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from 'confab-testing/harness/random.ts';
import type { DatabaseServer } from './database.ts';
import { pollSlowly } from './poll-slowly.ts';
import { signalAll, treeOf } from './program.ts';
import { type Installation, startAgain } from './world.ts';

/** Breaks an installation, and brings back what it has taken away. */
export type Strike = (installation: Installation, random: Random) => Promise<void>;

/** How long a network is cut, in milliseconds. */
const cutMs = (random: Random) => random.integer(4000, 10_000);

/** How long a primary without a network goes on, in milliseconds. Patroni promotes no server that lacks more than 1 MB. */
const lostMs = 700;

async function primaryOf({ databases }: Installation): Promise<DatabaseServer> {
  return await pollSlowly('a primary', async () => await databases.primary());
}

async function killPrimary(installation: Installation): Promise<void> {
  const primary = await primaryOf(installation);
  signalAll([primary.postmaster()], 'SIGKILL');
  await installation.databases.untilOther(primary);
}

/** PostgreSQL goes on without the program that says whether it is the primary. */
async function killPatroni(installation: Installation): Promise<void> {
  const primary = await primaryOf(installation);
  await primary.patroni.end('SIGKILL');
  await installation.databases.untilOther(primary);
  primary.patroni.start();
}

async function killEtcdLeader({ databases }: Installation, random: Random): Promise<void> {
  const { etcd } = await pollSlowly('a leader of etcd', async () => await databases.etcdLeader());
  await etcd.end('SIGKILL');
  await pause(random.integer(3000, 8000));
  etcd.start();
}

async function switchOver(installation: Installation): Promise<void> {
  const primary = await primaryOf(installation);
  await installation.databases.switchOver();
  await installation.databases.untilOther(primary);
}

/** The old primary wakes up, and believes for a moment that it still is one. */
async function freezePrimary(installation: Installation, random: Random): Promise<void> {
  const primary = await primaryOf(installation);
  const frozen = [...treeOf(primary.patroni.pid), ...treeOf(primary.postmaster())];
  signalAll(frozen, 'SIGSTOP');
  try {
    await installation.databases.untilOther(primary);
    await pause(random.integer(500, 3000));
  } finally {
    signalAll(frozen, 'SIGCONT');
  }
}

async function cutReplicas(installation: Installation, random: Random): Promise<void> {
  const { replication } = await primaryOf(installation);
  replication.cut();
  await pause(cutMs(random));
  replication.mend();
}

async function cutNode({ nodes }: Installation, random: Random): Promise<void> {
  const { database } = random.draw(nodes);
  database.cut();
  await pause(cutMs(random));
  database.mend();
}

async function restartHaproxy({ haproxy }: Installation, random: Random): Promise<void> {
  await haproxy.end(random.draw(['SIGTERM', 'SIGKILL'] as const));
  await pause(random.integer(100, 2000));
  haproxy.start();
}

async function killTwoNodes({ nodes }: Installation, random: Random): Promise<void> {
  const spared = random.draw(nodes);
  const killed = nodes.filter((each) => each !== spared);
  await Promise.all(killed.map(({ node }) => node.kill()));
  await pause(random.integer(1000, 4000));
  await Promise.all(killed.map(({ node }) => startAgain(node)));
}

async function all(installation: Installation, random: Random): Promise<void> {
  const { databases, nodes, haproxy } = installation;
  const primary = await primaryOf(installation);
  const { etcd } = await pollSlowly('a leader of etcd', async () => await databases.etcdLeader());
  const spared = random.draw(nodes);
  const killed = nodes.filter((each) => each !== spared);
  signalAll([primary.postmaster()], 'SIGKILL');
  spared.database.cut();
  await Promise.all([
    primary.patroni.end('SIGKILL'),
    etcd.end('SIGKILL'),
    haproxy.end('SIGKILL'),
    ...killed.map(({ node }) => node.kill()),
  ]);
  await pause(random.integer(2000, 5000));
  etcd.start();
  haproxy.start();
  spared.database.mend();
  const back = Promise.all(killed.map(({ node }) => startAgain(node)));
  await databases.untilOther(primary);
  primary.patroni.start();
  await back;
}

/**
 * Takes the network of the primary away, and a moment later the primary itself. Without a synchronous standby, the next
 * primary lacks what was acknowledged in that moment.
 */
export async function losePrimary(installation: Installation): Promise<void> {
  const primary = await primaryOf(installation);
  primary.replication.cut();
  await pause(lostMs);
  signalAll([primary.postmaster()], 'SIGKILL');
  await primary.patroni.end('SIGKILL');
  await installation.databases.untilOther(primary);
  primary.replication.mend();
  primary.patroni.start();
}

/** The ten kinds of failover, in the order of their turns. */
export const faults = {
  'primary-killed': killPrimary,
  'patroni-killed': killPatroni,
  'etcd-leader-killed': killEtcdLeader,
  switchover: switchOver,
  'primary-frozen': freezePrimary,
  'replicas-cut': cutReplicas,
  'node-cut': cutNode,
  'haproxy-restarted': restartHaproxy,
  'nodes-killed': killTwoNodes,
  'all-at-once': all,
} as const satisfies { readonly [kind: string]: Strike };
