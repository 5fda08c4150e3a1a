#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { type Config, flagOf, readConfig, settings, version } from './config.ts';
import type { Db } from './db/db.ts';
import { createApps } from './features/apps/apps.ts';
import { type Credentials, createCredentials } from './features/credentials/credentials.ts';
import { ImportError, type ImportKind } from './features/imports/import-file.ts';
import { planImport } from './features/imports/import-plan.ts';
import { formatReport } from './features/imports/import-report.ts';
import { createImports, readExport } from './features/imports/imports.ts';
import { systemClock, timestamp } from './kernel/clock.ts';
import { parseId } from './kernel/ids.ts';
import { createLog, openStore, type Running, startServer } from './main.ts';

/**
 * The command line. What a command answers goes to stdout; its log, notes and errors go to stderr, so that
 * `key=$(confab key create)` holds a key and nothing else. It exits with 0 when it did what it was told, 1 when it
 * could not, 2 when it was told something it does not understand; a second signal ends a stopping server with 128 and
 * the signal's number.
 */
const exitFailed = 1;
const exitMisused = 2;

/** What went wrong for a reason that a person can mend; told in one line. */
class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? exitFailed;
  }
}

// A reader that has seen enough, such as `head`, closes the pipe; that is no reason to stop what is being done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

type Flags = { readonly [flag: string]: string | undefined };

/** Reads the settings from the environment and the flags; a wrong one is a misuse of the command. */
function configOf(flags: Flags): Config {
  try {
    return readConfig(flags);
  } catch (error) {
    throw new CommandError(messageOf(error), { exitCode: exitMisused, cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The flags of settings on a command, and what was given for them by their own names. */
function addSettings(command: Command, chosen: readonly (keyof typeof settings)[]): () => Flags {
  const options = chosen.map((name) => {
    const { variable, sentence, bareFlag } = settings[name];
    const option = `--${flagOf(variable)} ${bareFlag === undefined ? '<value>' : '[value]'}`;
    return new Option(option, `${sentence} (${variable})`).preset(bareFlag);
  });
  for (const option of options) command.addOption(option);
  return () =>
    Object.fromEntries(
      options.map((option) => [
        option.long?.slice(2),
        command.getOptionValue(option.attributeName()) as string | undefined,
      ]),
    );
}

async function serve(flags: Flags): Promise<void> {
  const config = configOf(flags);
  const running = await startServer(config).catch((error: unknown) => {
    throw startFailure(error, config);
  });
  stopOnSignals(running, config.stopSeconds);
  const demo = config.demo === 'off' ? '' : `\nThe demo is at ${running.url}/demo`;
  const address = `Confab ${version} listens on ${running.url}${demo}`;
  // In one piece, so that whoever reads the address has the key as well.
  print(
    running.firstKey === undefined
      ? address
      : `${address}\nAPI key: ${running.firstKey}\nThe key is shown this once and never again; "confab key create" makes another.`,
  );
  await running.checkPictures();
}

/** Says in words what keeps a server from starting; anything unexpected stays as it is. */
function startFailure(error: unknown, config: Config): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  const place = `${config.host}:${config.port}`;
  if (code === 'EADDRINUSE') return new CommandError(`${place} is taken by another program`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CommandError(`${config.host} is no address of this machine`);
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return new CommandError(`${place} needs rights that this user does not have`);
  return storeFailure(error, config);
}

/** The same for opening the store: errors of the operating system and those that were written for people. */
function storeFailure(error: unknown, config: Config): unknown {
  if (!(error instanceof Error)) return error;
  if ('code' in error)
    return new CommandError(`the data folder ${config.dataDir}: ${error.message}`, { cause: error });
  return plainFailure(error);
}

/** An Error that was written for a person, told in one line; any other is a fault of ours and keeps its stack. */
function plainFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error.constructor !== Error) return error;
  return new CommandError(error.message, { cause: error });
}

function stopOnSignals(running: Running, stopSeconds: number): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    const deadline = AbortSignal.timeout(stopSeconds * 1000);
    deadline.addEventListener('abort', () => {
      running.log.error({ waiting_for: running.waitingFor() }, 'stopping took too long; exiting anyway');
      process.exit(exitFailed);
    });
    await running.close();
    process.exit(0);
  };
  for (const [signal, number] of [
    ['SIGTERM', 15],
    ['SIGINT', 2],
  ] as const)
    process.on(signal, () => {
      if (isStopping) process.exit(128 + number);
      isStopping = true;
      running.log.info({ signal }, 'stopping');
      void stop();
    });
}

/** Opens the store for one command, beside a server that may be running on it. */
async function withStore(
  flags: Flags,
  options: { readonly mayMake: boolean },
  work: (db: Db) => Promise<void>,
): Promise<void> {
  const config = configOf(flags);
  if (!options.mayMake && !existsSync(join(config.dataDir, 'confab.db')))
    throw new CommandError(`there is no store in the data folder ${config.dataDir}`);
  const log = createLog(config);
  let db: Db;
  try {
    db = openStore(config, { log, clock: systemClock });
  } catch (error) {
    throw storeFailure(error, config);
  }
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

function keysOf(db: Db): Credentials {
  return createCredentials({ db, clock: systemClock });
}

async function listKeys(db: Db): Promise<void> {
  for (const key of await keysOf(db).listKeys()) {
    const state = key.revokedAt === null ? '' : `\trevoked ${timestamp(key.revokedAt)}`;
    print(`${key.id}\t${key.name}\t…${key.hint}\tmade ${timestamp(key.createdAt)}${state}`);
  }
}

async function revokeKey(db: Db, text: string): Promise<void> {
  const id = parseId(text);
  if (id === undefined || !(await keysOf(db).revokeKey(id)))
    throw new CommandError(`there is no key ${text} that could be revoked; "confab key list" shows all`);
  note(`Key ${id} is revoked.`);
}

type ImportFlags = { readonly dryRun?: boolean; readonly keepEmails?: boolean };

async function importFile(kind: ImportKind, path: string, wanted: ImportFlags, flags: Flags): Promise<void> {
  const plan = planImport(
    await readExport(kind, path).catch((error: unknown) => {
      // What the operating system says about a file that cannot be opened was written for people as well.
      const isTold = error instanceof ImportError || (error instanceof Error && 'syscall' in error);
      throw isTold ? new CommandError(error.message, { cause: error }) : error;
    }),
  );
  if (wanted.dryRun === true) {
    for (const line of formatReport(plan.report)) print(line);
    return;
  }
  await withStore(flags, { mayMake: true }, async (db) => {
    const apps = createApps({ db, clock: systemClock });
    const made = await createImports({ db, clock: systemClock, apps })
      .write(plan, { keepsEmails: wanted.keepEmails === true })
      .catch((error: unknown) => {
        throw plainFailure(error);
      });
    for (const line of formatReport(plan.report, made)) print(line);
  });
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
serveCommand.action(() => serve(serveFlags()));

const key = program.command('key').description('Make, list and revoke API keys, also while a server runs.');

const createCommand = key
  .command('create')
  .description('Make a key and print it; it cannot be shown again.')
  .argument('[name]', 'what the key is for', 'command line');
const createFlags = addSettings(createCommand, ['dataDir']);
createCommand.action((name: string) =>
  withStore(createFlags(), { mayMake: true }, async (db) => print(await keysOf(db).createKey(name))),
);

const listCommand = key
  .command('list')
  .description('List the keys: id, name, last characters, when made and revoked.');
const listFlags = addSettings(listCommand, ['dataDir']);
listCommand.action(() => withStore(listFlags(), { mayMake: false }, listKeys));

const revokeCommand = key
  .command('revoke')
  .description('Revoke a key; requests with it are refused from that moment.')
  .argument('<id>', 'its number in the list');
const revokeFlags = addSettings(revokeCommand, ['dataDir']);
revokeCommand.action((id: string) => withStore(revokeFlags(), { mayMake: false }, (db) => revokeKey(db, id)));

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
    );
  const flags = addSettings(command, ['dataDir']);
  command.action((path: string, wanted: ImportFlags) => importFile(kind, path, wanted, flags()));
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said on stderr what it did not understand; help and version end here as well, with 0.
    process.exitCode = error.exitCode === 0 ? 0 : exitMisused;
  } else if (error instanceof CommandError) {
    note(`confab: ${error.message}`);
    process.exitCode = error.exitCode;
  } else throw error;
}
