import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import { connectionOf, type PostgresOptions, sqlState } from '../postgres/connection.ts';
import { postgresDialect } from '../postgres/schema.ts';
import { type Fill, filledRow, fillText, migrationsTable } from './migration.ts';
import { moveSetting, pendingSteps, refuseBroken, refuseUnfinished, type Step, stepOf } from './steps.ts';

/**
 * How long a step waits for readers and writers of a table that it changes, in milliseconds: every later statement on the
 * table waits behind the step. The program then ends, and its supervisor or operator starts it again.
 */
const lockMs = 10_000;

const uniqueViolation = '23505';
const duplicateTable = '42P07';
/** A table has a type of its name, which can be the first that is found to be there. */
const duplicateObject = '42710';

/** A connection for steps, without a time limit; the caller ends it. */
async function connect(options: PostgresOptions): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOf(options), query_timeout: 0 });
  await client.connect();
  return client;
}

/** The steps that the store in a database has taken; none where there is no store. Changes nothing. */
export async function takenOnPostgres(options: PostgresOptions): Promise<Step[]> {
  const client = await connect(options);
  try {
    return await stepsOf(client);
  } finally {
    await client.end();
  }
}

async function exists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as there', [table]);
  return rows[0]?.there === 1;
}

async function stepsOf(client: pg.Client): Promise<Step[]> {
  if (!(await exists(client, 'migrations'))) return [];
  return (await client.query('select * from migrations order by id')).rows.map(stepOf);
}

async function refuse(client: pg.Client, steps: readonly Step[]): Promise<void> {
  refuseBroken(steps);
  if (!(await exists(client, 'settings'))) return;
  const { rows } = await client.query('select value from settings where name = $1', [moveSetting]);
  refuseUnfinished(rows[0]?.value);
}

async function fillIndex(client: pg.Client, fill: Fill): Promise<void> {
  let { after } = fill;
  for (;;) {
    const { rows } = await client.query(fillText(fill, '$1'), [after]);
    const filled = rows.map((row) => filledRow(fill, row));
    const last = filled.at(-1);
    if (last === undefined) return;
    await client.query(
      `insert into ${fill.index} (rowid, words) select * from unnest($1::bigint[], $2::text[])`,
      [filled.map(({ id }) => id), filled.map(({ words }) => words)],
    );
    after = last.id;
  }
}

/**
 * Brings the schema up to date and answers the steps that it took. Nodes that do it at once follow each other, and one
 * that finds nothing to do locks nothing. Throws an Error for the operator when the store is not for this program.
 */
export async function migratePostgres(options: PostgresOptions, clock: Clock): Promise<Step[]> {
  const client = await connect(options);
  try {
    const before = await stepsOf(client);
    await refuse(client, before);
    if (before.length > 0 && pendingSteps(before).length === 0) return [];
    await makeTable(client);
    await client.query('begin');
    // Another node may take long with the same steps; there is nothing to do but wait for it. Reading is not locked out,
    // because nodes that run look at the steps to say whether they are ready.
    await client.query('set local lock_timeout = 0; lock table migrations in share row exclusive mode');
    await client.query(`set local lock_timeout = ${lockMs}; set local synchronous_commit = on`);
    const steps = await stepsOf(client);
    await refuse(client, steps);
    for (const { id, name, up, fill, breaksBefore: broken = 0 } of pendingSteps(steps)) {
      for (const statement of up(postgresDialect)) await client.query(statement);
      if (fill !== undefined) await fillIndex(client, fill);
      await client.query(
        'insert into migrations (id, name, applied_at, breaks_before) values ($1, $2, $3, $4)',
        [id, name, clock.now(), broken],
      );
    }
    const after = await stepsOf(client);
    await client.query('commit');
    return after.slice(steps.length);
  } finally {
    await client.end();
  }
}

/** Makes the table of steps. Two nodes that do it in the same moment meet in the catalogue, and one finds it there. */
async function makeTable(client: pg.Client): Promise<void> {
  try {
    await client.query(migrationsTable(postgresDialect));
  } catch (error) {
    if (![uniqueViolation, duplicateTable, duplicateObject].includes(sqlState(error) ?? '')) throw error;
    await client.query(migrationsTable(postgresDialect));
  }
}
