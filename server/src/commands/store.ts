import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { timestamp } from 'confab-contract/values/time.ts';
import type { Config } from '../config/config.ts';
import { newestKnown, pendingSteps, type Step } from '../db/migrations/steps.ts';
import type { MovedCount } from '../db/move/move.ts';
import { vacuumSqlite } from '../db/sqlite/vacuum.ts';
import { appliedMigrations, applyMigrations, type StoreAddress, storeLabel } from '../db/store-address.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError, exitMisused } from '../kernel/command-error.ts';
import {
  addJson,
  addSettings,
  configOf,
  type Flags,
  note,
  type OutputOptions,
  printTable,
  printValue,
  show,
  storeFailure,
  storeOf,
  storeSettings,
} from './command.ts';

/** Commands about the store as a whole: the steps of its schema, its files, and the engine that it is on. */

async function showSteps(flags: Flags, { json }: OutputOptions): Promise<void> {
  const config = configOf(flags);
  const steps = await appliedMigrations(storeOf(config)).catch((error: unknown) => {
    throw storeFailure(error, config);
  });
  const pending = pendingSteps(steps);
  if (json === true)
    printValue([...steps.map(stepBody), ...pending.map(({ id, name }) => ({ id, name, applied_at: null }))]);
  else
    printTable(
      ['step', 'name', 'state'],
      [...steps.map(stepRow), ...pending.map(({ id, name }) => ({ step: id, name, state: 'pending' }))],
    );
}

async function applySteps(flags: Flags, { json }: OutputOptions): Promise<void> {
  const config = configOf(flags);
  const steps = await applyMigrations(storeOf(config), systemClock).catch((error: unknown) => {
    throw storeFailure(error, config);
  });
  if (json === true) printValue(steps.map(stepBody));
  else if (steps.length > 0) printTable(['step', 'name', 'state'], steps.map(stepRow));
  if (steps.length === 0) note('Nothing is pending.');
}

function stepBody({ id, name, appliedAt }: Step) {
  return { id, name, applied_at: timestamp(appliedAt) };
}

function stepRow({ id, name, appliedAt }: Step) {
  const newer = id > newestKnown ? ', of a newer Confab' : '';
  return { step: id, name, state: `applied ${timestamp(appliedAt)}${newer}` };
}

async function move(place: string, flags: Flags, output: OutputOptions): Promise<void> {
  const config = configOf(flags);
  const to = targetOf(place, config);
  const { moveStore } = await import('../db/move/move.ts');
  const counts = await moveStore({
    from: storeOf(config),
    to,
    clock: systemClock,
    onTable: (table, rows) => (rows === 0 ? undefined : note(`Copied ${table}: ${rows} rows.`)),
  }).catch((error: unknown) => {
    throw storeFailure(error, config);
  });
  const rows = counts.reduce((sum, count) => sum + count.rows, 0);
  const next = whatToSet(to, { config, counts });
  const value = { from: storeLabel(storeOf(config)), to: storeLabel(to), rows, tables: counts, next };
  show(value, output, () => [
    countLine('table', 'rows', 'checksum'),
    ...counts.map(({ table, rows: own, checksum }) => countLine(table, `${own}`, checksum.slice(0, 16))),
    `Moved ${rows} rows of ${counts.length} tables from ${value.from} to ${value.to}; \
each was read back and compared. What was moved is still where it was.`,
    next,
  ]);
}

async function vacuum(flags: Flags, output: OutputOptions): Promise<void> {
  const config = configOf(flags);
  if (config.databaseUrl !== undefined)
    throw new CommandError(
      'on PostgreSQL, run "DELETE FROM pg_statistic; ANALYZE; VACUUM FULL;" as a superuser, or leave it to the server',
      { exitCode: exitMisused },
    );
  if ((await appliedMigrations(storeOf(config))).length === 0)
    throw new CommandError(`there is no store in the data folder ${config.dataDir}`);
  try {
    vacuumSqlite(config.dataDir);
  } catch (error) {
    throw storeFailure(error, config);
  }
  show({ folder: config.dataDir }, output, () => []);
  note(`The files of the store in ${config.dataDir} have only what is in it.`);
}

function targetOf(place: string, config: Config): StoreAddress {
  if (/^postgres(?:ql)?:\/\//.test(place) && URL.canParse(place))
    return { url: place, isPrepared: config.databasePrepare === 'yes' };
  if (place === '' || place.includes('://'))
    throw new CommandError('--to must be a folder or an address that begins with postgres://', {
      exitCode: exitMisused,
    });
  return { folder: place };
}

function countLine(table: string, rows: string, checksum: string): string {
  return `${table.padEnd(18)} ${rows.padStart(10)}  ${checksum}`;
}

/** The operator's next steps after a move. Uploaded files are not rows, so the move does not copy them. */
function whatToSet(
  to: StoreAddress,
  { config, counts }: { config: Config; counts: readonly MovedCount[] },
): string {
  const blobs = resolve(config.dataDir, 'blobs');
  // The keys that seal webhook secrets are not in the database.
  const keys = secretKeysToBring(to, { config, counts });
  const isInFolder =
    config.s3Bucket === undefined && counts.some(({ table, rows }) => table === 'blobs' && rows > 0);
  if (!('folder' in to)) {
    const uploads = isInFolder
      ? ` Uploads stay in ${blobs}: every node needs that folder, or CONFAB_S3_BUCKET.`
      : '';
    return `Set CONFAB_DATABASE_URL to the address of the database and start the nodes.${uploads}${keys}`;
  }
  const folder = resolve(to.folder);
  const isElsewhere = isInFolder && blobs !== join(folder, 'blobs');
  const uploads = isElsewhere ? ` Before that, copy the uploads: ${blobs} to ${join(folder, 'blobs')}.` : '';
  return `Set CONFAB_DATA_DIR to ${folder}, leave CONFAB_DATABASE_URL out, and start the server.${uploads}${keys}`;
}

function secretKeysToBring(
  to: StoreAddress,
  { config, counts }: { config: Config; counts: readonly MovedCount[] },
): string {
  const isInFolder = config.secretsKey === undefined && config.secretsKeyFile === undefined;
  if (!isInFolder || !counts.some(({ table, rows }) => table === 'webhooks' && rows > 0)) return '';
  const file = resolve(config.dataDir, 'secrets.key');
  return 'folder' in to
    ? ` The secrets of webhooks need the key in ${file}: copy it to ${join(resolve(to.folder), 'secrets.key')}.`
    : ` The secrets of webhooks need the key in ${file}: every node needs that folder, or CONFAB_SECRETS_KEY.`;
}

/** Adds `confab migrate status` and `up`. */
export function addSchemaCommands(program: Command): void {
  const migrate = program.command('migrate').description('Show the steps of the schema and take them.');

  const statusCommand = migrate
    .command('status')
    .description(
      'List the steps: number, name, and when each was taken, or that it is pending. Changes nothing.',
    );
  const statusFlags = addSettings(addJson(statusCommand), storeSettings);
  statusCommand.action((output: OutputOptions) => showSteps(statusFlags(), output));

  const upCommand = migrate
    .command('up')
    .description(
      'Take the pending steps, also while other nodes start or run. A server takes them when it starts.',
    );
  const upFlags = addSettings(addJson(upCommand), storeSettings);
  upCommand.action((output: OutputOptions) => applySteps(upFlags(), output));
}

/** Adds `confab vacuum` and `confab move`. */
export function addMoveCommands(program: Command): void {
  const vacuumCommand = program
    .command('vacuum')
    .description(
      'Rewrite the files of a SQLite store without deleted data, while no server runs. PostgreSQL does this by itself.',
    );
  const vacuumFlags = addSettings(addJson(vacuumCommand), storeSettings);
  vacuumCommand.action((output: OutputOptions) => vacuum(vacuumFlags(), output));

  const moveCommand = program
    .command('move')
    .description(
      'Copy everything to PostgreSQL, or from PostgreSQL to a folder, while no server runs. Run it again to continue.',
    )
    .requiredOption('--to <place>', 'an address postgres://… of an empty database, or a folder');
  const moveFlags = addSettings(addJson(moveCommand), storeSettings);
  moveCommand.action(({ to, ...output }: OutputOptions & { to: string }) => move(to, moveFlags(), output));
}
