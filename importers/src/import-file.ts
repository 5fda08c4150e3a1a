/**
 * The common form of all export formats. The readers only translate into it; `import-plan.ts` alone decides what is
 * imported and what is left out.
 */
import type { ImportKind } from 'confab-contract/import-words.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';

/** A file to read: its name for messages, and its bytes, which may be packed with gzip. */
export type ExportFile = {
  readonly name: string;
  /** The address of the site that paths without a host belong to, an http address. */
  readonly site?: string | undefined;
  /** The zone of dates that have none, a name that `isTimeZone` accepts; UTC when absent. */
  readonly timeZone?: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The most bytes that it may have unpacked, whole MiB; any number when absent. */
  readonly unpackedBytesMax?: number;
};

/** A page of the exported site. */
export interface ImportedPage {
  /** The page's id in its source: `wp:post_id` or the thread's `dsq:id`. */
  readonly sourceId: string;
  /** The page's address as the file spells it; absent when the file gives none. */
  readonly link?: string;
  /** Plain text; empty when the file gives none. */
  readonly title: string;
  /**
   * Whether the source hides the page from the public: it is private, a draft, in the trash or behind a password. Its
   * comments are as confidential as the page.
   */
  readonly isRestricted: boolean;
}

/** The author of a comment as the source names them; neither name nor email address was ever verified. */
export interface ImportedAuthor {
  /** Plain text; empty when the file gives none. */
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
  /** The account that the source itself verified; absent for guests. */
  readonly username?: string;
  /** The site on which a guest is known by their name; the source of the file when absent. */
  readonly site?: string;
}

/** The decision of the source's moderators about a comment. */
export type ImportedStatus = 'approved' | 'pending' | 'spam' | 'trash' | 'deleted';

/** The type of a comment; `other` is a record that a plugin stores among the comments, such as an order note. */
export type ImportedCommentKind = 'comment' | 'pingback' | 'trackback' | 'other';

/** A readable comment. */
export interface ImportedComment {
  /** Unique within `ImportFile.source`; derived from the content when the file has none. */
  readonly sourceId: string;
  readonly parentSourceId?: string;
  /** Names an `ImportedPage`; absent or dangling when the file has no such page. */
  readonly pageSourceId?: string;
  readonly author: ImportedAuthor;
  readonly createdAt: UnixMs;
  /** Markdown, without leading and trailing white space. */
  readonly text: string;
  readonly status: ImportedStatus;
  /** Whether the source says that the thread which it began is resolved. */
  readonly isResolved?: true;
  readonly kind: ImportedCommentKind;
}

/** A comment in the file that cannot be read. */
export interface UnreadableComment {
  /** Which comment it is, as it follows the words "the comment". */
  readonly where: string;
  /** Half a sentence. */
  readonly cause: string;
}

/** A whole export. The text of every comment is in memory, but never the file itself or the content of the pages. */
export interface ImportFile {
  readonly kind: ImportKind;
  /** The scope in which `sourceId` is unique: the kind, for WordPress with the site's address. */
  readonly source: string;
  readonly pages: readonly ImportedPage[];
  readonly comments: readonly ImportedComment[];
  readonly unreadable: readonly UnreadableComment[];
  /** Sentences about the faults that were repaired to read the file. */
  readonly notes: readonly string[];
}

/** A position in a file; line and column count from 1, columns in characters. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** The file cannot be imported at all. The message is one sentence for the operator, with the position. */
export class ImportError extends Error {
  /** The message without the file and the position. */
  readonly sentence: string;
  readonly position: FilePosition | undefined;

  constructor(path: string, sentence: string, position?: FilePosition) {
    super(
      position === undefined
        ? `${path}: ${sentence}`
        : `${path}:${position.line}:${position.column}: ${sentence}`,
    );
    this.name = 'ImportError';
    this.sentence = sentence;
    this.position = position;
  }
}
