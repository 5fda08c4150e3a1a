import { type LeftOutReason, leftOutOnce, leftOutReasons } from 'confab-contract/import-words.ts';
import type { WeavyLeftOut } from 'confab-importers/weavy/weavy-records.ts';
import type { CreatedCounts } from '../write-slice.ts';

/** The report of the import of a Weavy server: everything that was found is imported or left out for one reason. */

/** The result of planning. */
export type WeavyReport = {
  readonly kind: 'weavy';
  readonly source: string;
  /** All comments, posts, messages and files; what is imported and all of `leftOut` add up to it. */
  readonly found: number;
  /** What is imported, and what is on it. */
  readonly counts: {
    readonly comments: number;
    readonly posts: number;
    readonly messages: number;
    readonly files: number;
    readonly attachments: number;
    readonly reactions: number;
    readonly polls: number;
    readonly votes: number;
    /** The bytes of files and attachments. */
    readonly bytes: number;
  };
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, number>>>;
  readonly apps: number;
  readonly appsFound: number;
  readonly restrictedApps: number;
  readonly users: number;
  readonly usersFound: number;
  readonly members: number;
  /** What is on imported items, or beside them, and not taken over. */
  readonly rest: Readonly<WeavyLeftOut> & {
    /** Attachments that a provider keeps elsewhere, and those that are larger than an upload may be. */
    readonly elsewhere: number;
    readonly large: number;
    /** Reactions that are no emoji or of a user who has another, and votes of a user who has another in the poll. */
    readonly moreReactions: number;
    readonly moreVotes: number;
    readonly tags: number;
  };
  readonly notes: readonly string[];
};

/** What an import wrote, and what of the plan it could not write. */
export type WeavyMade = Required<CreatedCounts> & {
  readonly runId: number | undefined;
  /** Files without bytes, and items whose app, post or file is not here, because it was deleted since or has no bytes. */
  readonly skipped: number;
  /** Files and attachments without bytes: gone there, or larger than an upload may be. */
  readonly withoutBytes: number;
};

/** How many items a plan writes. */
export function plannedItems({ counts }: WeavyReport): number {
  return counts.comments + counts.posts + counts.messages + counts.files;
}

/** The report as lines for a terminal; without `made` it is of a dry run. */
export function formatWeavyReport(report: WeavyReport, made?: WeavyMade): string[] {
  const { counts, found } = report;
  const planned = plannedItems(report);
  const reasons = (Object.keys(leftOutReasons) as LeftOutReason[]).flatMap((reason) => {
    const count = report.leftOut[reason];
    if (count === undefined) return [];
    return [`  ${quantity(count, leftOutOnce[reason] ?? leftOutReasons[reason], leftOutReasons[reason])}`];
  });
  return [
    `Read from ${report.source}: ${quantity(found, 'item')} in ${quantity(report.appsFound, 'app')}, ` +
      `${quantity(report.usersFound, 'user')}.`,
    `To import: ${itemsIn(counts)} in ${quantity(report.apps, 'app')}, ${quantity(report.users, 'user')}.`,
    `With them: ${[
      quantity(report.members, 'membership'),
      quantity(counts.reactions, 'reaction'),
      `${quantity(counts.polls, 'poll')} with ${quantity(counts.votes, 'vote')}`,
      `${quantity(counts.attachments, 'attachment')}`,
    ].join(', ')}; ${megabytes(counts.bytes)} of files.`,
    ...(made === undefined ? ['Dry run: nothing was made.'] : madeLines(report, made)),
    `Left out: ${quantity(found - planned, 'item')}${reasons.length > 0 ? ':' : '.'}`,
    ...reasons,
    `Together: ${planned} + ${found - planned} = ${found}.`,
    ...restLines(report),
    ...report.notes,
  ];
}

function itemsIn(counts: Pick<CreatedCounts, 'comments' | 'posts' | 'messages' | 'files'>): string {
  const { comments, posts = 0, messages = 0, files = 0 } = counts;
  const parts = [
    quantity(comments, 'comment'),
    quantity(posts, 'post'),
    quantity(messages, 'message'),
    quantity(files, 'file'),
  ];
  return parts.join(', ');
}

function madeLines(report: WeavyReport, made: WeavyMade): string[] {
  const written = made.comments + made.posts + made.messages + made.files;
  const before = plannedItems(report) - written - made.restored - made.skipped;
  return [
    `Made: ${itemsIn(made)}, ${quantity(made.apps, 'app')}, ${quantity(made.users, 'user')}.`,
    ...(made.restored > 0
      ? [`Restored: ${quantity(made.restored, 'item')} of an import that was taken back.`]
      : []),
    ...(made.skipped > 0
      ? [`Skipped: ${quantity(made.skipped, 'item')} without bytes, or whose app, post or file is not here.`]
      : []),
    ...(made.withoutBytes > 0
      ? [
          `Without their bytes: ${quantity(made.withoutBytes, 'file')} that the server did not give or that are too large.`,
        ]
      : []),
    `There before: ${quantity(before, 'item')}, ${quantity(report.apps - made.apps, 'app')}, ` +
      `${quantity(report.users - made.users, 'user')}.`,
    ...(made.runId === undefined ? [] : [`This is import ${made.runId}.`]),
  ];
}

/** What is never taken over, where there is some of it. */
function restLines({ rest, appsFound, apps, usersFound, users }: WeavyReport): string[] {
  const parts = [
    [appsFound - apps, 'app in the trash or of another type', 'apps in the trash or of other types'],
    [usersFound - users, 'user in the trash', 'users in the trash'],
    [rest.embeds, 'link preview', 'link previews'],
    [rest.meetings, 'meeting', 'meetings'],
    [rest.versions, 'earlier version of a file', 'earlier versions of files'],
    [rest.pictures, 'picture of a user', 'pictures of users'],
    [rest.elsewhere, 'attachment that a provider keeps', 'attachments that a provider keeps'],
    [rest.large, 'attachment larger than 50 MiB', 'attachments larger than 50 MiB'],
    [rest.moreReactions, 'second reaction of a user', 'second reactions of users'],
    [rest.moreVotes, 'second vote of a user', 'second votes of users'],
    [rest.tags, 'tag that is too long', 'tags that are too long'],
    [
      rest.unlisted,
      'vote, reaction or attachment that is not listed',
      'votes, reactions or attachments that are not listed',
    ],
  ] as const;
  const present = parts.flatMap(([count, one, several]) =>
    count > 0 ? [quantity(count, one, several)] : [],
  );
  return present.length === 0 ? [] : [`Not taken over: ${present.join(', ')}.`];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function quantity(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
