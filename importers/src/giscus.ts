/**
 * Reads the comments of Giscus: discussions as GitHub's GraphQL interface answers, one answer after the other or in a list
 * (docs.github.com, GraphQL, Using the GraphQL API for Discussions; the query of `services/github/getDiscussion.ts` of
 * giscus/giscus). docs/migrating.md has the request.
 *
 * Giscus ends the text of a discussion with the address of its page (`components/Widget.tsx`), and its title is a path, an
 * address or a title of the page.
 */

import { type Comments, createComments, wrongFile } from './comment-records.ts';
import { commentToMarkdown } from './html-to-markdown.ts';
import { contentId } from './identity.ts';
import type {
  ExportFile,
  ImportedAuthor,
  ImportedComment,
  ImportedStatus,
  ImportFile,
} from './import-file.ts';
import { createPages, type Pages } from './imported-pages.ts';
import type { JsonRecord } from './json-record-text.ts';
import { readJson } from './json-records.ts';
import { type Fields, fieldsOf, isObject } from './record-fields.ts';

const paths = ['$', '$[]'].flatMap((answer) => [
  `${answer}.data.repository.discussions.nodes[]`,
  `${answer}.data.search.nodes[]`,
  `${answer}.data.repository.discussion`,
]);

/** Reads the whole file. Throws `ImportError` when it has no discussions or cannot be read to its end. */
export async function readGiscus(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const comments = createComments();
  const notes: string[] = [];
  let discussions = 0;
  const arrays = await readJson(file, paths, (_, record) => {
    discussions += 1;
    if (isObject(record.value)) addDiscussion(record, { pages, comments, notes });
  });
  if (arrays.size === 0 && discussions === 0)
    throw wrongFile(
      file.name,
      'an answer of GitHub with discussions',
      'it has no "discussions" with "nodes"',
    );
  return comments.file('giscus', pages, notes);
}

type Parts = { readonly pages: Pages; readonly comments: Comments; readonly notes: string[] };

/** Adds a discussion, which is a page, with its comments. */
function addDiscussion(record: JsonRecord, { pages, comments, notes }: Parts): void {
  const discussion = fieldsOf(record.value);
  const title = discussion.tolerant('title');
  const page = discussion.tolerant('id') ?? contentId([title]);
  pages.add({ id: page, address: addressIn(discussion.tolerant('body')) ?? title, title });
  const missing = addAll(discussion, 'comments', (value) => {
    let id: string | undefined;
    comments.add({ ...record, value }, (fields) => {
      const comment = readComment(fields, page, undefined);
      id = comment.sourceId;
      return comment;
    });
    if (!isObject(value)) return 0;
    return addAll(fieldsOf(value), 'replies', (reply) => {
      comments.add({ ...record, value: reply }, (fields) => readComment(fields, page, id));
      return 0;
    });
  });
  if (missing > 0)
    notes.push(
      `The discussion ${JSON.stringify(title ?? page)} has ${missing} more ${missing === 1 ? 'comment' : 'comments'} than the file.`,
    );
}

/** Adds the items of a connection; returns how many its count says that it has beyond those, and `add` returned. */
function addAll(fields: Fields, name: string, add: (value: unknown) => number): number {
  const connection = fields.connection(name);
  let missing = 0;
  for (const value of connection.nodes) missing += add(value);
  return missing + Math.max(0, connection.total - connection.nodes.length);
}

function readComment(fields: Fields, page: string, nestedIn: string | undefined): ImportedComment {
  const author = readAuthor(fields.object('author'));
  const createdAt = fields.time('createdAt');
  const markdown = fields.text('body');
  const text = markdown ?? commentToMarkdown(fields.text('bodyHTML') ?? '');
  const parent = fields.object('replyTo')?.text('id') ?? nestedIn;
  return {
    sourceId: fields.id('id') ?? contentId([page, author.name, createdAt, text]),
    ...(parent === undefined ? {} : { parentSourceId: parent }),
    pageSourceId: page,
    author,
    createdAt,
    text,
    status: readStatus(fields),
    ...(parent === undefined && isResolved(fields) ? { isResolved: true } : {}),
    kind: 'comment',
  };
}

/** The account of an author is gone where GitHub has none to name. */
function readAuthor(author: Fields | undefined): ImportedAuthor {
  const login = author?.text('login');
  const url = author?.text('url');
  return {
    name: login ?? '',
    ...(url === undefined ? {} : { url }),
    ...(login === undefined ? {} : { username: login }),
  };
}

/** A comment that a moderator has hidden is minimized, with a reason; one that is resolved stays readable. */
function readStatus(fields: Fields): ImportedStatus {
  if (fields.text('deletedAt') !== undefined) return 'deleted';
  if (!fields.flag('isMinimized')) return 'approved';
  const reason = reasonOf(fields);
  if (reason === 'resolved') return 'approved';
  return reason === 'spam' ? 'spam' : 'trash';
}

/** Whether a comment is the answer of its discussion, or was hidden because what it says is resolved. */
function isResolved(fields: Fields): boolean {
  return fields.flag('isAnswer') || (fields.flag('isMinimized') && reasonOf(fields) === 'resolved');
}

function reasonOf(fields: Fields): string | undefined {
  return fields.text('minimizedReason')?.toLowerCase();
}

/** The last address that stands alone on a line of the text, as itself or as a link to itself. */
function addressIn(body: string | undefined): string | undefined {
  const lines = body?.split('\n') ?? [];
  for (const line of lines.reverse()) {
    const address = /^\s*(?:\[[^\]]*\]\()?(https?:\/\/[^\s()<>]+)\)?\s*$/i.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  return undefined;
}
