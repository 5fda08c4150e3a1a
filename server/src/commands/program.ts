import { Command } from 'commander';
import { settings, version } from '../config/config.ts';
import { addBackupCommands } from './backup.ts';
import { addSettings } from './command.ts';
import { addConfigCommand } from './config.ts';
import { addConsoleCommand } from './console.ts';
import { addDoctorCommand } from './doctor.ts';
import { addImportCommands } from './import.ts';
import { addKeyCommands } from './key.ts';
import { addReceiverCommands } from './receiver.ts';
import { addSecretCommands } from './secrets.ts';
import { addMoveCommands, addSchemaCommands } from './store.ts';
import { addUserCommands } from './user.ts';
import { addSendingCommands } from './webhook.ts';

/** Makes the command line: `confab` with all its commands. */
export function commandLine(): Command {
  const program = new Command('confab')
    .description('Confab, a self-hosted collaboration server.')
    .version(version)
    .configureHelp({ sortSubcommands: false })
    .exitOverride();

  const serveCommand = program
    .command('serve')
    .description('Start the server. A flag overrides the environment variable named next to it.');
  const serveFlags = addSettings(serveCommand, Object.keys(settings) as (keyof typeof settings)[]);
  serveCommand.action(async () => (await import('./serve.ts')).serve(serveFlags()));

  addKeyCommands(program);
  addConsoleCommand(program);
  addImportCommands(program);

  const webhook = program.command('webhook').description('Send, receive and inspect deliveries.');
  addSendingCommands(webhook);
  addReceiverCommands(webhook);
  addSecretCommands(program);
  addSchemaCommands(program);
  addConfigCommand(program);
  addDoctorCommand(program);
  addBackupCommands(program);
  addUserCommands(program);
  addMoveCommands(program);
  return program;
}
