import { ImportError, type ImportKind } from '../features/imports/import-file.ts';
import { planImport } from '../features/imports/import-plan.ts';
import { formatReport } from '../features/imports/import-report.ts';
import { createImports, readExport } from '../features/imports/imports.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError, type Flags, plainFailure, print, withStore } from './command.ts';

/** The options of `confab import`. */
export type ImportFlags = {
  readonly dryRun?: boolean;
  readonly keepEmails?: boolean;
  readonly quotes: boolean;
  readonly renameApps?: boolean;
};

/** `confab import`: brings in the comments of an export. */
export async function importFile(
  { kind, path }: { kind: ImportKind; path: string },
  wanted: ImportFlags,
  flags: Flags,
): Promise<void> {
  const plan = planImport(
    await readExport(kind, path).catch((error: unknown) => {
      // The operating system's message about a file that cannot be opened is readable as well.
      const isTold = error instanceof ImportError || (error instanceof Error && 'syscall' in error);
      throw isTold ? new CommandError(error.message, { cause: error }) : error;
    }),
    { quotesReplies: wanted.quotes },
  );
  if (wanted.dryRun === true) {
    for (const line of formatReport(plan.report)) print(line);
    return;
  }
  await withStore(flags, { mayMake: true }, async (db) => {
    const isRenamed = wanted.renameApps === true;
    const made = await createImports({ db, clock: systemClock })
      .write(plan, { keepsEmails: wanted.keepEmails === true, renamesApps: isRenamed })
      .catch((error: unknown) => {
        throw plainFailure(error);
      });
    for (const line of formatReport(plan.report, { ...made, isRenamed })) print(line);
  });
}
