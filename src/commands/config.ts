import type { Command } from 'commander';
import { settings } from '../config.ts';
import { configSchema } from '../config-schema.ts';
import { flagOf, type Settings } from '../config-sources.ts';
import { addJson, addSettings, type Flags, note, printTable, printValue, readingOf } from './command.ts';

/** `confab config`: what is in effect, and where it stands. */

/** What is shown for a secret. */
const hidden = '(hidden)';

function show(flags: Flags, { json }: { json: boolean }): void {
  const { file, found, warnings } = readingOf(flags);
  const rows = Object.entries(settings as Settings).map(([name, one]) => {
    const value = found.get(name);
    const text = value?.text ?? (name === 'configFile' ? file : one.default) ?? '';
    return {
      setting: flagOf(one.variable),
      value: one.isSecret === true && value !== undefined ? hidden : text,
      from: value?.spelled ?? (text === '' ? 'not set' : 'default'),
    };
  });
  if (json)
    printValue({
      file: file ?? null,
      settings: Object.fromEntries(rows.map(({ setting, value, from }) => [setting, { value, from }])),
      warnings,
    });
  else printTable(['setting', 'value', 'from'], rows);
  for (const warning of warnings) note(`confab: ${warning}`);
}

/** Adds `confab config` and `confab config schema`. */
export function addConfigCommand(program: Command): void {
  const command = addJson(
    program
      .command('config')
      .description(
        'Print the settings in effect, without secrets, and where each stands; checks them as well.',
      ),
  );
  const flags = addSettings(command, Object.keys(settings) as (keyof typeof settings)[]);
  command.action((options) => show(flags(), options));
  command
    .command('schema')
    .description('Print the JSON Schema of the file of settings.')
    .action(() => printValue(configSchema(settings)));
}
