import type { Failure } from './api.ts';
import type { CommentsHost, Extension, Intent } from './comments/host.ts';
import type { Kept, Server, Session } from './connection.ts';
import type { Comment } from './thread/comment.ts';
import type { Reading } from './thread/reading.ts';
import type { Thread } from './thread/thread.ts';

/**
 * The parts that are loaded later, as the entry uses them. Parts import the entry, so the entry imports none of them: it calls
 * `parts`, and `parts.ts`, which is above both, says which file each is.
 */

/** Begins sessions that the page comes with, and renews them. */
export type KeepingPart = {
  comeBack(url: string, session: Session, code: string): Promise<Failure | undefined>;
  beginBySite(url: string, session: Session): Promise<undefined>;
  freshToken(url: string, session: Session, kept: Kept): Promise<string | undefined>;
  replace(url: string, session: Session, token: string): Promise<boolean>;
};

/** Shows who is signed in, and asks people to sign in. */
export type AccountPart = {
  readonly account: Extension;
  signIn(host: CommentsHost): Promise<boolean>;
};

/** Writes, answers, edits, removes, reacts, votes and reports. */
export type WriterPart = {
  begin(
    host: CommentsHost,
    what: { intent: Intent; comment: Comment | undefined; value: string | number | undefined },
  ): void;
};

/**
 * Shows comments that a permalink names, reads again what has changed, keeps the place of what is read and says how many new
 * comments wait, knows whether a page that nobody has commented on can be opened, shows who is writing and how many are here,
 * and refuses servers that are not trusted.
 */
export type SeldomPart = {
  show(host: CommentsHost, id: number): Promise<boolean>;
  refresh(
    of: { readonly thread: Thread; readonly reading: Reading },
    near: ReadonlySet<number>,
  ): Promise<Failure | undefined>;
  keepPlace(root: ParentNode, drawn: Promise<void>): Promise<void>;
  announceNew(host: CommentsHost): void;
  opensPage(host: CommentsHost, server: Server, app: string): Promise<boolean>;
  hearPeople(host: CommentsHost, message: string): Promise<() => void>;
  untrusted(url: string): Promise<Response | undefined>;
};

/** What loads each part. */
export type Parts = {
  keeping(): Promise<KeepingPart>;
  account(): Promise<AccountPart>;
  writer(): Promise<WriterPart>;
  /** Shows attachments, previews of links and polls, by an element that it defines. */
  extras(): Promise<unknown>;
  seldom(): Promise<SeldomPart>;
};

/** The parts of the page, of which there is one set; `elements.ts` provides them before it defines an element. */
export let parts: Parts;

/** Says what loads each part. */
export function provide(loaders: Parts): void {
  parts = loaders;
}
