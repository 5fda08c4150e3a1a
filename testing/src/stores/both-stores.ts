import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectionOf, type PostgresOptions, queryOf } from 'confab-server/src/db/postgres/connection.ts';
import { openPostgres } from 'confab-server/src/db/postgres/postgres.ts';
import { Connection } from 'confab-server/src/db/sqlite/connection.ts';
import { defineFunctions } from 'confab-server/src/db/sqlite/functions.ts';
import { openSqlite } from 'confab-server/src/db/sqlite/sqlite.ts';
import type { Parameters, Statement } from 'confab-server/src/db/statement.ts';
import { systemClock } from 'confab-server/src/kernel/clock.ts';
import pg from 'pg';
import { pino } from 'pino';
import { startCluster } from './postgres.ts';

/** An empty store on each engine, to compare the engines. */
export type BothStores = {
  readonly sqlite: DatabaseSync;
  readonly postgres: pg.Client;
  /** The rows that each engine returns for one statement. */
  ask<R>(statement: Statement<R>, parameters: Parameters): Promise<{ sqlite: R[]; postgres: R[] }>;
  close(): Promise<void>;
};

/** Creates them as the server does. */
export async function openBothStores(): Promise<BothStores> {
  const cluster = await startCluster();
  const options: PostgresOptions = { url: await cluster.createDatabase('both'), isPrepared: true };
  const log = pino({ level: 'silent' });
  await (await openPostgres({ ...options, log, clock: systemClock, readersMax: 1 })).close();
  const postgres = new pg.Client(connectionOf(options));
  await postgres.connect();

  const folder = await mkdtemp(path.join(tmpdir(), 'confab-both-'));
  await openSqlite({ folder, log, clock: systemClock }).close();
  const sqlite = new DatabaseSync(path.join(folder, 'confab.db'));
  defineFunctions(sqlite);
  const connection = new Connection(sqlite, {});

  return {
    sqlite,
    postgres,
    ask: async <R>(statement: Statement<R>, parameters: Parameters) => ({
      sqlite: connection.all(statement, parameters),
      postgres: (await postgres.query(queryOf(statement, { parameters }, options))).rows as R[],
    }),
    async close() {
      sqlite.close();
      await postgres.end();
      await cluster.stop();
      await rm(folder, { recursive: true });
    },
  };
}
