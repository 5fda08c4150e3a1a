import type { ImportKind } from 'confab-contract/import-words.ts';
import { commentToMarkdown } from './html-to-markdown.ts';
import {
  type ExportFile,
  ImportError,
  type ImportedComment,
  type ImportFile,
  type UnreadableComment,
} from './import-file.ts';
import type { Pages } from './imported-pages.ts';
import type { JsonRecord } from './json-record-text.ts';
import { type Fields, fieldsOf, RecordFault } from './record-fields.ts';

/** What the readers of JSON and of databases share: the comments that can be read and those that cannot. */

/** The record of a comment: of a text file with its line, of a database without. */
export type CommentRecord = Omit<JsonRecord, 'line'> & { readonly line?: number };

/** Collects the comments of a file. */
export type Comments = {
  /** Reads the comment of a record, or notes why it cannot be read. */
  add(record: CommentRecord, read: (fields: Fields) => ImportedComment): void;
  /** The export with the comments that were added. */
  file(kind: ImportKind, pages: Pages, more?: readonly string[]): ImportFile;
};

/** The comments of an export. */
export function createComments({ timeZone }: Pick<ExportFile, 'timeZone'>): Comments {
  const comments: ImportedComment[] = [];
  const unreadable: UnreadableComment[] = [];
  return {
    add({ number, line, value }, read) {
      try {
        comments.push(read(fieldsOf(value, { timeZone })));
      } catch (error) {
        if (!(error instanceof RecordFault)) throw error;
        const place = line === undefined ? '' : `, which begins in line ${line},`;
        unreadable.push({ where: `number ${number}${place}`, cause: error.message });
      }
    },
    file: (kind, pages, more = []) => ({
      kind,
      source: kind,
      pages: pages.all(),
      comments,
      unreadable,
      notes: [...more, ...pages.notes()],
    }),
  };
}

/** The error for a file of another kind. */
export function wrongFile(path: string, kind: string, cause: string): ImportError {
  return new ImportError(path, `this is not ${kind}: ${cause}`);
}

/** Markdown as it is, but html that another system left there: a text that begins with a paragraph or the like. */
export function markdownOrHtml(text: string): string {
  return /^<(?:p|div|blockquote|ul|ol|pre|h[1-6])[\s>]/i.test(text) ? commentToMarkdown(text) : text;
}
