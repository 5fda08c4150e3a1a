/**
 * What every export format is read into. The readers translate into these shapes and decide nothing; what is imported
 * and what is left out is decided in one place, `import-plan.ts`.
 */
import type { UnixMs } from '../../kernel/clock.ts';

/** The export formats that can be read: a WordPress WXR file and a Disqus XML file. */
export type ImportKind = 'wordpress' | 'disqus';

/** A page of the exported site. */
export interface ImportedPage {
  /** The page's id in its source: `wp:post_id` or the thread's `dsq:id`. */
  readonly sourceId: string;
  /** The page's address as the file spells it; absent when the file gives none. */
  readonly link?: string;
  /** Plain text; empty when the file gives none. */
  readonly title: string;
  /**
   * The source does not show the page to everyone: it is private, a draft, in the trash or behind a password. Its
   * comments are as confidential as the page.
   */
  readonly isRestricted: boolean;
}

/** Who wrote a comment, in the source's own words: neither name nor e-mail address was ever verified. */
export interface ImportedAuthor {
  /** Plain text; empty when the file gives none. */
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
  /** The account that the source itself vouches for; absent for guests. */
  readonly username?: string;
}

/** What the source's moderators had decided about a comment. */
export type ImportedStatus = 'approved' | 'pending' | 'spam' | 'trash' | 'deleted';

/** What a comment is; `other` is a record that a plugin keeps for itself among the comments, such as an order note. */
export type ImportedCommentKind = 'comment' | 'pingback' | 'trackback' | 'other';

/** One comment that could be read. */
export interface ImportedComment {
  /** Unique within `ImportFile.source`; made from the content when the file gives none. */
  readonly sourceId: string;
  readonly parentSourceId?: string;
  /** Names an `ImportedPage`; absent or dangling when the file has no such page. */
  readonly pageSourceId?: string;
  readonly author: ImportedAuthor;
  readonly createdAt: UnixMs;
  /** Markdown, without leading and trailing white space. */
  readonly text: string;
  readonly status: ImportedStatus;
  readonly kind: ImportedCommentKind;
}

/** One comment that stands in the file but cannot be read. */
export interface UnreadableComment {
  /** The line of the file on which the comment begins, from 1. */
  readonly line: number;
  /** Half a sentence. */
  readonly cause: string;
}

/** A whole export. It holds the text of every comment in memory, but never the file itself nor the pages' content. */
export interface ImportFile {
  readonly kind: ImportKind;
  /** The system of ids within which `sourceId` is unique: `disqus`, or `wordpress:` and the site's address. */
  readonly source: string;
  readonly pages: readonly ImportedPage[];
  readonly comments: readonly ImportedComment[];
  readonly unreadable: readonly UnreadableComment[];
  /** Sentences about what was overlooked to read the file at all. */
  readonly notes: readonly string[];
}

/** Where in a file a reader stands; both count from 1, columns in characters. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** The file cannot be imported at all. The message is one sentence for the person at the terminal, with the place. */
export class ImportError extends Error {
  readonly position: FilePosition | undefined;

  constructor(path: string, sentence: string, position?: FilePosition) {
    super(
      position === undefined
        ? `${path}: ${sentence}`
        : `${path}:${position.line}:${position.column}: ${sentence}`,
    );
    this.name = 'ImportError';
    this.position = position;
  }
}
