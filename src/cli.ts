import { join, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { addBackupCommands } from './commands/backup.ts';
import {
  addJson,
  addSettings,
  CommandError,
  configOf,
  exitMisused,
  type Flags,
  note,
  noteFailure,
  print,
  printValue,
  type Shown,
  storeFailure,
  storeOf,
  storeSettings,
} from './commands/command.ts';
import { addConfigCommand } from './commands/config.ts';
import { addConsoleCommand } from './commands/console.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import type { ImportFlags } from './commands/import.ts';
import { addKeyCommands } from './commands/key.ts';
import { addReceiverCommands } from './commands/receiver.ts';
import { addSecretCommands } from './commands/secrets.ts';
import { addUserCommands } from './commands/user.ts';
import { addSendingCommands } from './commands/webhook.ts';
import { type Config, settings, version } from './config.ts';
import { newestKnown, pendingSteps, type Step } from './db/migrations/steps.ts';
import type { MovedCount } from './db/move.ts';
import { vacuumSqlite } from './db/sqlite-vacuum.ts';
import { appliedMigrations, applyMigrations, type StoreAddress, storeLabel } from './db/store-address.ts';
import { systemClock, timestamp } from './kernel/clock.ts';

/**
 * The command line. The result of a command goes to stdout; its log, notes and errors go to stderr, so that
 * `key=$(confab key create)` contains only the key. It exits with 0 on success, 1 on failure and 2 for invalid arguments.
 *
 * The server, the imports, the move and the doctor are loaded only by their commands: the server is more than half of the program.
 */
// Only the user of this process may access created files: the store, its logs and copies.
process.umask(0o077);

// A reader such as `head` may close the pipe early; the command still completes its work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

async function showSteps(flags: Flags, { json }: Shown): Promise<void> {
  const config = configOf(flags);
  const taken = await appliedMigrations(storeOf(config)).catch((error: unknown) => {
    throw storeFailure(error, config);
  });
  if (json === true) {
    printValue([
      ...taken.map(({ id, name, appliedAt }) => ({ id, name, applied_at: timestamp(appliedAt) })),
      ...pendingSteps(taken).map(({ id, name }) => ({ id, name, applied_at: null })),
    ]);
    return;
  }
  for (const step of taken) print(stepLine(step));
  for (const { id, name } of pendingSteps(taken)) print(`${id}\t${name}\tpending`);
}

async function applySteps(flags: Flags): Promise<void> {
  const config = configOf(flags);
  const steps = await applyMigrations(storeOf(config), systemClock).catch((error: unknown) => {
    throw storeFailure(error, config);
  });
  for (const step of steps) print(stepLine(step));
  if (steps.length === 0) note('Nothing is pending.');
}

function stepLine({ id, name, appliedAt }: Step): string {
  const newer = id > newestKnown ? '\tof a newer Confab' : '';
  return `${id}\t${name}\tapplied ${timestamp(appliedAt)}${newer}`;
}

async function move(place: string, flags: Flags): Promise<void> {
  const config = configOf(flags);
  const to = targetOf(place, config);
  const { moveStore } = await import('./db/move.ts');
  const counts = await moveStore({
    from: storeOf(config),
    to,
    clock: systemClock,
    onTable: (table, rows) => (rows === 0 ? undefined : note(`Copied ${table}: ${rows} rows.`)),
  }).catch((error: unknown) => {
    throw storeFailure(error, config);
  });
  print(countLine('table', 'rows', 'checksum'));
  for (const { table, rows, checksum } of counts) print(countLine(table, `${rows}`, checksum.slice(0, 16)));
  const rows = counts.reduce((sum, count) => sum + count.rows, 0);
  print(`Moved ${rows} rows of ${counts.length} tables from ${storeLabel(storeOf(config))} to ${storeLabel(to)}; \
each was read back and compared. What was moved is still where it was.`);
  print(whatToSet(to, { config, counts }));
}

async function vacuum(flags: Flags): Promise<void> {
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

const program = new Command('confab')
  .description('Confab, a self-hosted collaboration server.')
  .version(version)
  .configureHelp({ sortSubcommands: false })
  .exitOverride();

const serveCommand = program
  .command('serve')
  .description('Start the server. A flag wins over the environment variable named beside it.');
const serveFlags = addSettings(serveCommand, Object.keys(settings) as (keyof typeof settings)[]);
serveCommand.action(async () => (await import('./commands/serve.ts')).serve(serveFlags()));

addKeyCommands(program);
addConsoleCommand(program);

const imported = program
  .command('import')
  .description('Bring in comments from elsewhere, also while a server runs; running it again adds nothing.');
for (const [kind, words] of [
  ['wordpress', 'a WordPress export (Tools, Export: a WXR file)'],
  ['disqus', 'a Disqus export (XML)'],
] as const) {
  const command = imported
    .command(kind)
    .description(`Import the comments of ${words}.`)
    .argument('<file>', 'the path of the export')
    .option('--dry-run', 'say what would be imported and left out, and write nothing')
    .option(
      '--keep-emails',
      'keep the e-mail addresses of authors, which every reader of a comment can then see',
    )
    .option('--no-quotes', 'leave out the line of the earlier comment that a reply begins with')
    .option('--rename-apps', 'give apps that Confab 0.1.0 imported the uid that web components look for');
  const flags = addSettings(command, storeSettings);
  command.action(async (path: string, wanted: ImportFlags) => {
    const { importFile } = await import('./commands/import.ts');
    await importFile({ kind, path }, wanted, flags());
  });
}

const webhook = program.command('webhook').description('Send, receive and look at deliveries.');
addSendingCommands(webhook);
addReceiverCommands(webhook);
addSecretCommands(program);

const migrate = program.command('migrate').description('Look at the steps of the schema and take them.');

const statusCommand = migrate
  .command('status')
  .description('List the steps: number, name, when it was taken or that it is pending. Changes nothing.');
const statusFlags = addSettings(addJson(statusCommand), storeSettings);
statusCommand.action((shown: Shown) => showSteps(statusFlags(), shown));

const upCommand = migrate
  .command('up')
  .description(
    'Take the steps that are pending, also while other nodes start or run; a server does so as it starts.',
  );
const upFlags = addSettings(upCommand, storeSettings);
upCommand.action(() => applySteps(upFlags()));

addConfigCommand(program);
addDoctorCommand(program);
addBackupCommands(program);
addUserCommands(program);

const vacuumCommand = program
  .command('vacuum')
  .description(
    'Rewrite the files of a store in a folder without what was deleted, while no server runs. PostgreSQL does so itself.',
  );
const vacuumFlags = addSettings(vacuumCommand, storeSettings);
vacuumCommand.action(() => vacuum(vacuumFlags()));

const moveCommand = program
  .command('move')
  .description(
    'Copy everything to PostgreSQL, or from there to a folder, while no server runs; again to go on.',
  )
  .requiredOption('--to <place>', 'an address postgres://… of an empty database, or a folder');
const moveFlags = addSettings(moveCommand, storeSettings);
moveCommand.action(({ to }: { to: string }) => move(to, moveFlags()));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has already printed the error to stderr; help and version also end here, with 0.
    process.exitCode = error.exitCode === 0 ? 0 : exitMisused;
  } else if (error instanceof CommandError) {
    noteFailure(error);
    process.exitCode = error.exitCode;
  } else throw error;
}
