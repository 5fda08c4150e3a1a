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
  const server = await addressOfServer(configOf(flags));
  await withStore(flags, { mayMake: false }, async (db) => {
    const { secret, expiresAt } = await createSessions({ db, clock: systemClock }).link();
    const url = consoleAddress(server, secret);
    if (json === true) return printValue({ url, expires_at: timestamp(expiresAt) });
    print(url);
    note('The link works once, for 15 minutes, and gives every right. Do not pass it on.');
  });
}

/** The address of the server: the one that is set, that of the server that runs, or where one would listen. */
async function addressOfServer({ publicUrl, dataDir, host, port }: Config): Promise<string> {
  if (publicUrl !== undefined) return publicUrl;
  const running = await findRunningAddress(dataDir);
  if (running !== undefined) return running.publicUrl;
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const literal = host.includes(':') ? `[${host}]` : host;
  return `http://${isEverywhere ? 'localhost' : literal}:${port}`;
}

/** Adds `confab console`. */
export function addConsoleCommand(program: Command): void {
  const command = program
    .command('console')
    .description('Print a link that opens the console once, within 15 minutes; also while a server runs.');
  const flags = addSettings(addJson(command), [...storeSettings, 'publicUrl', 'host', 'port']);
  command.action((output: OutputOptions) => printLink(flags(), output));
}
