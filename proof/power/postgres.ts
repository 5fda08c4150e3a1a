import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { logEnd } from 'confab-testing/harness/log-end.ts';
import { initialise } from 'confab-testing/stores/postgres.ts';
import { findPrograms, unprivilegedAccount } from 'confab-testing/stores/postgres-programs.ts';
import pg from 'pg';

/** A running PostgreSQL with all settings that make commits survive a power cut. */
export type Postgres = {
  readonly url: string;
  /** Ends it at once. With `isClean` it completes what runs and writes everything to the disk first. */
  stop(options?: { isClean: boolean }): Promise<void>;
};

const settings = ['listen_addresses=', 'fsync=on', 'full_page_writes=on', 'max_connections=100'];
/** How long it may take to recover. */
const startMsMax = 120_000;

/** The cluster of a run: its programs and where their socket is. */
export class PostgresHome {
  readonly #account = unprivilegedAccount();
  readonly #folder = mkdtempSync(join(tmpdir(), 'confab-power-postgres-'));
  readonly #programs = findPrograms(this.#folder, this.#account);

  constructor() {
    chmodSync(this.#folder, 0o755);
    this.#own(this.#folder);
  }

  /** The version and the origin of PostgreSQL. */
  get kind(): string {
    return this.#programs.kind;
  }

  /** Creates a cluster in the folder `data`. */
  create(data: string): void {
    mkdirSync(data, { mode: 0o700 });
    this.#own(data);
    initialise(this.#programs, data, this.#account);
  }

  /** Starts PostgreSQL on `data` and resolves when it responds. Throws with its log if it does not. */
  async start(data: string, environment: Readonly<Record<string, string>> = {}): Promise<Postgres> {
    this.#own(data);
    for (const name of readdirSync(data, { recursive: true })) this.#own(join(data, `${name}`));
    const logFile = join(this.#folder, 'log');
    rmSync(logFile, { force: true });
    const log = openSync(logFile, 'a', 0o666);
    const options = [...settings, `unix_socket_directories=${this.#folder}`].flatMap((each) => ['-c', each]);
    const child = spawn(this.#programs.postgres, ['-D', data, ...options], {
      cwd: this.#folder,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...environment },
      ...this.#account,
    });
    closeSync(log);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const url = `postgres://confab@localhost/postgres?host=${encodeURIComponent(this.#folder)}`;
    for (const since = performance.now(); !(await isReady(url)); await pause(100))
      if (child.exitCode !== null || performance.now() - since > startMsMax)
        throw new Error(`PostgreSQL did not start${logEnd(logFile)}`);
    return {
      url,
      async stop({ isClean } = { isClean: false }) {
        child.kill(isClean ? 'SIGINT' : 'SIGQUIT');
        await exited;
      },
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #own(path: string): void {
    const { uid, gid } = this.#account ?? {};
    if (uid !== undefined && gid !== undefined) lchownSync(path, uid, gid);
  }
}

async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
