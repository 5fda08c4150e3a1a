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
        'Find faults of the server, its surroundings and its store, and explain how to mend them, also while a server runs. Exits with 1 when it finds a fault; a failing receiver is only a note.',
      )
      .option(
        '--fix [checks...]',
        'mend the faults that need no decision, all or only those of these checks, and look again',
      )
      .option('--retry', 'first retry the notifications of events that were given up'),
  );
  const flags = addSettings(command, Object.keys(settings) as (keyof typeof settings)[]);
  command.action((options) => examine(flags(), options));
}
