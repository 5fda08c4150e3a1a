import { type Command, Option } from 'commander';
import { type Config, flagOf, readConfig, settings } from '../config.ts';
import type { Db } from '../db/db.ts';
import { appliedMigrations, type StoreAddress, storeLabel } from '../db/store-address.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLog, openStore } from '../main.ts';

/** What the commands of `confab` have in common: how they read settings, open the store, answer and fail. */

/** The exit code of a command that could not do what it was told. */
export const exitFailed = 1;
/** The exit code of a command that was told something it does not understand. */
export const exitMisused = 2;

/** What went wrong for a reason that a person can mend; told in one line. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? exitFailed;
  }
}

/** Says a line of the answer. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Says a line that is not part of the answer. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** What was given for the flags of settings, by their names. */
export type Flags = { readonly [flag: string]: string | undefined };

/** Reads the settings from the environment and the flags; a wrong one is a misuse of the command. */
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

/** The flags of settings on a command, and what was given for them by their own names. */
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

/** The settings by which a command finds the store. */
export const storeSettings = ['dataDir', 'databaseUrl', 'databasePrepare'] as const;

/** The same for opening the store: errors of the operating system, of an engine, and those that were written for people. */
export function storeFailure(error: unknown, config: Config): unknown {
  if (!(error instanceof Error)) return error;
  if (!('code' in error)) return plainFailure(error);
  // Where a host has several addresses, what each of them said is not in the message.
  const message = error.message === '' ? String(error.code) : error.message;
  const isOfFile = config.databaseUrl === undefined || 'path' in error;
  const place = isOfFile
    ? `the data folder ${config.dataDir}`
    : `the database ${storeLabel(storeOf(config))}`;
  return new CommandError(`${place}: ${message}`, { cause: error });
}

/** An Error that was written for a person, told in one line; any other is a fault of ours and keeps its stack. */
export function plainFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error.constructor !== Error) return error;
  return new CommandError(error.message, { cause: error });
}

/** Where the store of a configuration is. */
export function storeOf({ dataDir, databaseUrl, databasePrepare }: Config): StoreAddress {
  return databaseUrl === undefined
    ? { folder: dataDir }
    : { url: databaseUrl, isPrepared: databasePrepare === 'yes' };
}

/** Opens the store for one command, beside a server that may be running on it. */
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
