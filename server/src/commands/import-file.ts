import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { ImportKind, RepliesAs } from 'confab-contract/import-words.ts';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { ImportError } from 'confab-importers/import-file.ts';
import { isTimeZone } from 'confab-importers/local-time.ts';
import { readExport } from 'confab-importers/reading.ts';
import { createBlobLinks } from '../features/blobs/blob-links.ts';
import { linkSecret } from '../features/downloads/link-secret.ts';
import { planImport } from '../features/imports/import-plan.ts';
import { formatReport, type ImportReport } from '../features/imports/import-report.ts';
import { createImports } from '../features/imports/imports.ts';
import { readSite, siteInEffect } from '../features/site/site-book.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError } from '../kernel/command-error.ts';
import { givenSite } from '../setup/site.ts';
import { configOf, type Flags, type OutputOptions, plainFailure, show, withStore } from './command.ts';

/** How long the addresses of attachments in the log are valid, in milliseconds. */
const linkMs = 24 * 3_600_000;

/** The options of `confab import`. */
export type ImportFlags = OutputOptions & {
  readonly dryRun?: boolean;
  readonly keepEmails?: boolean;
  readonly replies: RepliesAs;
  readonly site?: string;
  readonly timeZone?: string;
  readonly held?: boolean;
  readonly renameApps?: boolean;
};

/** `confab import`: brings in the comments of an export. */
export async function importFile(
  { kind, path: file }: { kind: ImportKind; path: string },
  importFlags: ImportFlags,
  flags: Flags,
): Promise<void> {
  const { site, timeZone } = importFlags;
  if (site !== undefined && pageUid(site) === undefined)
    throw new CommandError(`--site ${site} is no http or https address`);
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new CommandError(
      `--time-zone ${timeZone} is no time zone: give a name of the IANA database, such as Europe/Berlin`,
    );
  const plan = planImport(
    await readExport(kind, { name: file, site, timeZone, bytes: createReadStream(file) }).catch(
      (error: unknown) => {
        // The operating system's message about a file that cannot be opened is readable as well.
        const isTold = error instanceof ImportError || (error instanceof Error && 'syscall' in error);
        throw isTold ? new CommandError(error.message, { cause: error }) : error;
      },
    ),
    { replies: importFlags.replies, holds: importFlags.held === true },
  );
  if (importFlags.dryRun === true) {
    show({ ...reportBody(plan.report), made: null }, importFlags, () => formatReport(plan.report));
    return;
  }
  await withStore(flags, { mayMake: true }, async (db) => {
    const isRenamed = importFlags.renameApps === true;
    // The log names attachments of restored comments by their path alone: the address of the server is not known here.
    const secret = await linkSecret(db);
    const links = createBlobLinks({ secret, publicUrl: () => '', lifeMs: linkMs, clock: systemClock });
    const newPages = siteInEffect(givenSite(configOf(flags)), await readSite(db.read));
    const result = await createImports({ db, clock: systemClock, links })
      .write(plan, {
        keepsEmails: importFlags.keepEmails === true,
        renamesApps: isRenamed,
        name: path.basename(file),
        site,
        newPages,
      })
      .catch((error: unknown) => {
        throw plainFailure(error);
      });
    const { comments, restored, apps, users } = result;
    show({ ...reportBody(plan.report), made: { comments, restored, apps, users } }, importFlags, () =>
      formatReport(plan.report, { ...result, isRenamed }),
    );
  });
}

/** The report as JSON has it. */
function reportBody(report: ImportReport) {
  return {
    kind: report.kind,
    source: report.source,
    found: report.found,
    imported: report.imported,
    held: report.held,
    left_out: report.leftOut,
    moved_replies: report.movedReplies,
    pages: report.pages,
    pages_with_comments: report.pagesWithComments,
    apps: report.apps,
    restricted_apps: report.restrictedApps,
    users: report.users,
    notes: report.notes,
  };
}
