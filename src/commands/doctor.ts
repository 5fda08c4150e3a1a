import type { Command } from 'commander';
import { settings } from '../config/config.ts';
import { CommandError } from '../kernel/command-error.ts';
import { addJson, addSettings, type Flags, note, print, printValue, readingOf } from './command.ts';

async function examine(
  flags: Flags,
  { fix = false, retry = false, json = false }: { fix?: boolean | string[]; retry?: boolean; json?: boolean },
): Promise<void> {
  const { examineServer } = await import('./doctor/examine.ts');
  const { findings, fixed } = await examineServer(readingOf(flags), { fix, retry });
  const wrong = findings.filter(({ level }) => level !== 'note');
  if (json)
    printValue({
      is_healthy: wrong.length === 0,
      findings: findings.map(({ fix: mend, ...finding }) => ({ ...finding, is_fixable: mend !== undefined })),
      fixed,
    });
  else {
    for (const { check, what } of fixed) print(`fixed ${check}: ${what}`);
    for (const { level, check, what, mend } of findings) print(`${level} ${check}: ${what}\n  ${mend}`);
  }
  if (wrong.length > 0) throw new CommandError(`${wrong.length} things are wrong`);
  note(findings.length === 0 ? 'Nothing is wrong and nothing is stuck.' : 'Nothing is wrong.');
}

/** Adds `confab doctor`. */
export function addDoctorCommand(program: Command): void {
  const command = addJson(
    program
      .command('doctor')
      .description(
        'Find what is wrong with the server, its surroundings and its store, and how to mend it, also while a server runs. Exits with 1 when something is wrong; a receiver that fails is not.',
      )
      .option(
        '--fix [checks...]',
        'mend what can be mended without you, or of that what these checks find, and look again',
      )
      .option('--retry', 'first make the notifications of events that were given up'),
  );
  const flags = addSettings(command, Object.keys(settings) as (keyof typeof settings)[]);
  command.action((wanted) => examine(flags(), wanted));
}
