import type { Command } from 'commander';
import { timestamp } from 'confab-contract/values/time.ts';
import type { Config } from '../config/config.ts';
import { createSessions } from '../features/credentials/sessions.ts';
import { consoleAddress } from '../http/console/link.ts';
import { systemClock } from '../kernel/clock.ts';
import { findRunningAddress } from '../setup/running-address.ts';
import {
  addJson,
  addSettings,
  configOf,
  type Flags,
  note,
  type OutputOptions,
  print,
  printValue,
  storeSettings,
  withStore,
} from './command.ts';

/** `confab console`: a link that opens the console once. */

async function printLink(flags: Flags, { json }: OutputOptions): Promise<void> {
  const { address, isRunning } = await addressOfServer(configOf(flags));
  await withStore(flags, { mayMake: false }, async (db) => {
    const { secret, expiresAt } = await createSessions({ db, clock: systemClock }).link();
    const url = consoleAddress(address, secret);
    if (json === true) return printValue({ url, expires_at: timestamp(expiresAt) });
    print(url);
    note('The link works once, for 15 minutes, and gives every right. Do not pass it on.');
    if (!isRunning) note('No server runs on this data folder: start it first.');
  });
}

/** The address of the server: the one that is set, that of the server that runs, or where one would listen. */
async function addressOfServer({
  publicUrl,
  dataDir,
  databaseUrl,
  host,
  port,
}: Config): Promise<{ address: string; isRunning: boolean }> {
  const running = await findRunningAddress(dataDir);
  // Nodes with PostgreSQL may run elsewhere.
  const isRunning = running !== undefined || databaseUrl !== undefined;
  const known = publicUrl ?? running?.publicUrl;
  if (known !== undefined) return { address: known, isRunning };
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const literal = host.includes(':') ? `[${host}]` : host;
  return { address: `http://${isEverywhere ? 'localhost' : literal}:${port}`, isRunning };
}

/** Adds `confab console`. */
export function addConsoleCommand(program: Command): void {
  const command = program
    .command('console')
    .description('Print a link that opens the console once, within 15 minutes; also while a server runs.');
  const flags = addSettings(addJson(command), [...storeSettings, 'publicUrl', 'host', 'port']);
  command.action((output: OutputOptions) => printLink(flags(), output));
}
