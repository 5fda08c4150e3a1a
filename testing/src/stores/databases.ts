import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configFrom } from 'confab-server/src/config/config.ts';
import { systemClock } from 'confab-server/src/kernel/clock.ts';
import { createLog, openStore } from 'confab-server/src/setup/store.ts';
import { type Cluster, clusterVariable, databasesAt, startCluster } from './postgres.ts';
import { noteCommits } from './postgres-store.ts';

/** The engine of the tests in this process. */
export const engine: 'sqlite' | 'postgres' = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

/** Creates every table of a store that does not exist yet. */
async function createTables(settings: Record<string, string>): Promise<void> {
  const config = configFrom({ ...settings, CONFAB_LOG_LEVEL: 'silent' });
  const store = await openStore(config, { log: createLog(config), clock: systemClock });
  await store.close();
}

/** Creates a database with every table and no rows, as a template for tests; returns its address. */
export async function createTemplate(cluster: Cluster): Promise<string> {
  const url = await cluster.createDatabase('template');
  await createTables({ CONFAB_DATABASE_URL: url });
  await noteCommits(url);
  return url;
}

let sqliteTemplate: Promise<Buffer> | undefined;

/**
 * The file of a store with every table and no rows: applying all migrations is half of the start of a server.
 */
async function createSqliteTemplate(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'confab-template-'));
  try {
    await createTables({ CONFAB_DATA_DIR: folder });
    return readFileSync(join(folder, 'confab.db'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Creates the data folder of a server, on SQLite with a copy of the template. */
export async function createDataFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
  if (engine === 'postgres') return folder;
  sqliteTemplate ??= createSqliteTemplate();
  writeFileSync(join(folder, 'confab.db'), await sqliteTemplate, { mode: 0o600 });
  return folder;
}

let template: Promise<string> | undefined;
let made = 0;
/** The address of the database of each data folder, so that a restarted server finds its data. */
const addresses = new Map<string, string>();

/** The run provides a template; a test file that runs by itself has its own cluster. */
function templateUrl(): Promise<string> {
  const given = process.env[clusterVariable];
  template ??= given === undefined ? startCluster().then(createTemplate) : Promise.resolve(given);
  return template;
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

function nextName(origin: string): string {
  made += 1;
  return `${nameOf(origin)}_${process.pid}_${made}`;
}

/**
 * The address of the database for a server. TEST_POOLER is the folder with the socket of a pooler in between; with
 * `:transaction` appended, the pooler gives each transaction another connection. The tests themselves connect directly.
 */
function settingsFor(url: string): Record<string, string> {
  const [folder = '', mode] = (process.env.TEST_POOLER ?? '').split(':');
  if (folder === '') return { CONFAB_DATABASE_URL: url };
  const pooled = new URL(url);
  pooled.searchParams.set('host', folder);
  return {
    CONFAB_DATABASE_URL: pooled.href,
    CONFAB_DATABASE_PREPARE: mode === 'transaction' ? 'no' : 'yes',
  };
}

/**
 * The settings with which a server on `folder` finds its store: none on SQLite, otherwise the settings of a
 * database that is created here.
 */
export async function storeSettings(folder: string): Promise<Record<string, string>> {
  if (engine === 'sqlite') return {};
  let url = addresses.get(folder);
  if (url === undefined) {
    const origin = await templateUrl();
    url = await databasesAt(origin).createDatabase(nextName(origin), nameOf(origin));
    addresses.set(folder, url);
  }
  return settingsFor(url);
}

/** The same for a store that does not exist yet. */
export async function emptyStoreSettings(): Promise<Record<string, string>> {
  if (engine === 'sqlite') return {};
  const origin = await templateUrl();
  return settingsFor(await databasesAt(origin).createDatabase(nextName(origin)));
}

/** The database of a data folder, or undefined where SQLite stores it in the folder itself. */
export function databaseOf(folder: string): string | undefined {
  const url = addresses.get(folder);
  if (url === undefined && engine === 'postgres') throw new Error(`no server was started on ${folder}`);
  return url;
}

/** Drops the database of a folder that is not used any more. */
export async function dropDatabaseOf(folder: string): Promise<void> {
  const url = addresses.get(folder);
  if (url === undefined) return;
  addresses.delete(folder);
  await databasesAt(url).dropDatabase(nameOf(url));
}
