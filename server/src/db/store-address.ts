import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../kernel/clock.ts';
import { makeFolder } from '../kernel/folder.ts';
import { migrateSqlite, takenOnSqlite } from './migrations/sqlite-steps.ts';
import type { Step } from './migrations/steps.ts';
import type { PostgresOptions } from './postgres/connection.ts';
import { openWriter } from './sqlite/sqlite.ts';

/** Where a store is: in a folder on SQLite, or in a database of PostgreSQL. */
export type StoreAddress = { readonly folder: string } | PostgresOptions;

/** Loaded on demand: its driver takes memory that a store on SQLite never needs. */
function postgresSteps() {
  return import('./migrations/postgres-steps.ts');
}

function fileOf(folder: string): string {
  return join(folder, 'confab.db');
}

/** The name of a store in messages: stable for each store, without the secret of its address. */
export function storeLabel(address: StoreAddress): string {
  if ('folder' in address) return existsSync(address.folder) ? realpathSync(address.folder) : address.folder;
  const { host, pathname, searchParams } = new URL(address.url);
  return `postgres://${searchParams.get('host') ?? host}${pathname}`;
}

/** The steps of the schema that a store has taken; none where there is no store. Changes nothing. */
export async function appliedMigrations(address: StoreAddress): Promise<Step[]> {
  if (!('folder' in address)) return await (await postgresSteps()).takenOnPostgres(address);
  if (!existsSync(fileOf(address.folder))) return [];
  const database = new DatabaseSync(fileOf(address.folder), { readOnly: true });
  try {
    return takenOnSqlite(database);
  } finally {
    database.close();
  }
}

/** Brings the schema of a store up to date, making the store where there is none; answers the steps that it took. */
export async function applyMigrations(address: StoreAddress, clock: Clock): Promise<Step[]> {
  if (!('folder' in address)) return await (await postgresSteps()).migratePostgres(address, clock);
  makeFolder(address.folder);
  const database = openWriter(fileOf(address.folder));
  try {
    return migrateSqlite(database, clock);
  } finally {
    database.close();
  }
}
