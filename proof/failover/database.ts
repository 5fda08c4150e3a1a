import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Account, unprivilegedAccount } from 'confab-testing/stores/postgres-programs.ts';
import pg from 'pg';
import type { Machines } from './machines.ts';
import { pollSlowly } from './poll-slowly.ts';
import { Program, signalAll, treeOf } from './program.ts';
import { type Relay, startRelay } from './relay.ts';

/** How long one of them may take to answer a question about its state. */
const answerMsMax = 2000;

/** One server of PostgreSQL with its Patroni and its member of etcd. */
export type DatabaseServer = {
  readonly name: string;
  readonly host: string;
  readonly etcd: Program;
  readonly patroni: Program;
  /** The way on which the other servers reach its PostgreSQL. */
  readonly replication: Relay;
  /** Whether PostgreSQL was started and not ended in order. */
  isRunning(): boolean;
  /** The process of PostgreSQL. */
  postmaster(): number;
};

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string };

/** Three servers of PostgreSQL under Patroni, as `docs/ha` sets them up. */
export class DatabaseServers implements AsyncDisposable {
  readonly all: readonly DatabaseServer[];
  readonly #machines: Machines;

  private constructor(machines: Machines, all: readonly DatabaseServer[]) {
    this.#machines = machines;
    this.all = all;
  }

  /** Starts them in the folder of the run, and makes the role and the database of Confab. */
  static async start(machines: Machines): Promise<DatabaseServers> {
    const account = unprivilegedAccount();
    const all: DatabaseServer[] = [];
    for (const last of [1, 2, 3]) all.push(await makeServer(machines, last, account));
    const servers = new DatabaseServers(machines, all);
    try {
      for (const { etcd } of all) etcd.start();
      await pollSlowly('a leader of etcd', async () => await servers.etcdLeader());
      for (const { patroni } of all) patroni.start();
      await pollSlowly('a primary', async () => await servers.primary());
      await servers.untilHealthy();
      const password = machines.password('confab');
      await servers.rows(`create role confab login password '${password}'`, [], 'postgres');
      await servers.rows('create database confab owner confab', [], 'postgres');
      return servers;
    } catch (error) {
      await servers[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The server that Patroni calls the primary, or undefined while there is none that answers. */
  async primary(): Promise<DatabaseServer | undefined> {
    const answers = await Promise.all(
      this.all.map(async ({ host }) => (await answerOf(`http://${host}:8008/primary`))?.status === 200),
    );
    return this.all[answers.indexOf(true)];
  }

  /** The leader of etcd. Undefined while there is none that answers. */
  async etcdLeader(): Promise<DatabaseServer | undefined> {
    const answers = await Promise.all(
      this.all.map(async ({ host }) => {
        const answer = await answerOf(`http://${host}:2379/v3/maintenance/status`, {});
        const status = answer?.body as { leader?: string; header?: { member_id?: string } } | undefined;
        return status?.leader !== undefined && status.leader === status.header?.member_id;
      }),
    );
    return this.all[answers.indexOf(true)];
  }

  /** Asks Patroni for another primary, the synchronous standby. */
  async switchOver(): Promise<void> {
    const primary = await pollSlowly('a primary', async () => await this.primary());
    const answer = await answerOf(`http://${primary.host}:8008/switchover`, { leader: primary.name }, 60_000);
    if (answer?.status !== 200) throw new Error(`the switchover answered ${JSON.stringify(answer)}`);
  }

  /** Waits for a primary other than the given one. */
  async untilOther(than: DatabaseServer): Promise<void> {
    await pollSlowly('another primary', async () => {
      const primary = await this.primary();
      return primary === undefined || primary === than ? undefined : true;
    });
  }

  /** Waits until one primary, its synchronous standby and another one follow the same history, and etcd is complete. */
  async untilHealthy(): Promise<void> {
    const isSynchronous = this.#machines.textOf('patroni.yml').includes('synchronous_mode: true');
    const roles = `leader,replica,${isSynchronous ? 'sync_standby' : 'replica'}`;
    let seen = '';
    try {
      await pollSlowly('healthy servers', async () => {
        const primary = await this.primary();
        const answer = primary && (await answerOf(`http://${primary.host}:8008/cluster`));
        const members = (answer?.body as { members?: Member[] } | undefined)?.members ?? [];
        seen = JSON.stringify(members);
        const isHealthy =
          members
            .map(({ role }) => role)
            .sort()
            .join() === roles &&
          members.every(({ state }) => state === 'running' || state === 'streaming') &&
          new Set(members.map(({ timeline }) => timeline)).size === 1;
        const health = await Promise.all(
          this.all.map(async ({ host }) => (await answerOf(`http://${host}:2379/health`))?.status === 200),
        );
        return isHealthy && !health.includes(false) ? true : undefined;
      });
    } catch (error) {
      throw new Error(`the servers do not become healthy: ${seen}`, { cause: error });
    }
  }

  /** The rows of one statement on the primary, or on a given server. */
  async rows<R extends object>(sql: string, values: unknown[] = [], database = 'confab'): Promise<R[]> {
    const primary = await pollSlowly('a primary', async () => await this.primary());
    return await this.rowsOf<R>(primary, sql, { values, database });
  }

  /** The rows of one statement on a server. */
  async rowsOf<R extends object>(
    { host }: DatabaseServer,
    sql: string,
    { values = [], database = 'confab' }: { values?: unknown[]; database?: string } = {},
  ): Promise<R[]> {
    const password = this.#machines.password('postgres');
    const client = new pg.Client({ host, port: 5432, user: 'postgres', password, database });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql, values)).rows as R[];
    } finally {
      await client.end();
    }
  }

  /** Kills all processes and removes nothing. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { patroni, etcd, replication, isRunning, postmaster } of this.all) {
      await patroni.end('SIGKILL');
      await etcd.end('SIGKILL');
      replication[Symbol.dispose]();
      // A frozen one ends as well.
      if (isRunning()) signalAll(treeOf(postmaster()), 'SIGKILL');
    }
  }
}

async function makeServer(
  machines: Machines,
  last: number,
  account: Account | undefined,
): Promise<DatabaseServer> {
  const [name, host] = [`db${last}`, machines.address(last)];
  const folder = join(machines.folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const pidFile = join(folder, 'data/postmaster.pid');
  const replication = await startRelay(host, { host, port: 5432 });
  const own = { NAME: name, ADDRESS: host };
  const etcdFile = machines.write('etcd.yml', `${name}-etcd.yml`, {
    ...own,
    '/var/lib/etcd/confab': join(folder, 'etcd'),
  });
  const patroniFile = machines.write('patroni.yml', `${name}-patroni.yml`, {
    // The other servers come over a network that can be cut.
    'connect_address: ADDRESS:5432': `connect_address: ${host}:${replication.at.port}`,
    ...own,
    '/var/lib/postgresql/15/confab': join(folder, 'data'),
    '/var/lib/postgresql/patroni.pgpass': join(folder, 'pgpass'),
    '/var/run/postgresql': folder,
    // A watchdog resets the machine.
    'mode: automatic': 'mode: "off"',
  });
  const program = (command: string, file: string) =>
    new Program({
      command: command === 'etcd' ? [command, '--config-file', file] : [command, file],
      folder,
      log: join(machines.folder, `${name}-${command}.log`),
      account,
    });
  return {
    name,
    host,
    etcd: program('etcd', etcdFile),
    patroni: program('patroni', patroniFile),
    replication,
    isRunning: () => existsSync(pidFile),
    postmaster: () => Number(readFileSync(pidFile, 'utf8').split('\n')[0]),
  };
}

/** The answer of a server to a question about its state, undefined where there is none. */
async function answerOf(
  url: string,
  body?: object,
  patienceMs = answerMsMax,
): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(patienceMs),
      ...(body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    try {
      return { status: response.status, body: JSON.parse(text) };
    } catch {
      return { status: response.status, body: text };
    }
  } catch {
    return undefined;
  }
}
