import type { Command } from 'commander';
import { settings, shownSettings } from '../config/config.ts';
import { configSchema } from '../config/schema.ts';
import { addJson, addSettings, type Flags, note, printTable, printValue, readingOf } from './command.ts';

/** `confab config`: what is in effect, and where it stands. */

function show(flags: Flags, { json }: { json: boolean }): void {
  const { config, warnings } = readingOf(flags);
  const { file, settings: rows } = shownSettings(config);
  if (json)
    printValue({
      file: file ?? null,
      settings: Object.fromEntries(rows.map(({ name, value, from }) => [name, { value, from }])),
      warnings,
    });
  else
    printTable(
      ['setting', 'value', 'from'],
      rows.map(({ name, value, from }) => ({ setting: name, value, from })),
    );
  for (const warning of warnings) note(`confab: ${warning}`);
}

/** Adds `confab config` and `confab config schema`. */
export function addConfigCommand(program: Command): void {
  const command = addJson(
    program
      .command('config')
      .description(
        'Check the settings, and print those in effect, without secrets, with the source of each.',
      ),
  );
  const flags = addSettings(command, Object.keys(settings) as (keyof typeof settings)[]);
  command.action((options) => show(flags(), options));
  command
    .command('schema')
    .description('Print the JSON Schema of the file of settings.')
    .action(() => printValue(configSchema(settings)));
}
