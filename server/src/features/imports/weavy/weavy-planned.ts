import { type LeftOutReason, leftOutReasons } from 'confab-contract/import-words.ts';
import type { Import } from 'confab-contract/imports.ts';
import type { Checked } from '../check-import.ts';
import type { WeavyReport } from './weavy-report.ts';

/** The report of the import of a server as the API shows it. */
export function plannedOfWeavy(report: WeavyReport, { thereBefore, restorable }: Checked): string {
  const { counts } = report;
  const planned: NonNullable<Import['planned']> = {
    source: report.source,
    found: report.found,
    comments: counts.comments,
    posts: counts.posts,
    messages: counts.messages,
    files: counts.files,
    there_before: thereBefore,
    restorable,
    left_out: (Object.keys(leftOutReasons) as LeftOutReason[]).flatMap((reason) => {
      const count = report.leftOut[reason];
      return count === undefined ? [] : [{ reason, count }];
    }),
    moved_replies: 0,
    pages: report.appsFound,
    pages_with_comments: report.apps,
    apps: report.apps,
    restricted_apps: report.restrictedApps,
    users: report.users,
    notes: [...report.notes],
  };
  return JSON.stringify(planned);
}
