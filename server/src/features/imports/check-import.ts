import { type LeftOutReason, leftOutReasons } from 'confab-contract/import-words.ts';
import type { Import } from 'confab-contract/imports.ts';
import { upsertableApp } from '../../access/app-access.ts';
import type { Read } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportSource } from './import-source.ts';
import { findFormerUids, knownComments, wasUndone } from './write-slice.ts';

/** Holds a plan against the store before anything is written. */

/** The items that exist already, and those that conflict with the import. */
export type Checked = {
  readonly thereBefore: number;
  readonly restorable: number;
  /** Half sentences about apps that cannot take the comments. */
  readonly faults: readonly string[];
};

/** Looks up every comment of a plan, and the apps of those that are to be written. */
export async function checkImport(read: Read, caller: Principal, source: ImportSource): Promise<Checked> {
  const checked = new Set<string>();
  const faults: string[] = [];
  let thereBefore = 0;
  let restorable = 0;
  for (let from = 0; ; ) {
    const heads = await source.heads(from);
    if (heads.comments.length === 0) return { thereBefore, restorable, faults };
    from += heads.comments.length;
    const known = await knownComments(read, heads);
    for (const { isUndone } of known.values()) {
      if (isUndone) restorable += 1;
      else thereBefore += 1;
    }
    const { formerUids } = await findFormerUids(read, heads.apps);
    const writable = heads.comments.filter(({ sourceId }) => known.get(sourceId)?.isUndone !== false);
    for (const uid of new Set(writable.map(({ appUid }) => formerUids.get(appUid) ?? appUid))) {
      if (checked.has(uid)) continue;
      checked.add(uid);
      const fault = await faultOf(read, caller, uid);
      if (fault !== undefined) faults.push(fault);
    }
  }
}

async function faultOf(read: Read, caller: Principal, uid: string): Promise<string | undefined> {
  const app = await upsertableApp(read, caller, uid);
  if (app === undefined) return undefined;
  if (app.type !== 'comments') return `the app "${uid}" is of type ${app.type}`;
  if (app.trashedAt === null || (await wasUndone(read, 'app', app.id))) return undefined;
  return `the app "${uid}" is in the trash`;
}

/** The most apps that a message names. */
const faultsShown = 20;

/** Why nothing is imported, in a sentence; undefined where nothing stands in the way. */
export function refusalOf({ faults }: Checked): string | undefined {
  if (faults.length === 0) return undefined;
  const more = faults.length > faultsShown ? `; and ${faults.length - faultsShown} more` : '';
  return `nothing was imported: ${faults.slice(0, faultsShown).join('; ')}${more}`;
}

/** The report of a dry run as it is stored and shown. */
export function plannedOf(report: ImportReport, { thereBefore, restorable }: Checked): string {
  const planned: NonNullable<Import['planned']> = {
    source: report.source,
    found: report.found,
    comments: report.imported,
    there_before: thereBefore,
    restorable,
    left_out: (Object.keys(leftOutReasons) as LeftOutReason[]).flatMap((reason) => {
      const count = report.leftOut[reason];
      return count === undefined ? [] : [{ reason, count }];
    }),
    moved_replies: report.movedReplies,
    pages: report.pages,
    pages_with_comments: report.pagesWithComments,
    apps: report.apps,
    restricted_apps: report.restrictedApps,
    users: report.users,
    notes: [...report.notes],
  };
  return JSON.stringify(planned);
}
