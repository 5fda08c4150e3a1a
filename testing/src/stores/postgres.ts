import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { poll } from '../poll.ts';
import { fastFolder } from './fast-folder.ts';
import { type Account, findPrograms, type Programs, unprivilegedAccount } from './postgres-programs.ts';

/**
 * A temporary PostgreSQL for tests.
 *
 * It is run by a *keeper*, a shell that waits for the end of its input and then ends the cluster and removes its
 * folder; for each line of its input it crashes the server and restarts it. Only the process that started the cluster
 * has the other end of that input. However that process ends, even by kill -9, the operating system closes it, so a
 * cluster cannot outlive its run.
 */

/** A PostgreSQL at the disposal of tests. */
export type Cluster = {
  /** The address of one of its databases. */
  url(database: string): string;
  /** Creates a database, empty or as a copy of `template`, and returns its address. */
  createDatabase(name: string, template?: string): Promise<string>;
  /** Drops a database and closes its connections. */
  dropDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
  /** The version and the origin of PostgreSQL. */
  readonly kind: string;
};

/** The variable in which the run of all tests passes on the address of a database of its cluster. */
export const clusterVariable = 'TEST_DATABASE_TEMPLATE';

/** A cluster that need not survive a power cut, and whose data is in memory where there is space. */
export const quickSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'max_connections=300',
];

// $1 is the folder, the rest is the command. The shell itself ignores signals that are meant for the run.
const keeper = `
  trap '' INT TERM HUP
  folder=$1; shift
  "$@" &
  server=$!
  while read -r line; do
    kill -QUIT $server
    wait $server
    "$@" &
    server=$!
  done
  kill -QUIT $server
  wait $server
  rm -rf "$(readlink -f "$folder/data")" "$folder"
`;

/**
 * Starts a cluster. It listens on a socket in its own folder, so that it needs no port and no other user of the machine
 * can reach it. Without special settings it may be part of a running one: that of the run of all tests, or else that of
 * CONFAB_TEST_DATABASE_URL.
 */
export async function startCluster(settings?: readonly string[]): Promise<Cluster> {
  const given = process.env[clusterVariable] || process.env.CONFAB_TEST_DATABASE_URL;
  return given && settings === undefined
    ? givenCluster(given)
    : await startOwnCluster(settings ?? quickSettings);
}

/** Starts a separate cluster that can crash. */
export async function startOwnCluster(
  settings: readonly string[],
): Promise<Cluster & { crash(): Promise<void> }> {
  const account = unprivilegedAccount();
  const folder = mkdtempSync(path.join(tmpdir(), 'confab-postgres-'));
  // Creating a database copies the template, which takes a busy disk two seconds and memory 0.1.
  const data = settings === quickSettings ? inMemory(folder) : path.join(folder, 'data');
  try {
    chmodSync(folder, 0o755);
    const programs = findPrograms(folder, account);
    mkdirSync(data, { mode: 0o700 });
    for (const each of [folder, data]) if (account !== undefined) chownSync(each, account.uid, account.gid);
    initialise(programs, data, account);
    const { address, stop, crash } = await startServerIn(folder, programs, settings);
    return { ...databasesAt(address), kind: programs.kind, stop, crash };
  } catch (error) {
    for (const each of [data, folder]) rmSync(each, { recursive: true, force: true });
    throw error;
  }
}

/** The folder for the data of a cluster in `folder`, which has a link to it. */
function inMemory(folder: string): string {
  const data = path.join(fastFolder(), `${path.basename(folder)}-data`);
  symlinkSync(data, path.join(folder, 'data'));
  return data;
}

/**
 * Starts a server on the cluster in `data` of a folder, which is removed when the server is stopped. A crash resolves
 * when the server responds again.
 */
export async function startServerIn(
  folder: string,
  programs: Programs,
  settings: readonly string[],
): Promise<{ address: string; stop: () => Promise<void>; crash: () => Promise<void> }> {
  const running = keep(programs, folder, settings, unprivilegedAccount());
  const address = `postgres://confab@localhost/postgres?host=${encodeURIComponent(folder)}`;
  await poll('PostgreSQL to listen', () => isListening(address, running, folder));
  return {
    address,
    stop: () => ended(running),
    async crash() {
      const before = await startTime(address);
      running.stdin?.write('\n');
      await poll('PostgreSQL after its crash', async () => {
        const now = await startTime(address).catch(() => before);
        return now === before ? undefined : true;
      });
    },
  };
}

/** Creates a cluster in the folder `data`, which belongs to the account. Throws when `initdb` fails. */
export function initialise({ initdb }: Programs, data: string, account: Account | undefined): void {
  // The default collation is of a language, so that tests notice a column that is not ordered by its bytes.
  const order = ['--no-locale', '--locale-provider=icu', '--icu-locale=en-US'];
  const args = ['-D', data, '-U', 'confab', '-A', 'trust', '--encoding=UTF8', ...order, '--no-sync'];
  const { status, stderr, error } = spawnSync(initdb, args, {
    encoding: 'utf8',
    cwd: path.dirname(data),
    ...account,
  });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`, { cause: error });
}

/** Starts the server under its keeper; its log goes to a file beside the data. */
function keep(
  { postgres }: Programs,
  folder: string,
  settings: readonly string[],
  account: Account | undefined,
): ChildProcess {
  const log = openSync(path.join(folder, 'log'), 'a');
  const all = ['listen_addresses=', `unix_socket_directories=${folder}`, ...settings];
  const command = [postgres, '-D', path.join(folder, 'data'), ...all.flatMap((each) => ['-c', each])];
  const running = spawn('/bin/sh', ['-c', keeper, 'keeper', folder, ...command], {
    cwd: folder,
    stdio: ['pipe', log, log],
    // Detached, so that a terminal's signals do not reach it.
    detached: true,
    ...account,
  });
  closeSync(log);
  // Neither keeps a process alive that forgets to stop it.
  running.unref();
  (running.stdin as Socket).unref();
  return running;
}

/** When a server was started; throws when it does not respond. */
async function startTime(url: string): Promise<string> {
  const client = new pg.Client(url);
  // A crash in between fails the query as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query('select pg_postmaster_start_time()::text as at')).rows[0].at;
  } finally {
    await client.end();
  }
}

async function isListening(url: string, running: ChildProcess, folder: string): Promise<true | undefined> {
  try {
    await startTime(url);
    return true;
  } catch (error) {
    const log = readFileSync(path.join(folder, 'log'), 'utf8');
    if (running.exitCode !== null || /FATAL/.test(log.replaceAll(/.*(starting up|not yet accepting).*/g, '')))
      throw new Error(`PostgreSQL did not start: ${log}`, { cause: error });
    return undefined;
  }
}

async function ended(running: ChildProcess): Promise<void> {
  const hasEnded = new Promise((resolve) => running.once('close', resolve));
  running.ref();
  running.stdin?.end();
  if (running.exitCode === null) await hasEnded;
}

/** Creates and drops databases, with a separate connection for each command, so that none is left open. */
export function databasesAt(address: string): Omit<Cluster, 'stop' | 'kind'> {
  const url = (database: string) => {
    const its = new URL(address);
    its.pathname = `/${database}`;
    return its.href;
  };
  async function command(sql: string): Promise<void> {
    const client = new pg.Client(url('postgres'));
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
  return {
    url,
    async createDatabase(name, template = 'template0') {
      // Copied as files: the log of the copy would be a hundred times as large as the writes of a test.
      await command(`create database "${name}" template "${template}" strategy file_copy`);
      return url(name);
    },
    dropDatabase: (name) => command(`drop database if exists "${name}" with (force)`),
  };
}

/**
 * Part of an external server. Its databases have unique names there and are dropped by a stop, which a killed run does
 * not reach.
 */
function givenCluster(address: string): Cluster {
  const databases = databasesAt(address);
  const prefix = `confab_test_${randomBytes(4).toString('hex')}_`;
  return {
    url: (name) => databases.url(prefix + name),
    createDatabase: (name, template) =>
      databases.createDatabase(prefix + name, template === undefined ? undefined : prefix + template),
    dropDatabase: (name) => databases.dropDatabase(prefix + name),
    async stop() {
      const client = new pg.Client(databases.url('postgres'));
      await client.connect();
      const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
      await client.end();
      for (const { datname } of rows) if (datname.startsWith(prefix)) await databases.dropDatabase(datname);
    },
    kind: `the one at ${new URL(address).host}`,
  };
}
