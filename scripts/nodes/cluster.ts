import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findPrograms, unprivilegedAccount } from '../../test/support/postgres-programs.ts';

/** A PostgreSQL of this run, with everything on that keeps commits over a crash. */
export type Cluster = {
  readonly kind: string;
  readonly url: string;
  /** The rows of one statement, by a connection of its own. */
  rows<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
  /** Ends it as a crash does and starts it again; resolves when it answers. */
  crash(): Promise<void>;
  stop(): Promise<void>;
};

const startMsMax = 60_000;

/** Makes and starts a cluster in a folder of its own, which goes with it. */
export async function startCluster(): Promise<Cluster> {
  const account = unprivilegedAccount();
  const folder = mkdtempSync(join(tmpdir(), 'confab-nodes-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o755);
  for (const each of [folder, data]) if (account !== undefined) chownSync(each, account.uid, account.gid);
  const programs = findPrograms(folder, account);
  const args = ['-D', data, '-U', 'confab', '-A', 'trust', '--encoding=UTF8', '--no-locale'];
  const made = spawnSync(programs.initdb, args, { encoding: 'utf8', cwd: folder, ...account });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const url = `postgres://confab@localhost/postgres?host=${encodeURIComponent(folder)}`;
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'fsync=on',
    'max_connections=100',
  ];

  async function rows<R extends object>(sql: string, values: unknown[] = []): Promise<R[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql, values)).rows as R[];
    } finally {
      await client.end();
    }
  }

  async function begin(): Promise<ChildProcess> {
    const log = openSync(join(folder, 'log'), 'a');
    const child = spawn(programs.postgres, ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
      cwd: folder,
      stdio: ['ignore', log, log],
      ...account,
    });
    closeSync(log);
    for (const since = performance.now(); ; )
      try {
        await rows('select 1');
        return child;
      } catch (error) {
        if (child.exitCode !== null || performance.now() - since > startMsMax)
          throw new Error(`PostgreSQL does not answer; see ${folder}/log`, { cause: error });
        await pause(50);
      }
  }

  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const exited = new Promise((gone) => child.once('exit', gone));
    child.kill(signal);
    await exited;
  }

  let running = await begin();
  return {
    kind: programs.kind,
    url,
    rows,
    async crash() {
      await end(running, 'SIGQUIT');
      running = await begin();
    },
    async stop() {
      await end(running, 'SIGQUIT');
      rmSync(folder, { recursive: true });
    },
  };
}
