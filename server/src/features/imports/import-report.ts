/** The report of an import: every comment of the file is either imported or left out for one named reason. */
import assert from 'node:assert/strict';
import {
  type ImportKind,
  type LeftOutReason,
  leftOutOnce,
  leftOutReasons,
} from 'confab-contract/import-words.ts';
import type { ImportFile } from 'confab-importers/import-file.ts';

/** The result of an import. All numbers count comments unless their name specifies otherwise. */
export interface ImportReport {
  readonly kind: ImportKind;
  readonly source: string;
  /** Every comment of the file; `imported` and all of `leftOut` add up to it. */
  readonly found: number;
  readonly imported: number;
  /** How many of the imported ones wait for approval. */
  readonly held: number;
  /** Only reasons that occurred, in the order of `leftOutReasons`. */
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, number>>>;
  /** Replies that moved up in their thread, because their parent is left out. */
  readonly movedReplies: number;
  /** Pages of the file; those with comments to import and those without add up to it. */
  readonly pages: number;
  readonly pagesWithComments: number;
  readonly pagesWithoutComments: number;
  /** The apps needed: fewer than `pagesWithComments` where two spellings of an address name one page. */
  readonly apps: number;
  readonly restrictedApps: number;
  readonly users: number;
  /** Sentences about repaired faults, and about where and why a comment could not be read. */
  readonly notes: readonly string[];
}

/** The counts of a plan, for its report. */
export interface ImportCounts {
  readonly imported: number;
  readonly held: number;
  /** Of the readable comments. */
  readonly leftOut: ReadonlyMap<LeftOutReason, number>;
  readonly movedReplies: number;
  readonly pagesWithComments: number;
  readonly apps: number;
  readonly restrictedApps: number;
  readonly users: number;
}

/**
 * The most unreadable comments listed one by one; more than these usually have one cause, which the first ones show.
 */
const unreadableListedMax = 20;

/** The report for a file; fails an assertion when the numbers do not add up. */
export function reportOf(file: ImportFile, counts: ImportCounts): ImportReport {
  const found = file.comments.length + file.unreadable.length;
  const counted = new Map(counts.leftOut).set('unreadable', file.unreadable.length);
  const leftOut: Partial<Record<LeftOutReason, number>> = {};
  let accounted = counts.imported;
  for (const reason of reasons) {
    const count = counted.get(reason) ?? 0;
    accounted += count;
    if (count > 0) leftOut[reason] = count;
  }
  assert.equal(accounted, found, 'every comment of the file is imported or left out for one reason');

  const unreadable = file.unreadable.slice(0, unreadableListedMax);
  const unlisted = file.unreadable.length - unreadable.length;
  return {
    kind: file.kind,
    source: file.source,
    found,
    imported: counts.imported,
    held: counts.held,
    leftOut,
    movedReplies: counts.movedReplies,
    pages: file.pages.length,
    pagesWithComments: counts.pagesWithComments,
    pagesWithoutComments: file.pages.length - counts.pagesWithComments,
    apps: counts.apps,
    restrictedApps: counts.restrictedApps,
    users: counts.users,
    notes: [
      ...file.notes,
      ...unreadable.map(({ where, cause }) => `The comment ${where} is unreadable: ${cause}.`),
      ...(unlisted > 0 ? [`${unlisted} more comments are unreadable.`] : []),
    ],
  };
}
const reasons = Object.keys(leftOutReasons) as LeftOutReason[];

/**
 * The report as lines for a terminal. `made` is what was actually created, which is less than planned where something
 * existed before; without it the report is of a dry run.
 */
export function formatReport(
  report: ImportReport,
  made?: {
    readonly apps: number;
    readonly users: number;
    readonly comments: number;
    readonly restored: number;
    /** The uids of 0.1.0 by those of the pages, and whether the apps were renamed. */
    readonly formerUids: ReadonlyMap<string, string>;
    readonly isRenamed: boolean;
    /** The uids of apps of 0.1.0 whose page has another app. */
    readonly otherUids: readonly string[];
  },
): string[] {
  const { found, imported, held, leftOut, movedReplies, apps, restrictedApps, users } = report;
  const lines = reasons.flatMap((reason) => {
    const count = leftOut[reason];
    if (count === undefined) return [];
    const words = leftOutReasons[reason];
    return [`  ${quantity(count, leftOutOnce[reason] ?? words, words)}`];
  });
  return [
    `Read from ${report.source}: ${quantity(found, 'comment')} on ${quantity(report.pages, 'page')}` +
      ` (${report.pagesWithComments} with comments to import, ${report.pagesWithoutComments} without).`,
    `To import: ${quantity(imported, 'comment')} in ${quantity(apps, 'app')} by ${quantity(users, 'user')}.`,
    ...(held === 0 ? [] : [`Of these, ${held === 1 ? '1 waits' : `${held} wait`} for approval.`]),
    ...(made === undefined
      ? ['Dry run: nothing was made.']
      : [
          `Made: ${quantity(made.comments, 'comment')}, ${quantity(made.apps, 'app')}, ${quantity(made.users, 'user')}.`,
          ...(made.restored === 0
            ? []
            : [`Restored: ${quantity(made.restored, 'comment')} of an import that was taken back.`]),
          ...formerLines(made),
          `There before: ${quantity(imported - made.comments - made.restored, 'comment')}, ${quantity(apps - made.apps, 'app')},` +
            ` ${quantity(users - made.users, 'user')}.`,
        ]),
    `Left out: ${quantity(found - imported, 'comment')}${lines.length > 0 ? ':' : '.'}`,
    ...lines,
    `Together: ${imported} + ${found - imported} = ${found}.`,
    ...(movedReplies > 0
      ? [
          `${quantity(movedReplies, 'reply', 'replies')} moved up, because ${movedReplies === 1 ? 'its parent was' : 'their parents were'} left out${held > 0 ? ' or held' : ''}.`,
        ]
      : []),
    ...(restrictedApps > 0
      ? [
          `${quantity(restrictedApps, 'app')} of a page that is not public: closed to everyone but its members.`,
        ]
      : []),
    ...report.notes,
  ];
}

function formerLines(made: {
  readonly formerUids: ReadonlyMap<string, string>;
  readonly isRenamed: boolean;
  readonly otherUids: readonly string[];
}): string[] {
  const lines: string[] = [];
  for (const [uid, former] of [...made.formerUids].slice(0, 1)) {
    const apps = quantity(made.formerUids.size, 'app');
    lines.push(
      made.isRenamed
        ? `Renamed: ${apps}, such as ${former} to ${uid}.`
        : `From Confab 0.1.0: ${apps} with a uid that web components cannot open, such as ${former}.` +
            ` With --rename-apps it becomes ${uid}.`,
    );
  }
  for (const other of made.otherUids.slice(0, 1))
    lines.push(
      `Not renamed: ${quantity(made.otherUids.length, 'app')} of Confab 0.1.0, such as ${other}, because the page` +
        ' has another app. Each keeps its comments.',
    );
  return lines;
}

function quantity(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
