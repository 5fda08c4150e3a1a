import { type Command, Option } from 'commander';
import { type Config, type Reading, readSettings, settings } from '../config/config.ts';
import { type Flags, fileVariableOf, flagOf } from '../config/sources.ts';
import type { Setting } from '../config/values.ts';
import type { Db } from '../db/db.ts';
import { appliedMigrations, type StoreAddress, storeLabel } from '../db/store-address.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError, exitMisused } from '../kernel/command-error.ts';
import { createLog, openStore } from '../setup/store.ts';

/** Shared code of the `confab` commands: reading settings, opening the store, output and failure. */

/** Prints a line of output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a line that is not part of the output. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints a value as JSON. */
export function printValue(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Prints rows below the names of their columns, aligned. */
export function printTable<C extends string>(
  columns: readonly C[],
  rows: readonly { readonly [K in C]: string | number }[],
): void {
  const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  for (const line of lines)
    print(
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** Whether a command prints JSON. */
export type OutputOptions = { readonly json?: boolean | undefined };

/** Adds the flag `--json` to a command whose output is a value. */
export function addJson(command: Command): Command {
  return command.option('--json', 'print JSON');
}

/** Prints a result: as JSON, or as the lines that `lines` makes of it. */
export function show<T>(value: T, { json }: OutputOptions, lines: (value: T) => readonly string[]): void {
  if (json === true) printValue(value);
  else for (const line of lines(value)) print(line);
}

/** Respells a message about settings in the user's own spelling; set when the process first reads its settings. */
let respell = (message: string): string => message;

/** Prints a failure as one line, in which settings are spelled as the user spelled them. */
export function noteFailure(error: CommandError): void {
  note(`confab: ${respell(error.message)}`);
}

/** Reads the settings from flags, environment and file; an invalid one is a usage error. */
export function readingOf(flags: Flags): Reading {
  try {
    const reading = readSettings(flags);
    respell = reading.respell;
    return reading;
  } catch (error) {
    throw new CommandError(messageOf(error), { exitCode: exitMisused, cause: error });
  }
}

/** The same without the source of each value. */
export function configOf(flags: Flags): Config {
  return readingOf(flags).config;
}

/**
 * The configuration of a command that takes a place as its argument; without it, the configured place is
 * used.
 */
export function configWith(place: string | undefined, settings: Flags): Config {
  return configOf(place === undefined ? settings : { ...settings, 'backup-to': place });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Adds the flags of settings to a command, and reads their values by the names of the flags. Every command
 * has the flag `--config`.
 */
export function addSettings(command: Command, chosen: readonly (keyof typeof settings)[]): () => Flags {
  const options = [...new Set(['configFile' as const, ...chosen])].flatMap((name) =>
    optionsOf(settings[name]),
  );
  for (const option of options) command.addOption(option);
  return () =>
    Object.fromEntries(
      options.map((option) => [
        option.long?.slice(2),
        command.getOptionValue(option.attributeName()) as string | undefined,
      ]),
    );
}

function optionsOf(one: Setting<unknown>): Option[] {
  const { variable, sentence, bareFlag } = one;
  const flag = `--${flagOf(variable)}`;
  const standard = one.default === undefined || one.default === '' ? '' : `, default ${one.default}`;
  const fileVariable = fileVariableOf(one);
  const plain = new Option(
    `${flag} ${bareFlag === undefined ? '<value>' : '[value]'}`,
    `${sentence}${one.isSecret === true ? ' Other users can see it in the list of processes.' : ''} (${variable}${standard})`,
  ).preset(bareFlag);
  if (fileVariable === undefined) return [plain];
  return [
    plain,
    new Option(`--${flagOf(fileVariable)} <file>`, `The file with the value of ${flag}. (${fileVariable})`),
  ];
}

/** The settings that locate the store. */
export const storeSettings = ['dataDir', 'databaseUrl', 'databasePrepare'] as const;

/** The settings that locate the bucket of uploads. */
export const bucketSettings = [
  's3Bucket',
  's3Endpoint',
  's3Region',
  's3AccessKeyId',
  's3SecretAccessKey',
  's3PathStyle',
] as const;

/** The values of setting flags, by name. */
export type { Flags };

/** The same for opening the store: errors of the operating system or an engine, and errors with a readable message. */
export function storeFailure(error: unknown, config: Config): unknown {
  if (!(error instanceof Error)) return error;
  if (!('code' in error)) return plainFailure(error);
  // For a host with several addresses the message leaves out the error of each.
  const message = error.message === '' ? String(error.code) : error.message;
  const isOfFile = config.databaseUrl === undefined || 'path' in error;
  const place = isOfFile
    ? `the data folder ${config.dataDir}`
    : `the database ${storeLabel(storeOf(config))}`;
  return new CommandError(`${place}: ${message}`, { cause: error });
}

/** Reports an Error with a readable message in one line; any other is a bug and keeps its stack. */
export function plainFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error.constructor !== Error) return error;
  return new CommandError(error.message, { cause: error });
}

/** The location of a configuration's store. */
export function storeOf({ dataDir, databaseUrl, databasePrepare }: Config): StoreAddress {
  return databaseUrl === undefined
    ? { folder: dataDir }
    : { url: databaseUrl, isPrepared: databasePrepare === 'yes' };
}

/** The name of a configuration's store in messages. */
export function storeLabelOf(config: Config): string {
  return config.databaseUrl === undefined
    ? `the data folder ${config.dataDir}`
    : `the database ${storeLabel(storeOf(config))}`;
}

/** Opens the store for one command, alongside a server that may be using it. */
export async function withStore(
  flags: Flags,
  options: { readonly mayMake: boolean },
  work: (db: Db) => Promise<void>,
): Promise<void> {
  const config = configOf(flags);
  let db: Db;
  try {
    if (!options.mayMake && (await appliedMigrations(storeOf(config))).length === 0)
      throw new CommandError(`there is no store in ${storeLabelOf(config)}`);
    db = await openStore(config, { log: createLog(config), clock: systemClock });
  } catch (error) {
    throw storeFailure(error, config);
  }
  try {
    await work(db);
  } finally {
    await db.close();
  }
}
