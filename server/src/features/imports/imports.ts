import type { ImportKind } from 'confab-contract/import-words.ts';
import { upsertableApp } from '../../access/app-access.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { changeApp } from '../apps/app-changes.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import type { Site } from '../site/site-book.ts';
import { getSystemUser } from '../users/user-record.ts';
import { type Checked, checkImport, plannedOf, refusalOf } from './check-import.ts';
import type { ImportPlan } from './import-plan.ts';
import { insertRun } from './import-runs.store.ts';
import { getRun, nothingMade, setProgress, sumOf } from './import-runs.ts';
import { type Slice, sourceOf } from './import-source.ts';
import { type CreatedCounts, findFormerUids, knownComments, writeSlice } from './write-slice.ts';

/**
 * Imports write comments from other systems into the store, from a planned export. They use the functions that requests
 * use, so counts, search, tags and the event log are correct. Webhooks are not notified, because the content is old.
 *
 * Comments are written in slices, each in one transaction that also records every imported comment in `imports`. A
 * server on the same folder therefore stays responsive, and an interrupted import is completed by running it again:
 * recorded comments are not written twice. Apps and users are created with their first comment, so an import with
 * nothing to add adds nothing. The items that an import made are recorded, so that it can be taken back.
 *
 * This is the import of the command line, which has the plan in memory; `importing.ts` is the import of a server.
 */

/** The result of an import. */
export type ImportResult = Pick<CreatedCounts, 'comments' | 'apps' | 'users' | 'restored'> & {
  /** The apps that have the uid of 0.1.0, by the uid of their page; they were renamed if that was asked for. */
  readonly formerUids: ReadonlyMap<string, string>;
  /** The uids of apps of 0.1.0 whose page has another app, so that they keep their uid and their comments. */
  readonly otherUids: readonly string[];
};

/** The options of an import. By default, visitors do nothing on the pages that it makes. */
export type ImportOptions = {
  /**
   * Whether to keep the email addresses of authors. The source never published them, and every reader of a comment can
   * read its author, so they are left out by default.
   */
  readonly keepsEmails: boolean;
  /** Whether apps that Confab 0.1.0 imported get the uid of their page. Otherwise they take further comments as they are. */
  readonly renamesApps?: boolean;
  /** The name of the file and the site of its pages, only for display. */
  readonly name?: string;
  readonly site?: string | undefined;
  /** What visitors may do on the pages that it makes. */
  readonly newPages?: Pick<Site, 'visitors' | 'approval'>;
};

const closedToVisitors = { visitors: 'none', approval: 'none' } as const;

/** The imports feature. `links` makes the addresses of attachments in events, where a comment is restored that has some. */
export function createImports({ db, clock, links }: { db: Db; clock: Clock; links?: BlobLinks }) {
  /** Gives each app the uid of its page, with an event as for any change. */
  async function renameApps(system: Principal, formerUids: ReadonlyMap<string, string>): Promise<void> {
    for (const [uid, former] of formerUids)
      await db.write(async (tx) => {
        const app = await upsertableApp(tx, system, former);
        if (app !== undefined) await changeApp({ tx, caller: system, at: clock.now() }, app, { uid });
      });
  }

  /** Writes a slice in a transaction that also adds to the counts of the import, which the first one records. */
  async function write(importing: Importing, slice: Slice): Promise<{ made: CreatedCounts; runId: number }> {
    const { system, options } = importing;
    return await db.write(async (tx) => {
      const at = clock.now();
      const runId = importing.runId ?? (await tx.insert(insertRun, rowOf(importing, at)));
      const row = await getRun(tx, runId);
      if (row.state !== 'finished') throw new Error('the import was taken back while it ran');
      const { keepsEmails, newPages = closedToVisitors } = options;
      const writing = { tx, at, system, runId, links, keepsEmails, newPages };
      const counts = await writeSlice(writing, slice);
      const sum = sumOf(JSON.parse(row.made) as CreatedCounts, counts);
      await setProgress(tx, row, { made: JSON.stringify(sum), finishedAt: at });
      return { made: sum, runId };
    });
  }

  return {
    /**
     * Writes what is in the plan and not yet in the store. Throws an Error and writes nothing if an existing app with
     * one of the uids cannot contain comments.
     */
    async write(plan: ImportPlan, options: ImportOptions): Promise<ImportResult> {
      const system: Principal = { kind: 'key', user: await getSystemUser(db.read) };
      const { formerUids, otherUids } = await findFormerUids(db.read, plan.apps);
      if (options.renamesApps === true) await renameApps(system, formerUids);
      const source = sourceOf(plan);
      const checked = await checkImport(db.read, system, source);
      const refusal = refusalOf(checked);
      if (refusal !== undefined) throw new Error(refusal);
      let made = nothingMade;
      let runId: number | undefined;
      for (let from = 0; from < plan.comments.length; ) {
        const slice = source.slice(from);
        from += slice.comments.length;
        if (!(await hasMore(db.read, slice))) continue;
        ({ made, runId } = await write({ plan, system, options, checked, runId }, slice));
      }
      return { ...made, formerUids, otherUids };
    },
  };
}

/** An import of the command line under way. */
type Importing = {
  readonly plan: ImportPlan;
  readonly system: Principal;
  readonly options: ImportOptions;
  readonly checked: Checked;
  /** Absent until something has been written. */
  readonly runId: number | undefined;
};

/** Whether something of a slice is not in the store. */
export async function hasMore(read: Pick<Db['read'], 'all'>, slice: Slice): Promise<boolean> {
  const known = await knownComments(read, slice);
  return slice.comments.some(({ sourceId }) => known.get(sourceId)?.isUndone !== false);
}

/** An import of the command line as it is recorded: what it has not written yet is not missing to anyone. */
function rowOf({ plan, options, checked }: Importing, at: number) {
  return {
    kind: plan.report.kind satisfies ImportKind,
    name: options.name ?? '',
    blobId: null,
    keepsEmails: options.keepsEmails ? 1 : 0,
    replies: plan.replies,
    site: options.site ?? null,
    state: 'finished',
    planned: plannedOf(plan.report, checked),
    made: JSON.stringify(nothingMade),
    createdAt: at,
    apiKeyId: null,
    startedAt: at,
    finishedAt: at,
  };
}
