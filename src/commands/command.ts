import { type Command, Option } from 'commander';
import { type Config, flagOf, readConfig, settings } from '../config.ts';
import type { Db } from '../db/db.ts';
import { appliedMigrations, type StoreAddress, storeLabel } from '../db/store-address.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLog, openStore } from '../main-store.ts';

/** Shared code of the `confab` commands: reading settings, opening the store, output and failure. */

/** The exit code of a command that failed. */
export const exitFailed = 1;
/** The exit code of a command with invalid arguments. */
export const exitMisused = 2;

/** A failure that the user can fix; reported in one line. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? exitFailed;
  }
}

/** Prints a line of output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a line that is not part of the output. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The values of setting flags, by name. */
export type Flags = { readonly [flag: string]: string | undefined };

/** Reads the settings from the environment and the flags; an invalid one is a usage error. */
export function configOf(flags: Flags): Config {
  try {
    return readConfig(flags);
  } catch (error) {
    throw new CommandError(messageOf(error), { exitCode: exitMisused, cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Adds the flags of settings to a command, and reads their values by setting name. */
export function addSettings(command: Command, chosen: readonly (keyof typeof settings)[]): () => Flags {
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

/** The settings that locate the store. */
export const storeSettings = ['dataDir', 'databaseUrl', 'databasePrepare'] as const;

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
      throw new CommandError(
        config.databaseUrl === undefined
          ? `there is no store in the data folder ${config.dataDir}`
          : `there is no store in the database ${storeLabel(storeOf(config))}`,
      );
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
