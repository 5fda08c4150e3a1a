/**
 * Plans an import: which comments are imported, which apps and users they need, and why the others are left out.
 * Planning is pure, so a dry run and a real one decide the same.
 *
 * Reasons are tried in the order of `leftOutReasons`, so each comment has only one reason. Comments that moderators had
 * not approved are left out because importing would publish them, or held where the caller asks for it. Pingbacks and trackbacks are automatic link
 * notifications, not comments; their "author" is the title of another page.
 *
 * The parent of a reply is its nearest imported ancestor on the same page; without one the reply begins a thread. So a
 * thread stays together when a comment in its middle was deleted.
 */
import type { LeftOutReason, RepliesAs } from 'confab-contract/import-words.ts';
import { beginningOf } from 'confab-contract/values/excerpt.ts';
import { ownUidFault } from 'confab-contract/values/ids.ts';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { authorUid, formerPageUid, keptId } from 'confab-importers/identity.ts';
import type {
  ImportedAuthor,
  ImportedComment,
  ImportedPage,
  ImportFile,
} from 'confab-importers/import-file.ts';
import { quotedAbove } from './import-quote.ts';
import { type ImportReport, reportOf } from './import-report.ts';
import { type KeptComment, threadComments } from './import-threads.ts';

/** A comments app to create, for a page that has comments to import. */
export interface PlannedApp {
  readonly uid: string;
  /** The uids under which Confab 0.1.0 may have imported the page. */
  readonly formerUids: readonly string[];
  /** The page's title, 1 to 256 characters; absent when the page has none. */
  readonly name?: string;
  /** The page's address as the file spells it. */
  readonly link: string;
  /** Whether the source hides the page from the public, so that the app must not be open. */
  readonly isRestricted: boolean;
}

/**
 * A user to create. The source verified none of the fields, so this user must never be merged with one of another uid.
 */
export interface PlannedUser {
  readonly uid: string;
  /** 1 to 256 characters. */
  readonly name: string;
  /** In email form, at most 256 characters. */
  readonly email?: string;
  /** An http address of at most 2048 characters. */
  readonly url?: string;
}

/** A comment to create, unless one with the same `source` and `sourceId` was imported before. */
export interface PlannedComment {
  readonly source: string;
  readonly sourceId: string;
  readonly appUid: string;
  readonly userUid: string;
  /** The `sourceId` of an earlier comment in the plan, in the same app. */
  readonly parentSourceId?: string;
  readonly createdAt: UnixMs;
  /** Markdown, 1 byte to 64 KiB. */
  readonly text: string;
  /** Whether the thread that it begins is resolved. */
  readonly isResolved?: true;
  /** Whether it waits for approval. Nothing in the plan answers it. */
  readonly isHeld?: true;
}

/** Everything that an import creates. Comments are ordered by time, but a reply never comes before its parent. */
export interface ImportPlan {
  readonly replies: RepliesAs;
  readonly apps: readonly PlannedApp[];
  readonly users: readonly PlannedUser[];
  readonly comments: readonly PlannedComment[];
  readonly report: ImportReport;
}

/** The most UTF-8 bytes of a comment's text, as for comments that arrive over HTTP. */
const textBytesMax = 64 * 1024;
const nameCharactersMax = 256;
const emailCharactersMax = 256;
const urlCharactersMax = 2048;

/**
 * Plans the import of one export. A reply answers its parent, or with `quote` begins with a line of it, for clients that
 * show the comments of an app as one list. With `holds`, comments that wait for approval are imported as held ones.
 */
export function planImport(
  read: ImportFile,
  { replies, holds = false }: { readonly replies: RepliesAs; readonly holds?: boolean } = {
    replies: 'thread',
  },
): ImportPlan {
  const file = { ...read, comments: read.comments.map(withKeptIds) };
  const pages = new Map(file.pages.map((page) => [page.sourceId, page]));
  const accepted = new Map<string, KeptComment>();
  const leftOut = new Map<LeftOutReason, number>();
  for (const comment of file.comments) {
    const appUid = appUidOf(pages.get(comment.pageSourceId ?? ''));
    const reason =
      reasonToLeaveOut(comment, { appUid, holds }) ??
      (accepted.has(comment.sourceId) ? 'duplicate' : undefined);
    if (reason !== undefined) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    else if (appUid !== undefined)
      accepted.set(comment.sourceId, { comment, appUid, isHeld: comment.status === 'pending' });
  }

  const users = new Map<string, PlannedUser>();
  const comments = threadComments(file.comments, accepted).map(
    ({ comment, appUid, parentSourceId, isHeld }): PlannedComment => {
      const user = planUser(file, comment.author);
      // An author's first comment determines the fields; later ones fill in missing ones.
      users.set(user.uid, { ...user, ...users.get(user.uid) });
      const { sourceId, createdAt, isResolved } = comment;
      const reply = parentSourceId === undefined ? {} : { parentSourceId };
      // A reply that has moved up replied to something else.
      const parent =
        comment.parentSourceId === parentSourceId ? accepted.get(parentSourceId ?? '') : undefined;
      const text =
        replies === 'quote' && parent !== undefined ? withQuote(comment, parent.comment) : comment.text;
      const state = isHeld ? { isHeld } : isResolved === undefined ? {} : { isResolved };
      const place = { source: file.source, sourceId, appUid, userUid: user.uid };
      return { ...place, ...reply, createdAt, text, ...state };
    },
  );
  const apps = planApps(file.pages, new Set(comments.map(({ appUid }) => appUid)));
  const uidsOfApps = new Set(apps.map(({ uid }) => uid));
  const report = reportOf(file, {
    imported: comments.length,
    held: comments.filter(({ isHeld }) => isHeld).length,
    leftOut,
    pagesWithComments: file.pages.filter((page) => uidsOfApps.has(appUidOf(page) ?? '')).length,
    apps: apps.length,
    restrictedApps: apps.filter((app) => app.isRestricted).length,
    users: users.size,
    movedReplies: comments.filter(({ sourceId, parentSourceId }) => {
      return accepted.get(sourceId)?.comment.parentSourceId !== parentSourceId;
    }).length,
  });
  return { replies, apps, users: [...users.values()], comments, report };
}

/** The text below a quoted line of its parent, if that leaves it within its limit. */
function withQuote({ text }: ImportedComment, parent: ImportedComment): string {
  const quoted = quotedAbove(text, { text: parent.text, author: authorName(parent.author) });
  return Buffer.byteLength(quoted) > textBytesMax ? text : quoted;
}

function withKeptIds(comment: ImportedComment): ImportedComment {
  const { sourceId, parentSourceId } = comment;
  const parent = parentSourceId === undefined ? {} : { parentSourceId: keptId(parentSourceId) };
  return { ...comment, sourceId: keptId(sourceId), ...parent };
}

function appUidOf(page: ImportedPage | undefined): string | undefined {
  const uid = page?.link === undefined ? undefined : pageUid(page.link);
  return uid === undefined || ownUidFault('app', uid) !== undefined ? undefined : uid;
}

function reasonToLeaveOut(
  comment: ImportedComment,
  { appUid, holds }: { readonly appUid: string | undefined; readonly holds: boolean },
): LeftOutReason | undefined {
  if (comment.status === 'spam') return 'spam';
  if (comment.status === 'trash' || comment.status === 'deleted') return 'deleted';
  if (comment.status === 'pending' && !holds) return 'pending';
  if (comment.kind === 'pingback' || comment.kind === 'trackback') return comment.kind;
  if (comment.kind === 'other') return 'not_a_comment';
  if (appUid === undefined) return 'page_missing';
  if (comment.text === '') return 'text_empty';
  return Buffer.byteLength(comment.text) > textBytesMax ? 'text_too_long' : undefined;
}

/** One app for each uid in `wanted`. Pages with the same uid, such as the http and the https spelling, share an app. */
function planApps(pages: readonly ImportedPage[], wanted: ReadonlySet<string>): PlannedApp[] {
  const apps = new Map<string, PlannedApp>();
  for (const page of pages) {
    const uid = appUidOf(page);
    if (uid === undefined || page.link === undefined || !wanted.has(uid)) continue;
    const before = apps.get(uid);
    const name = before?.name ?? shortened(page.title, nameCharactersMax);
    const formerUid = formerPageUid(page.link) ?? uid;
    apps.set(uid, {
      uid,
      formerUids: [...new Set([...(before?.formerUids ?? []), formerUid])].filter((former) => former !== uid),
      ...(name === '' ? {} : { name }),
      link: before?.link ?? page.link,
      isRestricted: page.isRestricted || before?.isRestricted === true,
    });
  }
  return [...apps.values()];
}

function planUser(file: ImportFile, author: ImportedAuthor): PlannedUser {
  const { email, url } = author;
  const hasEmail = email !== undefined && email.length <= emailCharactersMax && emailForm.test(email);
  const hasUrl = url !== undefined && url.length <= urlCharactersMax && isWebAddress(url);
  return {
    uid: authorUid(file, author),
    name: authorName(author),
    ...(hasEmail ? { email } : {}),
    ...(hasUrl ? { url } : {}),
  };
}

/** Without a name the server would show the local part of the email address, which the author never published. */
function authorName({ name }: ImportedAuthor): string {
  return shortened(name, nameCharactersMax) || 'Anonymous';
}
const emailForm = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/;

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The text without control characters, at most `charactersMax` code points: one that is cut ends with an ellipsis. */
function shortened(text: string, charactersMax: number): string {
  const shown = text.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim();
  return beginningOf(shown, charactersMax) === shown ? shown : `${beginningOf(shown, charactersMax - 1)}…`;
}
