import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { poll } from '../poll.ts';
import { type Cluster, databasesAt, quickSettings, startCluster, startServerIn } from './postgres.ts';
import { findPrograms, unprivilegedAccount } from './postgres-programs.ts';

/** A temporary cluster and a standby that streams from it. */
export type ReplicatedCluster = {
  readonly primary: Cluster;
  /** The address of a database at the standby. */
  replicaUrl(database: string): string;
  /** Waits until the standby has everything that the primary has. */
  caughtUp(): Promise<void>;
  /** Pauses and resumes the replay at the standby. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the standby as a power cut would, and starts it again. */
  kill(): Promise<void>;
  revive(): Promise<void>;
  /** Promotes the standby permanently. */
  promote(): Promise<void>;
  /** Runs a statement on a database of the primary or the standby. */
  ask<T>(url: string, sql: string): Promise<T[]>;
  stop(): Promise<void>;
};

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

/** Copies the files of a running cluster, like PostgreSQL's own program for this, which not every package contains. */
async function copyCluster(primary: Cluster, from: string, to: string): Promise<void> {
  const client = new pg.Client(primary.url('postgres'));
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', true)`);
    cpSync(from, to, { recursive: true, filter: (file) => !/postmaster\.(pid|opts)$/.test(file) });
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    writeFileSync(path.join(to, 'backup_label'), String(rows[0].labelfile));
  } finally {
    await client.end();
  }
  writeFileSync(path.join(to, 'standby.signal'), '');
  const account = unprivilegedAccount();
  if (account === undefined) return;
  for (const each of ['', ...(readdirSync(to, { recursive: true }) as string[])])
    chownSync(path.join(to, each), account.uid, account.gid);
}

/** The standby receives commits, and can catch up on what it missed. */
const replicated = [...quickSettings, 'synchronous_commit=on', 'wal_keep_size=256MB'];

/** Starts a cluster and a standby of it, on sockets in their own folders. */
export async function startReplicatedCluster(): Promise<ReplicatedCluster> {
  const primary = await startCluster(replicated);
  const primaryFolder = new URL(primary.url('postgres')).searchParams.get('host') ?? '';
  const folder = mkdtempSync(path.join(tmpdir(), 'confab-replica-'));
  const data = path.join(folder, 'data');
  const account = unprivilegedAccount();
  const programs = findPrograms(folder, account);
  const settings = [...replicated, `primary_conninfo=host=${primaryFolder} user=confab`];
  const stops: (() => Promise<void>)[] = [];
  let address = '';
  async function revive(): Promise<void> {
    // The file may still contain the output of an earlier server.
    rmSync(path.join(folder, 'log'), { force: true });
    const started = await startServerIn(folder, programs, settings);
    stops.push(started.stop);
    address = started.address;
  }
  async function stop(): Promise<void> {
    for (const each of stops) await each();
    await primary.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    chmodSync(folder, 0o755);
    if (account !== undefined) chownSync(folder, account.uid, account.gid);
    await copyCluster(primary, path.join(primaryFolder, 'data'), data);
    chmodSync(data, 0o700);
    await revive();
  } catch (error) {
    await stop();
    throw error;
  }
  const replica = databasesAt(address);
  const own = replica.url('postgres');
  const isTrue = async (sql: string) =>
    (await ask<{ it: boolean }>(own, `select (${sql}) as it`))[0]?.it === true ? true : undefined;
  return {
    primary,
    replicaUrl: replica.url,
    async caughtUp() {
      const current = 'select pg_current_wal_flush_lsn() as at';
      const [row] = await ask<{ at: string }>(primary.url('postgres'), current);
      await poll('the standby', () => isTrue(`pg_last_wal_replay_lsn() >= '${row?.at}'`));
    },
    async pause() {
      await ask(own, 'select pg_wal_replay_pause()');
      await poll('the pause', () => isTrue(`pg_get_wal_replay_pause_state() = 'paused'`));
    },
    resume: async () => void (await ask(own, 'select pg_wal_replay_resume()')),
    async kill() {
      const [pid] = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGQUIT');
      await poll('the end of the standby', async () => {
        try {
          await ask(own, 'select 1');
          return undefined;
        } catch {
          return true;
        }
      });
    },
    revive,
    promote: async () => void (await ask(own, 'select pg_promote()')),
    ask,
    stop,
  };
}
